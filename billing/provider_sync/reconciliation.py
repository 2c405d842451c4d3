"""Compare our payments with PayPal's list of transactions: fetch what is missing here, report what differs."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Q
from django.utils import timezone

from billing.payments.models import Agreement, Payment, PaymentState, Purchase
from billing.payments.paypal import Amount, paypal
from billing.payments.paypal.errors import PayPalError
from billing.payments.paypal.types import ReportedTransaction
from billing.provider_sync import agreements, polling
from billing.provider_sync.comparison import CircuitBreaker, Comparison

_LOOKED_BACK = timedelta(days=3)
_LISTED_AFTER = timedelta(hours=4)  # PayPal may take three
_PAYMENTS = "T00"
_DONE, _REVERSED = "S", "V"


def compare_payments(*, since: datetime | None = None) -> Comparison:
    """Compare the last three days, or all since a moment. Raises `PayPalError` when PayPal's list cannot be had."""
    now = timezone.now()
    start = since or now - _LOOKED_BACK
    theirs = {
        found.id: found
        for found in paypal().fetch_reported(start=start, end=now)
        if found.event_code.startswith(_PAYMENTS) and found.amount.value > 0
    }
    compared = Comparison()
    _compare_reported(theirs, compared)
    compared.differ.extend(_describe_unreported(theirs, start, now - _LISTED_AFTER))
    return compared


def _compare_reported(theirs: dict[str, ReportedTransaction], compared: Comparison) -> None:
    ours, asking = Payment.objects.in_bulk(list(theirs), field_name="provider_id"), CircuitBreaker()
    for found in theirs.values():
        if found.status not in {_DONE, _REVERSED}:
            continue
        mine = ours.get(found.id)
        if mine is None or not _is_same_state(mine, found):
            try:
                asking(partial(_poll_owner, found))
            except PayPalError as error:
                compared.unknown.append(f"{_name_transaction(found)} could not be compared: {error}")
                continue
            mine = Payment.objects.filter(provider_id=found.id).first()
        compared.differ.extend(_describe_differences(mine, found))


def _describe_differences(mine: Payment | None, found: ReportedTransaction) -> Iterator[str]:
    name = _name_transaction(found)
    if mine is None:
        yield f"{name} is at PayPal and not here (custom id {found.custom_id or 'none'})"
    elif Amount(mine.amount, mine.currency) != found.amount:
        yield f"{name} at PayPal is {mine.amount} {mine.currency} here"
    elif not _is_same_state(mine, found):
        yield f"{name} is {found.status} at PayPal and {mine.state} here"


def _name_transaction(found: ReportedTransaction) -> str:
    return f"payment {found.id} of {found.amount.value} {found.amount.currency}"


def _is_same_state(mine: Payment, found: ReportedTransaction) -> bool:
    """A partial refund changes nothing; V means a full one."""
    given_back = mine.state in {PaymentState.REFUNDED, PaymentState.REVERSED}
    return given_back if found.status == _REVERSED else mine.captured_at is not None


def _describe_unreported(theirs: dict[str, ReportedTransaction], start: datetime, end: datetime) -> Iterator[str]:
    listed = Payment.objects.filter(created_at__range=(start, end)).exclude(captured_at=None)
    for mine in listed.exclude(provider_id__in=list(theirs)).order_by("pk"):
        yield f"payment {mine.provider_id} of {mine.amount} {mine.currency} is here and not at PayPal"


def _poll_owner(found: ReportedTransaction) -> None:
    """Poll the purchase or agreement of a transaction, as a webhook would. Raises `PayPalError`."""
    agreement = Agreement.objects.filter(Q(provider_id=found.reference_id) | Q(payments__provider_id=found.id)).first()
    purchase = Purchase.objects.filter(
        Q(provider_id=found.reference_id or None) | Q(public_id=found.custom_id) | Q(payments__provider_id=found.id)
    ).first()
    if agreement is not None:
        agreements.poll_agreement(agreement)
    elif purchase is not None and purchase.provider_id:
        polling.prepare_poll(purchase)()
