"""What happened on an account: the one door to the log, which every app writes to."""

from typing import Any

from accounts.models import Activity, ActivityKind, User
from emailcheck.common import paging, proxies

PAGE_ROWS = 50


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


def of_account(user: User, *, kind: str = "", cursor: str = "") -> tuple[list[Activity], str | None]:
    """A page of the account's own lines, newest first, and the cursor of the next one.

    Raises `BadInput` for a cursor that is not ours.
    """
    lines = Activity.objects.for_user(user)
    if kind:
        lines = lines.filter(kind=kind)
    return paging.newest(lines, size=PAGE_ROWS, cursor=cursor)
