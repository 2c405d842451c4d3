"""Texts, numbers and dates for people, and files of comma-separated values.

Small pure functions: `dates`, `units`, `money`, `markdown`, `csv_cells` (which no spreadsheet runs as a
formula), `cleaning` (what a database and a log must not hold), `slugs` (for names of files), `nearest` (which name
was meant), `check_costs` (the sentences about what checks cost).
"""

__all__ = ["check_costs", "cleaning", "csv_cells", "dates", "markdown", "money", "nearest", "slugs", "units"]
