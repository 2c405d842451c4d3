"""Requests for a price: made, dismissed, taken up again."""

from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import BadInput, NotFound
from quotes.requests.models import QuoteRequest, RequestStatus

MAX_CREDITS = 1_000_000_000
REQUESTS = Limit("quote_request", 10, 3_600)


def create_request(*, user: User, credits: int, company_name: str = "", notes: str = "") -> QuoteRequest:
    """Ask for a price. Raises `BadInput` (`INVALID_CREDITS`) for a number that is none, `TooMany`."""
    if type(credits) is not int or not 1 <= credits <= MAX_CREDITS:
        raise BadInput(
            "Please enter a valid number of credits.", code="INVALID_CREDITS", field="credits_needed", value=credits
        )
    throttles.require_pass(REQUESTS, str(user.pk))
    return QuoteRequest.objects.create(
        user=user, credits_requested=credits, company_name=company_name.strip(), notes=notes.strip()
    )


@transaction.atomic
def answer_request(*, staff: User, request_id: int, status: RequestStatus) -> QuoteRequest:
    """Dismiss a request without a quote, or take it up again. Raises `NotFound`, or `BadInput` for a quoted one."""
    request = lock_request(request_id)
    if request.status == RequestStatus.QUOTED or status == RequestStatus.QUOTED:
        raise BadInput("This request has a quote.", field="status", value=status)
    request.status = status
    request.save(update_fields=["status"])
    audit_log.record_activity(
        user=request.user,
        kind=ActivityKind.STAFF,
        action=f"Quote request {status.lower()}",
        staff=staff,
        target=f"quote_request:{request.pk}",
    )
    return request


def lock_request(request_id: int) -> QuoteRequest:
    request = QuoteRequest.objects.select_for_update().filter(pk=request_id).first()
    if request is None:
        raise NotFound("Quote request not found")
    return request
