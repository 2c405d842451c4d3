"""Logging without personal data: what is written, and the latest records for staff.

`configuration` makes Django's settings, and takes addresses and tokens out of every line; `store` keeps the latest
records of a machine in ring files.
"""

__all__ = ["configuration", "store"]
