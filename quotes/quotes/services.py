"""The life of a quote, one function for each arrow: requested, made, sent, declined, deleted, archived.

    request ──generate──► active ──select──► (paying) ──paid──► paid ──approve──► activated
                            │ └──decline──► declined                     └─archive (only what was paid)
                            └── expires; deleted by cleanup or by hand (only what was never paid)

Each verb locks the quote first, so that two of them do one after the other what they would have done alone.
"""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.activity import actors, audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.payments.models import Purchase, PurchaseState
from crm.deals import services as deals
from emailcheck.common.errors import BadInput, NotFound
from quotes.quotes import emails
from quotes.quotes.models import Quote, QuoteStatus
from quotes.quotes.pricing import Figures, compute_figures
from quotes.requests.models import QuoteRequest, RequestStatus
from quotes.requests.services import MAX_CREDITS, lock_request

CREDIT_PRESETS = (50_000, 100_000, 250_000, 500_000, 1_000_000)
CREDIT_STEP = 1_000
NOT_FOUND = "Quote not found"
NOT_PAYABLE = "This quote cannot be paid"


def compute_price(credits: int) -> Figures:
    """What a quote over `credits` would cost now. Raises `BadInput` for a number that is not offered."""
    if type(credits) is not int or not CREDIT_STEP <= credits <= MAX_CREDITS or credits % CREDIT_STEP:
        raise BadInput(
            f"Credits must be a multiple of {CREDIT_STEP:,}, at least {CREDIT_STEP:,}.",
            field="credits_needed",
            value=credits,
        )
    return compute_figures(credits, settings.QUOTE_RATES, settings.QUOTE_MINIMUM)


@transaction.atomic
def generate_quote(
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
    figures = compute_price(credits)
    request = lock_request(request_id) if request_id is not None else None
    email = customer_email.strip().lower()
    quote = Quote.objects.create(
        organisation=Organisation.objects.filter(holder__email=email, holder__email_verified_at__isnull=False).first(),
        request=request,
        deal=deals.load_deal(deal_id) if deal_id is not None else None,
        customer_name=customer_name.strip(),
        customer_email=email,
        customer_company=customer_company.strip(),
        credits_needed=credits,
        notes=notes.strip(),
        **{name: getattr(figures, name) for name in Figures.__slots__},
        **actors.snapshot_actor(staff),
        expires_at=timezone.now() + settings.QUOTE_LASTS,
    )
    if request is not None:
        request.status = RequestStatus.QUOTED
        request.save(update_fields=["status"])
    made = {"credits_needed": [None, credits], "annual_price": [None, str(quote.annual_price)]}
    _record_act(staff, quote, "Quote generated", made)
    return quote


@transaction.atomic
def decline_quote(*, organisation: Organisation, quote_id: str) -> Quote:
    """The customer does not want it. Harmless when it was declined. Raises `NotFound`, `BadInput` once it is paid."""
    quote = lock_quote(organisation=organisation, quote_id=quote_id)
    if quote.status == QuoteStatus.DECLINED:
        return quote
    if quote.status != QuoteStatus.ACTIVE:
        raise BadInput("A paid quote cannot be declined.", code="QUOTE_NOT_OPEN")
    quote.status = QuoteStatus.DECLINED
    quote.save(update_fields=["status"])
    if quote.request_id:
        QuoteRequest.objects.filter(pk=quote.request_id).update(status=RequestStatus.DECLINED)
    _record_act(None, quote, "Quote declined", {"status": [QuoteStatus.ACTIVE, QuoteStatus.DECLINED]})
    return quote


@transaction.atomic
def delete_quote(*, staff: User, quote_id: str) -> None:
    """Delete a quote that was never paid, with its plan request.

    Raises `NotFound`, or `BadInput` (`QUOTE_PAID`) for one that was paid or is being paid at this moment.
    """
    quote = lock_quote(quote_id=quote_id)
    if quote.paid_at or quote.status not in (QuoteStatus.ACTIVE, QuoteStatus.DECLINED):
        raise BadInput("A paid quote can only be archived", code="QUOTE_PAID")
    if is_being_paid(quote):
        raise BadInput("The customer is paying this quote at the moment. Try again later.", code="QUOTE_PAID")
    _record_act(staff, quote, "Quote deleted", {"status": [quote.status, None]})
    quote.delete()


@transaction.atomic
def archive_quote(*, staff: User, quote_id: str) -> Quote:
    """Take a quote that was paid out of the list. Raises `NotFound`, or `BadInput` (`NOT_PAID`)."""
    quote = lock_quote(quote_id=quote_id)
    if not quote.paid_at and quote.status != QuoteStatus.ACTIVATED:
        raise BadInput("An unpaid quote can be deleted", code="NOT_PAID")
    if quote.archived_at is None:
        quote.archived_at = timezone.now()
        quote.save(update_fields=["archived_at"])
        _record_act(staff, quote, "Quote archived", {"archived": [False, True]})
    return quote


def mail_quote(*, staff: User, quote_id: str, recipient: str, message: str = "") -> Quote:
    """Mail a stored quote with both plans. Raises `NotFound`, `BadInput` without a recipient, `ProviderFailed`."""
    recipient = recipient.strip()
    if not recipient:
        raise BadInput("Please enter recipient email", field="recipient_email", value=recipient)
    quote = load_quote(quote_id=quote_id)
    emails.send_quote(quote, to=recipient, message=message.strip())
    _record_act(staff, quote, "Quote mailed")
    return quote


def claim_quotes(*, organisation: Organisation) -> int:
    """Give an account the quotes for its address, once it has proved to own it. Answers how many."""
    return Quote.objects.filter(customer_email=organisation.contact.email, organisation=None).update(
        organisation=organisation
    )


def load_quote(*, quote_id: str, organisation: Organisation | None = None) -> Quote:
    """A quote, the user's own if one is given. Raises `NotFound`."""
    found = Quote.objects.for_org(organisation) if organisation else Quote.objects.all()
    quote = found.select_related("plan_request").filter(quote_id=quote_id).first()
    if quote is None:
        raise NotFound(NOT_FOUND)
    return quote


def lock_quote(*, quote_id: str, organisation: Organisation | None = None) -> Quote:
    """As `load_quote`, locked until the caller's transaction ends."""
    found = Quote.objects.for_org(organisation) if organisation else Quote.objects.all()
    quote = found.select_for_update().filter(quote_id=quote_id).first()
    if quote is None:
        raise NotFound(NOT_FOUND)
    return quote


def is_being_paid(quote: Quote) -> bool:
    """Whether a payment for it is open at the provider, which may still go through."""
    return Purchase.objects.filter(reference=quote.quote_id, state=PurchaseState.PENDING).exists()


def _record_act(staff: User | None, quote: Quote, action: str, changes: dict[str, Any] | None = None) -> None:
    audit_log.record_activity(
        organisation=quote.organisation,
        kind=ActivityKind.STAFF if staff else ActivityKind.PURCHASE,
        action=action,
        staff=staff,
        target=quote.quote_id,
        changes=changes,
    )
