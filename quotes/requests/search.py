"""Lists of requests for a price, for staff and for the customer."""

from django.db import models
from django.db.models import Q

from accounts.users.models import User
from quotes import listing
from quotes.listing import Page, build_newest_page, match_text
from quotes.requests.models import QuoteRequest, RequestStatus


class RequestState(models.TextChoices):
    """Which requests for a price: those that wait, or those that have an answer."""

    OPEN = "open"
    ANSWERED = "answered"


def search_requests(*, search: str = "", state: str = "", cursor: str = "") -> Page[QuoteRequest]:
    """What customers ask for, newest first, by customer or company. Raises `BadInput` for a foreign cursor."""
    found = QuoteRequest.objects.select_related("user")
    if state:
        is_open = Q(status=RequestStatus.PENDING)
        found = found.filter(is_open if state == RequestState.OPEN else ~is_open)
    if search.strip():
        found = found.filter(match_text(search.strip(), ("user__email", "user__name", "company_name")))
    return build_newest_page(found, cursor)


def list_own_requests(user: User) -> list[QuoteRequest]:
    """A customer's requests without a quote, newest first: those that wait, and the declined ones."""
    mine = QuoteRequest.objects.filter(user=user, quotes=None).exclude(status=RequestStatus.QUOTED)
    return list(mine.order_by("-pk")[: listing.PAGE_ROWS])


def count_answered() -> int:
    """How many requests have an answer."""
    return QuoteRequest.objects.exclude(status=RequestStatus.PENDING).count()
