"""The simulated mail hosts: SMTP conversations without I/O.

`conversation` turns octets into octets, `replies` words an operator's replies, `greylist` rejects new triplets at first
(RFC 6647), `source_counters` counts the requests of each source address, `stats` those at each host.
"""

__all__ = ["conversation", "mail_hosts", "stats"]
