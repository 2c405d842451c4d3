"""Our payments beside PayPal's own list of movements: what only they have is fetched, what differs is named."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Q
from django.utils import timezone

from billing import agreements, inquiry
from billing.comparing import Asking, Comparison
from billing.models import Agreement, Payment, PaymentState, Purchase
from billing.paypal import Amount, paypal
from billing.paypal.errors import PayPalError
from billing.paypal.types import ReportedTransaction

_LOOKED_BACK = timedelta(days=3)
_LISTED_AFTER = timedelta(hours=4)  # PayPal may take three
_PAYMENTS = "T00"
_DONE, _REVERSED = "S", "V"


def compare(*, since: datetime | None = None) -> Comparison:
    """Compare the last three days, or all since a moment. Raises `PayPalError` when PayPal's list cannot be had."""
    now = timezone.now()
    start = since or now - _LOOKED_BACK
    theirs = {
        found.id: found
        for found in paypal().reported(start=start, end=now)
        if found.event_code.startswith(_PAYMENTS) and found.amount.value > 0
    }
    compared = Comparison()
    _of_theirs(theirs, compared)
    compared.differ.extend(_only_ours(theirs, start, now - _LISTED_AFTER))
    return compared


def _of_theirs(theirs: dict[str, ReportedTransaction], compared: Comparison) -> None:
    ours, asking = Payment.objects.in_bulk(list(theirs), field_name="provider_id"), Asking()
    for found in theirs.values():
        if found.status not in {_DONE, _REVERSED}:
            continue
        mine = ours.get(found.id)
        if mine is None or not _agrees(mine, found):
            try:
                asking(partial(_fetch, found))
            except PayPalError as error:
                compared.unknown.append(f"{_named(found)} could not be compared: {error}")
                continue
            mine = Payment.objects.filter(provider_id=found.id).first()
        compared.differ.extend(_compared(mine, found))


def _compared(mine: Payment | None, found: ReportedTransaction) -> Iterator[str]:
    told = _named(found)
    if mine is None:
        yield f"{told} is at PayPal and not here (custom id {found.custom_id or 'none'})"
    elif Amount(mine.amount, mine.currency) != found.amount:
        yield f"{told} at PayPal is {mine.amount} {mine.currency} here"
    elif not _agrees(mine, found):
        yield f"{told} is {found.status} at PayPal and {mine.state} here"


def _named(found: ReportedTransaction) -> str:
    return f"payment {found.id} of {found.amount.value} {found.amount.currency}"


def _agrees(mine: Payment, found: ReportedTransaction) -> bool:
    """A part given back leaves it as it is; V says that all of it went back."""
    given_back = mine.state in {PaymentState.REFUNDED, PaymentState.REVERSED}
    return given_back if found.status == _REVERSED else mine.captured_at is not None


def _only_ours(theirs: dict[str, ReportedTransaction], start: datetime, end: datetime) -> Iterator[str]:
    listed = Payment.objects.filter(created_at__range=(start, end)).exclude(captured_at=None)
    for mine in listed.exclude(provider_id__in=list(theirs)).order_by("pk"):
        yield f"payment {mine.provider_id} of {mine.amount} {mine.currency} is here and not at PayPal"


def _fetch(found: ReportedTransaction) -> None:
    """Look at what the movement belongs to, as a webhook would have us do. Raises `PayPalError`."""
    agreement = Agreement.objects.filter(Q(provider_id=found.reference_id) | Q(payments__provider_id=found.id)).first()
    purchase = Purchase.objects.filter(
        Q(provider_id=found.reference_id or None) | Q(public_id=found.custom_id) | Q(payments__provider_id=found.id)
    ).first()
    if agreement is not None:
        agreements.look(agreement)
    elif purchase is not None and purchase.provider_id:
        inquiry.prepared(purchase)()
