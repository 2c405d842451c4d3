from typing import Any

from django.core.management.base import BaseCommand

from accounts.organisations.models import Organisation
from validation.daily import rollups
from validation.results.counting import recount_account


class Command(BaseCommand):
    help = "Recount the daily counts of each account from its stored results, and of all; harmless at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        differed = sum(
            recount_account(organisation_id) for organisation_id in Organisation.objects.values_list("pk", flat=True)
        )
        self.stdout.write(f"{differed} days differed, and {rollups.recount_all()} of all accounts together")
