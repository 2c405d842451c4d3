"""A backup as one file: a compressed tar with `manifest.json`, the database, and the uploaded files below `media/`.

The database is a snapshot of one instant. The files are copied after it: those added since are
included, those removed since are not.
"""

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from adminpanel.backups import dumps

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
MEDIA = "media"
_PIECE = 1024 * 1024
Step = Callable[[], None]


class NotABackup(Exception):
    """The file cannot be restored; the message says why."""


def write_archive(target: Path, *, now: datetime, step: Step) -> None:
    """Write a backup of everything to `target`, which is complete or absent. `step` is called all the time.

    Raises `dumps.DumpFailed` and `OSError`.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    dump = target.with_name(f".{target.name}.database")
    part = target.with_name(f".{target.name}.part")
    try:
        dumps.dump_database(dump, step)
        part.touch(mode=0o600)
        with tarfile.open(part, "w:gz", compresslevel=1) as archive:
            _add_manifest(archive, dump, now, step)
            _add_file(archive, dump, DATABASE, step)
            _add_media(archive, step)
        _sync_file(part)
        part.rename(target)
    finally:
        dump.unlink(missing_ok=True)
        part.unlink(missing_ok=True)


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
    root: Path = settings.MEDIA_ROOT
    for path in sorted(root.rglob("*")) if root.exists() else ():
        if path.is_file():
            _add_file(archive, path, f"{MEDIA}/{path.relative_to(root)}", step)


def _add_file(archive: tarfile.TarFile, path: Path, name: str, step: Step) -> None:
    """Add a file, unless it was removed meanwhile."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        entry = archive.gettarinfo(arcname=name, fileobj=file)
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
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


def _sync_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
