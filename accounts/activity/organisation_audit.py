"""The audit of an organisation (ORG-024): what its people, its keys, our staff and the product itself did in it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.organisations.models import Membership, Organisation
from emailcheck.common.api import pagination
from emailcheck.common.text.csv_cells import write_csv_lines

PAGE_ROWS = 50
KEPT = timedelta(days=365)
STAFF, ITSELF, PROGRAM, GONE = "EmailCheck staff", "EmailCheck", "API key", "Deleted account"
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
    return [_present_line(row) for row in rows], after


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
        for line in map(_present_line, rows):
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
    """What happened in it, how its members signed in since they joined, and what staff did to the account that it came
    with."""
    joined = Membership.objects.filter(
        organisation=organisation, user=OuterRef("user"), created_at__lte=OuterRef("created_at")
    )
    signed_in = Q(Exists(joined), organisation=None, kind=ActivityKind.SIGN_IN)
    by_staff = Q(organisation=None, kind=ActivityKind.STAFF, user=organisation.holder_id, user__isnull=False)
    since = timezone.now() - KEPT
    mine = Activity.objects.filter(Q(organisation=organisation) | signed_in | by_staff, created_at__gte=since)
    return mine.select_related("user")


def _match_who(text: str) -> Q:
    by_person = Q(staff_id=None) & ~Q(kind=ActivityKind.STAFF) & ~Q(role=audit_log.BY_KEY)
    of_member = by_person & (~Q(role="") | Q(organisation=None))
    found = of_member & (Q(user__name__icontains=text) | Q(user__email__icontains=text))
    names = {
        STAFF: Q(kind=ActivityKind.STAFF) | Q(staff_id__isnull=False),
        ITSELF: by_person & Q(role="", organisation__isnull=False),
        PROGRAM: Q(role=audit_log.BY_KEY),
    }
    for name, lines in names.items():
        if text.casefold() in name.casefold():
            found |= lines
    return found | Q(via__icontains=text)


def _present_line(row: Activity) -> AuditLine:
    is_staff = row.kind == ActivityKind.STAFF or row.staff_id is not None
    return AuditLine(
        time=row.created_at,
        who=STAFF if is_staff else _name_actor(row),
        role=None if is_staff or row.role == audit_log.BY_KEY else row.role or None,
        via=row.via or None,
        kind=row.kind,
        action=row.action,
        target=row.target,
        changes={name: pair for name, pair in row.changes.items() if isinstance(pair, list) and len(pair) == 2},
        ip=None if is_staff else row.ip,
    )


def _name_actor(row: Activity) -> str:
    if row.role == audit_log.BY_KEY:
        return PROGRAM
    if row.organisation_id is not None and not row.role:
        return ITSELF
    return row.user.name if row.user is not None and row.user.deleted_at is None else GONE


def _describe_change(name: str, before: Any, after: Any) -> str:
    return f"{name}: {_write_value(before)} → {_write_value(after)}"


def _write_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_write_value, value)) or "none"
    if value is None or value == "":
        return "none"
    return value if isinstance(value, str) else json.dumps(value)
