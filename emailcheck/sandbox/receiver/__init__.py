"""Public hosts that take webhooks over HTTPS: whatever is posted to `https://inbox.hookbarn.com/NAME` is kept.

`inbox` is what came, `server` takes it, `host_names` are the names it answers to.
"""

__all__ = ["host_names", "inbox", "server"]
