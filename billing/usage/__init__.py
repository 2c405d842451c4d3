"""What an account has used of its credits, and what it is told about that.

`statement` lists every movement for the customer, `quota` sends the notices when credits run out,
`presentation` answers what can be spent.

Others use `spending.SpendingView`, the base of calls that may spend, `quota.notify_refusals` around work
that holds credits, and `quota.Shortage`.
"""

__all__ = ["api", "presentation", "quota", "serializers", "spending"]
