"""A backup as one file: a compressed tar with `manifest.json`, the database, and the uploaded files below `media/`.

The database is a snapshot of one instant. The files are copied after it: those added since are
included, those removed since are not.
"""

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from adminpanel.backups import dumps
from emailcheck.common.files import backup_store, file_store

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
MEDIA = "media"
_PIECE = 1024 * 1024
Step = Callable[[], None]


class NotABackup(Exception):
    """The file cannot be restored; the message says why."""


def write_archive(name: str, *, now: datetime, step: Step) -> int:
    """Store a backup of everything under a name, whole or not at all. Returns its octets.

    `step` is called all the time. Raises `dumps.DumpFailed`, `StoreUnavailable` and `OSError`.
    """
    with backup_store().begin_file(f"{name}.{DATABASE}") as dump, backup_store().begin_file(name) as made:
        dumps.dump_database(dump.path, step)
        with tarfile.open(made.path, "w:gz", compresslevel=1) as archive:
            _add_manifest(archive, dump.path, now, step)
            with dump.path.open("rb") as file:
                _add_file(archive, file, DATABASE, dump.path.stat().st_size, now, step)
            _add_media(archive, step)
        size = made.path.stat().st_size
        made.keep()
    return size


def unpack_archive(source: Path, directory: Path) -> dict[str, Any]:
    """Unpack a backup into an empty directory and check it. Answers its manifest. Raises `NotABackup`."""
    try:
        with tarfile.open(source, "r:gz") as archive:
            _extract_files(archive, directory)
        manifest: dict[str, Any] = json.loads((directory / MANIFEST).read_text())
    except (OSError, EOFError, tarfile.TarError, ValueError) as error:
        raise NotABackup(f"{source.name} cannot be read as a backup: {error}") from error
    if manifest.get("format") != FORMAT:
        raise NotABackup(f"{source.name} has the format {manifest.get('format')}, which this version does not know")
    if _hash_file(directory / DATABASE, lambda: None) != manifest["sha256"]:
        raise NotABackup(f"{source.name} is damaged: the database in it is not the one that was saved")
    return manifest


def _extract_files(archive: tarfile.TarFile, directory: Path) -> None:
    """Write every file below `directory`. Raises `ValueError` for what `write_archive` never writes: links, ways
    out."""
    for entry in archive:
        inside = (directory / entry.name).resolve().is_relative_to(directory.resolve())
        if not (inside and entry.isreg()):
            raise ValueError(f"{entry.name} is no file of a backup")
        entry.mode &= 0o777
        archive.extract(entry, directory)


def _add_manifest(archive: tarfile.TarFile, dump: Path, now: datetime, step: Step) -> None:
    manifest = {
        "format": FORMAT,
        "created_at": now.isoformat(),
        "engine": dumps.database_engine(),
        "sha256": _hash_file(dump, step),
    }
    octets = json.dumps(manifest, indent=2).encode()
    entry = tarfile.TarInfo(MANIFEST)
    entry.size, entry.mode = len(octets), 0o600
    archive.addfile(entry, io.BytesIO(octets))


def _add_media(archive: tarfile.TarFile, step: Step) -> None:
    for found in file_store().iterate_files():
        with suppress(FileNotFoundError), file_store().open(found.name) as file:  # unless it was removed meanwhile
            _add_file(archive, file, f"{MEDIA}/{found.name}", found.size, found.modified_at, step)


def _add_file(archive: tarfile.TarFile, file: Any, name: str, size: int, modified_at: datetime, step: Step) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = size, 0o600, int(modified_at.timestamp())
    archive.addfile(entry, _ProgressFile(file, step))


class _ProgressFile(io.RawIOBase):
    """A file that reports its reads."""

    def __init__(self, file: Any, step: Step) -> None:
        self._file = file
        self._step = step

    def read(self, size: int = -1) -> bytes:
        self._step()
        octets: bytes = self._file.read(size)
        return octets


def _hash_file(path: Path, step: Step) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while octets := file.read(_PIECE):
            found.update(octets)
            step()
    return found.hexdigest()
