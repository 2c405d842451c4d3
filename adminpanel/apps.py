from django.apps import AppConfig


class AdminpanelConfig(AppConfig):
    name = "adminpanel"
    verbose_name = "Staff dashboard"

    def ready(self) -> None:
        from adminpanel import provider_alerts, watched
        from adminpanel.monitoring import conditions

        conditions.add(watched.conditions)
        conditions.add(provider_alerts.conditions)
