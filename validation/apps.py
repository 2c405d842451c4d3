from django.apps import AppConfig


class ValidationConfig(AppConfig):
    name = "validation"
    verbose_name = "Validation"

    def ready(self) -> None:
        from emailcheck.common import personal, registry
        from validation import lookups, profile_file, receivers, webhooks
        from validation.mailboxes import mailbox_of
        from validation.personal import TABLES
        from validation.providers import configuration

        configuration.check()
        profile_file.current_profiles()  # read before a process forks: a later file that is bad then hurts nobody
        receivers.connect()
        personal.add(*TABLES)
        registry.know_mailboxes(mailbox_of)
        registry.know_lists(lookups.owns_list)
        registry.know_webhooks(registry.Webhooks(webhooks.active_hosts, webhooks.switch_all_off))
