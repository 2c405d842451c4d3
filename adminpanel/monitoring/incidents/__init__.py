"""Incidents and maintenance windows that the status page shows.

`services` is for staff, who announce and change them, and tells the probes whether a service is in
maintenance. Outages found by probes are opened by `probes.outages`.
"""

__all__ = ["api", "models", "services"]
