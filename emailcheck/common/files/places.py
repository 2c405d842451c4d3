"""The stores of this installation."""

from typing import cast

from django.core.files.storage import storages

from emailcheck.common.files.store import FileStore


def file_store() -> FileStore:
    """Uploads, and what is made of them."""
    return cast(FileStore, storages["files"])


def backup_store() -> FileStore:
    """Backups."""
    return cast(FileStore, storages["backups"])


def check_stores() -> None:
    """Whether both answer. Raises `StoreUnavailable`."""
    file_store().check()
    backup_store().check()


def describe_place() -> str:
    """Where uploads are: the same text on every machine that reads the same ones."""
    return file_store().describe_place()


def delete_leftovers() -> None:
    """Delete what crashes left of files in the making: on each machine, once a minute."""
    file_store().delete_leftovers()
    backup_store().delete_leftovers()
