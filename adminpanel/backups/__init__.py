"""Backups of the database and the uploaded files: made, downloaded, deleted, restored.

`services` starts a backup as a job and drops surplus ones, `archive` writes and unpacks the file, `dumps`
speaks to the database, `restore` fills an empty installation. The management commands call `services` and
`restore`.
"""

__all__ = ["api", "archive", "dumps", "restore", "services"]
