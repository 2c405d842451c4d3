from typing import Any

from django.core.management.base import BaseCommand

from adminpanel.monitoring import samples


class Command(BaseCommand):
    help = "Store what this machine has counted; for machines without `serve`, once a minute."

    def handle(self, *args: Any, **options: Any) -> None:
        samples.take()
