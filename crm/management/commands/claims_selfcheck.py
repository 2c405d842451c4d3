from typing import Any

from django.core.management.base import BaseCommand

from crm.claims import services as claims


class Command(BaseCommand):
    help = "List the claims that staff have not confirmed; live mode does not show them."

    def handle(self, *args: Any, **options: Any) -> None:
        waiting = claims.list_unconfirmed()
        for claim in waiting:
            self.stdout.write(f"unconfirmed: {claim.text}: {claim.value}")
        self.stdout.write(f"{len(waiting)} claims wait for a confirmation")
