"""`manage.py test_restore`: prove that the newest backup can be restored; for timers."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from adminpanel.backups import proof


class Command(BaseCommand):
    help = (
        "Restore the newest backup into an empty place, recount all credits there, and delete the place again. Fails, "
        "and raises an alert to staff, when it cannot be restored or does not add up."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--server",
            default=settings.RESTORE_TEST_SERVER,
            help="PostgreSQL: the address by which a database may be made and dropped; by default RESTORE_TEST_SERVER",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            name = proof.prove_newest_backup(server=options["server"])
        except proof.NotRestorable as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{name}: restored, 0 differences")
