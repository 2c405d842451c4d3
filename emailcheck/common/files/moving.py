"""From one kind of store to the other: copied, read back, deleted where they were; interrupted and repeated at will."""

import hashlib
from collections.abc import Callable
from typing import IO, NamedTuple, cast

from django.conf import settings
from django.core.files.storage import storages

from emailcheck.common.files.store import FileStore

_PIECE_BYTES = 1024 * 1024


class NotDescribed(Exception):
    """The store has no settings; the message says which it wants."""


class Moved(NamedTuple):
    """How many files were copied, were there already, and were deleted where they were."""

    copied: int = 0
    present: int = 0
    deleted: int = 0


def move_files(source: str, target: str, *, keep: bool, say: Callable[[str], None]) -> Moved:
    """Move uploads and backups from one kind of store, `disk` or `s3`, to another. `keep`: delete nothing.

    A file counts as moved when the target gives back what the source has. Raises `NotDescribed`, `StoreUnavailable`.
    """
    moved = Moved()
    for name in ("files", "backups"):
        here, there = _build_store(source, name), _build_store(target, name)
        for found in here.iterate_files():
            moved = _move_file(found.name, here, there, moved, keep=keep)
            say(found.name)
    return moved


def _build_store(kind: str, name: str) -> FileStore:
    described = settings.FILE_STORES[kind]
    if not described:
        raise NotDescribed(f"There are no settings of {kind}: set FILE_STORE_BUCKET, FILE_STORE_KEY, FILE_STORE_SECRET")
    return cast(FileStore, storages.create_storage(described[name]))


def _move_file(name: str, here: FileStore, there: FileStore, moved: Moved, *, keep: bool) -> Moved:
    try:
        digest = _hash_file(here, name)
        if is_there := _hash_or_none(there, name) == digest:
            moved = moved._replace(present=moved.present + 1)
        else:
            with here.open(name) as file:
                there.save(name, file)
            is_there = _hash_or_none(there, name) == digest
            moved = moved._replace(copied=moved.copied + 1)
    except FileNotFoundError:  # deleted meanwhile
        there.delete(name)
        return moved
    if is_there and not keep:
        here.delete(name)
        moved = moved._replace(deleted=moved.deleted + 1)
    return moved


def _hash_or_none(store: FileStore, name: str) -> str | None:
    try:
        return _hash_file(store, name)
    except FileNotFoundError:
        return None


def _hash_file(store: FileStore, name: str) -> str:
    found = hashlib.sha256()
    with store.open(name) as file:
        while octets := cast(IO[bytes], file).read(_PIECE_BYTES):
            found.update(octets)
    return found.hexdigest()
