"""The system at a glance: measured when it is asked for."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from django.utils import timezone

from accounts import activity
from accounts.models import ActivityKind, User
from adminpanel import database
from adminpanel.monitoring import figures, machine
from billing import standings
from emailcheck.common.cells import csv_lines
from emailcheck.common.units import readable_bytes, readable_duration

_USERS_AT_ONCE = 500
_HEAD = (
    "ID", "Email", "Name", "Company", "Role", "Status", "Email verified", "Plan", "Credits", "Credits used this month",
    "Created", "Last sign-in",
)  # fmt: skip


def stats() -> dict[str, Any]:
    """Database, this machine, accounts, and the calls of the API since midnight UTC."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    seen, calls = machine.look(), figures.window(midnight, figures.API)
    everybody = User.objects.filter(deleted_at=None)
    return {
        "database": {"connections": database.connections(), "size": readable_bytes(database.size())},
        "server": {
            "cpu": seen.cpu_percent,
            "memory": seen.memory_percent,
            "uptime": readable_duration(seen.uptime_hours * 3_600),
        },
        "users": {
            "total": everybody.count(),
            "active": everybody.filter(is_active=True).count(),
            "new_today": everybody.filter(created_at__gte=midnight).count(),
        },
        "api": {"requests_today": calls.requests, "avg_response": calls.average_ms, "errors": calls.failed},
    }


def users_csv(*, staff: User) -> Iterator[str]:
    """Every account as a line of a CSV file, without a secret. That they leave the house is recorded at once."""
    activity.record(user=None, kind=ActivityKind.STAFF, action="Users exported", staff=staff, target="system")
    return csv_lines(_users())


def _users() -> Iterator[tuple[str, ...]]:
    yield _HEAD
    everybody = User.objects.filter(deleted_at=None).order_by("pk").iterator(_USERS_AT_ONCE)
    while page := list(islice(everybody, _USERS_AT_ONCE)):
        found = standings.of_all(page)
        for user in page:
            yield _line(user, found[user.pk])


def _line(user: User, figures_of: standings.Figures) -> tuple[str, ...]:
    return (
        str(user.pk),
        user.email,
        user.name,
        user.company,
        user.role,
        user.status,
        _moment(user.email_verified_at),
        figures_of.plan,
        str(figures_of.credits),
        str(figures_of.monthly_usage),
        _moment(user.created_at),
        _moment(user.last_login),
    )


def _moment(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""
