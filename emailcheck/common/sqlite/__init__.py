"""Django's SQLite backend, whose writers wait in a queue and whose commits return when they are on the disk.

`base` is the backend that `DATABASES` names, `queue` the line of writers of all processes, and the syncs of the log
that their commits share.
"""

__all__ = ["queue"]
