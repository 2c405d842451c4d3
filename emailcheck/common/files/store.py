"""What a store promises: whole files under names that are written once."""

import os
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final, NamedTuple, Self

from django.core.files.storage import Storage

from emailcheck.common.errors import Unavailable

LEFT_AFTER_S: Final = 24 * 3600.0


class StoreUnavailable(Unavailable):
    """The store of files does not answer, or refuses; what was asked for is not done."""

    headers = MappingProxyType({"Retry-After": "10"})

    def __init__(self) -> None:
        super().__init__("Files cannot be reached now; nothing was changed. Please try again shortly.")


class StoredFile(NamedTuple):
    """A file of a listing. `size`: octets."""

    name: str
    size: int
    modified_at: datetime


class NewFile:
    """A file in the making, in a directory of this machine: it is stored as a whole by `keep`, or not at all.

    A context manager: what was not kept is gone at its end. What a crash leaves is removed by `delete_leftovers`.
    """

    def __init__(self, store: "FileStore", name: str) -> None:
        self.name = name
        self._store = store
        make_folder(store.spool)
        self._path = store.spool / f"{secrets.token_hex(8)}-{PurePosixPath(name).name}"
        self._path.touch(mode=0o600)

    @property
    def path(self) -> Path:
        """Where it is written, and can be read until the end of the context."""
        return self._path

    def keep(self) -> None:
        """Store it; once this returns, it survives a crash. Raises `StoreUnavailable`, and `OSError` of a full disk."""
        self._path = self._store.take_file(self._path, self.name)

    def close(self) -> None:
        """Remove what was written and not kept."""
        if self._path.parent == self._store.spool:
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class FileStore(Storage, ABC):
    """A storage of Django's with what list files need.

    `save` and `keep` return when the file survives a crash. `open` gives a file that can be read from any place in
    constant memory. All of it raises `StoreUnavailable`; reading what is not there, `FileNotFoundError`.
    """

    @property
    @abstractmethod
    def spool(self) -> Path:
        """Where files are made on this machine."""

    @abstractmethod
    def take_file(self, path: Path, name: str) -> Path:
        """Store a file of the spool under a name. Returns where it is on this machine now."""

    def begin_file(self, name: str) -> NewFile:
        """Begin a file that will have this name."""
        return NewFile(self, name)

    @abstractmethod
    def local_copy(self, name: str) -> AbstractContextManager[Path]:
        """The file as one on the disk of this machine, for as long as the context."""

    @abstractmethod
    def iterate_files(self, prefix: str = "") -> Iterator[StoredFile]:
        """The files whose names begin so, in the order of their names."""

    @abstractmethod
    def check(self) -> None:
        """Whether it answers. Raises `StoreUnavailable`."""

    @abstractmethod
    def address_of(self, name: str) -> str:
        """Where a person finds a file."""

    @abstractmethod
    def describe_place(self) -> str:
        """Where its files are, the same for every machine that shares them; without a secret."""

    def delete_with_parts(self, name: str) -> None:
        """Delete a file and those made of it, whose names are its own, a dot and more; none needs to be there."""
        for found in [*self.iterate_files(f"{name}."), *self.iterate_files(name)]:
            if found.name == name or found.name.startswith(f"{name}."):
                self.delete(found.name)

    def delete_leftovers(self) -> None:
        """Delete what crashes left in the spool of this machine."""
        before = time.time() - LEFT_AFTER_S
        for path in self.spool.glob("*"):
            with suppress(FileNotFoundError):  # by the process that made it
                if path.stat().st_mtime < before:
                    path.unlink()


def make_folder(directory: Path) -> None:
    """Create a missing folder and its parents, synced."""
    if not directory.is_dir():
        make_folder(directory.parent)
        directory.mkdir(mode=0o700, exist_ok=True)
        sync(directory.parent)


def sync(path: Path) -> None:
    """What was written to a file, or the names in a folder, are on disk when this returns."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
