"""The audit of an organisation (ORG-024): what its people, its keys, our staff and the product itself did in it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.activity.targets import GONE, Targets
from accounts.organisations.models import Organisation
from emailcheck.common.api import pagination
from emailcheck.common.text.csv_cells import write_csv_lines

PAGE_ROWS = 50
KEPT = timedelta(days=365)
STAFF, ITSELF, PROGRAM = "EmailCheck staff", "EmailCheck", "API key"
_ROWS_AT_ONCE = 500
_HEAD = ("Time (UTC)", "Who", "Role", "Via", "Kind", "Action", "Target", "Changes", "IP")


@dataclass(frozen=True, slots=True)
class AuditLine:
    """Who did what, as what, from where, and what it was before and after."""

    time: datetime
    who: str
    role: str | None
    via: str | None
    kind: str
    action: str
    target: str
    changes: dict[str, list[Any]]
    ip: str | None


def list_audit(organisation: Organisation, *, cursor: str = "", **filters: Any) -> tuple[list[AuditLine], str | None]:
    """A page of what happened in an organisation in the last 12 months, newest first, and the cursor of the next one.

    Filters: a part of who it was or of the action, the kind, and the first and last day. Raises `BadInput` for a cursor
    that is not ours.
    """
    rows, after = pagination.page_newest(_filter_lines(organisation, **filters), size=PAGE_ROWS, cursor=cursor)
    return _present_lines(organisation, rows), after


def export_audit(organisation: Organisation, **filters: Any) -> Iterator[str]:
    """The same lines as those of a CSV file; that somebody took them stands in the audit before the first is read."""
    audit_log.record_activity(organisation=organisation, kind=ActivityKind.EXPORT, action="Audit log exported")
    return write_csv_lines(_iterate_cells(organisation, filters))


def _iterate_cells(organisation: Organisation, filters: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    yield _HEAD
    cursor: str | None = ""
    while cursor is not None:
        found = _filter_lines(organisation, **filters)
        rows, cursor = pagination.page_newest(found, size=_ROWS_AT_ONCE, cursor=cursor)
        for line in _present_lines(organisation, rows):
            yield (
                f"{line.time:%Y-%m-%d %H:%M:%S}",
                line.who,
                line.role or "",
                line.via or "",
                line.kind,
                line.action,
                line.target,
                "; ".join(_describe_change(name, *pair) for name, pair in line.changes.items()),
                line.ip or "",
            )


def _filter_lines(
    organisation: Organisation,
    *,
    who: str = "",
    kind: str = "",
    since: date | None = None,
    to: date | None = None,
    action: str = "",
) -> QuerySet[Activity]:
    lines = _lines_of(organisation)
    if who:
        lines = lines.filter(_match_who(who))
    if kind:
        lines = lines.filter(kind=kind)
    if since:
        lines = lines.filter(created_at__date__gte=since)
    if to:
        lines = lines.filter(created_at__date__lte=to)
    return lines.filter(action__icontains=action) if action else lines


def _lines_of(organisation: Organisation) -> QuerySet[Activity]:
    """What happened in it, which its lines say by themselves: who comes and goes afterwards changes none."""
    mine = Activity.objects.filter(organisation=organisation, created_at__gte=timezone.now() - KEPT)
    return mine.select_related("user")


def _match_who(text: str) -> Q:
    by_person = Q(staff_id=None) & ~Q(kind=ActivityKind.STAFF) & ~Q(role=audit_log.BY_KEY)
    of_member = by_person & ~Q(role="")
    is_gone = Q(user=None) | Q(user__deleted_at__isnull=False)
    found = of_member & ~is_gone & (Q(user__name__icontains=text) | Q(user__email__icontains=text))
    names = {
        STAFF: Q(kind=ActivityKind.STAFF) | Q(staff_id__isnull=False),
        ITSELF: by_person & Q(role=""),
        PROGRAM: Q(role=audit_log.BY_KEY),
        GONE: of_member & is_gone,
    }
    for name, lines in names.items():
        if text.casefold() in name.casefold():
            found |= lines
    return found | Q(via__icontains=text)


def _present_lines(organisation: Organisation, rows: list[Activity]) -> list[AuditLine]:
    targets = Targets.load(organisation, rows)
    return [_present_line(row, targets) for row in rows]


def _present_line(row: Activity, targets: Targets) -> AuditLine:
    is_staff = row.kind == ActivityKind.STAFF or row.staff_id is not None
    return AuditLine(
        time=row.created_at,
        who=STAFF if is_staff else _name_actor(row),
        role=None if is_staff or row.role == audit_log.BY_KEY else row.role or None,
        via=row.via or None,
        kind=row.kind,
        action=row.action,
        target=targets.name_target(row),
        changes=_present_changes(row, targets),
        ip=None if is_staff or _is_gone(row) else row.ip,
    )


def _present_changes(row: Activity, targets: Targets) -> dict[str, list[Any]]:
    pairs = {name: pair for name, pair in row.changes.items() if isinstance(pair, list) and len(pair) == 2}
    return {
        targets.name_in(row, name): [targets.name_in(row, one) if isinstance(one, str) else one for one in pair]
        for name, pair in pairs.items()
    }


def _is_gone(row: Activity) -> bool:
    return row.user is None or row.user.deleted_at is not None


def _name_actor(row: Activity) -> str:
    if row.role == audit_log.BY_KEY:
        return PROGRAM
    if not row.role:
        return ITSELF
    return GONE if row.user is None or row.user.deleted_at is not None else row.user.name


def _describe_change(name: str, before: Any, after: Any) -> str:
    return f"{name}: {_write_value(before)} → {_write_value(after)}"


def _write_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_write_value, value)) or "none"
    if value is None or value == "":
        return "none"
    return value if isinstance(value, str) else json.dumps(value)
