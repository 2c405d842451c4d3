"""Accounts made for testing: listed first, and deleted only as they were listed (ADM-229)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core import signing
from django.db.models import Max

from accounts.staff import services as staff
from accounts.users import directory, ownership
from accounts.users.models import Role, User
from billing.catalogue.plans import Plan
from billing.payments.models import Payment
from billing.subscriptions.subscription_status import load_account_figures
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.text.dates import format_day

MAX_LISTED = 500
WORD = "test"
_NAMED_FOR_S = 3_600
_NOT_LISTED = "This list is too old, or not yours. Look at the matches again."


@dataclass(frozen=True, slots=True)
class Preview:
    """The first `MAX_LISTED` accounts that would go and that stay; `preview_id` names those that would go."""

    preview_id: str
    delete: list[dict[str, Any]]
    kept: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Match:
    user: User
    plan: Plan
    last_payment: datetime | None
    why_kept: str


def preview_deletion(*, by: User) -> Preview:
    """What `delete_test_users` would do."""
    found = _match_users(by, _list_named())
    gone, kept = ([one for one in found if bool(one.why_kept) is stays][:MAX_LISTED] for stays in (False, True))
    return Preview(
        preview_id=signing.dumps([one.user.pk for one in gone], salt=_preview_salt(by), compress=True),
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


def delete_test_users(*, by: User, preview_id: str = "") -> int:
    """Delete the listed accounts that may still be deleted, each in its own transaction. Returns how many.

    Without a list, all that matches. Repeating it finds nothing. Raises `BadInput` for a list that is not ours.
    """
    listed = set(_load_listed_ids(by, preview_id)) if preview_id else None
    named = [user for user in _list_named() if listed is None or user.pk in listed]
    return sum(_delete_user(match.user, by) for match in _match_users(by, named) if not match.why_kept)


def _list_named() -> list[User]:
    return list(directory.open_accounts().filter(directory.match_text(WORD)).order_by("pk"))


def _delete_user(user: User, by: User) -> bool:
    try:
        staff.delete_account(user=user, by=by)
    except NotFound:
        return False
    return True


def _match_users(by: User, users: Sequence[User]) -> list[_Match]:
    owned = ownership.load_owned(users)
    organisations = [one for found in owned.values() for one in found]
    figures = load_account_figures(organisations)
    paid = Payment.objects.filter(organisation__in=organisations, captured_at__isnull=False)
    last = dict(paid.values("organisation").annotate(last=Max("captured_at")).values_list("organisation", "last"))
    found = []
    for user in users:
        plans = [figures[one.pk].plan for one in owned[user.pk]]
        plan = next((plan for plan in plans if plan != Plan.FREE), Plan.FREE)
        when = max((last[one.pk] for one in owned[user.pk] if one.pk in last), default=None)
        found.append(_Match(user, plan, when, _find_keep_reason(user, by, plan, when)))
    return found


def _find_keep_reason(user: User, by: User, plan: Plan, paid_at: datetime | None) -> str:
    reasons = (
        (user.is_protected, "Protected account"),
        (user.pk == by.pk, "Your own account"),
        (user.is_colleague, "Administrator" if user.role == Role.ADMIN else "Address of the staff"),
        (paid_at is not None, f"Paid on {format_day(paid_at)}" if paid_at else ""),
        (plan != Plan.FREE, f"{plan.label} plan is running"),
    )
    return next((words for holds, words in reasons if holds), "")


def _load_listed_ids(by: User, preview_id: str) -> list[int]:
    try:
        listed: list[int] = signing.loads(preview_id, salt=_preview_salt(by), max_age=_NAMED_FOR_S)
    except signing.BadSignature as error:
        raise BadInput(_NOT_LISTED, field="preview_id") from error
    return listed


def _preview_salt(by: User) -> str:
    return f"test users listed for {by.pk}"
