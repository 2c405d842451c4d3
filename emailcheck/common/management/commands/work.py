from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from emailcheck.common.management.families import run_family
from emailcheck.common.queue import tasks


class Command(BaseCommand):
    help = "Run the workers of a machine until SIGTERM."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--queues", default=",".join(tasks.QUEUES), help="Whose tasks they do, comma-separated; by default all."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        named = [name.strip() for name in options["queues"].split(",") if name.strip()]
        queues = [queue for queue in tasks.QUEUES if queue in named]
        if not named or len(queues) != len(set(named)):
            raise CommandError(f"--queues takes names of {', '.join(tasks.QUEUES)}")
        run_family(self, queues)
