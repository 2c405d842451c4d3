"""Lists of quotes, for staff and for the customer."""

from django.db import models
from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast

from accounts.organisations.models import Organisation
from emailcheck.common.api.pagination import Order
from quotes.listing import Page, build_page, match_text
from quotes.quotes.models import Quote


class Sort(models.TextChoices):
    DATE = "date"
    CREDITS = "credits"
    PRICE = "price"


class Direction(models.TextChoices):
    DESCENDING = "desc"
    ASCENDING = "asc"


_COLUMNS = {Sort.DATE: "created_at", Sort.CREDITS: "credits_needed", Sort.PRICE: "annual_price"}
_QUOTE_TEXTS = ("quote_id", "customer_name", "customer_email", "customer_company")


def search_quotes(
    *, search: str = "", sort: str = Sort.DATE, order: str = Direction.DESCENDING, cursor: str = ""
) -> Page[Quote]:
    """Quotes that are not archived, by id, quote id, customer or company. Raises `BadInput` for a foreign cursor."""
    found = Quote.objects.filter(archived_at=None).select_related("plan_request")
    text = search.strip()
    if text:
        found = found.annotate(number=Cast("pk", CharField())).filter(match_text(text, (*_QUOTE_TEXTS, "number")))
    return build_page(found, Order(_COLUMNS[Sort(sort)], order == Direction.DESCENDING), cursor)


def list_offered_quotes(organisation: Organisation) -> QuerySet[Quote]:
    """The quotes for a customer's address, newest first."""
    return Quote.objects.for_org(organisation).select_related("plan_request").order_by("-created_at", "-pk")
