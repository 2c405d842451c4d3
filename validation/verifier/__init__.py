"""The engine inside the product: one warm engine per process, and its stored memory.

`checker` runs the engine on a thread of its own, and stores what it learned of domains. `limits` counts sessions over
processes and machines. `mailboxes` recognises spellings of one mailbox. `selfcheck`, with `dns_reputation`, tests
whether this machine can verify at all. Other packages use `checker` (`checker()`, `Run`, `wait_for_any`) and
`mailboxes.mailbox_of`.
"""

__all__ = ["checker", "dns_reputation", "mailboxes", "models", "selfcheck"]
