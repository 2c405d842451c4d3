"""The credits that an account has used, and the notices about them.

`statement` lists every movement for the customer, `quota` sends the notices when credits run out,
`presentation` answers what can be spent.

Others use `quota.SpendingView`, the base of calls that may spend, `quota.notify_refusals` around work
that holds credits, and `quota.Shortage`.
"""

__all__ = ["api", "presentation", "quota", "serializers"]
