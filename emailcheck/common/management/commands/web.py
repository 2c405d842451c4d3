from typing import Any

from django.core.management.base import BaseCommand

from emailcheck.common.management.families import run_family


class Command(BaseCommand):
    help = "Run the web server alone, until SIGTERM; what is under way ends first."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        run_family(self, (), web=True)
