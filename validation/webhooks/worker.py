"""A worker's turn: due deliveries are sent concurrently, so that a slow endpoint delays no other."""

import logging
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from emailcheck.common import personal
from emailcheck.common.queue import ending, workers
from validation.webhooks import events, posting, queue
from validation.webhooks.models import DeliveryStatus, Webhook, WebhookDelivery, WebhookSecret
from validation.webhooks.posting import Outcome
from validation.webhooks.queue import LeasedDelivery

log = logging.getLogger(__name__)
TICK_S = 0.2
HEARTBEAT_EVERY_S = 5.0
SOON = timedelta(seconds=6)  # the first wait of a delivery that failed, and some
KEEP_FOR = timedelta(days=30)
OUR_FAULT = "It could not be sent because of a fault on our side."
Running = dict[Future[Outcome], LeasedDelivery]


def run_worker() -> None:
    """Send deliveries that are due, now or within seconds. A successor sends those due after `SLICE_SECONDS`."""
    ends = time.monotonic() + settings.SLICE_SECONDS
    next_beat = time.monotonic()
    running: Running = {}
    with ThreadPoolExecutor(queue.AT_ONCE) as pool:
        while _submit_due(pool, running) if time.monotonic() < ends and not ending.is_ending() else running:
            if time.monotonic() >= next_beat:
                workers.show_progress()
                next_beat += HEARTBEAT_EVERY_S
            if not running:
                time.sleep(TICK_S)
            _record_done(running)
            if time.monotonic() >= ends:
                wake_if_due()
    wake_if_due()


def sweep_deliveries() -> None:
    """Wake a worker for overdue deliveries, and fail those of disabled endpoints."""
    off = WebhookDelivery.objects.due(timezone.now()).filter(webhook__is_active=False)
    queue.end_pending(off.values_list("webhook", flat=True).distinct())
    wake_if_due()


def delete_old_deliveries() -> None:
    """Delete deliveries older than 30 days, and expired secrets."""
    now = timezone.now()
    over = WebhookDelivery.objects.exclude(status=DeliveryStatus.PENDING)
    personal.delete_in_slices(over.filter(created_at__lt=now - KEEP_FOR))
    WebhookSecret.objects.filter(valid_until__lt=now).delete()
    for webhook_id in Webhook.objects.exclude(deleted_at=None).values_list("pk", flat=True):
        purge_endpoint(webhook_id)


def purge_endpoint(webhook_id: int) -> None:
    """Remove a deleted endpoint with its log, in slices."""
    personal.delete_in_slices(WebhookDelivery.objects.filter(webhook=webhook_id).exclude(webhook__deleted_at=None))
    Webhook.objects.filter(pk=webhook_id).exclude(deleted_at=None).delete()


def wake_if_due() -> None:
    """Wake a worker when an unleased delivery is due."""
    if _is_due():
        events.wake_worker()


def _submit_due(pool: ThreadPoolExecutor, running: Running) -> bool:
    """Start due deliveries. False when none is in progress and none is due soon."""
    for taken in queue.lease_due(queue.AT_ONCE - len(running)):
        running[pool.submit(posting.post_message, taken.message)] = taken
    return bool(running) or _is_due(SOON)


def _is_due(within: timedelta = timedelta(0)) -> bool:
    return WebhookDelivery.objects.due(timezone.now() + within).filter(webhook__is_active=True).exists()


def _record_done(running: Running) -> None:
    done, _ = wait(running, TICK_S, FIRST_COMPLETED)
    for future in done:
        queue.record_outcome(running.pop(future).delivery, _read_outcome(future))


def _read_outcome(future: Future[Outcome]) -> Outcome:
    """The outcome of an attempt. A fault of ours fails only this attempt."""
    try:
        return future.result()
    except Exception:
        log.exception("a webhook could not be sent")
        return Outcome({}, 0, error=OUR_FAULT)
