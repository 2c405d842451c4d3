"""Alerts: raised when a figure passes its threshold, mailed to staff, cleared when it is back.

`conditions` has what is watched, and takes conditions of other packages with `add`; `services` compares
and writes.
"""

__all__ = ["conditions", "models", "services"]
