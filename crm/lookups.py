"""What the staff's lists find: the board, contracts, messages, subscribers."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, OrderBy, Q, QuerySet, Sum
from django.utils import timezone

from crm import contracts
from crm.models import CLOSES_SOON, OPEN_STAGES, Contract, ContractStatus, Deal, Message, Stage, Subscriber

COLUMN_ROWS = 100
PAGE_ROWS = 50
OVERDUE, SOON = "overdue", "soon"
RUNNING = "running"
EXPIRING_SOON, OPPORTUNITIES = "expiring_soon", "renewal_opportunities"
_SORTS = {"end": "ends_on", "start": "starts_on", "value": "value", "company": "company_name"}
SORTS = tuple(_SORTS)


@dataclass(frozen=True, slots=True)
class Column:
    """A stage with the number of its deals and what they are worth together, in USD."""

    stage: Stage
    count: int
    value: Decimal


@dataclass(frozen=True, slots=True)
class Board:
    """The first deals of each stage, in their order, and the sums of all that were found."""

    deals: list[Deal]
    stages: list[Column]


@dataclass(frozen=True, slots=True)
class Contracts:
    """A page of contracts; `counts` are of all there are, by status."""

    contracts: list[Contract]
    total: int
    next: int | None
    counts: dict[str, int]


def board(*, search: str = "", closing: str = "") -> Board:
    """The deals that have each word, and close when it is asked for."""
    found = Deal.objects.filter(_words(search, "company_name", "contact_name", "contact_email"), _closing(closing))
    summed = found.values("stage").annotate(count=Count("pk"), worth=Sum("value"))
    sums = {row["stage"]: Column(Stage(row["stage"]), row["count"], row["worth"]) for row in summed}
    columns = [sums.get(stage, Column(stage, 0, Decimal(0))) for stage in Stage]
    deals = [
        deal
        for column in columns
        if column.count
        for deal in found.filter(stage=column.stage).order_by("position", "pk")[:COLUMN_ROWS]
    ]
    return Board(deals, columns)


def find_contracts(*, search: str, status: str, alert: str, sort: str, order: str, page: int) -> Contracts:
    """A page of the contracts that have each word, in one order."""
    today = timezone.now().date()
    found = Contract.objects.filter(_words(search, "company_name", "plan", "quote_id"))
    found = found.filter(_status(status, today), _alert(alert, today))
    start = (page - 1) * PAGE_ROWS
    rows = list(found.order_by(*_order(sort, order))[start : start + PAGE_ROWS + 1])
    more = len(rows) > PAGE_ROWS
    counted = {status.value: Count("pk", filter=contracts.of_status(status, today)) for status in ContractStatus}
    return Contracts(rows[:PAGE_ROWS], found.count(), page + 1 if more else None, Contract.objects.aggregate(**counted))


def messages(*, search: str = "", state: str = "") -> QuerySet[Message]:
    """The messages of a state that have each word."""
    found = Message.objects.filter(_words(search, "name", "email", "subject", "text"))
    return found.filter(state=state) if state else found


def subscribers(*, search: str = "", state: str = "") -> QuerySet[Subscriber]:
    """The subscribers of a state that have a part of the address."""
    found = Subscriber.objects.filter(email__icontains=search.strip())
    return found.filter(state=state) if state else found


def _words(search: str, *fields: str) -> Q:
    """Each word in one of the fields."""
    found = Q()
    for word in search.split():
        found &= Q(*[(f"{name}__icontains", word) for name in fields], _connector=Q.OR)
    return found


def _closing(wanted: str) -> Q:
    """Of the open deals those whose day has passed, or comes soon."""
    today = timezone.now().date()
    if wanted == OVERDUE:
        return Q(stage__in=OPEN_STAGES, expected_close_date__lt=today)
    if wanted == SOON:
        return Q(stage__in=OPEN_STAGES, expected_close_date__range=(today, today + CLOSES_SOON))
    return Q()


def _status(wanted: str, today: date) -> Q:
    if wanted == RUNNING:
        return contracts.of_status(ContractStatus.ACTIVE, today) | contracts.of_status(ContractStatus.EXPIRING, today)
    return contracts.of_status(ContractStatus(wanted), today) if wanted else Q()


def _alert(wanted: str, today: date) -> Q:
    if wanted == EXPIRING_SOON:
        return contracts.of_status(ContractStatus.EXPIRING, today)
    if wanted == OPPORTUNITIES:
        return Q(cancelled_at=None, value__gt=contracts.RENEWAL_VALUE)
    return Q()


def _order(sort: str, order: str) -> list[Any]:
    descending = order == "desc"
    return [OrderBy(F(name), descending=descending) for name in (_SORTS[sort], "pk")]
