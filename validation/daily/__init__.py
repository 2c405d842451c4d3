"""Daily counts of results, of each account and of all together, so that no page has to count them.

It lies beneath everything that writes or shows results, and knows neither. Others use `models` (`Tally`,
`TALLY_FIELDS`, `Day`, `DayOfAll`, `Source`), `rollups` (add to a day, read totals and days) and `buckets`
(the categories as analytics group them).
"""

__all__ = ["buckets", "models", "rollups"]
