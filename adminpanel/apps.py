from django.apps import AppConfig


class AdminpanelConfig(AppConfig):
    name = "adminpanel"
    verbose_name = "Staff dashboard"

    def ready(self) -> None:
        from adminpanel import watched
        from adminpanel.monitoring import conditions

        conditions.add(watched.conditions)
