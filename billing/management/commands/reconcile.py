from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from billing.ledger import services as ledger
from billing.payments.paypal.errors import PayPalError
from billing.provider_sync import reconciliation
from billing.provider_sync.comparison import Comparison


class Command(BaseCommand):
    help = (
        "Recompute every balance from its movements, compare the payments of the last three days with PayPal's list, "
        "and name each difference; fails when there is one. What PayPal could not be asked about is named as not known."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--credits-only", action="store_true", help="ask PayPal nothing; for older copies")

    def handle(self, *args: Any, **options: Any) -> None:
        payments = Comparison() if options["credits_only"] else self.payments()
        differences = [*ledger.reconcile_ledger(), *payments.differ]
        for line in [*differences, *payments.unknown]:
            self.stderr.write(line)
        unknown = f", {len(payments.unknown)} not known" if payments.unknown else ""
        if differences:
            raise CommandError(f"{len(differences)} differences{unknown}")
        self.stdout.write(f"0 differences{unknown}")

    def payments(self) -> Comparison:
        """While PayPal is down only the credits are compared, with a note about it."""
        try:
            return reconciliation.compare_payments()
        except PayPalError as error:
            return Comparison(unknown=[f"The payments could not be compared: {error}"])
