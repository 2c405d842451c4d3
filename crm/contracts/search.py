"""The staff's list of contracts: filtered by words, status and alert, and sorted."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, F, OrderBy, Q
from django.utils import timezone

from crm.contracts import services as contracts
from crm.contracts.models import Contract, ContractStatus
from crm.text_search import match_words

PAGE_ROWS = 50
RUNNING = "running"
EXPIRING_SOON, OPPORTUNITIES = "expiring_soon", "renewal_opportunities"
_SORTS = {"end": "ends_on", "start": "starts_on", "value": "value", "company": "company_name"}
SORTS = tuple(_SORTS)


@dataclass(frozen=True, slots=True)
class Contracts:
    """A page of contracts; `counts` are of all there are, by status."""

    contracts: list[Contract]
    total: int
    next: int | None
    counts: dict[str, int]


def search_contracts(*, search: str, status: str, alert: str, sort: str, order: str, page: int) -> Contracts:
    """A page of the contracts that contain each word, sorted."""
    today = timezone.now().date()
    found = Contract.objects.filter(match_words(search, "company_name", "plan", "quote_id"))
    found = found.filter(_filter_wanted_status(status, today), _filter_alert(alert, today))
    start = (page - 1) * PAGE_ROWS
    rows = list(found.order_by(*_order_by(sort, order))[start : start + PAGE_ROWS + 1])
    more = len(rows) > PAGE_ROWS
    counted = {status.value: Count("pk", filter=contracts.filter_status(status, today)) for status in ContractStatus}
    return Contracts(rows[:PAGE_ROWS], found.count(), page + 1 if more else None, Contract.objects.aggregate(**counted))


def _filter_wanted_status(choice: str, today: date) -> Q:
    if choice == RUNNING:
        return contracts.filter_status(ContractStatus.ACTIVE, today) | contracts.filter_status(
            ContractStatus.EXPIRING, today
        )
    return contracts.filter_status(ContractStatus(choice), today) if choice else Q()


def _filter_alert(choice: str, today: date) -> Q:
    if choice == EXPIRING_SOON:
        return contracts.filter_status(ContractStatus.EXPIRING, today)
    if choice == OPPORTUNITIES:
        return Q(cancelled_at=None, value__gt=contracts.RENEWAL_VALUE)
    return Q()


def _order_by(sort: str, order: str) -> list[Any]:
    descending = order == "desc"
    return [OrderBy(F(name), descending=descending) for name in (_SORTS[sort], "pk")]
