"""What an account has had checked: pages, searches and cursors over its lists and single checks.

`queries` reads it, `presentation` and `serializers` are the answers. Others use `queries` (`explore`,
`results_for_address`, the totals of an account).
"""

__all__ = ["api", "queries"]
