"""A shop's objects at the simulated PayPal: products and plans, orders, payments, subscriptions, renewals.

One module and class for each subject, over the shared `context`. Used by `paypal.world`, `paypal.api` and the pages.
"""

__all__ = ["catalogue", "orders", "payments", "renewals", "subscriptions"]
