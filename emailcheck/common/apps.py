from django.apps import AppConfig
from django.core import checks


class CommonConfig(AppConfig):
    name = "emailcheck.common"
    label = "common"
    verbose_name = "Shared core"

    def ready(self) -> None:
        from emailcheck.common import personal
        from emailcheck.common.api.models import IdempotentCall
        from emailcheck.common.storage import durable, schema_age

        checks.register(durable.check_durability, checks.Tags.database)
        checks.register(schema_age.check_schema_age, checks.Tags.database)
        reason = "Answers that are kept for 24 hours, in case a call is repeated; what they say is in the other tables."
        personal.add_tables(personal.Table(IdempotentCall, "user_id", left_out=reason))
