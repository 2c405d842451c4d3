"""What was agreed upon: one contract for a deal, its quote and its plan request, never two.

`services` writes contracts, by hand, for a deal that was won, or for a quote that became a plan (`quotes`
calls it); `search` is the staff's list with its filters.
"""

__all__ = ["api", "models", "services"]
