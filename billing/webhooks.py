"""PayPal's events: verified, acted upon once, and believed in nothing but whom to ask about."""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from django.db import transaction
from django.db.models import Q

from billing import agreements, inquiry, payments, refunds
from billing.models import Agreement, Payment, PaymentState, ProviderEvent, Purchase
from billing.paypal import paypal
from billing.paypal.types import Event

log = logging.getLogger(__name__)


def receive(headers: Mapping[str, str], body: bytes) -> None:
    """Act on an event as things are at PayPal now. Harmless when it was acted upon before.

    Raises `WebhookRefused` for what is not PayPal's, and `PayPalError` when PayPal cannot be asked: it sends again.
    """
    event = paypal().verified_event(headers, body)
    if ProviderEvent.objects.filter(event_id=event.id).exists():
        return
    acts = [*_chargeback(event), _prepared(event)]
    with transaction.atomic():
        about = {"kind": event.kind, "resource_id": event.resource_id}
        if ProviderEvent.objects.get_or_create(event_id=event.id, defaults=about)[1]:
            for act in acts:
                act()


def _chargeback(event: Event) -> Iterator[Callable[[], object]]:
    """What a payment became tells that the money went back; only the event tells that the bank took it."""
    payment = Payment.objects.filter(provider_id=event.resource_id).first()
    if event.kind.endswith(".REVERSED") and payment is not None:
        now = payments.state_of(paypal().capture(payment.provider_id).status)
        if now == PaymentState.REFUNDED:
            yield partial(
                refunds.given_back, payment_id=payment.pk, state=PaymentState.REVERSED, reason=refunds.CHARGEBACK
            )


def _prepared(event: Event) -> Callable[[], None]:
    """Ask about what the event names; answers what is to be done about it."""
    agreement = _agreement(event)
    if agreement is not None:
        told = agreements.ask(agreement.provider_id, since=agreement.created_at)
        return partial(agreements.settle, provider_id=agreement.provider_id, told=told)
    purchase = _purchase(event)
    if purchase is not None and purchase.provider_id:
        return inquiry.prepared(purchase)
    return partial(log.info, "event %s of kind %s is about nothing of ours", event.id, event.kind)


def _agreement(event: Event) -> Agreement | None:
    known = Agreement.objects.filter(payments__provider_id__in=_payment_ids(event))
    by_id = Agreement.objects.filter(provider_id=event.subscription_id) if event.subscription_id else known
    return by_id.first() or known.first()


def _purchase(event: Event) -> Purchase | None:
    paid_by = Payment.objects.filter(provider_id__in=_payment_ids(event)).values("purchase")
    named = Q(pk__in=paid_by)
    for provider_id in filter(None, (event.order_id, event.subscription_id)):
        named |= Q(provider_id=provider_id)
    if event.custom_id:
        named |= Q(public_id=event.custom_id)
    return Purchase.objects.filter(named).first()


def _payment_ids(event: Event) -> list[str]:
    return [found for found in (event.capture_id, event.resource_id) if found]
