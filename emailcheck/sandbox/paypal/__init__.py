"""PayPal as a shop and its buyers see it: REST API, approval pages, webhooks, and a clock that can be moved.

`world` wires one simulated PayPal together; `api` and `rest` answer the shop's calls, `commerce` is what
they change, `pages` are for buyers and testers; `records`, `state` and `context` are the memory below,
`webhook_delivery` and `webhook_signing` the way news reaches the shop. Used by `simulation` and `web.app`.
"""

__all__ = ["api", "pages", "world"]
