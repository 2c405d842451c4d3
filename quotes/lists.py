"""What staff look through: requests, quotes, chosen plans and custom plans, found by a text, page by page."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import models
from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import User
from emailcheck.common import paging
from emailcheck.common.paging import Order
from quotes.models import CustomPlan, PlanRequest, PlanStatus, Quote, QuoteRequest, QuoteStatus, RequestStatus

PAGE_ROWS = 50
Row = TypeVar("Row", bound=models.Model)


class Sort(models.TextChoices):
    DATE = "date"
    CREDITS = "credits"
    PRICE = "price"


class Direction(models.TextChoices):
    DESCENDING = "desc"
    ASCENDING = "asc"


class Answered(models.TextChoices):
    """Which requests for a price: those that wait, or those that have an answer."""

    OPEN = "open"
    ANSWERED = "answered"


_COLUMNS = {Sort.DATE: "created_at", Sort.CREDITS: "credits_needed", Sort.PRICE: "annual_price"}
_QUOTE_TEXTS = ("quote_id", "customer_name", "customer_email", "customer_company")


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows of a list, how many were found altogether, and the cursor of the next page (None: there is none)."""

    rows: list[Row]
    total: int
    next: str | None


def quotes(
    *, search: str = "", sort: str = Sort.DATE, order: str = Direction.DESCENDING, cursor: str = ""
) -> Page[Quote]:
    """Quotes that are not archived, by id, quote id, customer or company. Raises `BadInput` for a foreign cursor."""
    found = Quote.objects.filter(archived_at=None).select_related("plan_request")
    text = search.strip()
    if text:
        found = found.annotate(number=Cast("pk", CharField())).filter(_contains(text, (*_QUOTE_TEXTS, "number")))
    return _page(found, Order(_COLUMNS[Sort(sort)], order == Direction.DESCENDING), cursor)


def requests(*, search: str = "", state: str = "", cursor: str = "") -> Page[QuoteRequest]:
    """What customers ask for, newest first, by customer or company. Raises `BadInput` for a foreign cursor."""
    found = QuoteRequest.objects.select_related("user")
    if state:
        is_open = Q(status=RequestStatus.PENDING)
        found = found.filter(is_open if state == Answered.OPEN else ~is_open)
    if search.strip():
        found = found.filter(_contains(search.strip(), ("user__email", "user__name", "company_name")))
    rows, after = paging.newest(found, size=PAGE_ROWS, cursor=cursor)
    return Page(rows, found.count(), after)


def offered_to(user: User) -> QuerySet[Quote]:
    """The quotes for a customer's address, newest first."""
    return Quote.objects.for_user(user).select_related("plan_request").order_by("-created_at", "-pk")


def asked_by(user: User) -> list[QuoteRequest]:
    """What a customer asked for and has no quote for yet, newest first: those that wait, and those that get none."""
    mine = QuoteRequest.objects.filter(user=user, quotes=None).exclude(status=RequestStatus.QUOTED)
    return list(mine.order_by("-pk")[:PAGE_ROWS])


def chosen_by(user: User) -> list[PlanRequest]:
    """The plans that a customer chose and that are not active yet, newest first; expired and declined ones are over."""
    waits = Q(quote__status=QuoteStatus.PAID) | Q(
        quote__status=QuoteStatus.ACTIVE, quote__expires_at__gt=timezone.now()
    )
    mine = PlanRequest.objects.filter(waits, quote__user=user).exclude(status=PlanStatus.APPROVED)
    return list(mine.select_related("quote").order_by("-pk")[:PAGE_ROWS])


def answered() -> int:
    """How many requests have an answer."""
    return QuoteRequest.objects.exclude(status=RequestStatus.PENDING).count()


def waiting(*, search: str = "", period: str = "", status: str = "", cursor: str = "") -> Page[PlanRequest]:
    """Chosen plans that are not approved, the paid ones first, by address or quote id.

    Raises `BadInput` for a foreign cursor.
    """
    found = PlanRequest.objects.exclude(status=PlanStatus.APPROVED).select_related("quote")
    if period:
        found = found.filter(selected_plan=period)
    if status:
        found = found.filter(status=status)
    if search.strip():
        found = found.filter(_contains(search.strip(), ("quote__customer_email", "quote__quote_id")))
    # In the alphabet `payment_received` comes before `pending`.
    return _page(found, Order("status", descending=False, newest_first=True), cursor)


def custom_plans(*, search: str = "", active: bool | None = None, cursor: str = "") -> Page[CustomPlan]:
    """Plans that staff made, newest first, by name, description or customer. Raises `BadInput` for a foreign cursor."""
    found = CustomPlan.objects.all()
    if active is not None:
        found = found.filter(is_active=active)
    if search.strip():
        found = found.filter(_contains(search.strip(), ("name", "description", "target_customer")))
    rows, after = paging.newest(found, size=PAGE_ROWS, cursor=cursor)
    return Page(rows, found.count(), after)


def _page(found: QuerySet[Row], order: Order, cursor: str) -> Page[Row]:
    rows, after = paging.arranged(found, order, size=PAGE_ROWS, cursor=cursor)
    return Page(rows, found.count(), after)


def _contains(text: str, columns: tuple[str, ...]) -> Q:
    found = Q()
    for column in columns:
        found |= Q(**{f"{column}__icontains": text})
    return found
