"""Endpoints: create, change, test, rotate secrets, replay deliveries."""

import threading
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.access.models import ApiKey
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import LISTED, OFFERS, Feature
from billing.subscriptions import entitlements
from emailcheck.common import secrecy
from emailcheck.common.api import pagination, throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import BadInput, Conflict, Refused, Unavailable, require_found
from emailcheck.common.queue import tasks
from emailcheck.common.queue.leases import begin_lease
from validation.access import makers
from validation.webhooks import endpoint_urls, examples, posting, queue, signing
from validation.webhooks import events as webhook_events
from validation.webhooks.models import (
    DeliveryStatus,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryQuerySet,
    WebhookHost,
    WebhookQuerySet,
    WebhookSecret,
)
from validation.webhooks.posting import Outcome

PURGE = "validation.tasks.purge_webhook"
MOST = 10
MOST_SECRETS = 5
OVERLAP = timedelta(hours=24)
PAGE_ROWS = 50
TESTS = Limit("webhook tests", 10, 60)
PLANS = tuple(plan for plan in (*LISTED, Plan.ENTERPRISE) if Feature.WEBHOOKS in OFFERS[plan].features)
NOT_IN_PLAN = (
    f"Live webhooks come with {', '.join(plan.label for plan in PLANS[:-1])} and {PLANS[-1].label}. Endpoints of test "
    "mode are included in every plan."
)
NOT_FOUND = "Webhook not found"
IS_OFF = "This webhook is switched off. Enable it before you replay."
_ON = Q(is_active=True, deleted_at=None)
# Test deliveries that wait in a web process: a quarter of its threads, so that slow endpoints never occupy all.
_testing = threading.BoundedSemaphore(4)


def list_endpoints(organisation: Organisation) -> list[Webhook]:
    """The endpoints of an account in both modes, oldest first, as its plan lets them be."""
    found = Webhook.objects.for_org(organisation).select_related("maker", "made_by_key").order_by("pk")
    return _apply_plan(organisation, list(found))


def page_endpoints(
    organisation: Organisation, *, limit: int = pagination.ROWS, cursor: str = ""
) -> tuple[list[Webhook], str | None]:
    """A page of the endpoints of the mode that calls, newest first, as the plan lets them be, and the cursor of the
    next page, None at the end. Raises `BadInput` for a cursor that is not ours."""
    made_for = f"endpoints {organisation.pk} {organisation.in_test_mode}"
    mine = _list_of_mode(organisation)
    found, following = pagination.page_newest(mine, size=limit, cursor=cursor, made_for=made_for)
    return _apply_plan(organisation, found), following


def load_endpoint_of_mode(organisation: Organisation, webhook_id: int) -> Webhook:
    """An endpoint of the mode that calls, as the plan lets it be. Raises `NotFound` for any other."""
    found = require_found(_list_of_mode(organisation).filter(pk=webhook_id).first(), NOT_FOUND)
    return _apply_plan(organisation, [found])[0]


def describe_off(hook: Webhook) -> str:
    """Why an endpoint is off, where its people did not switch it off; empty otherwise."""
    return hook.disabled_reason if hook.is_in_plan else NOT_IN_PLAN


def _list_of_mode(organisation: Organisation) -> WebhookQuerySet:
    return Webhook.objects.for_org(organisation).filter(test=organisation.in_test_mode)


def _apply_plan(organisation: Organisation, found: list[Webhook]) -> list[Webhook]:
    """Mark live endpoints that the plan does not include: what is stored stays, and counts again after an upgrade."""
    if any(not hook.test for hook in found) and not entitlements.has_feature(organisation, Feature.WEBHOOKS):
        for hook in found:
            hook.is_in_plan = hook.test
    return found


def list_active_hosts(organisation: AbstractBaseUser) -> list[str]:
    """The hosts of an account's enabled endpoints, oldest first."""
    return list(
        Webhook.objects.filter(_ON, organisation_id=organisation.pk).order_by("pk").values_list("host_id", flat=True)
    )


@transaction.atomic
def disable_all(organisation: AbstractBaseUser) -> None:
    """Disable every endpoint of an account, and fail its waiting deliveries."""
    for hook in (
        Webhook.objects.select_for_update()
        .filter(_ON, organisation_id=organisation.pk)
        .select_related("organisation")
        .order_by("pk")
    ):
        _switch_endpoint(hook, on=False)
        hook.save(update_fields=["is_active"])
        _record_activity(hook.organisation, f"Webhook to {hook.host_id} was switched off", {"is_active": [True, False]})


def load_endpoint(organisation: Organisation, webhook_id: int) -> Webhook:
    """An endpoint of an account. Raises `NotFound` for unknown ids and other accounts' ids."""
    return require_found(Webhook.objects.for_org(organisation).filter(pk=webhook_id).first(), NOT_FOUND)


def create_endpoint(
    *,
    organisation: Organisation,
    url: str,
    events: Iterable[str],
    is_active: bool = True,
    test: bool = False,
    api_key: ApiKey | None = None,
) -> tuple[Webhook, str]:
    """Create an endpoint, in test mode or live. Returns it with its secret, which is shown only once.

    Raises `Refused` (`PLAN_REQUIRED`) for a live one, `BadInput` (`INVALID_WEBHOOK_URL`, `TOO_MANY_WEBHOOKS`).
    """
    _require_plan(organisation, test=test)
    endpoint = endpoint_urls.check_url(url)
    with transaction.atomic():
        Organisation.objects.select_for_update().get(
            pk=organisation.pk
        )  # endpoints of one account are counted one after another
        if Webhook.objects.for_org(organisation).count() >= MOST:
            raise BadInput(f"You have {MOST} webhooks. Delete one before you add another.", code="TOO_MANY_WEBHOOKS")
        host, _ = WebhookHost.objects.get_or_create(name=endpoint.host)
        hook = Webhook.objects.create(
            organisation=organisation,
            maker_id=makers.find_maker(api_key),
            made_by_key=api_key,
            url=endpoint.url,
            host=host,
            events=_order_events(events),
            is_active=is_active,
            test=test,
        )
        _record_activity(
            organisation, f"Webhook to {host} was added", audit_log.compare_values({}, _describe_endpoint(hook))
        )
        return hook, _add_secret(hook)


def update_endpoint(*, organisation: Organisation, webhook_id: int, **changes: Any) -> Webhook:
    """Change an endpoint's URL, events or state; omitted values stay.

    Disabling fails the waiting deliveries; enabling clears the reason of an earlier disabling. Raises `NotFound`,
    `Refused` (`PLAN_REQUIRED`) for a live one, `BadInput` (`INVALID_WEBHOOK_URL`).
    """
    known = load_endpoint(organisation, webhook_id)
    if changes.get("is_active") is not False:
        _require_plan(organisation, test=known.test)
    endpoint = endpoint_urls.check_url(changes["url"]) if "url" in changes else None
    with transaction.atomic():
        hook = _lock_endpoint(organisation, webhook_id)
        before = _describe_endpoint(hook)
        if endpoint is not None:
            hook.url, hook.host = endpoint.url, WebhookHost.objects.get_or_create(name=endpoint.host)[0]
        if "events" in changes:
            hook.events = _order_events(changes["events"])
        if "is_active" in changes:
            _switch_endpoint(hook, on=changes["is_active"])
        hook.save()
        if changes:
            _record_activity(
                organisation,
                f"Webhook to {hook.host_id} was changed: {', '.join(sorted(changes)).replace('_', ' ')}",
                audit_log.compare_values(before, _describe_endpoint(hook)),
            )
        return hook


@transaction.atomic
def delete_endpoint(*, organisation: Organisation, webhook_id: int) -> None:
    """Delete an endpoint; its log is removed a little later. Raises `NotFound`."""
    hook = _lock_endpoint(organisation, webhook_id)
    before = _describe_endpoint(hook)
    hook.is_active, hook.deleted_at = False, timezone.now()
    hook.save(update_fields=["is_active", "deleted_at"])
    changes = audit_log.compare_values(before, dict.fromkeys(before))
    _record_activity(organisation, f"Webhook to {hook.host_id} was deleted", changes)
    tasks.enqueue(PURGE, hook.pk, queue="bulk")


@transaction.atomic
def rotate_secret(*, organisation: Organisation, webhook_id: int) -> tuple[str, datetime]:
    """Create a new secret; the old ones sign beside it for a day. Returns it and the end of the old one.

    Raises `NotFound`, `Conflict` (`TOO_MANY_SECRETS`) when several rotations overlap.
    """
    hook, until = _lock_endpoint(organisation, webhook_id), timezone.now() + OVERLAP
    counting = hook.secrets.filter(valid_until__gt=timezone.now())
    if counting.count() >= MOST_SECRETS - 1:
        first_end = counting.order_by("valid_until").values_list("valid_until", flat=True)[0]
        when = f"{first_end:%-d %B, %H:%M} UTC"
        raise Conflict(f"This secret was rotated often today. Rotate again after {when}.", code="TOO_MANY_SECRETS")
    hook.secrets.filter(valid_until=None).update(valid_until=until)
    rotated = {"secret": [None, "rotated"]}
    _record_activity(organisation, f"The secret of the webhook to {hook.host_id} was rotated", rotated)
    return _add_secret(hook), until


def send_test(*, organisation: Organisation, webhook_id: int, event: str = "") -> Outcome:
    """Send an example of one of the endpoint's events now, of the first where none is named, and wait for the outcome.

    Raises `NotFound`, `Refused` (`PLAN_REQUIRED`) for a live one, `BadInput` for an event that it does not hear of,
    `TooMany`, `Unavailable` when too many callers wait already.
    """
    hook = load_endpoint(organisation, webhook_id)
    _require_plan(organisation, test=hook.test)
    if event and event not in hook.events:
        raise BadInput("This endpoint does not hear of that event.", field="event", value=event)
    throttles.require_pass(TESTS, str(organisation.pk))
    if not _testing.acquire(blocking=False):
        raise Unavailable("Other tests are running. Try again in a few seconds.", code="BUSY")
    try:
        return _send_now(hook, event or hook.events[0])
    finally:
        _testing.release()


def _send_now(hook: Webhook, event: str) -> Outcome:
    now = timezone.now()
    delivery = WebhookDelivery.objects.create(
        webhook=hook,
        event=event,
        message_id=secrecy.generate_id("msg"),
        key=secrecy.generate_id("test"),
        body=examples.build_example(event, now=now),
        is_test=True,
        tries_since_queued=1,
        next_attempt_at=now,
        **begin_lease(lasts=queue.LEASE),
    )
    outcome = posting.post_message(queue.build_test_message(delivery))
    queue.record_outcome(delivery, outcome)
    return outcome


def list_deliveries(
    *, organisation: Organisation, webhook_id: int, status: str = "", cursor: str = ""
) -> tuple[list[WebhookDelivery], str | None]:
    """A page of the log of an endpoint, newest first, and the cursor of the next one. Raises `NotFound`, `BadInput`."""
    found = WebhookDelivery.objects.filter(webhook=load_endpoint(organisation, webhook_id)).defer("body")
    return pagination.page_newest(found.filter(status=status) if status else found, size=PAGE_ROWS, cursor=cursor)


def load_delivery(*, organisation: Organisation, webhook_id: int, delivery_id: str) -> WebhookDelivery:
    """A delivery with its attempts. Raises `NotFound` for unknown ids and other accounts' ids."""
    found = WebhookDelivery.objects.for_org(organisation).filter(webhook__pk=webhook_id, public_id=delivery_id)
    return require_found(found.select_related("webhook").prefetch_related("log").first(), "Delivery not found")


@transaction.atomic
def replay_delivery(*, organisation: Organisation, webhook_id: int, delivery_id: str) -> None:
    """Queue a delivery again, with the same id. A waiting one is sent at once, one being sent is left alone.

    Raises `NotFound`, `Conflict` (`WEBHOOK_OFF`), `Refused` (`PLAN_REQUIRED`).
    """
    delivery = load_delivery(organisation=organisation, webhook_id=webhook_id, delivery_id=delivery_id)
    _require_active(organisation, delivery.webhook)
    queue.lock_hosts([delivery.webhook.host_id])
    _requeue_deliveries(WebhookDelivery.objects.free().filter(pk=delivery.pk))


@transaction.atomic
def replay_failed(
    *, organisation: Organisation, webhook_id: int, since: datetime | None = None, until: datetime | None = None
) -> int:
    """Queue all failed deliveries of an endpoint again, or those within a time range. Returns their number.

    Raises `NotFound`, `Conflict` (`WEBHOOK_OFF`), `Refused` (`PLAN_REQUIRED`).
    """
    hook = load_endpoint(organisation, webhook_id)
    _require_active(organisation, hook)
    queue.lock_hosts([hook.host_id])
    failed = WebhookDelivery.objects.filter(webhook=hook, status=DeliveryStatus.FAILED, is_test=False)
    if since is not None:
        failed = failed.filter(created_at__gte=since)
    if until is not None:
        failed = failed.filter(created_at__lte=until)
    return _requeue_deliveries(failed)


def _requeue_deliveries(found: WebhookDeliveryQuerySet) -> int:
    count = found.revoke(status=DeliveryStatus.PENDING, next_attempt_at=timezone.now(), tries_since_queued=0)
    if count:
        webhook_events.wake_worker()
    return count


def _require_plan(organisation: Organisation, *, test: bool) -> None:
    """Every plan includes endpoints of test mode. Raises `Refused` with the plans that include live ones."""
    if test or entitlements.has_feature(organisation, Feature.WEBHOOKS):
        return
    refusal = Refused(NOT_IN_PLAN, code="PLAN_REQUIRED")
    refusal.details = {"plans": list(PLANS)}
    raise refusal


def _require_active(organisation: Organisation, hook: Webhook) -> None:
    _require_plan(organisation, test=hook.test)
    if not hook.is_active:
        raise Conflict(IS_OFF, code="WEBHOOK_OFF")


def _lock_endpoint(organisation: Organisation, webhook_id: int) -> Webhook:
    """The endpoint, locked after its host. Raises `NotFound`."""
    queue.lock_hosts([load_endpoint(organisation, webhook_id).host_id])
    found = Webhook.objects.for_org(organisation).select_for_update(no_key=True).filter(pk=webhook_id)
    return require_found(found.first(), NOT_FOUND)


def _switch_endpoint(hook: Webhook, *, on: bool) -> None:
    hook.is_active = on
    if on:
        hook.disabled_reason, hook.failing_since = "", None
    else:
        queue.end_pending([hook.pk])


def _add_secret(hook: Webhook) -> str:
    text = signing.new_secret()
    WebhookSecret.objects.create(webhook=hook, sealed=secrecy.seal_text(text))
    return text


def _order_events(events: Iterable[str]) -> list[str]:
    return sorted(set(events))


def _describe_endpoint(hook: Webhook) -> dict[str, Any]:
    """What the audit may show of it: not the path of its URL, in which some receivers keep a secret."""
    return {"host": hook.host_id, "events": list(hook.events), "is_active": hook.is_active}


def _record_activity(organisation: Organisation, action: str, changes: dict[str, Any] | None = None) -> None:
    audit_log.record_activity(organisation=organisation, kind=ActivityKind.SETTINGS, action=action, changes=changes)
