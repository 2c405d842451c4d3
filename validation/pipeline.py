"""The life of a running batch.

    start ── wake workers
    work:    a worker keeps a window of chunks in the engine at once, taken fairly from all running batches;
             a chunk whose rows have all arrived is written in one short transaction, and the next one is taken,
             so that rows of slow mail hosts hold neither the other rows nor the worker
    wait:    a row that a greylisting host turned away goes to a chunk of its own, to be asked again in time
    finish:  when no chunk of a batch is left, exactly one caller wins the guarded UPDATE and settles the credits

The tables are the truth and a task is only a wake-up. `sweep` wakes workers for whatever nobody works on.
"""

import logging
import time
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Sum
from django.utils import timezone

from billing import services as billing
from emailcheck.common import tasks
from validation import followups, leases, memory, results
from validation.checker import Run, checker, wait_for_any
from validation.followups import Waiting
from validation.leases import LeaseLost
from validation.models import ACTIVE, TALLY_FIELDS, UNFINISHED, Batch, BatchStatus, Chunk
from validation.results import Row
from validation.signals import batch_finished

log = logging.getLogger(__name__)
WORK = "validation.tasks.work"
TICK_S = 0.2
TELL_EVERY_S = 1.0
KEEP_LEASE_EVERY_S = 5.0
BEAT_EVERY_S = 5.0
SOON_S = 15.0


@dataclass(slots=True)
class OpenChunk:
    """A chunk of ours whose rows are in the engine."""

    chunk: Chunk
    run: Run
    made: list[Row] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    told: int = 0
    told_at: float = field(default_factory=time.monotonic)

    @property
    def awaited(self) -> int:
        return self.chunk.size - len(self.made) - len(self.waiting)

    def take(self) -> None:
        """Turn what arrived into results, but for what a greylisting host wants to be asked again."""
        for index, verdict in self.run.take():
            position, address = self.chunk.rows[index][:2]
            if verdict.follow_up is not None and followups.should_wait(verdict):
                self.waiting.append(Waiting(position, address, verdict.follow_up))
            else:
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
        leases.complete(self.chunk, self.made, self.waiting)


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
        for item in window:
            leases.release(item.chunk)
    _wake_for_what_is_left()


def run_now(batch: Batch) -> None:
    """Check a short list in the caller's time, of at most `IMMEDIATE_SECONDS`; what is left is free for workers."""
    end = time.monotonic() + settings.IMMEDIATE_SECONDS
    chunk = leases.claim(batch.pk)
    while chunk is not None:
        item = _open(chunk)
        wait_for_any([item.run], max(0.0, end - time.monotonic()))
        if not item.run.ended:
            item.run.stop()
            leases.release(chunk)
            return
        _attend(item)
        chunk = _claim_what_waited(batch, end)


def _claim_what_waited(batch: Batch, end: float) -> Chunk | None:
    """The rows that a greylisting host wants to be asked again before `end`, when their time has come."""
    while (left_s := end - time.monotonic()) > 0 and leases.waiting(batch, within_s=left_s):
        chunk = leases.claim(batch.pk)
        if chunk is not None:
            return chunk
        time.sleep(TICK_S)
    return None


@transaction.atomic
def finish(batch_id: int) -> bool:
    """End a batch whose chunks are all done and settle its credits. True for the one caller who did it."""
    if Chunk.objects.filter(batch_id=batch_id, state__in=UNFINISHED).exists():
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
    unfinished = Chunk.objects.filter(batch=OuterRef("pk"), state__in=UNFINISHED)
    for batch_id in Batch.objects.active().exclude(Exists(unfinished)).values_list("pk", flat=True):
        try:
            finish(batch_id)
        except Exception:
            log.exception("batch %s cannot be finished", batch_id)
    _wake_for_what_is_left()


def _wake_for_what_is_left() -> None:
    """Wake a worker, unless as many calls as there are workers wait already: long lists would pile them up."""
    if leases.claimable(within_s=SOON_S).exists() and tasks.waiting(WORK, "bulk") < settings.WORKERS:
        wake()


def _fill(window: list[OpenChunk]) -> bool:
    """Take chunks until enough rows are awaited; a chunk on its last try by itself.

    False when there is none at all, nor one whose time comes before the next sweep.
    """
    while _has_room(window):
        chunk = leases.claim_fairly(last_tries=not window)
        if chunk is None:
            break
        window.append(_open(chunk))
    return bool(window) or leases.claimable(within_s=SOON_S).exists()


def _has_room(window: list[OpenChunk]) -> bool:
    alone = any(leases.is_last_try(item.chunk) for item in window)
    return not alone and sum(item.awaited for item in window) < settings.WINDOW_ROWS


def _open(chunk: Chunk) -> OpenChunk:
    addresses = [row[1] for row in chunk.rows]
    earlier = followups.earlier(chunk.rows)
    memory.recall(checker(), addresses)
    run = checker().start(addresses, deadline_s=settings.CHUNK_SECONDS, checks=chunk.batch.checks, follow_ups=earlier)
    return OpenChunk(chunk, run)


def _advance(window: list[OpenChunk]) -> None:
    """Wait a moment, then attend to every chunk, and drop those that have ended."""
    wait_for_any([item.run for item in window], TICK_S)
    for item in list(window):
        if _attend(item):
            window.remove(item)


def _attend(item: OpenChunk) -> bool:
    """Show the progress of a chunk, or write it when its rows have arrived. True when it is no longer ours.

    A chunk that fails is free again, its attempt counted; the others go on.
    """
    try:
        item.take()
        if not item.run.ended:
            item.tell()
            return False
        item.write()
        finish(item.chunk.batch_id)
        memory.keep(checker())
    except LeaseLost:
        log.info("chunk %s went to another worker", item.chunk.pk)
    except Exception:
        log.exception("chunk %s failed", item.chunk.pk)
        leases.release(item.chunk, failed=True)
    item.run.stop()
    return True
