"""From a chosen quote to an active plan: chosen, paid, approved, given.

`activation` has each step and is registered with `billing` for what a payment of a quote brings. It gives
the plan and the credits, writes the contract, and issues the open invoice of a plan that was approved
unpaid.
"""

__all__ = ["activation", "api", "models", "staff_api"]
