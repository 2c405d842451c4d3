from django.apps import AppConfig


class ValidationConfig(AppConfig):
    name = "validation"
    verbose_name = "Validation"

    def ready(self) -> None:
        from emailcheck.common import personal, registry
        from validation import burners
        from validation.personal import TABLES

        registry.add_disposable_list(burners.is_disposable)
        personal.add(*TABLES)
