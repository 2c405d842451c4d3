from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string


class Command(BaseCommand):
    help = "Store what this machine has counted, and its egress addresses; for machines without `serve`, once a minute."

    def handle(self, *args: Any, **options: Any) -> None:
        for path in settings.ON_MINUTE:
            import_string(path)()
