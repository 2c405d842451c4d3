"""Backups of the database and the uploaded files: made, downloaded, deleted, restored.

`services` starts a backup as a job and drops surplus ones, `archive` writes and unpacks the file, `dumps`
speaks to the database, `restore` fills an empty installation, `proof` does so with the newest one to see that it can,
`lateness` says how old that is. The management commands call `services`, `restore` and `proof`.
"""

__all__ = ["api", "archive", "dumps", "lateness", "proof", "restore", "services"]
