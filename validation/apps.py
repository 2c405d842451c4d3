from django.apps import AppConfig


class ValidationConfig(AppConfig):
    name = "validation"
    verbose_name = "Validation"

    def ready(self) -> None:
        from emailcheck.common import personal, registry
        from validation.batches import rankings, receivers
        from validation.batches.queries import reads_batch
        from validation.egress import polling
        from validation.personal import TABLES
        from validation.providers.clients import configuration
        from validation.verifier.dns_reputation import look_up_texts
        from validation.verifier.mailboxes import is_public_mail_domain, mailbox_of
        from validation.webhooks import events
        from validation.webhooks import services as webhooks

        configuration.check_settings()
        polling.current_profiles()  # read before a process forks: a later file that is bad then hurts nobody
        receivers.connect()
        events.connect()
        rankings.connect()
        personal.add_tables(*TABLES)
        registry.above.find_mailbox = mailbox_of
        registry.above.is_public_mail_domain = is_public_mail_domain
        registry.above.look_up_texts = look_up_texts
        registry.above.reads_list = reads_batch
        registry.above.list_webhook_hosts = webhooks.list_active_hosts
        registry.above.switch_webhooks_off = webhooks.disable_all
