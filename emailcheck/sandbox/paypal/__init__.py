"""PayPal as a shop and its buyers see it: REST API, approval pages, webhooks, and a movable clock.

`world` wires one simulated PayPal together. `api` and `rest` answer the shop's calls, `commerce` has the business
objects, `pages` are for buyers and testers. `records`, `state` and `context` are the memory below; `webhook_delivery`
and `webhook_signing` send events to the shop. Used by `simulation` and `web.app`.
"""

__all__ = ["api", "pages", "world"]
