from importlib import import_module

from django.apps import AppConfig


class QuotesConfig(AppConfig):
    name = "quotes"
    verbose_name = "Quotes"

    def ready(self) -> None:
        from emailcheck.common import personal
        from quotes.personal import TABLES

        import_module("quotes.receivers")
        personal.add(*TABLES)
