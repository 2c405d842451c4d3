"""The life of a running batch.

    start ── wake workers
    work:    a worker keeps a window of chunks in the engine at once, taken fairly from all running batches;
             a chunk whose rows have all arrived is written in one short transaction, and the next one is taken,
             so that rows of slow mail hosts hold neither the other rows nor the worker
    finish:  when no chunk of a batch is left, exactly one caller wins the guarded UPDATE and settles the credits

The tables are the truth and a task is only a wake-up. `sweep` wakes workers for whatever nobody works on.
"""

import time
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from billing import services as billing
from emailcheck.common import tasks
from validation import leases, results
from validation.checker import Run, checker, wait_for_any
from validation.leases import LeaseLost
from validation.models import ACTIVE, TALLY_FIELDS, Batch, BatchStatus, Chunk, ChunkState
from validation.results import Row
from validation.signals import batch_finished

WORK = "validation.tasks.work"
TICK_S = 0.2
TELL_EVERY_S = 1.0
KEEP_LEASE_EVERY_S = 5.0
BEAT_EVERY_S = 5.0


class OutOfTime(Exception):
    """The time that was given for a list has passed; verdicts are missing."""


@dataclass(slots=True)
class OpenChunk:
    """A chunk of ours whose rows are in the engine."""

    chunk: Chunk
    run: Run
    made: list[Row] = field(default_factory=list)
    told: int = 0
    told_at: float = field(default_factory=time.monotonic)

    @property
    def awaited(self) -> int:
        return self.chunk.size - len(self.made)

    def take(self) -> None:
        """Turn what arrived into results."""
        for index, verdict in self.run.take():
            position, _ = self.chunk.rows[index]
            self.made.append(results.from_verdict(verdict, position=position))

    def tell(self) -> None:
        """Keep the lease and show progress, not more often than is of use. Raises `LeaseLost`."""
        silent_for = time.monotonic() - self.told_at
        has_news = len(self.made) > self.told
        if silent_for < (TELL_EVERY_S if has_news else KEEP_LEASE_EVERY_S):
            return
        leases.renew(self.chunk, self.made)
        self.told, self.told_at = len(self.made), time.monotonic()

    def write(self) -> None:
        """Write the results in the order of the list. Raises `LeaseLost`, and what went wrong in the engine."""
        self.run.work.result()
        self.take()
        self.made.sort(key=lambda row: row.position)
        leases.complete(self.chunk, self.made)


def wake(*, times: int = 1) -> None:
    """Ask workers to look for work; joins the caller's transaction."""
    for _ in range(times):
        tasks.enqueue(WORK, queue="bulk")


def work() -> None:
    """One worker's turn: take chunks for `SLICE_SECONDS`, bring them to an end, wake a successor if work is left.

    Turns end so that a worker can be replaced, and so that nothing outlives the queue's time limit.
    """
    window: list[OpenChunk] = []
    begun = next_beat = time.monotonic()
    try:
        while _fill(window) if time.monotonic() < begun + settings.SLICE_SECONDS else window:
            if time.monotonic() >= next_beat:
                tasks.beat("bulk")
                next_beat += BEAT_EVERY_S
            _advance(window)
    finally:
        for item in window:
            item.run.stop()
            leases.release(item.chunk)
    if leases.claimable().exists():
        wake()


def run_now(batch: Batch) -> None:
    """Check a short list in the caller's time.

    Raises `OutOfTime` after `IMMEDIATE_SECONDS`; the list is then free for workers.
    """
    chunk = leases.claim(batch.pk)
    if chunk is None:
        return
    item = _open(chunk)
    try:
        wait_for_any([item.run], settings.IMMEDIATE_SECONDS)
        if not item.run.ended:
            raise OutOfTime
        item.write()
    finally:
        item.run.stop()
        leases.release(chunk)
    finish(batch.pk)


@transaction.atomic
def finish(batch_id: int) -> bool:
    """End a batch whose chunks are all done and settle its credits. True for the one caller who did it."""
    if Chunk.objects.filter(batch_id=batch_id).exclude(state=ChunkState.DONE).exists():
        return False
    totals = totals_of(batch_id)
    ended = Batch.objects.filter(pk=batch_id, status__in=ACTIVE).update(
        status=BatchStatus.COMPLETED, completed_at=timezone.now(), **totals
    )
    if not ended:
        return False
    batch = Batch.objects.get(pk=batch_id)
    if batch.hold_id:
        billing.settle(hold_id=batch.hold_id, captured=totals["credits_used"])
    batch_finished.send(sender=Batch, batch=batch)
    return True


def totals_of(batch_id: int) -> dict[str, int]:
    """The counts of a batch, summed over its chunks."""
    sums = Chunk.objects.filter(batch_id=batch_id).aggregate(**{name: Sum(name) for name in TALLY_FIELDS})
    return {name: sums[name] or 0 for name in TALLY_FIELDS}


def sweep() -> None:
    """Finish the batches that only lack that, and wake a worker when there are chunks that nobody works on."""
    for batch_id in Batch.objects.active().values_list("pk", flat=True):
        finish(batch_id)
    if leases.claimable().exists():
        wake()


def _fill(window: list[OpenChunk]) -> bool:
    """Take chunks until enough rows are awaited. False when there is nothing to do at all."""
    while sum(item.awaited for item in window) < settings.WINDOW_ROWS:
        chunk = leases.claim_fairly()
        if chunk is None:
            break
        window.append(_open(chunk))
    return bool(window)


def _open(chunk: Chunk) -> OpenChunk:
    addresses = [address for _, address in chunk.rows]
    return OpenChunk(chunk, checker().start(addresses, deadline_s=settings.CHUNK_SECONDS))


def _advance(window: list[OpenChunk]) -> None:
    """Wait a moment, then show progress, and write and drop the chunks that have ended."""
    wait_for_any([item.run for item in window], TICK_S)
    for item in list(window):
        item.take()
        try:
            if item.run.ended:
                item.write()
                window.remove(item)
                finish(item.chunk.batch_id)
            else:
                item.tell()
        except LeaseLost:
            item.run.stop()
            window.remove(item)
