"""What a shop does at the simulated PayPal: products and plans, orders, payments, subscriptions, renewals.

One module a subject, each with one class over the shared `context`. Used by `paypal.world`, `paypal.api`
and the pages.
"""

__all__ = ["catalogue", "orders", "payments", "renewals", "subscriptions"]
