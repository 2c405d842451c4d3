"""Deliveries of webhooks that nobody sends though their time has come: found, sent, given up."""

from datetime import timedelta

from django.utils import timezone

from emailcheck.common.stuck import LISTED, Work, moves_again
from validation import webhook_events, webhook_queue
from validation.webhook_models import WebhookDelivery, WebhookDeliveryQuerySet

LATE_AFTER = timedelta(minutes=5)
_NOBODY_SENDS = "Nobody sends it, though its time has come"


def late() -> list[Work]:
    """Deliveries that are past their time, the oldest first."""
    found = _late().select_related("webhook").order_by("next_attempt_at")[:LISTED]
    return [
        Work("webhook", one.public_id, one.next_attempt_at, one.attempts, _NOBODY_SENDS, f"to {one.webhook.host_id}")
        for one in found
        if one.next_attempt_at is not None
    ]


def retry(work_id: str) -> bool:
    """Wake a worker for a delivery. False for one that is not there or over."""
    if not WebhookDelivery.objects.pending().filter(public_id=work_id).exists():
        return False
    webhook_events.wake()
    return True


def give_up(work_id: str) -> bool:
    """Let a delivery fail; its owner may replay it. False for one that is not there or over.

    Raises `Conflict` for one that moves again.
    """
    if not WebhookDelivery.objects.pending().filter(public_id=work_id).exists():
        return False
    if not webhook_queue.fail(_late().filter(public_id=work_id)):
        raise moves_again()
    return True


def _late() -> WebhookDeliveryQuerySet:
    return WebhookDelivery.objects.overdue(timezone.now() - LATE_AFTER)
