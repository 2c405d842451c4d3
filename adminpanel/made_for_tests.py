"""Accounts that were made for testing: looked at first, and deleted only as they were listed (ADM-229)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core import signing
from django.db.models import Max

from accounts import directory, staff
from accounts.models import Role, User
from billing import standings
from billing.models import Payment, Plan
from emailcheck.common.dates import on_day
from emailcheck.common.errors import BadInput, NotFound

MOST = 500
WORD = "test"
_NAMED_FOR_S = 3_600
_NOT_LISTED = "This list is too old, or not yours. Look at the matches again."


@dataclass(frozen=True, slots=True)
class Preview:
    """The first `MOST` accounts that would go and that stay; `preview_id` names those that would go."""

    preview_id: str
    delete: list[dict[str, Any]]
    kept: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Match:
    user: User
    plan: Plan
    last_payment: datetime | None
    why_kept: str


def preview(*, by: User) -> Preview:
    """What `delete` would do."""
    found = _matches(by, _named())
    gone, kept = ([one for one in found if bool(one.why_kept) is stays][:MOST] for stays in (False, True))
    return Preview(
        preview_id=signing.dumps([one.user.pk for one in gone], salt=_salt(by), compress=True),
        delete=[
            {
                "id": one.user.pk,
                "name": one.user.name,
                "email": one.user.email,
                "plan": one.plan,
                "last_payment": one.last_payment,
            }
            for one in gone
        ],
        kept=[{"id": one.user.pk, "email": one.user.email, "why": one.why_kept} for one in kept],
    )


def delete(*, by: User, preview_id: str = "") -> int:
    """Delete what was listed and may still go, each account in a transaction of its own; answers how many.

    Without a list, all that matches. Repeating it finds nothing. Raises `BadInput` for a list that is not ours.
    """
    listed = set(_listed(by, preview_id)) if preview_id else None
    named = [user for user in _named() if listed is None or user.pk in listed]
    return sum(_delete(match.user, by) for match in _matches(by, named) if not match.why_kept)


def _named() -> list[User]:
    return list(directory.everybody().filter(directory.matching(WORD)).order_by("pk"))


def _delete(user: User, by: User) -> bool:
    try:
        staff.delete(user=user, by=by)
    except NotFound:
        return False
    return True


def _matches(by: User, users: Sequence[User]) -> list[_Match]:
    figures = standings.of_all(users)
    paid = Payment.objects.filter(user__in=users, captured_at__isnull=False)
    last = dict(paid.values("user_id").annotate(last=Max("captured_at")).values_list("user_id", "last"))
    return [
        _Match(user, plan := figures[user.pk].plan, when := last.get(user.pk), _why_kept(user, by, plan, when))
        for user in users
    ]


def _why_kept(user: User, by: User, plan: Plan, paid_at: datetime | None) -> str:
    reasons = (
        (user.is_protected, "Protected account"),
        (user.pk == by.pk, "Your own account"),
        (user.is_colleague, "Administrator" if user.role == Role.ADMIN else "Address of the staff"),
        (paid_at is not None, f"Paid on {on_day(paid_at)}" if paid_at else ""),
        (plan != Plan.FREE, f"{plan.label} plan is running"),
    )
    return next((words for holds, words in reasons if holds), "")


def _listed(by: User, preview_id: str) -> list[int]:
    try:
        listed: list[int] = signing.loads(preview_id, salt=_salt(by), max_age=_NAMED_FOR_S)
    except signing.BadSignature as error:
        raise BadInput(_NOT_LISTED, field="preview_id") from error
    return listed


def _salt(by: User) -> str:
    return f"test users listed for {by.pk}"
