"""Due deliveries: leased, a few at a time for each host, and recorded after the attempt.

The lease of a dead worker ends and the delivery is due again, so that it arrives at least once. Changing deliveries
locks their host first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from emailcheck.common import secrecy
from validation.webhooks import emails, retry_schedule
from validation.webhooks.models import (
    DeliveryStatus,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WebhookDeliveryQuerySet,
    WebhookHost,
    WebhookSecret,
)
from validation.webhooks.posting import Outcome, WebhookMessage

LEASE = timedelta(seconds=45)
AT_ONCE = 32  # in one process
PER_HOST = 8
FAILING_AT_ONCE = 16  # endpoints that failed last time may take no more of all places
DISABLED_AFTER = timedelta(days=5)
GONE = 410
GONE_REASON = "The endpoint answered 410 Gone."


class LeasedDelivery(NamedTuple):
    """A leased delivery and its message."""

    delivery: WebhookDelivery
    message: WebhookMessage


def lease_due(limit: int) -> list[LeasedDelivery]:
    """Lease up to `limit` due deliveries, some of each endpoint, so that none waits behind another's many."""
    now = timezone.now()
    if limit <= 0 or not WebhookDelivery.objects.due(now).exists():
        return []
    with transaction.atomic():
        return _build_messages(_claim_due(_choose_endpoints(limit, now), limit, now))


def build_test_message(delivery: WebhookDelivery) -> WebhookMessage:
    """The message of a delivery that was created with a lease."""
    return _build_messages([delivery])[0].message


@transaction.atomic
def record_outcome(delivery: WebhookDelivery, outcome: Outcome) -> bool:
    """Record the outcome of an attempt. False, with nothing written, when the lease was lost."""
    now = timezone.now()
    lock_hosts([delivery.webhook.host_id])
    next_at = None if outcome.delivered or delivery.is_test else _next_try(delivery, outcome, now)
    status = DeliveryStatus.PENDING if next_at else _final_status(outcome)
    if not WebhookDelivery.objects.complete(
        delivery,
        status=status,
        next_attempt_at=next_at,
        response_status=outcome.status,
        request_headers=dict(outcome.sent),
    ):
        return False
    WebhookAttempt.objects.create(
        delivery=delivery,
        at=now,
        status=outcome.status,
        response_body=outcome.body,
        error=outcome.error,
        duration_ms=outcome.duration_ms,
    )
    if not delivery.is_test:
        _update_health(delivery.webhook, outcome, now)
    return True


def lock_hosts(hosts: Iterable[str]) -> None:
    """Lock the rows of some hosts, in a fixed order, until the caller's transaction ends."""
    list(WebhookHost.objects.select_for_update(no_key=True).filter(pk__in=sorted(set(hosts))).order_by("pk"))


def end_pending(webhook_ids: Iterable[int]) -> int:
    """Fail the waiting deliveries of disabled endpoints; they can be replayed. Those being sent go on."""
    return fail_pending(WebhookDelivery.objects.free().filter(webhook_id__in=list(webhook_ids)))


def fail_pending(found: WebhookDeliveryQuerySet) -> int:
    """Fail the pending ones of some deliveries. Returns their number."""
    return found.pending().revoke(status=DeliveryStatus.FAILED, next_attempt_at=None)


def _choose_endpoints(limit: int, now: datetime) -> list[Webhook]:
    """Endpoints with due deliveries, working ones first; none of busy hosts."""
    full = [host for host, count in in_flight_by_host().items() if count >= PER_HOST]
    due = WebhookDelivery.objects.due(now).values("webhook")
    found = Webhook.objects.filter(pk__in=due, is_active=True).exclude(host__in=full)
    at_work = WebhookDelivery.objects.held().exclude(webhook__failing_since=None).count()
    failing = max(0, min(limit, FAILING_AT_ONCE - at_work))
    working = list(found.filter(failing_since=None).order_by("?")[:limit])
    return working + list(found.exclude(failing_since=None).order_by("?")[: min(failing, limit - len(working))])


def in_flight_by_host() -> Counter[str]:
    """The number of deliveries being sent to each host, by all processes."""
    found = WebhookDelivery.objects.held().order_by().values_list("webhook__host").annotate(Count("pk"))
    return Counter(dict(found))


def _claim_due(endpoints: list[Webhook], limit: int, now: datetime) -> list[WebhookDelivery]:
    lock_hosts(hook.host_id for hook in endpoints)
    open_now = in_flight_by_host()
    sharing: dict[str, list[Webhook]] = defaultdict(list)
    for hook in endpoints:
        sharing[hook.host_id].append(hook)
    taken: list[WebhookDelivery] = []
    for host, hooks in sharing.items():
        free = PER_HOST - open_now[host]
        each = max(1, free // len(hooks))
        for hook in hooks:
            mine = _lease_deliveries(hook, min(each, free, limit - len(taken)), now)
            free -= len(mine)
            taken += mine
    return taken


def _lease_deliveries(hook: Webhook, count: int, now: datetime) -> list[WebhookDelivery]:
    """Lease up to so many deliveries of an endpoint. The attempt is counted before it is made."""
    if count <= 0:
        return []
    due = WebhookDelivery.objects.due(now).filter(webhook=hook).order_by("next_attempt_at", "pk")
    taken = due.claim(count, lasts=LEASE, tries_since_queued=F("tries_since_queued") + 1)
    for delivery in taken:
        delivery.webhook, delivery.tries_since_queued = hook, delivery.tries_since_queued + 1
    return taken


def _build_messages(taken: list[WebhookDelivery]) -> list[LeasedDelivery]:
    """The deliveries with their messages, signed with every valid secret of the endpoint, the newest first."""
    keys: dict[int, list[str]] = defaultdict(list)
    counts = Q(valid_until=None) | Q(valid_until__gt=timezone.now())
    found = WebhookSecret.objects.filter(counts, webhook__in={delivery.webhook_id for delivery in taken})
    for secret in found.order_by("-pk"):
        with suppress(secrecy.UnreadableSecret):
            keys[secret.webhook_id].append(secrecy.unseal_text(secret.sealed))
    return [
        LeasedDelivery(one, WebhookMessage(one.webhook.url, one.message_id, one.body, tuple(keys[one.webhook_id])))
        for one in taken
    ]


def _next_try(delivery: WebhookDelivery, outcome: Outcome, now: datetime) -> datetime | None:
    if outcome.status == GONE:
        return None
    return retry_schedule.next_try_at(
        step=delivery.tries_since_queued, name=delivery.public_id, now=now, headers=outcome.headers
    )


def _final_status(outcome: Outcome) -> DeliveryStatus:
    return DeliveryStatus.DELIVERED if outcome.delivered else DeliveryStatus.FAILED


def _update_health(hook: Webhook, outcome: Outcome, now: datetime) -> None:
    """Record whether an endpoint works. Disable it, and mail, when it is gone or has failed for days."""
    mine = Webhook.objects.filter(pk=hook.pk)
    if outcome.delivered:
        mine.exclude(failing_since=None).update(failing_since=None)
        return
    mine.filter(failing_since=None).update(failing_since=now)
    if outcome.status == GONE:
        _disable_endpoint(hook, GONE_REASON, now)
    elif mine.filter(failing_since__lte=now - DISABLED_AFTER).exists():
        _disable_endpoint(hook, f"Every try failed for {DISABLED_AFTER.days} days. The last: {outcome.error}", now)


def _disable_endpoint(hook: Webhook, reason: str, now: datetime) -> None:
    if not Webhook.objects.filter(pk=hook.pk, is_active=True).update(is_active=False, disabled_reason=reason[:300]):
        return
    hook.refresh_from_db()
    end_pending([hook.pk])
    audit_log.record_activity(
        organisation=hook.organisation,
        kind=ActivityKind.SETTINGS,
        action=f"Webhook to {hook.host_id} was disabled",
        changes={"is_active": [True, False]},
    )
    emails.send_disabled(hook=hook, at=now)
