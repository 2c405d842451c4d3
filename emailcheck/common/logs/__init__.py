"""Logging without personal data: what is written, and the latest records for staff.

`redaction` takes addresses and tokens out of every line, `store` keeps the latest records of a machine in
ring files, `configuration` puts both together for the settings.
"""

__all__ = ["configuration", "redaction", "store"]
