from typing import Any

from django.core.management.base import BaseCommand, CommandError

from billing.demo import create_demo_account
from emailcheck.common.demo import DEMO_LOGINS
from emailcheck.common.errors import Refused


class Command(BaseCommand):
    help = "Make the demo accounts of the sandbox; harmless when they exist, refused in live mode."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = sum(create_demo_account(login) for login in DEMO_LOGINS)
        except Refused as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{made} demo accounts made, {len(DEMO_LOGINS) - made} were there")
