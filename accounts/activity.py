"""What happened on an account: the one door to the log, which every app writes to."""

from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from accounts.models import Activity, ActivityKind, User
from emailcheck.common import paging, personal, proxies

PAGE_ROWS = 50
# Accounts that a search goes through; whoever finds more types more.
_MOST_FOUND = 200


def record(
    *,
    user: User | None,
    kind: ActivityKind,
    action: str,
    staff: User | None = None,
    target: str = "",
    changes: dict[str, Any] | None = None,
) -> None:
    """Write a line, from the address of the current request, into the caller's transaction.

    `user` is whose account it concerns. An action of `staff` also names its `target` and what it changed; neither may
    name a person, because the line outlives the accounts.
    """
    Activity.objects.create(
        user=user,
        kind=kind,
        action=action[:200],
        ip=proxies.caller_address(),
        staff_id=staff.pk if staff else None,
        target=target[:100],
        changes=changes or {},
    )


def forget_old() -> None:
    """Delete what is older than `ACTIVITY_DAYS`. What staff did stays, without the address they did it from."""
    old = Activity.objects.filter(created_at__lt=timezone.now() - timedelta(days=settings.ACTIVITY_DAYS))
    personal.delete_in_slices(old.exclude(kind=ActivityKind.STAFF))
    old.filter(kind=ActivityKind.STAFF).exclude(ip=None).update(ip=None)


def of_account(user: User, *, kind: str = "", cursor: str = "") -> tuple[list[Activity], str | None]:
    """A page of the account's own lines, newest first, and the cursor of the next one.

    Raises `BadInput` for a cursor that is not ours.
    """
    lines = Activity.objects.for_user(user)
    if kind:
        lines = lines.filter(kind=kind)
    return paging.newest(lines, size=PAGE_ROWS, cursor=cursor)


def of_everybody(*, search: str = "", kind: str = "", cursor: str = "") -> tuple[list[Activity], str | None]:
    """A page of what happened on all accounts, newest first: of a kind, by a part of the address of who did it.

    Raises `BadInput` for a cursor that is not ours.
    """
    lines = Activity.objects.select_related("user")
    if kind:
        lines = lines.filter(kind=kind)
    if search:
        found = list(User.objects.filter(email__contains=search.lower()).values_list("pk", flat=True)[:_MOST_FOUND])
        own = Q(user__in=found) & ~Q(kind=ActivityKind.STAFF)
        lines = lines.filter(own | Q(staff_id__in=found))
    return paging.newest(lines, size=PAGE_ROWS, cursor=cursor)


def of_staff(
    *, user: str, action: str, since: date | None, to: date | None, cursor: str
) -> tuple[list[Activity], str | None]:
    """A page of what staff did, newest first: by a part of who did it, by a part of the action, by day.

    Raises `BadInput` for a cursor that is not ours.
    """
    lines = Activity.objects.filter(kind=ActivityKind.STAFF)
    if user:
        lines = lines.filter(staff_id__in=User.objects.filter(email__icontains=user).values("pk"))
    if action:
        lines = lines.filter(action__icontains=action)
    if since:
        lines = lines.filter(created_at__date__gte=since)
    if to:
        lines = lines.filter(created_at__date__lte=to)
    return paging.newest(lines, size=PAGE_ROWS, cursor=cursor)


def names_of(lines: list[Activity]) -> dict[int, str]:
    """The addresses of the staff in these lines by id, so far as their accounts are there."""
    ids = {line.staff_id for line in lines if line.staff_id is not None}
    return dict(User.objects.filter(pk__in=ids).values_list("pk", "email"))
