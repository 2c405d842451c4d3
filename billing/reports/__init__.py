"""What staff read of money: the ledger of an account, payments, revenue.

Reading only, for the staff's dashboard: `movements` with the balance after each and who made it,
`payment_list` to find payments and show one, `revenue` with the formulas of `docs/metrics.md`. Ranges of
time are `payment_list.ReportRange`.
"""

__all__ = ["movements", "payment_list", "revenue"]
