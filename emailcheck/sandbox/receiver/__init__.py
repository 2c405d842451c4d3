"""Public hosts that take webhooks over HTTPS: whatever is posted to `https://inbox.hookbarn.com/NAME` is shown."""
