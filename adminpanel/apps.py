from django.apps import AppConfig


class AdminpanelConfig(AppConfig):
    name = "adminpanel"
    verbose_name = "Staff dashboard"

    def ready(self) -> None:
        from adminpanel.monitoring.alerts import conditions
        from adminpanel.monitoring.overview import prometheus
        from adminpanel.reports import provider_alerts
        from adminpanel.system import alerts, gauges

        conditions.add_source(alerts.system_conditions)
        conditions.add_source(provider_alerts.provider_conditions)
        prometheus.add_source(gauges.measure_gauges)
