"""Files that every machine of the product can read: uploads, what is made of them, and backups.

`FILE_STORE` chooses where they are: on this machine's disk, or in an S3-compatible service (Django's STORAGES, aliases
`files` and `backups`). Files are written whole under a name of their own and never changed.

store      what both kinds promise, and how a file is made
disk, s3   the kinds
places     the stores of this installation: whether they answer, and where they are
deletions  files that go for good, tried again until they are gone
moving     from one kind to the other
"""

from emailcheck.common.files.deletions import delete_files, is_noted
from emailcheck.common.files.places import backup_store, check_stores, describe_place, file_store
from emailcheck.common.files.store import FileStore, NewFile, StoreUnavailable

__all__ = [
    "FileStore",
    "NewFile",
    "StoreUnavailable",
    "backup_store",
    "check_stores",
    "delete_files",
    "deletions",
    "describe_place",
    "file_store",
    "is_noted",
    "models",
    "moving",
]
