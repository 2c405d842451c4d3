from importlib import import_module

from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    name = "adminpanel.monitoring"
    verbose_name = "Monitoring"

    def ready(self) -> None:
        from adminpanel.monitoring.personal import TABLES
        from adminpanel.monitoring.status.services import measure_health
        from emailcheck.common import personal, registry

        import_module("adminpanel.monitoring.alerts.emails")
        import_module("adminpanel.monitoring.receivers")
        personal.add_tables(*TABLES)
        registry.above.measure_health = measure_health
