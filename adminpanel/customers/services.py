"""The accounts as staff see them: the list, and one of them with all that hangs on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import F, TextChoices
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.organisations.models import Organisation, list_memberships, list_solely_owned
from accounts.signin.sessions import list_open_sign_ins
from accounts.staff import services as staff
from accounts.users import directory, ownership
from accounts.users.models import User
from adminpanel.customers import organisations
from billing.catalogue.plans import Plan
from billing.ledger.balances import list_spendable_lots
from billing.payments.models import Payment
from billing.reports import payment_list
from billing.subscriptions import staff_changes, subscription_status
from billing.subscriptions.subscription_status import AccountFigures, load_account_figures
from validation.batches.control import stopping
from validation.batches.models import Batch

SHOWN = 10
_NOTHING_HELD = AccountFigures(Plan.FREE, 0, 0)


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
        Sort.LEAST_CREDITS: ("own_organisation__credit_account__balance", "pk"),
        Sort.MOST_CREDITS: (F("own_organisation__credit_account__balance").desc(nulls_last=True), "-pk"),
    }
)


@dataclass(frozen=True, slots=True)
class Page:
    users: list[dict[str, Any]]
    total: int
    page: int


def list_users(*, search: str, plan: str, sort: str, page: int, page_size: int) -> Page:
    """A page of the accounts with this text in name, address or what they own, and on this plan."""
    found = directory.open_accounts().filter(ownership.match_owners(search))
    if plan:
        found = found.filter(subscription_status.build_plan_filter(plan, now=timezone.now()))
    first = (page - 1) * page_size
    # The ids first: rows that are only passed over are not read.
    ids = list(found.order_by(*_ORDERS[Sort(sort)]).values_list("pk", flat=True)[first : first + page_size])
    known = directory.open_accounts().in_bulk(ids)
    users = [known[pk] for pk in ids if pk in known]
    is_last = len(ids) < page_size and (ids or page == 1)
    total = first + len(ids) if is_last else found.count()
    return Page(present_rows(users), total, page)


def present_rows(users: Sequence[User]) -> list[dict[str, Any]]:
    """Accounts in the list."""
    owned = ownership.load_owned(users)
    figures = load_account_figures([one for found in owned.values() for one in found])
    return [_present_row(user, owned[user.pk], figures) for user in users]


def _present_row(user: User, owned: Sequence[Organisation], by_number: Mapping[int, AccountFigures]) -> dict[str, Any]:
    own = organisations.find_held(user, owned)
    figures = by_number[own.pk] if own else _NOTHING_HELD
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
        "own_organisation": _present_own(own),
        "owned_organisations": organisations.present_owned(owned, by_number),
    }


def _present_own(organisation: Organisation | None) -> dict[str, str] | None:
    return {"id": organisation.public_id, "name": organisation.title} if organisation else None


def present_user(user: User) -> dict[str, Any]:
    """An account as in the list."""
    return present_rows([user])[0]


def present_detail(user: User) -> dict[str, Any]:
    """An account with its organisations, the newest payments of those it owns, and the credits by lot and newest lists
    of the one it holds."""
    memberships = list(list_memberships(user))
    owned = organisations.list_owned(user, memberships)
    own = organisations.find_held(user, owned)
    found = Payment.objects.select_related("organisation__holder", "invoice").filter(organisation__in=owned)
    payments = list(found.order_by("-created_at")[:SHOWN])
    ownership.read_owners(payment.organisation for payment in payments)
    batches = Batch.objects.for_org(own).order_by("-pk") if own else Batch.objects.none()
    clients = list(ownership.list_clients_without_owner(owned))
    figures = load_account_figures([*owned, *clients])
    return {
        "user": _present_row(user, owned, figures)
        | {"mfa": user.has_second_factor, "suspension_reason": user.suspension_reason},
        "organisations": organisations.present_organisations(user, memberships, clients, figures),
        "lots": list_spendable_lots(organisation_id=own.pk) if own else [],
        "payments": [payment_list.present_row(payment) for payment in payments],
        "batches": batches[:SHOWN],
        "sessions": list_open_sign_ins(user)[:SHOWN],
    }


@transaction.atomic
def update_user(*, user: User, by: User, changes: Mapping[str, Any]) -> str:
    """Change credits and plan of an organisation that the person owns, and status and role of the account, all or
    nothing; what is not named stays.

    Returns a sentence about the money, which is changed first: a suspension releases the credits of lists, which moves
    the balance that was read. Raises `NotFound` for an organisation that the person does not own.
    """
    status = changes.get("status")
    is_active = None if status is None else status == "active"
    named = changes.get("organisation", "")
    _lock_user(user, organisations.choose_organisation(user, named), is_active=is_active)
    words = _change_credits_and_plan(user, by, changes)
    reason = changes.get("suspension_reason", "")
    staff.change_account(user=user, by=by, role=changes.get("role"), is_active=is_active, suspension_reason=reason)
    return words


def _lock_user(user: User, organisation: Organisation | None, *, is_active: bool | None) -> None:
    """Lock what a change needs, a status what is solely owned too. Lock order: agreements, account, lists."""
    concerned = {one.pk: one for one in list_solely_owned(user)} if is_active is not None else {}
    if organisation is not None:
        concerned[organisation.pk] = organisation
    ordered = [concerned[number] for number in sorted(concerned)]
    for one in ordered:
        staff_changes.lock_plan_changes(organisation=one)
    staff.lock_account(user)
    for one in ordered if is_active is False else ():
        stopping.lock_running_batches(one)


def _change_credits_and_plan(user: User, by: User, changes: Mapping[str, Any]) -> str:
    """The credits before the plan, whose own credits would move the balance that was read. The person is locked, so
    that what they own stays theirs meanwhile."""
    credits, plan = changes.get("credits"), changes.get("plan")
    if credits is None and plan is None:
        return ""
    organisation = organisations.require_organisation(user, changes.get("organisation", ""))
    if credits is not None:
        reason, read = changes.get("reason", ""), changes.get("credits_read")
        staff_changes.set_credits(organisation=organisation, by=by, credits=credits, read=read, reason=reason)
    return staff_changes.set_plan(organisation=organisation, by=by, plan=Plan(plan)) if plan is not None else ""
