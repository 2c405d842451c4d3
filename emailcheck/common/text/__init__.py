"""Texts, numbers and dates for people, and files of comma-separated values.

Small pure functions: `dates`, `units`, `money`, `markdown`, `csv_cells` (which no spreadsheet runs as a
formula), `database_text` (what a database can store), `check_costs` (the sentences about what checks
cost).
"""

__all__ = ["check_costs", "csv_cells", "database_text", "dates", "markdown", "money", "units"]
