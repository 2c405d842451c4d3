"""Files on a disk: below a directory, each synced with its name before it counts as stored (fsync(2))."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.utils.deconstruct import deconstructible

from emailcheck.common.files.store import FileStore, StoredFile, StoreUnavailable, make_folder, sync

_SPOOL, _ID_FILE = ".making", ".store"


@deconstructible(path="emailcheck.common.files.disk.DiskStore")
class DiskStore(FileStore, FileSystemStorage):
    """`directory`: the setting that names the directory."""

    def __init__(self, directory: str) -> None:
        self._setting = directory
        super().__init__(file_permissions_mode=0o600, allow_overwrite=True)

    @property
    def location(self) -> str:
        """The directory; tests change the setting."""
        return str(Path(getattr(settings, self._setting)).absolute())

    @property
    def spool(self) -> Path:
        return Path(self.location) / _SPOOL

    def _save(self, name: str, content: Any) -> str:
        with self.begin_file(name) as made:
            with made.path.open("wb") as file:
                shutil.copyfileobj(content, file)
            made.keep()
        return name

    def delete(self, name: str) -> None:
        path = Path(self.path(name))
        with suppress(FileNotFoundError):
            path.unlink()
            sync(path.parent)

    def take_file(self, path: Path, name: str) -> Path:
        target = Path(self.path(name))
        make_folder(target.parent)
        sync(path)
        path.rename(target)
        sync(target.parent)
        return target

    @contextmanager
    def local_copy(self, name: str) -> Iterator[Path]:
        path = Path(self.path(name))
        path.stat()
        yield path

    def iterate_files(self, prefix: str = "") -> Iterator[StoredFile]:
        folder, _, beginning = prefix.rpartition("/")
        yield from _iterate_folder(Path(self.location), folder, beginning)

    def check(self) -> None:
        directory = Path(self.location)
        try:
            make_folder(directory)
        except OSError as error:
            raise StoreUnavailable from error
        if not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
            raise StoreUnavailable

    def address_of(self, name: str) -> str:
        return self.path(name)

    def describe_place(self) -> str:
        """By a random id in the directory: machines that share the directory find the same one."""
        path = Path(self.location) / _ID_FILE
        if not path.exists():
            with self.begin_file(_ID_FILE) as made:
                made.path.write_text(secrets.token_hex(8))
                sync(made.path)
                with suppress(FileExistsError):  # another process was first
                    os.link(made.path, path)
        return f"disk:{path.read_text()}"


def _iterate_folder(top: Path, folder: str, beginning: str) -> Iterator[StoredFile]:
    """The files of a folder and of those below it, by name. Names that begin with a dot are the store's own."""
    try:
        with os.scandir(top / folder) as entries:
            found = sorted((entry for entry in entries if entry.name.startswith(beginning)), key=lambda one: one.name)
    except FileNotFoundError:
        return
    for entry in found:
        name = f"{folder}/{entry.name}" if folder else entry.name
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _iterate_folder(top, name, "")
            continue
        with suppress(FileNotFoundError):  # removed meanwhile
            stat = entry.stat()
            yield StoredFile(name, stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC))
