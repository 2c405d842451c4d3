"""PayPal as a shop and its buyers see it: REST interface, approval pages, webhooks, and a clock that can be moved."""
