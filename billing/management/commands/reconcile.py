from typing import Any

from django.core.management.base import BaseCommand, CommandError

from billing import services


class Command(BaseCommand):
    help = "Recompute every balance from its movements and name each difference; fails when there is one."

    def handle(self, *args: Any, **options: Any) -> None:
        differences = services.reconcile()
        for line in differences:
            self.stderr.write(line)
        if differences:
            raise CommandError(f"{len(differences)} differences")
        self.stdout.write("0 differences")
