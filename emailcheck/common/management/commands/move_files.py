"""`manage.py move_files SOURCE TARGET [--keep]`: uploads and backups to another kind of store."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from emailcheck.common.files import StoreUnavailable
from emailcheck.common.files.moving import NotDescribed, move_files

_KINDS = ("disk", "s3")


class Command(BaseCommand):
    help = "Move uploads and backups between the disk and an S3-compatible service. May be interrupted and repeated."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", choices=_KINDS)
        parser.add_argument("target", choices=_KINDS)
        parser.add_argument("--keep", action="store_true", help="copy, and delete nothing: while the product runs")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["source"] == options["target"]:
            raise CommandError("Source and target are the same.")
        detailed = options["verbosity"] > 1
        try:
            moved = move_files(
                options["source"],
                options["target"],
                keep=options["keep"],
                say=self.stdout.write if detailed else lambda _: None,
            )
        except (NotDescribed, StoreUnavailable) as error:
            raise CommandError(f"{error} What was moved stays moved: call it again.") from error
        self.stdout.write(
            f"{moved.copied} copied, {moved.present} there already, {moved.deleted} deleted at the source."
        )
