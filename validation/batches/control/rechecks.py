"""Re-checks of a finished list: its unknown rows, free and once; or its undecided rows after basic checks, in full.

Decided rows keep their verdicts. The others get a new one in place of the first, marked as re-checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.access.models import ApiKey
from billing.ledger.debits import LotOrder
from billing.usage.quota import notify_refusals
from emailcheck.common.errors import BadInput, Conflict, Refused
from validation import entitlements
from validation.batches.chunks import pipeline
from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.coverage import open_next_hold
from validation.batches.intake.addresses import Intake
from validation.batches.models import ENDED, Batch, BatchStatus
from validation.daily.models import TALLY_FIELDS
from validation.engine import Reason
from validation.results.models import Category, Result, ResultQuerySet

NEEDS_PLAN = (
    "These addresses can be checked in full in the Growth trial, with a paid plan, or with enough pack credits."
)

UndecidedRow = tuple[int, str, str]
"""Position, address and domain of a row."""


@dataclass(frozen=True, slots=True)
class FullCheckOffer:
    """The number of rows that basic checks left undecided, and the highest price of a full check; None where it is not
    available.
    """

    rows: int
    cost: int | None


def find_offer(batch: Batch) -> FullCheckOffer:
    """The offer of a full check for a list."""
    if batch.checks_left_out is None or batch.status != BatchStatus.COMPLETED:
        return FullCheckOffer(0, None)
    rows = _filter_left_by_plan(batch).count()
    return FullCheckOffer(rows, rows if rows and entitlements.can_check_in_full(batch.organisation, rows) else None)


@transaction.atomic
def recheck_unknown(*, batch: Batch) -> int:
    """Re-check the unknown rows of a finished batch, free and once. Returns their number.

    The batch keeps the checks that it began with, so rows outside the plan stay undecided. Raises `BadInput`
    (`ALREADY_RECHECKED`, `NOTHING_TO_RECHECK`), `Conflict` (`BATCH_RUNNING`, `NOT_COMPLETED`).
    """
    found = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if found.is_rechecked:
        raise BadInput("Unknown addresses were already re-checked", code="ALREADY_RECHECKED")
    _require_finished(found)
    rows = _list_rows(_filter_recheckable(found))
    if not rows:
        raise BadInput("There are no unknown addresses in this batch", code="NOTHING_TO_RECHECK")
    found.rechecked_at = timezone.now()
    _requeue_batch(found, rows)
    batch.status = found.status
    return len(rows)


def check_in_full(*, batch: Batch, api_key: ApiKey | None = None) -> int:
    """Check the rows that basic checks left undecided in full; each is charged as a new check. Returns their number.

    Raises `BadInput` (`NOTHING_TO_CHECK`), `Conflict` (`BATCH_RUNNING`, `NOT_COMPLETED`), `Refused` (`PLAN_REQUIRED`),
    or the errors of `open_hold`. Nothing changes then.
    """
    with notify_refusals(batch.organisation):
        return _check_in_full(batch, api_key)


@transaction.atomic
def _check_in_full(batch: Batch, api_key: ApiKey | None) -> int:
    found = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    _require_finished(found)
    rows = _list_rows(_filter_left_by_plan(found))
    if not rows:
        raise BadInput("Every address of this batch was checked in full", code="NOTHING_TO_CHECK")
    if not entitlements.can_check_in_full(found.organisation, len(rows)):
        raise Refused(NEEDS_PLAN, code="PLAN_REQUIRED")
    found.hold = open_next_hold(found, amount=len(rows), order=LotOrder.BY_EXPIRY, api_key=api_key)
    found.full_check_at = timezone.now()
    _requeue_batch(found, rows)
    batch.status = found.status
    return len(rows)


def _require_finished(batch: Batch) -> None:
    if batch.status not in ENDED:
        raise Conflict("This batch is still running", code="BATCH_RUNNING")
    if batch.status != BatchStatus.COMPLETED:
        raise Conflict("Only a finished batch can be re-checked", code="NOT_COMPLETED")


def _filter_unknown(batch: Batch) -> ResultQuerySet:
    return Result.objects.filter(batch=batch, category=Category.UNKNOWN)


def _filter_recheckable(batch: Batch) -> ResultQuerySet:
    """The unknown rows of its checks; once its rest was checked, those that had no free second look before."""
    unknown = _filter_unknown(batch).exclude(reason__in=[Reason.NOT_IN_PLAN, Reason.TEST_ADDRESS])
    return unknown if batch.rechecked_at is None else unknown.filter(rechecked_at=None)


def _filter_left_by_plan(batch: Batch) -> ResultQuerySet:
    return _filter_unknown(batch).filter(reason=Reason.NOT_IN_PLAN)


def _list_rows(rows: ResultQuerySet) -> list[UndecidedRow]:
    return list(rows.order_by("position").values_list("position", "email", "domain"))


def _requeue_batch(batch: Batch, rows: Sequence[UndecidedRow]) -> None:
    """Queue a locked batch once more with some of its rows."""
    _replace_chunks(batch, rows)
    batch.status, batch.started_at, batch.operators = BatchStatus.QUEUED, None, None
    batch.save(update_fields=["status", "rechecked_at", "full_check_at", "started_at", "operators", "hold"])
    pipeline.wake_workers(times=settings.WORKERS)


def _replace_chunks(batch: Batch, rows: Sequence[UndecidedRow]) -> None:
    """Replace the chunks: one chunk stands for the decided rows, new ones hold the others."""
    decided = {name: getattr(batch, name) for name in TALLY_FIELDS}
    for name in ("processed", "unknown_count", "risky_count"):
        decided[name] -= len(rows)
    Chunk.objects.filter(batch=batch).delete()
    Chunk.objects.create(batch=batch, number=0, rows=[], size=decided["processed"], state=ChunkState.DONE, **decided)
    again = Intake()
    for position, address, domain in rows:
        again.add(position, address, domain)
    Chunk.objects.bulk_create(
        Chunk(batch=batch, number=number, rows=piece, size=len(piece))
        for number, piece in enumerate(again.chunks(settings.CHUNK_ROWS), start=1)
    )
