from django.apps import AppConfig


class AdminpanelConfig(AppConfig):
    name = "adminpanel"
    verbose_name = "Staff dashboard"

    def ready(self) -> None:
        from adminpanel.watched import conditions
        from monitoring.conditions import add

        add(conditions)
