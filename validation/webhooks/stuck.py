"""Overdue deliveries of webhooks: list, retry, give up."""

from datetime import timedelta

from django.utils import timezone

from emailcheck.common.queue.stuck_tasks import LISTED, StuckWork, build_not_stuck_error
from validation.webhooks import events, queue
from validation.webhooks.models import WebhookDelivery, WebhookDeliveryQuerySet

LATE_AFTER = timedelta(minutes=5)
_NOBODY_SENDS = "Nobody sends it, though its time has come"


def list_late() -> list[StuckWork]:
    """Overdue deliveries, the oldest first."""
    found = _filter_late().select_related("webhook").order_by("next_attempt_at")[:LISTED]
    return [
        StuckWork(
            "webhook", one.public_id, one.next_attempt_at, one.attempts, _NOBODY_SENDS, f"to {one.webhook.host_id}"
        )
        for one in found
        if one.next_attempt_at is not None
    ]


def retry_delivery(work_id: str) -> bool:
    """Wake a worker for a delivery. False for a missing or ended one."""
    if not WebhookDelivery.objects.pending().filter(public_id=work_id).exists():
        return False
    events.wake_worker()
    return True


def give_up_delivery(work_id: str) -> bool:
    """Fail a delivery; its owner may replay it. False for a missing or ended one.

    Raises `Conflict` for one that makes progress again.
    """
    if not WebhookDelivery.objects.pending().filter(public_id=work_id).exists():
        return False
    if not queue.fail_pending(_filter_late().filter(public_id=work_id)):
        raise build_not_stuck_error()
    return True


def _filter_late() -> WebhookDeliveryQuerySet:
    return WebhookDelivery.objects.due(timezone.now() - LATE_AFTER)
