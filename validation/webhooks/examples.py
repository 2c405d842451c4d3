"""An example of each event for the test button; `"test": true` distinguishes it from real events."""

from datetime import datetime, timedelta
from decimal import Decimal

from billing.payments.models import Payment, PaymentKind, PaymentState
from billing.usage.quota import Shortage
from validation.batches.models import Batch, BatchStatus
from validation.engine import Reason
from validation.results.models import Category, Result
from validation.webhooks.events import (
    Data,
    build_batch_data,
    build_body,
    build_low_data,
    build_payment_data,
    build_quota_data,
    build_single_data,
)
from validation.webhooks.models import WebhookEvent

_BATCH_ID = "bat_example"
_COUNTS = {
    "valid_count": 900, "invalid_count": 200, "catch_all_count": 60, "disposable_count": 15, "unknown_count": 25,
}  # fmt: skip


def build_example(event: str, *, now: datetime) -> str:
    """The example of an event."""
    return build_body(event, _example_data(event, now), now=now, test=True)


def _example_data(event: str, now: datetime) -> Data:
    if event == WebhookEvent.VALIDATION_COMPLETED:
        return build_single_data(_example_result())
    if event in {WebhookEvent.BATCH_PROCESSING, WebhookEvent.BATCH_COMPLETED}:
        return build_batch_data(_example_batch(done=event == WebhookEvent.BATCH_COMPLETED))
    if event == WebhookEvent.CREDITS_LOW:
        return build_low_data(480, 500)
    if event == WebhookEvent.PAYMENT_PENDING:
        return build_payment_data(_example_payment(now))
    is_warning = event == WebhookEvent.QUOTA_WARNING
    shortage = None if is_warning else Shortage("refused", needed=1_200, balance=300)
    return build_quota_data(4_000 if is_warning else 4_700, 5_000, now + timedelta(days=6), shortage)


def _example_payment(now: datetime) -> Payment:
    return Payment(
        provider_id="pay_example",
        kind=PaymentKind.RENEWAL,
        state=PaymentState.PENDING,
        amount=Decimal("79.00"),
        currency="USD",
        description="Growth, monthly",
        created_at=now,
    )


def _example_batch(*, done: bool) -> Batch:
    if not done:
        return Batch(public_id=_BATCH_ID, total_emails=1_200, status=BatchStatus.PROCESSING)
    return Batch(
        public_id=_BATCH_ID,
        total_emails=1_200,
        processed=1_200,
        credits_used=1_175,
        status=BatchStatus.COMPLETED,
        **_COUNTS,
    )


def _example_result() -> Result:
    return Result(
        pk=0,
        email="ida.holm@example.com",
        category=Category.VALID,
        reason=Reason.MAILBOX_EXISTS,
        confidence=0.97,
        safe_to_send=True,
        charged=True,
    )
