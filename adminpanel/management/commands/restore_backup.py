"""`manage.py restore_backup FILE --into DIRECTORY [--database URL]`: restore a backup as a separate installation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from adminpanel.backups import restore
from adminpanel.backups.archive import NotABackup
from adminpanel.backups.dumps import DumpFailed
from emailcheck.common.files import StoreUnavailable


class Command(BaseCommand):
    help = "Restore a backup into a new directory and, one of PostgreSQL, into an empty database; nothing is replaced."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file, or the name of a backup in the store")
        parser.add_argument("--into", type=Path, required=True, help="directory, absent or empty: the new VAR_DIR")
        parser.add_argument("--database", default="", help="postgresql:// address of an empty database")

    def handle(self, *args: Any, **options: Any) -> None:
        into: Path = options["into"]
        file: str = options["file"]
        try:
            restored = (
                restore.restore_backup(Path(file), into=into, database=options["database"])
                if Path(file).exists()
                else restore.restore_stored(file, into=into, database=options["database"])
            )
        except (NotABackup, DumpFailed, OSError, StoreUnavailable) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored the backup of {restored.created_at}, with {restored.files} uploaded files.")
        self.stdout.write("Look at it before you use it:")
        self.stdout.write(f"  {restored.environment} .venv/bin/python manage.py reconcile")
