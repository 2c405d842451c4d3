"""The public status: whether each service works, its uptime of the last 90 days, incidents and maintenance.

`services` is read by the status page, by the documentation and by the overview; its `measure_health` is
the short form that the public pages quote.
"""

__all__ = ["api", "services"]
