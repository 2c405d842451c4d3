"""`manage.py lift_networks ORGANISATION`: people may work in it from any address again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.organisations.models import Organisation
from accounts.rules import services as rules


class Command(BaseCommand):
    help = "Let people work in an organisation from any address again, when its own networks lock its owners out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("organisation", help="its id: org_…")

    def handle(self, *args: Any, **options: Any) -> None:
        organisation = Organisation.objects.filter(public_id=options["organisation"], deleted_at=None).first()
        if organisation is None:
            raise CommandError("There is no such organisation.")
        rules.set_networks(organisation=organisation, networks=(), address=None)
        self.stdout.write(f"{organisation.title} may be used from any address.")
