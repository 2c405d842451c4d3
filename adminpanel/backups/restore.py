"""Restoring a backup into a separate installation."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from adminpanel.backups import archive, dumps
from adminpanel.backups.archive import NotABackup
from emailcheck.common.files import backup_store

DATABASE_FILE = "emailcheck.sqlite3"


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and the environment in which the product finds it."""

    created_at: str
    files: int
    environment: str


def restore_stored(name: str, *, into: Path, database: str = "") -> Restored:
    """Restore a backup of the store by its name, as `restore_backup`."""
    try:
        with backup_store().local_copy(name) as copy:
            return restore_backup(copy, into=into, database=database)
    except FileNotFoundError as error:
        raise NotABackup(f"{name} is neither a file nor a backup of the store") from error


def restore_backup(source: Path, *, into: Path, database: str = "") -> Restored:
    """Restore a backup below `into` and, one of PostgreSQL, into the empty `database`. Nothing is replaced.

    Raises `NotABackup` for a wrong file or target, `DumpFailed`, and `OSError`; then `into` is as it was.
    """
    if into.exists() and any(into.iterdir()):
        raise NotABackup(f"{into} is not empty. Name a new directory.")
    existed = into.exists()
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    unpacked = into / ".unpacked"
    try:
        manifest = archive.unpack_archive(source, unpacked)
        environment = _restore_database(unpacked / archive.DATABASE, manifest["engine"], into, database)
        files = _restore_media(unpacked / archive.MEDIA, into / archive.MEDIA)
    except BaseException:
        shutil.rmtree(into)
        if existed:
            into.mkdir(mode=0o700)
        raise
    shutil.rmtree(unpacked)
    return Restored(manifest["created_at"], files, environment)


def _restore_database(dumped: Path, engine: str, into: Path, database: str) -> str:
    if engine == dumps.POSTGRESQL:
        if not database:
            raise NotABackup("This is a backup of PostgreSQL: name an empty database with --database postgresql://…")
        dumps.restore_postgresql(dumped, database)
        return f"VAR_DIR={into} DATABASE_URL={database}"
    if database:
        raise NotABackup("This is a backup of SQLite: it is restored into a file, leave --database out.")
    dumps.restore_sqlite(dumped, into / DATABASE_FILE)
    return f"VAR_DIR={into}"


def _restore_media(unpacked: Path, media: Path) -> int:
    if not unpacked.exists():
        return 0
    unpacked.rename(media)
    return sum(path.is_file() for path in media.rglob("*"))
