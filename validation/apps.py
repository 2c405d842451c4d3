from django.apps import AppConfig


class ValidationConfig(AppConfig):
    name = "validation"
    verbose_name = "Validation"

    def ready(self) -> None:
        from emailcheck.common import registry
        from validation import burners

        registry.add_disposable_list(burners.is_disposable)
