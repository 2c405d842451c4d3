"""Creates deliveries of events for the subscribed endpoints, in the transaction of the event.

An endpoint gets each event once, even if it is announced again.
"""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.price_list import Feature
from billing.payments.models import Payment
from billing.payments.pending import choose_public_id
from billing.signals import credits_low, payment_held, quota_reached
from billing.subscriptions import entitlements
from billing.usage.quota import Shortage
from emailcheck.common import secrecy
from emailcheck.common.queue import tasks
from validation.batches.coverage import checks_of
from validation.batches.models import Batch
from validation.results.ids import write_result_id
from validation.results.models import Result
from validation.signals import batch_finished, batch_rechecked, batch_started
from validation.webhooks.models import Webhook, WebhookDelivery, WebhookEvent

SEND = "validation.tasks.send_webhooks"
QUEUE: tasks.Queue = "hooks"
_COUNTED = ("valid", "invalid", "disposable", "catch_all", "spam_trap", "unknown")
_LEVELS = {"warning": WebhookEvent.QUOTA_WARNING, "exceeded": WebhookEvent.QUOTA_EXCEEDED}
Data = dict[str, Any]


def connect() -> None:
    """Connect to the signals of lists, credits and payments."""
    batch_started.connect(_announce_started, dispatch_uid="webhooks")
    batch_finished.connect(_announce_completed, dispatch_uid="webhooks")
    batch_rechecked.connect(_announce_completed, dispatch_uid="webhooks")
    quota_reached.connect(_announce_quota, dispatch_uid="webhooks")
    credits_low.connect(_announce_low_credits, dispatch_uid="webhooks")
    payment_held.connect(_announce_held_payment, dispatch_uid="webhooks")


def announce_single(result: Result) -> None:
    """Announce a single check."""
    owner = result.batch or result  # a single check has a batch in test mode alone
    test = owner is not result
    hooks = _list_listening(owner.organisation_id, WebhookEvent.VALIDATION_COMPLETED, test=test)
    if hooks:
        _create_deliveries(
            hooks, WebhookEvent.VALIDATION_COMPLETED, build_single_data(result), what=str(result.pk), test=test
        )


def build_single_data(result: Result) -> Data:
    """The data of a single check's event: counts as of a list of one, and the verdict. `email` is as it was sent."""
    repaired_from = (result.details or {}).get("repaired_from")
    return {
        "batch_id": None,
        "total_emails": 1,
        "processed": 1,
        "results": {name: int(name == result.category) for name in _COUNTED},
        "credits_used": int(result.charged),
        "checks": checks_of(result),
        "id": write_result_id(result.pk),
        "result_id": result.pk,
        "email": repaired_from or result.email,
        "email_checked": result.email,
        "repaired_from": repaired_from,
        "category": result.category,
        "reason": result.reason,
        "confidence_score": result.confidence,
        "safe_to_send": result.safe_to_send,
    }


def build_batch_data(batch: Batch) -> Data:
    """The data of a list's event."""
    return {
        "batch_id": batch.public_id,
        "total_emails": batch.total_emails,
        "processed": batch.processed,
        "results": {name: getattr(batch, f"{name}_count") for name in _COUNTED},
        "credits_used": batch.credits_used,
        "repaired_count": batch.repaired_count,
        "reused_count": batch.reused_count,
        "checks": checks_of(batch),
        "status": batch.status,
    }


def build_body(event: str, data: Data, *, now: datetime, **more: Any) -> str:
    """The message as it is sent."""
    message = {"event": event, "timestamp": format_utc(now), **more, "data": data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def format_utc(moment: datetime) -> str:
    """A time in the format of messages."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def wake_worker() -> None:
    """Wake a worker after the caller's transaction, unless a wake-up waits already."""
    tasks.enqueue_once(SEND, queue=QUEUE)


def _announce_started(batch: Batch, **_: Any) -> None:
    _announce_batch(batch, WebhookEvent.BATCH_PROCESSING, what=f"{batch.public_id} {batch.started_at}")


def _announce_completed(batch: Batch, **_: Any) -> None:
    _announce_batch(
        batch, WebhookEvent.BATCH_COMPLETED, what=f"{batch.public_id} {batch.last_recheck_at or batch.rest_at}"
    )


def _announce_batch(batch: Batch, event: WebhookEvent, *, what: str) -> None:
    hooks = _list_listening(batch.organisation_id, event, test=batch.test)
    if hooks:
        _create_deliveries(hooks, event, build_batch_data(batch), what=what, test=batch.test)


def build_quota_data(used: int, limit: int, resets_at: datetime, shortage: Shortage | None) -> Data:
    """The data of the event of low credits."""
    return {"used": used, "limit": limit, "resets_at": format_utc(resets_at)} | (asdict(shortage) if shortage else {})


def _announce_quota(
    organisation: Organisation,
    level: str,
    used: int,
    limit: int,
    resets_at: datetime,
    shortage: Shortage | None,
    **_: Any,
) -> None:
    hooks = _list_listening(organisation.pk, _LEVELS[level], test=False)
    if hooks:
        _create_deliveries(
            hooks, _LEVELS[level], build_quota_data(used, limit, resets_at, shortage), what=resets_at.isoformat()
        )


def build_low_data(balance: int, low_balance: int) -> Data:
    """The data of the event of a balance below the one that was set."""
    return {"balance": balance, "low_balance": low_balance}


def _announce_low_credits(organisation: Organisation, balance: int, low_balance: int, at: datetime, **_: Any) -> None:
    hooks = _list_listening(organisation.pk, WebhookEvent.CREDITS_LOW, test=False)
    if hooks:
        _create_deliveries(hooks, WebhookEvent.CREDITS_LOW, build_low_data(balance, low_balance), what=at.isoformat())


def build_payment_data(payment: Payment) -> Data:
    """The data of the event of a payment that the provider holds back, as `/api/payments/pending` has it."""
    return {
        "id": choose_public_id(payment),
        "what": payment.description,
        "amount": str(payment.amount),
        "currency": payment.currency,
        "since": format_utc(payment.created_at),
    }


def _announce_held_payment(payment: Payment, **_: Any) -> None:
    hooks = _list_listening(payment.organisation_id, WebhookEvent.PAYMENT_PENDING, test=False)
    if hooks:
        _create_deliveries(hooks, WebhookEvent.PAYMENT_PENDING, build_payment_data(payment), what=payment.provider_id)


def _list_listening(organisation_id: int | None, event: WebhookEvent, *, test: bool) -> list[Webhook]:
    """The endpoints subscribed to an event of this mode; live ones while the account's plan includes them (DOC-054)."""
    if not has_endpoints(organisation_id):
        return []
    found = Webhook.objects.filter(organisation=organisation_id, is_active=True, test=test).select_related(
        "organisation"
    )
    hooks = [hook for hook in found if event in hook.events and hook.organisation.is_active]
    return hooks if test or (hooks and entitlements.has_feature(hooks[0].organisation, Feature.WEBHOOKS)) else []


def has_endpoints(organisation_id: int | None) -> bool:
    """Whether an account has any endpoint. Raw SQL, because every check comes here and few accounts have one."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT 1 FROM {Webhook._meta.db_table} WHERE user_id = %s AND is_active LIMIT 1", [organisation_id]
        )
        return cursor.fetchone() is not None


def _create_deliveries(hooks: list[Webhook], event: WebhookEvent, data: Data, *, what: str, test: bool = False) -> None:
    """Create the deliveries of an event. `test`: it happened in test mode, and the message says so."""
    mark = {"test": True} if test else {}
    message_id, body = secrecy.generate_id("msg"), build_body(event, data, now=timezone.now(), **mark)
    deliveries = [
        WebhookDelivery(webhook=hook, event=event, message_id=message_id, key=f"{event} {what}", body=body)
        for hook in hooks
    ]
    WebhookDelivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    wake_worker()
