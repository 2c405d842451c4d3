from importlib import import_module

from django.apps import AppConfig


class CrmConfig(AppConfig):
    name = "crm"
    verbose_name = "Sales and messages"

    def ready(self) -> None:
        from crm.messages import feedback
        from crm.personal import TABLES
        from emailcheck.common import personal, registry

        import_module("crm.messages.emails")
        import_module("crm.receivers")
        personal.add_tables(*TABLES)
        registry.above.measure_satisfaction = feedback.measure_satisfaction
