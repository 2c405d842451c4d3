"""The end of a batch, in the caller's transaction: totals written, credits settled, signals sent."""

from typing import Any

from django.db.models import Sum
from django.utils import timezone

from billing.ledger import services as ledger
from billing.ledger.models import CreditHold, HoldState
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchStatus
from validation.daily.models import TALLY_FIELDS
from validation.signals import batch_finished, batch_rechecked, batch_stopped


def sum_chunks(batch_id: int) -> dict[str, int]:
    """The counts of a batch, summed over its chunks."""
    sums = Chunk.objects.filter(batch_id=batch_id).aggregate(**{name: Sum(name) for name in TALLY_FIELDS})
    return {name: sums[name] or 0 for name in TALLY_FIELDS}


def interrupt_batch(batch: Batch, status: BatchStatus, error: str = "") -> None:
    """Write the counts of a batch that stops, and settle its credits so far. The caller has locked it."""
    _save_fields(batch, status=status, error=error, stop_asked_at=None, rankings=None, **sum_chunks(batch.pk))
    settle_credits(batch)


def end_batch(batch: Batch, status: BatchStatus, error: str = "") -> None:
    """End a batch that the caller has locked and that has no rows left to check."""
    interrupt_batch(batch, status, error)
    if batch.last_recheck_at is None:
        _save_fields(batch, completed_at=timezone.now())
    _end_signal(batch).send(sender=Batch, batch=batch)


def settle_credits(batch: Batch) -> None:
    """Charge the checked rows and release the rest of the hold. Does nothing when the hold is settled."""
    hold = batch.hold
    if hold is not None and hold.state == HoldState.OPEN:
        charged = sum_chunks(batch.pk)["credits_used"] - sum_charged_before(batch)
        # Impossible counts fail the batch and must not hold its credits for ever.
        earned = min(charged, hold.amount) if batch.status == BatchStatus.FAILED else charged
        ledger.close_hold(hold=hold, captured=earned)
        hold.refresh_from_db()


def sum_charged_before(batch: Batch) -> int:
    """Credits charged by earlier holds of the batch; a pause closes a hold."""
    earlier = CreditHold.objects.filter(
        organisation_id=batch.organisation_id, key__startswith=batch.public_id, state=HoldState.CLOSED
    )
    charged: int | None = earlier.aggregate(total=Sum("captured"))["total"]
    return charged or 0


def count_released(batch: Batch) -> int:
    """The credits that the end of a batch released."""
    hold = batch.hold
    return 0 if hold is None or batch.is_free_recheck else hold.amount - hold.captured


def _end_signal(batch: Batch) -> Any:
    if batch.last_recheck_at is not None:
        return batch_rechecked
    return batch_finished if batch.status == BatchStatus.COMPLETED else batch_stopped


def _save_fields(batch: Batch, **values: Any) -> None:
    for name, value in values.items():
        setattr(batch, name, value)
    batch.save(update_fields=list(values))
