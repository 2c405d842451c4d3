from importlib import import_module

from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    name = "monitoring"
    verbose_name = "Monitoring"

    def ready(self) -> None:
        from emailcheck.common import personal, registry
        from monitoring import health
        from monitoring.personal import TABLES

        import_module("monitoring.emails")
        import_module("monitoring.receivers")
        personal.add(*TABLES)
        registry.know_health(health.now)
