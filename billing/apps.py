from importlib import import_module

from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "billing"
    verbose_name = "Money and credits"

    def ready(self) -> None:
        from billing import plans
        from billing.personal import TABLES
        from emailcheck.common import personal, registry

        import_module("billing.receivers")
        registry.add_account_summary(plans.account_summary)
        registry.know_rates(plans.requests_per_minute, reads="subscription")
        personal.add(*TABLES)
