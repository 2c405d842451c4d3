"""Lists of plan requests, for staff and for the customer."""

from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation
from emailcheck.common.api.pagination import Order
from quotes import listing
from quotes.listing import Page, build_page, match_text
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.models import PlanStatus, QuoteStatus


def list_chosen_plans(organisation: Organisation) -> list[PlanRequest]:
    """The plans that a customer chose and that are not active yet, newest first; expired and declined ones are over."""
    waits = Q(quote__status=QuoteStatus.PAID) | Q(
        quote__status=QuoteStatus.ACTIVE, quote__expires_at__gt=timezone.now()
    )
    mine = PlanRequest.objects.filter(waits, quote__organisation=organisation).exclude(status=PlanStatus.APPROVED)
    return list(mine.select_related("quote").order_by("-pk")[: listing.PAGE_ROWS])


def search_waiting(*, search: str = "", period: str = "", status: str = "", cursor: str = "") -> Page[PlanRequest]:
    """Chosen plans that are not approved, the paid ones first, by address or quote id.

    Raises `BadInput` for a foreign cursor.
    """
    found = PlanRequest.objects.exclude(status=PlanStatus.APPROVED)
    found = found.select_related("quote__organisation__holder")
    if period:
        found = found.filter(selected_plan=period)
    if status:
        found = found.filter(status=status)
    if search.strip():
        found = found.filter(match_text(search.strip(), ("quote__customer_email", "quote__quote_id")))
    # In the alphabet `payment_received` comes before `pending`.
    return build_page(found, Order("status", descending=False, newest_first=True), cursor)
