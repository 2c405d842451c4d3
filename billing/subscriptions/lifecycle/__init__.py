"""What happens to a plan: bought, tried, changed, paused, cancelled, unpaid.

One module for each: `signup`, `trials`, `plan_changes` (with `proration` for the figures and `switching`
for what takes effect), `pauses`, `cancellations`, `dunning`. Agreements are locked before the account, by
everybody.

The calls, the scheduled tasks and the receivers of billing use them; other apps do not.
"""

__all__ = ["cancellations", "dunning", "pauses", "plan_changes", "signup", "switching", "trials"]
