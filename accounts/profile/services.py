"""The settings of an account."""

from typing import Any

from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User


@transaction.atomic
def save_settings(*, user: User, what: str, **values: Any) -> None:
    """Store settings of an account; `what` names them in the activity log. Unchanged values change nothing."""
    changed = {field: value for field, value in values.items() if getattr(user, field) != value}
    if not changed:
        return
    for field, value in changed.items():
        setattr(user, field, value)
    user.save(update_fields=list(changed))
    audit_log.record_activity(user=user, kind=ActivityKind.SETTINGS, action=f"{what} changed")
