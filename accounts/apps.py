from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        from accounts.personal import TABLES
        from emailcheck.common import personal

        import_module("accounts.emails")
        import_module("accounts.receivers")
        personal.add(*TABLES)
