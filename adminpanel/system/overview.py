"""The system at a glance, measured on request."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users import directory
from accounts.users.models import User
from adminpanel.monitoring.measurements import figures, machine
from adminpanel.system import database
from billing.subscriptions import subscription_status
from emailcheck.common.text.csv_cells import write_csv_lines
from emailcheck.common.text.units import format_bytes, format_duration

_USERS_AT_ONCE = 500
_HEAD = (
    "ID", "Email", "Name", "Company", "Role", "Status", "Email verified", "Plan", "Credits", "Credits used this month",
    "Created", "Last sign-in",
)  # fmt: skip


def load_stats() -> dict[str, Any]:
    """Database, this machine, accounts, and the calls of the API since midnight UTC."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    seen, calls = machine.measure_machine(), figures.sum_window(midnight, figures.API)
    everybody = User.objects.filter(deleted_at=None)
    return {
        "database": {"connections": database.count_connections(), "size": format_bytes(database.measure_size())},
        "server": {
            "cpu": seen.cpu_percent,
            "memory": seen.memory_percent,
            "uptime": format_duration(seen.uptime_hours * 3_600),
        },
        "users": {
            "total": everybody.count(),
            "active": everybody.filter(is_active=True).count(),
            "new_today": everybody.filter(created_at__gte=midnight).count(),
        },
        "api": {"requests_today": calls.requests, "avg_response": calls.average_ms, "errors": calls.failed},
    }


def export_users(*, staff: User) -> Iterator[str]:
    """Every account as a line of a CSV file, without a secret. That they leave the house is recorded at once."""
    audit_log.record_activity(user=None, kind=ActivityKind.STAFF, action="Users exported", staff=staff, target="system")
    return write_csv_lines(_iterate_users())


def _iterate_users() -> Iterator[tuple[str, ...]]:
    yield _HEAD
    everybody = directory.open_accounts().select_related("own_organisation").order_by("pk").iterator(_USERS_AT_ONCE)
    while page := list(islice(everybody, _USERS_AT_ONCE)):
        found = subscription_status.load_figures_of_users(page)
        for user in page:
            yield _csv_row(user, found[user.pk])


def _csv_row(user: User, figures_of: subscription_status.AccountFigures) -> tuple[str, ...]:
    return (
        str(user.pk),
        user.email,
        user.name,
        user.own_organisation.company,
        user.role,
        user.status,
        _format_moment(user.email_verified_at),
        figures_of.plan,
        str(figures_of.credits),
        str(figures_of.monthly_usage),
        _format_moment(user.created_at),
        _format_moment(user.last_login),
    )


def _format_moment(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""
