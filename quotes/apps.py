from importlib import import_module

from django.apps import AppConfig


class QuotesConfig(AppConfig):
    name = "quotes"
    verbose_name = "Quotes"

    def ready(self) -> None:
        from billing import completion
        from billing.models import PurchaseKind
        from emailcheck.common import personal
        from quotes import activation
        from quotes.personal import TABLES

        import_module("quotes.receivers")
        personal.add(*TABLES)
        completion.when_paid(PurchaseKind.QUOTE, activation.receive, payable=activation.is_payable)
