"""Django's SQLite backend, whose writers wait in a queue and whose commits return when they are on the disk.

`base` is the backend that `DATABASES` names, `queue` the line of writers of all processes, `log_sync` syncs the log of
many commits at once.
"""

__all__ = ["log_sync", "queue"]
