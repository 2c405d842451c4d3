"""Contracts: one for a deal, its quote and its plan request, never two."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from crm.contracts.models import EXPIRES_SOON, Contract, ContractStatus
from crm.deals.models import Deal
from emailcheck.common.errors import BadInput, Conflict, NotFound

RENEWAL_VALUE = Decimal(20_000)  # above it a contract is a renewal opportunity (CRM-003)
NOT_FOUND = "Contract not found"
ALREADY_EXISTS = "This deal already has a contract"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractTerms:
    """What was agreed upon; `value` in USD."""

    company_name: str
    plan: str
    starts_on: date
    ends_on: date
    value: Decimal
    renews_on: date | None = None
    auto_renewal: bool = False


@transaction.atomic
def create_contract(*, staff: User, terms: ContractTerms, deal_id: int | None = None) -> Contract:
    """Write a contract. Raises `BadInput` when it ends before it starts, `NotFound`, `Conflict` (`CONTRACT_EXISTS`)."""
    _check_dates(terms.starts_on, terms.ends_on)
    deal = None
    if deal_id is not None:
        deal = Deal.objects.select_for_update().filter(pk=deal_id).first()
        if deal is None:
            raise NotFound("Deal not found")
        if Contract.objects.filter(deal=deal).exists():
            raise Conflict(ALREADY_EXISTS, code="CONTRACT_EXISTS")
    made = Contract.objects.create(deal=deal, **{name: getattr(terms, name) for name in ContractTerms.__slots__})
    _record_act(staff, made, "Contract created")
    return made


def create_deal_contract(*, deal: Deal, staff: User) -> Contract:
    """The contract of a deal that was won: for a year from today, unless it has one."""
    today = timezone.now().date()
    made, is_new = Contract.objects.get_or_create(
        deal=deal,
        defaults={
            "company_name": deal.company_name,
            "plan": "Custom",
            "starts_on": today,
            "ends_on": add_year(today),
            "renews_on": add_year(today),
            "value": deal.value,
        },
    )
    if is_new:
        _record_act(staff, made, "Contract created")
    return made


@transaction.atomic
def create_quote_contract(
    *, quote_id: str, terms: ContractTerms, deal: Deal | None = None, staff: User | None = None
) -> Contract:
    """The contract of a quote that became a plan; its deal's, if that has one. Harmless when it has one."""
    found = Contract.objects.filter(quote_id=quote_id).first()
    if found is None and deal is not None:
        found = Contract.objects.select_for_update().filter(deal=deal).first()
        if found is not None and found.quote_id is None:
            found.quote_id = quote_id
            found.save(update_fields=["quote_id"])
    if found is not None:
        return found
    columns = {name: getattr(terms, name) for name in ContractTerms.__slots__}
    made, is_new = Contract.objects.get_or_create(quote_id=quote_id, defaults={"deal": deal, **columns})
    if is_new:
        _record_act(staff, made, "Contract created")
    return made


@transaction.atomic
def edit_contract(*, staff: User, contract_id: int, changes: dict[str, Any]) -> Contract:
    """Change some columns; status `cancelled` cancels it, `active` takes that back. Raises `BadInput`, `NotFound`."""
    found = _lock_contract(contract_id)
    status = changes.pop("status", None)
    _check_dates(changes.get("starts_on", found.starts_on), changes.get("ends_on", found.ends_on))
    for name, value in changes.items():
        setattr(found, name, value)
    if status == ContractStatus.CANCELLED:
        found.cancelled_at = found.cancelled_at or timezone.now()
    elif status == ContractStatus.ACTIVE:
        found.cancelled_at = None
    found.save()
    _record_act(staff, found, "Contract edited")
    return found


@transaction.atomic
def delete_contract(*, staff: User, contract_id: int) -> None:
    """Delete a contract. Raises `NotFound`."""
    found = _lock_contract(contract_id)
    _record_act(staff, found, "Contract deleted")
    found.delete()


def filter_status(status: ContractStatus, today: date) -> Q:
    """Filter the contracts whose `Contract.status` this is."""
    if status == ContractStatus.CANCELLED:
        return Q(cancelled_at__isnull=False)
    soon = today + EXPIRES_SOON
    dates = {
        ContractStatus.EXPIRED: Q(ends_on__lt=today, auto_renewal=False),
        ContractStatus.EXPIRING: Q(ends_on__range=(today, soon)),
        ContractStatus.ACTIVE: Q(ends_on__gt=soon) | Q(ends_on__lt=today, auto_renewal=True),
    }
    return Q(cancelled_at=None) & dates[status]


def load_contract(contract_id: int) -> Contract:
    """A contract. Raises `NotFound`."""
    found = Contract.objects.filter(pk=contract_id).first()
    if found is None:
        raise NotFound(NOT_FOUND)
    return found


def _lock_contract(contract_id: int) -> Contract:
    found = Contract.objects.select_for_update().filter(pk=contract_id).first()
    if found is None:
        raise NotFound(NOT_FOUND)
    return found


def _check_dates(starts_on: date, ends_on: date) -> None:
    if ends_on <= starts_on:
        raise BadInput("The contract must end after it starts.", field="endDate", value=ends_on.isoformat())


def add_year(day: date) -> date:
    """The same day of the next year; the 29th of February becomes the 28th."""
    is_leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year + 1, day=28 if is_leap_day else day.day)


def _record_act(staff: User | None, found: Contract, action: str) -> None:
    audit_log.record_activity(
        user=None, kind=ActivityKind.STAFF, action=action, staff=staff, target=f"contract:{found.pk}"
    )
