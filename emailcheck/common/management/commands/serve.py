from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from emailcheck.common.demo import DEMO_LOGINS
from emailcheck.common.management.families import run_family
from emailcheck.common.queue import tasks


class Command(BaseCommand):
    help = "Run web, workers and (in the sandbox) the simulated outside world until Ctrl-C."

    def handle(self, *args: Any, **options: Any) -> None:
        run_family(self, tasks.QUEUES, web=True, announce=self.announce)

    def announce(self) -> None:
        """Say where to go and how to sign in."""
        self.stdout.write(f"\n  {settings.SITE_NAME} is ready: {settings.SITE_URL}\n")
        for login in DEMO_LOGINS if settings.SANDBOX else ():
            self.stdout.write(f"    {login.email:26}  {login.password}   {login.label}")
        self.stdout.write("  Ctrl-C ends everything.\n")
        self.stdout.flush()
