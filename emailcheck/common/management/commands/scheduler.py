from typing import Any

from django.core.management.base import BaseCommand

from emailcheck.common.management.families import run_family


class Command(BaseCommand):
    help = "Have the calls of the schedules queued in time, until SIGTERM. Any number may run, on any machine."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        run_family(self, (), schedules=True)
