from importlib import import_module

from django.apps import AppConfig


class CrmConfig(AppConfig):
    name = "crm"
    verbose_name = "Sales and messages"

    def ready(self) -> None:
        import_module("crm.emails")
