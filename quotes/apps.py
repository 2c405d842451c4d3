from importlib import import_module

from django.apps import AppConfig


class QuotesConfig(AppConfig):
    name = "quotes"
    verbose_name = "Quotes"

    def ready(self) -> None:
        from billing.payments import fulfilment
        from billing.payments.models import PurchaseKind
        from emailcheck.common import personal
        from quotes.personal import TABLES
        from quotes.plan_requests import activation

        import_module("quotes.plan_requests.emails")
        import_module("quotes.quotes.emails")
        import_module("quotes.receivers")
        personal.add_tables(*TABLES)
        fulfilment.register_fulfilment(PurchaseKind.QUOTE, activation.record_payment, payable=activation.is_payable)
