from typing import Any

from django.core.management.base import BaseCommand, CommandError

from billing import reconciliation, services
from billing.paypal.errors import PayPalError


class Command(BaseCommand):
    help = (
        "Recompute every balance from its movements, compare the payments of the last three days with PayPal's list, "
        "and name each difference; fails when there is one."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        differences = [*services.reconcile(), *self.payments()]
        for line in differences:
            self.stderr.write(line)
        if differences:
            raise CommandError(f"{len(differences)} differences")
        self.stdout.write("0 differences")

    def payments(self) -> list[str]:
        """PayPal may be down: then the credits are compared alone, and that is said."""
        try:
            return reconciliation.differences()
        except PayPalError as error:
            self.stderr.write(f"PayPal could not be asked: {error}")
            return []
