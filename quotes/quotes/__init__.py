"""Quotes: offers whose prices and credits are frozen when they are made.

`pricing` is pure arithmetic in Decimal, read by the settings too. `services` has one function for each
arrow of the state machine up to the payment, `reminders` what time does to a quote. `plan_requests` goes
on from a chosen quote.
"""

__all__ = ["api", "emails", "models", "pricing", "reminders", "search", "serializers", "services", "staff_api"]
