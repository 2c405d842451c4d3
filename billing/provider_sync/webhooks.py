"""PayPal's events: verified, processed once, and used only as hints of what to poll."""

import logging
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from billing.payments import records
from billing.payments.models import Agreement, Payment, PaymentState, Purchase
from billing.payments.paypal import paypal
from billing.payments.paypal.types import Event
from billing.provider_sync import agreements, polling
from billing.provider_sync.models import EventState, ProviderEvent
from billing.refunds import services as refunds
from emailcheck.common.queue.stuck_tasks import LISTED, StuckWork
from emailcheck.common.text.cleaning import redact_text

log = logging.getLogger(__name__)
LATE_AFTER = timedelta(minutes=10)
_HINTS = ("order_id", "subscription_id", "capture_id", "custom_id")


def receive_event(headers: Mapping[str, str], body: bytes) -> None:
    """Process an event by the current state at PayPal. Harmless when it was processed before.

    Raises `WebhookRefused` for forged events, and `PayPalError` when PayPal is out of reach: it sends again.
    """
    event = paypal().fetch_verified_event(headers, body)
    if not ProviderEvent.objects.filter(event_id=event.id).exclude(state=EventState.WAITING).exists():
        _process_event(event)


def list_late_events() -> list[StuckWork]:
    """Events that still fail although PayPal has sent them again."""
    before = timezone.now() - LATE_AFTER
    waiting = ProviderEvent.objects.filter(state=EventState.WAITING, received_at__lte=before).order_by(
        "received_at", "pk"
    )
    return [
        StuckWork("webhook", row.event_id, row.received_at, row.attempts, row.error or None, f"PayPal: {row.kind}")
        for row in waiting[:LISTED]
    ]


def retry_event(work_id: str) -> bool:
    """Process a waiting event. False when none has that id; raises as `receive_event`."""
    row = ProviderEvent.objects.filter(event_id=work_id, state=EventState.WAITING).first()
    if row is None:
        return False
    _process_event(_rebuild_event(row))
    return True


def give_up_event(work_id: str) -> bool:
    """Never process an event. False when none with that id waits."""
    waiting = ProviderEvent.objects.filter(event_id=work_id, state=EventState.WAITING)
    return bool(waiting.update(state=EventState.GIVEN_UP))


def _process_event(event: Event) -> None:
    """Process an event once, also with concurrent deliveries. Failures are stored for staff and the next delivery."""
    try:
        acts = [*_prepare_chargebacks(event), _prepare_action(event)]
        with transaction.atomic():
            ProviderEvent.objects.get_or_create(event_id=event.id, defaults=_build_event_columns(event))
            mine = ProviderEvent.objects.filter(event_id=event.id, state=EventState.WAITING)
            if mine.update(state=EventState.DONE, error=""):
                for act in acts:
                    act()
    except Exception as error:
        _record_failure(event, error)
        raise


def _record_failure(event: Event, error: Exception) -> None:
    ProviderEvent.objects.get_or_create(event_id=event.id, defaults=_build_event_columns(event))
    waiting = ProviderEvent.objects.filter(event_id=event.id, state=EventState.WAITING)
    waiting.update(attempts=F("attempts") + 1, error=redact_text(str(error) or type(error).__name__)[:300])


def _build_event_columns(event: Event) -> dict[str, Any]:
    hints = {name: getattr(event, name) for name in _HINTS}
    return {"kind": event.kind, "resource_id": event.resource_id, "hints": hints}


def _rebuild_event(row: ProviderEvent) -> Event:
    """The event from its stored hints, which are all that is used."""
    return Event(
        id=row.event_id,
        kind=row.kind,
        resource_id=row.resource_id,
        **{name: (row.hints or {}).get(name, "") for name in _HINTS},
        **dict.fromkeys(("status", "plan_id", "invoice_id"), ""),
        amount=None,
        create_time=row.received_at,
    )


def _prepare_chargebacks(event: Event) -> Iterator[Callable[[], object]]:
    """A payment's state says that the money went back; only the event says that it was a chargeback."""
    payment = Payment.objects.filter(provider_id=event.resource_id).first()
    if event.kind.endswith(".REVERSED") and payment is not None:
        now = records.to_payment_state(paypal().fetch_capture(payment.provider_id).status)
        if now == PaymentState.REFUNDED:
            yield partial(
                refunds.complete_refund, payment_id=payment.pk, state=PaymentState.REVERSED, reason=refunds.CHARGEBACK
            )


def _prepare_action(event: Event) -> Callable[[], None]:
    """Poll what the event names. Returns the action that applies the answer."""
    agreement = _find_agreement(event)
    if agreement is not None:
        snapshot = agreements.fetch_agreement(agreement.provider_id, since=agreement.created_at)
        return partial(agreements.apply_agreement_state, provider_id=agreement.provider_id, snapshot=snapshot)
    purchase = _find_purchase(event)
    if purchase is not None and purchase.provider_id:
        return polling.prepare_poll(purchase)
    return partial(log.info, "event %s of kind %s is about nothing of ours", event.id, event.kind)


def _find_agreement(event: Event) -> Agreement | None:
    known = Agreement.objects.filter(payments__provider_id__in=_list_payment_ids(event))
    by_id = Agreement.objects.filter(provider_id=event.subscription_id) if event.subscription_id else known
    return by_id.first() or known.first()


def _find_purchase(event: Event) -> Purchase | None:
    paid_by = Payment.objects.filter(provider_id__in=_list_payment_ids(event)).values("purchase")
    named = Q(pk__in=paid_by)
    for provider_id in filter(None, (event.order_id, event.subscription_id)):
        named |= Q(provider_id=provider_id)
    if event.custom_id:
        named |= Q(public_id=event.custom_id)
    return Purchase.objects.filter(named).first()


def _list_payment_ids(event: Event) -> list[str]:
    return [found for found in (event.capture_id, event.resource_id) if found]
