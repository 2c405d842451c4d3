from django.apps import AppConfig


class ValidationConfig(AppConfig):
    name = "validation"
    verbose_name = "Validation"

    def ready(self) -> None:
        from emailcheck.common import personal
        from validation.personal import TABLES

        personal.add(*TABLES)
