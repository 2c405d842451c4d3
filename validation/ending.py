"""The end of a batch, whichever it is: totals written, credits settled, the news sent, in the caller's transaction."""

from typing import Any

from django.db.models import Sum
from django.utils import timezone

from billing import services as billing
from billing.models import CreditHold, HoldState
from validation.day_models import TALLY_FIELDS
from validation.models import Batch, BatchStatus, Chunk
from validation.signals import batch_finished, batch_rechecked, batch_stopped


def totals_of(batch_id: int) -> dict[str, int]:
    """The counts of a batch, summed over its chunks."""
    sums = Chunk.objects.filter(batch_id=batch_id).aggregate(**{name: Sum(name) for name in TALLY_FIELDS})
    return {name: sums[name] or 0 for name in TALLY_FIELDS}


def interrupt(batch: Batch, status: BatchStatus, error: str = "") -> None:
    """Write down how far a batch came, and settle its credits so far; the caller has locked it."""
    _save(batch, status=status, error=error, stop_asked_at=None, **totals_of(batch.pk))
    settle(batch)


def end(batch: Batch, status: BatchStatus, error: str = "") -> None:
    """End a batch that the caller has locked and that has no rows left to check."""
    interrupt(batch, status, error)
    if batch.second_look_at is None:
        _save(batch, completed_at=timezone.now())
    _news_of(batch).send(sender=Batch, batch=batch)


def settle(batch: Batch) -> None:
    """Keep the credits of what was done so far, and give back the rest of the hold. Harmless when it is settled."""
    hold = batch.hold
    if hold is not None and hold.state == HoldState.OPEN:
        charged = totals_of(batch.pk)["credits_used"] - charged_before(batch)
        # Counts that cannot be right fail the batch, and must not keep its credits for ever.
        earned = min(charged, hold.amount) if batch.status == BatchStatus.FAILED else charged
        billing.settle(hold=hold, captured=earned)
        hold.refresh_from_db()


def charged_before(batch: Batch) -> int:
    """What holds before the present one have charged, where the batch has paused."""
    earlier = CreditHold.objects.filter(user_id=batch.user_id, key__startswith=batch.public_id, state=HoldState.SETTLED)
    charged: int | None = earlier.aggregate(total=Sum("captured"))["total"]
    return charged or 0


def released(batch: Batch) -> int:
    """How many credits the end of a batch gave back."""
    hold = batch.hold
    return 0 if hold is None or batch.looks_for_free else hold.amount - hold.captured


def _news_of(batch: Batch) -> Any:
    if batch.second_look_at is not None:
        return batch_rechecked
    return batch_finished if batch.status == BatchStatus.COMPLETED else batch_stopped


def _save(batch: Batch, **values: Any) -> None:
    for name, value in values.items():
        setattr(batch, name, value)
    batch.save(update_fields=list(values))
