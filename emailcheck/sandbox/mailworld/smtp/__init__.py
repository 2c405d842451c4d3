"""The simulated mail hosts: one SMTP conversation each, without any I/O of their own.

`conversation` turns octets into octets, `replies` words the answers of an operator, `greylist` turns
strangers away at first (RFC 6647), `source_counters` counts what each source address asks, `stats` what
each host saw.
"""

__all__ = ["conversation", "mail_hosts", "stats"]
