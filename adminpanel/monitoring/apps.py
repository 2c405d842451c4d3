from importlib import import_module

from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    name = "adminpanel.monitoring"
    verbose_name = "Monitoring"

    def ready(self) -> None:
        from adminpanel.monitoring import health
        from adminpanel.monitoring.personal import TABLES
        from emailcheck.common import personal, registry

        import_module("adminpanel.monitoring.emails")
        import_module("adminpanel.monitoring.receivers")
        personal.add(*TABLES)
        registry.know_health(health.now)
