from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        from accounts.personal import TABLES, list_held_organisations, list_owned_organisations
        from emailcheck.common import personal, registry

        registry.above.list_held_organisations = list_held_organisations
        registry.above.list_owned_organisations = list_owned_organisations
        import_module("accounts.keys.emails")
        import_module("accounts.privacy.emails")
        import_module("accounts.rules.emails")
        import_module("accounts.signin.emails")
        import_module("accounts.staff.emails")
        import_module("accounts.team.emails")
        import_module("accounts.receivers")
        personal.add_tables(*TABLES)
