"""Requests for a price: made by a customer, then quoted, dismissed or taken up again by staff.

`services` has each step; `quotes.quotes` locks the request that it answers, and nothing here knows of
quotes.
"""

__all__ = ["api", "models", "serializers", "services", "staff_api"]
