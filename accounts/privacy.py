"""The rights of people over what is kept about them: to have it, and to have it gone."""

from collections.abc import Iterator
from datetime import datetime

from accounts import activity
from accounts.models import ActivityKind, User
from emailcheck.common import personal


def export(*, user: User, now: datetime) -> Iterator[str]:
    """Everything about an account as JSON text, piece by piece."""
    activity.record(user=user, kind=ActivityKind.SETTINGS, action="Data exported")
    return personal.export(user.pk, now)
