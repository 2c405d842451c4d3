"""The life of a quote, one verb an arrow: asked for, made, sent, declined, deleted, archived.

    request ──generate──► active ──select──► (paying) ──paid──► paid ──approve──► activated
                            │ └──decline──► declined                     └─archive (only what was paid)
                            └── expires; deleted by cleanup or by hand (only what was never paid)

Each verb locks the quote first, so that two of them do one after the other what they would have done alone.
"""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import activity, actors
from accounts.models import ActivityKind, User
from billing.models import Purchase, PurchaseState
from crm import deals
from emailcheck.common import throttles
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.throttles import Limit
from quotes import emails
from quotes.models import Quote, QuoteRequest, QuoteStatus, RequestStatus
from quotes.pricing import Figures, figures

PRESETS = (50_000, 100_000, 250_000, 500_000, 1_000_000)
STEP = 1_000
MOST_CREDITS = 1_000_000_000
ASKED = Limit("quote_request", 10, 3_600)
NOT_FOUND = "Quote not found"
NOT_PAYABLE = "This quote cannot be paid"


def ask(*, user: User, credits: int, company_name: str = "", notes: str = "") -> QuoteRequest:
    """Ask for a price. Raises `BadInput` (`INVALID_CREDITS`) for a number that is none, `TooMany`."""
    if type(credits) is not int or not 1 <= credits <= MOST_CREDITS:
        raise BadInput(
            "Please enter a valid number of credits.", code="INVALID_CREDITS", field="credits_needed", value=credits
        )
    throttles.demand(ASKED, str(user.pk))
    return QuoteRequest.objects.create(
        user=user, credits_requested=credits, company_name=company_name.strip(), notes=notes.strip()
    )


def price(credits: int) -> Figures:
    """What a quote over `credits` would cost now. Raises `BadInput` for a number that is not offered."""
    if type(credits) is not int or not STEP <= credits <= MOST_CREDITS or credits % STEP:
        raise BadInput(
            f"Credits must be a multiple of {STEP:,}, at least {STEP:,}.", field="credits_needed", value=credits
        )
    return figures(credits, settings.QUOTE_RATES, settings.QUOTE_MINIMUM)


@transaction.atomic
def generate(
    *,
    staff: User,
    customer_name: str,
    customer_email: str,
    credits: int,
    customer_company: str = "",
    notes: str = "",
    request_id: int | None = None,
    deal_id: int | None = None,
) -> Quote:
    """Make a quote; its prices are frozen in it. It answers the request, and belongs to the deal, that are named.

    Raises `BadInput` for a number of credits that is not offered, `NotFound` for an unknown request or deal.
    """
    told = price(credits)
    request = _request(request_id) if request_id is not None else None
    email = customer_email.strip().lower()
    quote = Quote.objects.create(
        user=User.objects.filter(email=email, email_verified_at__isnull=False).first(),
        request=request,
        deal=deals.load(deal_id) if deal_id is not None else None,
        customer_name=customer_name.strip(),
        customer_email=email,
        customer_company=customer_company.strip(),
        credits_needed=credits,
        notes=notes.strip(),
        **{name: getattr(told, name) for name in Figures.__slots__},
        **actors.frozen(staff),
        expires_at=timezone.now() + settings.QUOTE_LASTS,
    )
    if request is not None:
        request.status = RequestStatus.QUOTED
        request.save(update_fields=["status"])
    _log(staff, quote, "Quote generated", {"credits": credits, "annual_price": str(quote.annual_price)})
    return quote


@transaction.atomic
def answer_request(*, staff: User, request_id: int, status: RequestStatus) -> QuoteRequest:
    """Dismiss a request without a quote, or take it up again. Raises `NotFound`, or `BadInput` for a quoted one."""
    request = _request(request_id)
    if request.status == RequestStatus.QUOTED or status == RequestStatus.QUOTED:
        raise BadInput("This request has a quote.", field="status", value=status)
    request.status = status
    request.save(update_fields=["status"])
    activity.record(
        user=request.user,
        kind=ActivityKind.STAFF,
        action=f"Quote request {status.lower()}",
        staff=staff,
        target=f"quote_request:{request.pk}",
    )
    return request


@transaction.atomic
def decline(*, user: User, quote_id: str) -> Quote:
    """The customer does not want it. Harmless when it was declined. Raises `NotFound`, `BadInput` once it is paid."""
    quote = locked(user=user, quote_id=quote_id)
    if quote.status == QuoteStatus.DECLINED:
        return quote
    if quote.status != QuoteStatus.ACTIVE:
        raise BadInput("A paid quote cannot be declined.", code="QUOTE_NOT_OPEN")
    quote.status = QuoteStatus.DECLINED
    quote.save(update_fields=["status"])
    if quote.request_id:
        QuoteRequest.objects.filter(pk=quote.request_id).update(status=RequestStatus.DECLINED)
    return quote


@transaction.atomic
def delete(*, staff: User, quote_id: str) -> None:
    """Delete a quote that was never paid, with its plan request.

    Raises `NotFound`, or `BadInput` (`QUOTE_PAID`) for one that was paid or is being paid at this moment.
    """
    quote = locked(quote_id=quote_id)
    if quote.paid_at or quote.status not in (QuoteStatus.ACTIVE, QuoteStatus.DECLINED):
        raise BadInput("A paid quote can only be archived", code="QUOTE_PAID")
    if being_paid(quote):
        raise BadInput("The customer is paying this quote at the moment. Try again later.", code="QUOTE_PAID")
    _log(staff, quote, "Quote deleted")
    quote.delete()


@transaction.atomic
def archive(*, staff: User, quote_id: str) -> Quote:
    """Take a quote that was paid out of the list. Raises `NotFound`, or `BadInput` (`NOT_PAID`)."""
    quote = locked(quote_id=quote_id)
    if not quote.paid_at and quote.status != QuoteStatus.ACTIVATED:
        raise BadInput("An unpaid quote can be deleted", code="NOT_PAID")
    if quote.archived_at is None:
        quote.archived_at = timezone.now()
        quote.save(update_fields=["archived_at"])
        _log(staff, quote, "Quote archived")
    return quote


def mail_to(*, staff: User, quote_id: str, recipient: str, message: str = "") -> Quote:
    """Mail a stored quote with both plans. Raises `NotFound`, `BadInput` without a recipient, `ProviderFailed`."""
    recipient = recipient.strip()
    if not recipient:
        raise BadInput("Please enter recipient email", field="recipient_email", value=recipient)
    quote = load(quote_id=quote_id)
    emails.send_quote(quote, to=recipient, message=message.strip())
    _log(staff, quote, "Quote mailed")
    return quote


def claim(*, user: User) -> int:
    """Give an account the quotes for its address, once it has proved to own it. Answers how many."""
    return Quote.objects.filter(customer_email=user.email, user=None).update(user=user)


def load(*, quote_id: str, user: User | None = None) -> Quote:
    """A quote, the user's own if one is given. Raises `NotFound`."""
    found = Quote.objects.for_user(user) if user else Quote.objects.all()
    quote = found.select_related("plan_request").filter(quote_id=quote_id).first()
    if quote is None:
        raise NotFound(NOT_FOUND)
    return quote


def locked(*, quote_id: str, user: User | None = None) -> Quote:
    """As `load`, kept by the caller's transaction until it ends."""
    found = Quote.objects.for_user(user) if user else Quote.objects.all()
    quote = found.select_for_update().filter(quote_id=quote_id).first()
    if quote is None:
        raise NotFound(NOT_FOUND)
    return quote


def being_paid(quote: Quote) -> bool:
    """Whether a payment for it is open at the provider, which may still go through."""
    return Purchase.objects.filter(reference=quote.quote_id, state=PurchaseState.PENDING).exists()


def _request(request_id: int) -> QuoteRequest:
    request = QuoteRequest.objects.select_for_update().filter(pk=request_id).first()
    if request is None:
        raise NotFound("Quote request not found")
    return request


def _log(staff: User, quote: Quote, action: str, changes: dict[str, Any] | None = None) -> None:
    activity.record(
        user=quote.user, kind=ActivityKind.STAFF, action=action, staff=staff, target=quote.quote_id, changes=changes
    )
