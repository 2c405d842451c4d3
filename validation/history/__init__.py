"""An account's lists and single checks: pages, searches and cursors.

`queries` reads them, `result_pages` the results of one list, `presentation` and `serializers` shape the responses.
Other packages use `queries` (`load_history`, `list_results_of_address`, the totals of an account) and `result_pages`.
"""

__all__ = ["api", "queries", "result_pages"]
