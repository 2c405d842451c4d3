from django.apps import AppConfig


class ValidationConfig(AppConfig):
    name = "validation"
    verbose_name = "Validation"

    def ready(self) -> None:
        from emailcheck.common import personal, registry
        from validation import lookups, receivers
        from validation.mailboxes import mailbox_of
        from validation.personal import TABLES
        from validation.providers import configuration

        configuration.check()
        receivers.connect()
        personal.add(*TABLES)
        registry.know_mailboxes(mailbox_of)
        registry.know_lists(lookups.owns_list)
