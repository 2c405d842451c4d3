"""Signals of sales, sent inside the transaction of the change."""

from django.dispatch import Signal

deal_won = Signal()
"""`deal`, `staff`: a deal was moved to the last stage; contracts write one for it."""
