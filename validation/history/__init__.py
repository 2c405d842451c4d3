"""An account's lists and single checks: pages, searches and cursors.

`queries` reads them, `presentation` and `serializers` shape the responses. Other packages use `queries`
(`load_history`, `list_results_of_address`, the totals of an account).
"""

__all__ = ["api", "queries"]
