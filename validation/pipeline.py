"""The life of a running batch.

    start ── wake workers
    work:    a worker keeps a window of chunks in the engine at once, taken fairly from all running batches;
             a chunk whose rows have all arrived is written in one short transaction, and the next one is taken,
             so that rows of slow mail hosts hold neither the other rows nor the worker
    wait:    a row that a greylisting host turned away goes to a chunk of its own, to be asked again in time; what
             the engine leaves open too, to be asked about at outside providers where that is wanted; and, while its
             chunk is at work, a row that nobody could be asked about yet because of a limit of ours
    finish:  when no chunk of a batch is left, exactly one caller wins the guarded UPDATE and settles the credits

The tables are the truth and a task is only a wake-up. `sweep` wakes workers for whatever nobody works on.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from emailcheck.common import tasks
from emailcheck.common.storage.patience import wait_for_storage
from validation import (
    asking,
    ending,
    followups,
    free_chunks,
    leases,
    left_open,
    memory,
    provider_booking,
    provider_gate,
    testmode,
)
from validation.asking import Asking, Subject
from validation.checker import Run, checker, wait_for_any
from validation.engine.limits.shared_limits import Lane
from validation.leases import LeaseLost
from validation.models import UNFINISHED, Batch, BatchStatus, Chunk
from validation.open_chunk import OpenChunk
from validation.provider_booking import Asker
from validation.provider_gate import Gate

log = logging.getLogger(__name__)
T = TypeVar("T")
WORK = "validation.tasks.work"
TICK_S = 0.2
BEAT_EVERY_S = 5.0
LOOK_EVERY_S = 2.0
SOON_S = 15.0
ASKING_AT_ONCE = 2


def wake(*, times: int = 1) -> None:
    """Ask workers to look for work; joins the caller's transaction."""
    for _ in range(times):
        tasks.enqueue(WORK, queue="bulk")


def work() -> None:
    """One worker's turn: take chunks for `SLICE_SECONDS`, bring them to an end, wake a successor if work is left.

    Whoever leaves chunks to others wakes one more at once, so that workers on other machines come too.
    Turns end so that a worker can be replaced, and so that nothing outlives the queue's time limit.
    """
    window: list[OpenChunk] = []
    looks, begun = Looks(), time.monotonic()
    next_beat = begun
    try:
        _fill(window, looks)
        _wake_for_what_is_left()
        while _fill(window, looks) if time.monotonic() < begun + settings.SLICE_SECONDS else window:
            if time.monotonic() >= next_beat:
                _patiently(lambda: tasks.beat("bulk"))
                _patiently(lambda: memory.keep(checker()))
                next_beat += BEAT_EVERY_S
            _advance(window, looks)
    finally:
        for item in window:
            item.run.stop()
        for item in window:
            leases.release(item.chunk)
    memory.keep(checker())
    _wake_for_what_is_left()


def run_now(batch: Batch, *, seconds: float) -> None:
    """Check a short list in the caller's time, of at most so many seconds; what is left is free for workers."""
    end = time.monotonic() + seconds
    chunk = leases.claim(batch.pk)
    while chunk is not None:
        item = _open([chunk], seconds=end - time.monotonic())[0]
        while not item.run.ended and time.monotonic() < end:
            wait_for_any([item.run], min(TICK_S, max(0.0, end - time.monotonic())))
            item.take()
        if not item.run.ended:
            item.run.stop()
            leases.release(chunk)
            return
        _attend(item)
        memory.keep(checker())
        chunk = _claim_what_waited(batch, end)


def _claim_what_waited(batch: Batch, end: float) -> Chunk | None:
    """The rows that wait until a time before `end`, for whatever it is, when it has come."""
    while (left_s := end - time.monotonic()) > 0 and free_chunks.waits(batch, within_s=left_s):
        chunk = leases.claim(batch.pk)
        if chunk is not None:
            return chunk
        time.sleep(TICK_S)
    return None


def end_open(chunk: Chunk) -> bool:
    """End the rows of a chunk that waits for providers by what is known of them: nobody is asked any more.

    False when it has changed meanwhile.
    """
    item = OpenChunk(chunk, _ask(chunk, None, 0.0))
    item.take()
    return leases.end_open(chunk, item.made)


def finish(batch_id: int) -> bool:
    """End a batch whose chunks are all done and settle its credits. True for the one caller who did it."""
    return not _unfinished(batch_id).exists() and _finish(batch_id)


@transaction.atomic
def _finish(batch_id: int) -> bool:
    batch = Batch.objects.active().filter(pk=batch_id).select_for_update(no_key=True).first()
    if batch is None or _unfinished(batch_id).exists():
        return False
    ending.end(batch, BatchStatus.COMPLETED)
    return True


def _unfinished(batch_id: int) -> QuerySet[Chunk]:
    return Chunk.objects.filter(batch_id=batch_id, state__in=UNFINISHED)


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
    if free_chunks.exists(within_s=SOON_S) and tasks.waiting(WORK, "bulk") < settings.WORKERS:
        wake()


class Looks:
    """When a worker looks for more chunks: not so soon again where it took all there were, because rows that wait for
    an operator would be looked for all the time."""

    def __init__(self) -> None:
        self._next_at = 0.0
        self._is_more_coming: bool | None = None

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next_at

    @property
    def is_more_coming(self) -> bool:
        """Whether, by the last look, there are others, or some whose time comes before the next sweep."""
        if self._is_more_coming is None:
            self._is_more_coming = free_chunks.exists(within_s=SOON_S)
        return self._is_more_coming

    def took(self, chunks: Sequence[Chunk], *, wanted: int) -> None:
        """What was found this time, where so many rows were wanted."""
        is_all = sum(chunk.size for chunk in chunks) < wanted
        self._next_at = time.monotonic() + (LOOK_EVERY_S if is_all else 0.0)
        self._is_more_coming = None

    def ended(self, item: OpenChunk) -> None:
        """A chunk has ended. Where it leaves rows to ask providers about, or asked them, another may come at once."""
        if item.kept or item.chunk.asks:
            self._next_at = 0.0


def _fill(window: list[OpenChunk], looks: Looks) -> bool:
    """Take chunks until enough rows are awaited; a chunk on its last try by itself.

    False when there is none at all, nor one whose time comes before the next sweep.
    """
    if looks.is_due and _has_room(window):
        awaited = sum(item.awaited for item in window)
        asks = ASKING_AT_ONCE - sum(item.chunk.asks for item in window)
        rows = settings.WINDOW_ROWS - awaited
        crowded = checker().crowded()
        claimed = _patiently(lambda: leases.claim_fairly(rows=rows, last_tries=not window, asks=asks, crowded=crowded))
        looks.took(claimed, wanted=rows)
        window += _open(claimed)
    return bool(window) or looks.is_more_coming


def _has_room(window: list[OpenChunk]) -> bool:
    alone = any(leases.is_last_try(item.chunk) for item in window)
    return not alone and sum(item.awaited for item in window) < settings.WINDOW_ROWS


def _open(chunks: Sequence[Chunk], *, seconds: float = asking.CHUNK_S) -> list[OpenChunk]:
    """Begin with the rows of some chunks; providers get so many seconds, at most those that a chunk has."""
    unknown = [chunk for chunk in chunks if not chunk.batch.test and not chunk.asks]
    memory.recall(checker(), [row[1] for chunk in unknown for row in chunk.rows])
    return [_begin(chunk, min(seconds, asking.CHUNK_S)) for chunk in chunks]


def _begin(chunk: Chunk, seconds: float) -> OpenChunk:
    if chunk.batch.test:
        return OpenChunk(chunk, testmode.start([row[1] for row in chunk.rows]))
    batch = chunk.batch
    gate = provider_gate.gate_of_job(batch.user, hold=batch.hold, choice=batch.use_providers)
    if chunk.asks:
        # What has killed its workers before gets the verdicts that are known by then.
        return OpenChunk(chunk, _ask(chunk, None if leases.is_last_try(chunk) else gate, seconds))
    room = provider_gate.room(gate, batch, provider_booking.month_of(gate.user_id)) if gate else 0
    return OpenChunk(chunk, _start(chunk), room)


def _ask(chunk: Chunk, gate: Gate | None, seconds: float) -> Asking:
    """Ask outside providers about the rows of a chunk, if that is still allowed."""
    batch = chunk.batch
    a_month, a_batch = gate.a_month if gate else 0, provider_gate.a_batch(batch)
    asker = Asker(batch.user_id, a_month, batch.pk, a_batch, looks_again_since=batch.second_look_at)
    left = zip(chunk.rows, left_open.verdicts(chunk.left_open), strict=True)
    subjects = [
        Subject(index, asker.subject(position), address, verdict)
        for index, ((position, address), verdict) in enumerate(left)
    ]
    return Asking(subjects, gate, asker, seconds=seconds)


def _start(chunk: Chunk) -> Run:
    earlier = followups.earlier(chunk.rows)
    return checker().start(
        [row[1] for row in chunk.rows],
        deadline_s=settings.CHUNK_SECONDS,
        checks=chunk.batch.checks,
        follow_ups=earlier,
        lane=_lane_of(chunk.batch),
    )


def _lane_of(batch: Batch) -> Lane:
    """Short lists are not kept waiting by long ones."""
    return Lane.SHORT if batch.total_emails <= settings.SHORT_LIST_ADDRESSES else Lane.LONG


def _advance(window: list[OpenChunk], looks: Looks) -> None:
    """Wait a moment, then attend to every chunk, and drop those that have ended."""
    wait_for_any([item.run for item in window], TICK_S)
    for item in list(window):
        if _attend(item):
            window.remove(item)
            looks.ended(item)
    for item in _tell([item for item in window if item.should_tell]):
        item.run.stop()
        window.remove(item)
    for item in _put_in_line([item for item in window if item.in_line]):
        item.run.stop()
        window.remove(item)


def _put_in_line(items: list[OpenChunk]) -> list[OpenChunk]:
    """Have rows that nobody was asked about wait in the database, once a second, those of a batch together.

    Answers the chunks that are no longer ours.
    """
    by_batch: dict[int, list[OpenChunk]] = defaultdict(list)
    for item in items:
        if time.monotonic() >= item.put_in_line_at:
            by_batch[item.chunk.batch_id].append(item)
    return [item for batch_id, some in by_batch.items() for item in _leave(batch_id, some)]


def _leave(batch_id: int, items: list[OpenChunk]) -> list[OpenChunk]:
    try:
        lost = leases.put_in_line(batch_id, [item.leaving() for item in items])
    except Exception:
        log.exception("rows of batch %s cannot be put in line", batch_id)
        # Whether that was written is not known, so nothing of what we hold may be: the database is right.
        for item in items:
            _patiently(partial(leases.release, item.chunk, failed=True))
        return items
    for item in items:
        item.has_left()
    return [item for item in items if item.chunk.pk in lost]


def _tell(items: list[OpenChunk]) -> list[OpenChunk]:
    """Keep leases and show progress, for all chunks in one go. Answers those that are no longer ours."""
    if not items:
        return []
    lost = _patiently(lambda: leases.renew_all([item.news() for item in items]))
    stopping = _patiently(lambda: leases.to_hand_in([item.chunk for item in items]))
    handed_in = [item for item in items if item.chunk.batch_id in stopping]
    for item in handed_in:
        _close(item, item.hand_in)
    return [item for item in items if item.chunk.pk in lost or item in handed_in]


def _attend(item: OpenChunk) -> bool:
    """Take what arrived; write the chunk when that is all. True when it is no longer ours."""
    item.take()
    if not item.run.ended:
        return False
    _close(item, item.write)
    return True


def _patiently(do: Callable[[], T]) -> T:
    """Do it once the database takes it: what we know of our rows is kept meanwhile, and nobody is asked again. Somebody
    else may have them when our leases are over."""
    return wait_for_storage(do, seconds=settings.LEASE_SECONDS)


def _close(item: OpenChunk, write: Callable[[], None]) -> None:
    """Write a chunk. One that fails is free again, its attempt counted; the others go on."""
    try:
        _patiently(write)
        _patiently(lambda: finish(item.chunk.batch_id))
    except LeaseLost:
        log.info("chunk %s went to another worker", item.chunk.pk)
    except Exception:
        log.exception("chunk %s failed", item.chunk.pk)
        leases.release(item.chunk, failed=True)
    item.run.stop()
