"""What is sold: plans, packs, prices, and what each plan includes.

Nothing in billing lies below it but the signals. Others use `plans` (the names of plans and cycles, for
columns and choices), `price_list` (`OFFERS`, `PACKS`, `Feature`: the one table of prices and
entitlements) and `price_tables` (the same as texts for pages, and amounts in dollars). `api` answers what
is sold.
"""

__all__ = ["api", "plans", "price_list", "price_tables"]
