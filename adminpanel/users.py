"""The accounts as staff see them: the list, and one of them with all that hangs on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import F, TextChoices
from django.db.models.functions import Lower
from django.utils import timezone

from accounts import directory, services, staff
from accounts.models import User
from billing import staff_changes, staff_payments, standings
from billing.models import Payment, Plan
from billing.services import spendable_lots
from billing.standings import Figures
from validation import stopping
from validation.models import Batch

SHOWN = 10


class Sort(TextChoices):
    NEWEST = "-created_at"
    OLDEST = "created_at"
    NAME = "name"
    NAME_DOWN = "-name"
    LEAST_CREDITS = "credits"
    MOST_CREDITS = "-credits"


# The number of the account at the end, so that equals keep their places from page to page.
_ORDERS: Mapping[Sort, tuple[Any, ...]] = MappingProxyType(
    {
        Sort.NEWEST: ("-created_at", "-pk"),
        Sort.OLDEST: ("created_at", "pk"),
        Sort.NAME: (Lower("name"), "pk"),
        Sort.NAME_DOWN: (Lower("name").desc(), "-pk"),
        Sort.LEAST_CREDITS: ("credit_account__balance", "pk"),
        Sort.MOST_CREDITS: (F("credit_account__balance").desc(nulls_last=True), "-pk"),
    }
)


@dataclass(frozen=True, slots=True)
class Page:
    users: list[dict[str, Any]]
    total: int
    page: int


def find(*, search: str, plan: str, sort: str, page: int, page_size: int) -> Page:
    """A page of the accounts with this text in name or address and on this plan."""
    found = directory.everybody().filter(directory.matching(search))
    if plan:
        found = found.filter(standings.on_plan(plan, now=timezone.now()))
    first = (page - 1) * page_size
    # The ids first: rows that are only passed over are not read.
    ids = list(found.order_by(*_ORDERS[Sort(sort)]).values_list("pk", flat=True)[first : first + page_size])
    known = directory.everybody().in_bulk(ids)
    users = [known[pk] for pk in ids if pk in known]
    figures = standings.of_all(users)
    is_last = len(ids) < page_size and (ids or page == 1)
    total = first + len(ids) if is_last else found.count()
    return Page([row(user, figures[user.pk]) for user in users], total, page)


def row(user: User, figures: Figures) -> dict[str, Any]:
    """An account in the list."""
    return {
        "id": user.pk,
        "name": user.name,
        "email": user.email,
        "role": user.role,
        "status": user.status,
        "subscription_plan": figures.plan,
        "credits": figures.credits,
        "monthly_usage": figures.monthly_usage,
        "created_at": user.created_at,
        "is_protected": user.is_protected,
        "is_colleague": user.is_colleague,
        "email_verified": user.email_verified,
    }


def one(user: User) -> dict[str, Any]:
    """An account as in the list."""
    return row(user, standings.of_all([user])[user.pk])


def detail(user: User) -> dict[str, Any]:
    """An account with its credits by lot, and the newest of its payments, lists and sessions."""
    payments = Payment.objects.select_related("user", "invoice").filter(user=user).order_by("-created_at")
    batches = Batch.objects.for_user(user).order_by("-pk")
    return {
        "user": one(user) | {"mfa": user.has_second_factor, "suspension_reason": user.suspension_reason},
        "lots": spendable_lots(user_id=user.pk),
        "payments": [staff_payments.row(payment) for payment in payments[:SHOWN]],
        "batches": batches[:SHOWN],
        "sessions": services.open_sign_ins(user)[:SHOWN],
    }


@transaction.atomic
def update(*, user: User, by: User, wishes: Mapping[str, Any]) -> str:
    """Change credits, plan, status and role of an account, all or nothing; what is not named stays.

    Answers what became of the money, which is changed first: a suspension gives the credits of lists back, which moves
    the balance that was read.
    """
    status = wishes.get("status")
    is_active = None if status is None else status == "active"
    _lock(user, is_active=is_active)
    words = _change_money(user, by, wishes)
    reason = wishes.get("suspension_reason", "")
    staff.change(user=user, by=by, role=wishes.get("role"), is_active=is_active, suspension_reason=reason)
    return words


def _lock(user: User, *, is_active: bool | None) -> None:
    """Lock what a change locks before the credits, in the order that everybody takes: agreements, account, lists."""
    staff_changes.lock(user=user)
    staff.locked(user)
    if is_active is False:
        stopping.lock(user)


def _change_money(user: User, by: User, wishes: Mapping[str, Any]) -> str:
    """The credits before the plan, whose own credits would move the balance that was read."""
    credits, plan = wishes.get("credits"), wishes.get("plan")
    if credits is not None:
        reason = wishes.get("reason", "")
        staff_changes.set_credits(user=user, by=by, credits=credits, read=wishes.get("credits_read"), reason=reason)
    return staff_changes.set_plan(user=user, by=by, plan=Plan(plan)) if plan is not None else ""
