"""Daily counts of results, for each account and for all together, so that no page has to count them.

The package lies below everything that writes or shows results. Other packages use `models` (`Tally`, `TALLY_FIELDS`,
`Day`, `DayOfAll`, `Source`), `rollups` (add to a day, read totals and days) and `buckets` (the categories as analytics
group them).
"""

__all__ = ["buckets", "models", "rollups"]
