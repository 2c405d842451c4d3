"""Requests for a price: made, dismissed, taken up again, listed for staff and the customer."""

from django.db import models, transaction
from django.db.models import Q

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users import ownership
from accounts.users.models import User
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import BadInput, NotFound
from quotes import listing
from quotes.listing import Page, build_newest_page, match_text
from quotes.requests.models import QuoteRequest, RequestStatus

MAX_CREDITS = 1_000_000_000
REQUESTS = Limit("quote_request", 10, 3_600)


class RequestState(models.TextChoices):
    """Which requests for a price: those that wait, or those that have an answer."""

    OPEN = "open"
    ANSWERED = "answered"


def create_request(
    *, organisation: Organisation, credits: int, company_name: str = "", notes: str = ""
) -> QuoteRequest:
    """Ask for a price. Raises `BadInput` (`INVALID_CREDITS`) for a number that is none, `TooMany`."""
    if type(credits) is not int or not 1 <= credits <= MAX_CREDITS:
        raise BadInput(
            "Please enter a valid number of credits.", code="INVALID_CREDITS", field="credits_needed", value=credits
        )
    throttles.require_pass(REQUESTS, str(organisation.pk))
    return QuoteRequest.objects.create(
        organisation=organisation, credits_requested=credits, company_name=company_name.strip(), notes=notes.strip()
    )


@transaction.atomic
def answer_request(*, staff: User, request_id: int, status: RequestStatus) -> QuoteRequest:
    """Dismiss a request without a quote, or take it up again. Raises `NotFound`, or `BadInput` for a quoted one."""
    request = lock_request(request_id)
    if request.status == RequestStatus.QUOTED or status == RequestStatus.QUOTED:
        raise BadInput("This request has a quote.", field="status", value=status)
    before, request.status = request.status, status
    request.save(update_fields=["status"])
    audit_log.record_activity(
        organisation=request.organisation,
        kind=ActivityKind.STAFF,
        action=f"Quote request {status.lower()}",
        staff=staff,
        target=f"quote_request:{request.pk}",
        changes=audit_log.compare_values({"status": before}, {"status": status}),
    )
    return request


def lock_request(request_id: int) -> QuoteRequest:
    request = QuoteRequest.objects.select_for_update().filter(pk=request_id).first()
    if request is None:
        raise NotFound("Quote request not found")
    return request


def search_requests(*, search: str = "", state: str = "", cursor: str = "") -> Page[QuoteRequest]:
    """What customers ask for, newest first, by customer or company. Raises `BadInput` for a foreign cursor."""
    found = QuoteRequest.objects.select_related("organisation__holder")
    if state:
        is_open = Q(status=RequestStatus.PENDING)
        found = found.filter(is_open if state == RequestState.OPEN else ~is_open)
    if search.strip():
        text = search.strip()
        found = found.filter(ownership.match_organisations(text) | match_text(text, ("company_name",)))
    page = build_newest_page(found, cursor)
    ownership.read_owners(row.organisation for row in page.rows)
    return page


def list_own_requests(organisation: Organisation) -> list[QuoteRequest]:
    """A customer's requests without a quote, newest first: those that wait, and the declined ones."""
    mine = QuoteRequest.objects.filter(organisation=organisation, quotes=None).exclude(status=RequestStatus.QUOTED)
    return list(mine.order_by("-pk")[: listing.PAGE_ROWS])


def count_answered() -> int:
    """How many requests have an answer."""
    return QuoteRequest.objects.exclude(status=RequestStatus.PENDING).count()
