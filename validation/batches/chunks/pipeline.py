"""The life of a running batch.

    start ── wake workers
    work:    a worker keeps a window of chunks in the engine, taken fairly from all running batches; a chunk whose rows
             have all arrived is written in one short transaction, and the next one is claimed, so that slow mail hosts
             block neither other rows nor the worker
    wait:    rows without a result move to chunks of their own: a greylisted row until it may be probed again, an
             undecided row for outside providers where they are wanted, and, while its chunk is under work, a row that
             was not probed yet because of a limit of ours
    finish:  when a batch has no chunk left, exactly one caller wins the guarded UPDATE and settles the credits

The tables are the truth; a task is only a wake-up. `sweep_batches` wakes workers for chunks that nobody works on.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from emailcheck.common.queue import ending, tasks, workers
from emailcheck.common.storage.patience import wait_for_storage
from validation.batches.chunks import completion, free_chunks, greylisted_rows, leases, polling
from validation.batches.chunks.leases import LeaseLost
from validation.batches.chunks.models import UNFINISHED, Chunk
from validation.batches.chunks.open_chunk import OpenChunk
from validation.batches.chunks.polling import ChunkPoller
from validation.batches.chunks.question_limits import BatchQuestions, batch_question_limit, count_questions_left
from validation.batches.models import Batch, BatchStatus
from validation.batches.reuse import copying
from validation.batches.samples.runs import SampleRuns, has_waiting
from validation.engine.limits.shared_limits import Lane
from validation.providers import allowance, booking, runner
from validation.providers.allowance import ProviderAllowance
from validation.providers.booking import QuestionBudget
from validation.providers.runner import ProviderRun, QuestionSubject
from validation.results.packed_verdicts import unpack_verdicts
from validation.results.storage import EvidenceWriter
from validation.testmode import verdicts
from validation.verifier.checker import Run, checker, wait_for_any

log = logging.getLogger(__name__)
T = TypeVar("T")
WORK = "validation.tasks.work"
TICK_S = 0.2
HEARTBEAT_EVERY_S = 5.0
ASKING_AT_ONCE = 2


def wake_workers(*, times: int = 1) -> None:
    """Wake workers after the caller's transaction."""
    for _ in range(times):
        tasks.enqueue(WORK, queue="bulk")


def run_worker() -> None:
    """One worker's turn: claim chunks for `SLICE_SECONDS`, finish them, and wake a successor if work is left.

    A worker that leaves chunks over wakes one more at once, so that other machines join in. Turns end so that a worker
    can be replaced and stays within the queue's time limit; at once in one that is told to end, which hands in what it
    has.
    """
    window: list[OpenChunk] = []
    samples, poller, begun = SampleRuns(), ChunkPoller(), time.monotonic()
    next_beat = begun
    try:
        samples.claim_due()
        _fill_window(window, poller)
        _wake_if_work_left()
        while (
            _take_work(window, poller, samples)
            if time.monotonic() < begun + settings.SLICE_SECONDS
            else (window or samples.are_busy)
        ) and not ending.is_ending():
            if time.monotonic() >= next_beat:
                workers.show_progress()
                _retry_storage(checker().store_learned)
                next_beat += HEARTBEAT_EVERY_S
            _advance_window(window, poller)
            samples.advance()
        _hand_in(window)
    finally:
        samples.stop()
        for item in window:
            item.run.stop()
        for item in window:
            leases.release_chunk(item.chunk)
    checker().store_learned()
    _wake_if_work_left()


def _hand_in(window: list[OpenChunk]) -> None:
    """Write what has arrived, and free the rest for other workers."""
    for item in window:
        item.run.stop()
    while window:
        item = window.pop()
        _close_chunk(item, item.hand_in_results)


def _take_work(window: list[OpenChunk], poller: ChunkPoller, samples: SampleRuns) -> bool:
    """Claim samples and chunks. False when there are none, and none is due before the next sweep."""
    samples.claim_due()
    return _fill_window(window, poller) or samples.are_busy


def check_at_once(batch: Batch, *, seconds: float) -> None:
    """Check a short list within the request, for so many seconds. Unfinished chunks are free for workers.

    Not to the end of them in a process that is told to end.
    """
    end = time.monotonic() + seconds
    chunk = leases.claim_chunk(batch.pk)
    while chunk is not None:
        item = _open_chunks([chunk], seconds=end - time.monotonic())[0]
        while not (item.run.ended or ending.is_ending()) and time.monotonic() < end:
            wait_for_any([item.run], min(TICK_S, max(0.0, end - time.monotonic())))
            item.collect_arrivals()
        if not item.run.ended:
            item.run.stop()
            leases.release_chunk(chunk)
            return
        _collect_arrivals(item)
        checker().store_learned()
        chunk = (leases.claim_chunk(batch.pk) if chunk.reuses else None) or _claim_due(batch, end)


def _claim_due(batch: Batch, end: float) -> Chunk | None:
    """Claim the waiting rows that become due before `end`, once they are due."""
    while (
        not ending.is_ending()
        and (left_s := end - time.monotonic()) > 0
        and free_chunks.has_waiting_rows(batch, within_s=left_s)
    ):
        chunk = leases.claim_chunk(batch.pk)
        if chunk is not None:
            return chunk
        time.sleep(TICK_S)
    return None


def end_without_providers(chunk: Chunk) -> bool:
    """End a chunk that waits for providers with the engine's own verdicts. False when it has changed."""
    item = OpenChunk(chunk, _start_provider_run(chunk, None, 0.0))
    item.collect_arrivals()
    return leases.end_unresolved_chunk(chunk, item.made)


def finish_batch(batch_id: int) -> bool:
    """End a batch whose chunks are all done and settle its credits. True for exactly one caller."""
    return not _filter_unfinished(batch_id).exists() and _finish_locked(batch_id)


@transaction.atomic
def _finish_locked(batch_id: int) -> bool:
    batch = Batch.objects.active().filter(pk=batch_id).select_for_update(no_key=True).first()
    if batch is None or _filter_unfinished(batch_id).exists():
        return False
    completion.end_batch(batch, BatchStatus.COMPLETED)
    return True


def _filter_unfinished(batch_id: int) -> QuerySet[Chunk]:
    return Chunk.objects.filter(batch_id=batch_id, state__in=UNFINISHED)


def sweep_batches() -> None:
    """Finish batches whose chunks are all done, and wake a worker when unleased chunks are left."""
    unfinished = Chunk.objects.filter(batch=OuterRef("pk"), state__in=UNFINISHED)
    for batch_id in Batch.objects.active().exclude(Exists(unfinished)).values_list("pk", flat=True):
        try:
            finish_batch(batch_id)
        except Exception:
            log.exception("batch %s cannot be finished", batch_id)
    _wake_if_work_left()


def _wake_if_work_left() -> None:
    """Wake a worker, unless as many calls as there are workers wait already.

    Otherwise they would pile up on long lists.
    """
    is_work_left = free_chunks.has_free_chunks(within_s=polling.SOON_S) or has_waiting()
    if is_work_left and tasks.count_waiting(WORK, "bulk") < settings.WORKERS:
        wake_workers()


def _fill_window(window: list[OpenChunk], poller: ChunkPoller) -> bool:
    """Claim chunks until enough rows are awaited; a chunk on its last try alone.

    False when there are none, and none is due before the next sweep.
    """
    if poller.is_due and _has_space(window):
        rows_awaited = sum(item.rows_awaited for item in window)
        asks = ASKING_AT_ONCE - sum(item.chunk.asks_providers for item in window)
        rows = settings.WINDOW_ROWS - rows_awaited
        crowded = checker().crowded()
        claimed = _retry_storage(
            lambda: leases.claim_fairly(rows=rows, last_tries=not window, asks=asks, crowded=crowded)
        )
        poller.note_claimed(claimed, wanted=rows)
        window += _open_chunks(claimed)
    return bool(window) or poller.is_more_coming


def _has_space(window: list[OpenChunk]) -> bool:
    alone = any(leases.is_last_try(item.chunk) for item in window)
    return not alone and sum(item.rows_awaited for item in window) < settings.WINDOW_ROWS


def _open_chunks(chunks: Sequence[Chunk], *, seconds: float = runner.CHUNK_S) -> list[OpenChunk]:
    """Start checking chunks. Providers get so many seconds, at most the chunk's own limit."""
    unknown = [chunk for chunk in chunks if not (chunk.batch.test or chunk.asks_providers or chunk.reuses)]
    checker().load_known_domains([row[1] for chunk in unknown for row in chunk.rows])
    return [_open_chunk(chunk, min(seconds, runner.CHUNK_S)) for chunk in chunks]


def _open_chunk(chunk: Chunk, seconds: float) -> OpenChunk:
    if chunk.reuses:
        return _open_reusing_chunk(chunk)
    if chunk.batch.test:
        return OpenChunk(chunk, verdicts.start_run([row[1] for row in chunk.rows]))
    batch = chunk.batch
    provider_limits = allowance.allowance_of_job(batch.organisation, hold=batch.hold, choice=batch.use_providers)
    if chunk.asks_providers:
        # A chunk that killed its workers before gets the verdicts known by then.
        return OpenChunk(
            chunk, _start_provider_run(chunk, None if leases.is_last_try(chunk) else provider_limits, seconds)
        )
    unresolved_limit = (
        count_questions_left(provider_limits, batch, booking.find_month(provider_limits.organisation_id))
        if provider_limits
        else 0
    )
    return OpenChunk(chunk, _start_engine_run(chunk, chunk.rows), unresolved_limit)


def _open_reusing_chunk(chunk: Chunk) -> OpenChunk:
    """Take over the verdicts that the rows of a chunk name, and check the others: free, without providers."""
    evidence_writer = EvidenceWriter()
    copied = copying.copy_verdicts(chunk.batch, chunk.rows, evidence_writer)
    return OpenChunk(
        chunk,
        _start_run_of(chunk, copied.left) if copied.left else Run.make_ended(),
        made=copied.made,
        asked=copied.left,
        evidence_writer=evidence_writer,
    )


def _start_run_of(chunk: Chunk, rows: list[Any]) -> Run:
    if chunk.batch.test:
        return verdicts.start_run([row[1] for row in rows])
    checker().load_known_domains([row[1] for row in rows])
    return _start_engine_run(chunk, rows)


def _start_provider_run(chunk: Chunk, provider_limits: ProviderAllowance | None, seconds: float) -> ProviderRun:
    """Ask outside providers about the rows of a chunk, if that is still allowed."""
    batch = chunk.batch
    questions = BatchQuestions(batch.pk, batch_question_limit(batch))
    asker = QuestionBudget(
        batch.organisation_id,
        provider_limits.a_month if provider_limits else 0,
        questions,
        looks_again_since=batch.last_recheck_at,
    )
    rows = zip(chunk.rows, unpack_verdicts(chunk.engine_verdicts), strict=True)
    subjects = [
        QuestionSubject(index, asker.subject(position), address, verdict)
        for index, ((position, address), verdict) in enumerate(rows)
    ]
    return ProviderRun(subjects, provider_limits, asker, seconds=seconds)


def _start_engine_run(chunk: Chunk, rows: list[Any]) -> Run:
    earlier = greylisted_rows.parse_follow_ups(rows)
    return checker().start(
        [row[1] for row in rows],
        deadline_s=settings.CHUNK_SECONDS,
        checks=chunk.batch.checks,
        follow_ups=earlier,
        lane=_lane_of(chunk.batch),
    )


def _lane_of(batch: Batch) -> Lane:
    """The lane of a list: short lists do not wait behind long ones."""
    return Lane.SHORT if batch.total_emails <= settings.SHORT_LIST_ADDRESSES else Lane.LONG


def _advance_window(window: list[OpenChunk], poller: ChunkPoller) -> None:
    """Wait a moment, then process every chunk and drop those that have ended."""
    wait_for_any([item.run for item in window], TICK_S)
    for item in list(window):
        if _collect_arrivals(item):
            window.remove(item)
            poller.note_ended(item)
    for item in _report_progress([item for item in window if item.is_report_due]):
        item.run.stop()
        window.remove(item)
    for item in _put_items_in_line([item for item in window if item.in_line]):
        item.run.stop()
        window.remove(item)


def _put_items_in_line(items: list[OpenChunk]) -> list[OpenChunk]:
    """Move rows that were not probed into line in the database, once a second and batch by batch.

    Returns the chunks that are lost.
    """
    by_batch: dict[int, list[OpenChunk]] = defaultdict(list)
    for item in items:
        if time.monotonic() >= item.line_up_at:
            by_batch[item.chunk.batch_id].append(item)
    return [item for batch_id, some in by_batch.items() for item in _leave_for_line(batch_id, some)]


def _leave_for_line(batch_id: int, items: list[OpenChunk]) -> list[OpenChunk]:
    try:
        lost = leases.put_in_line(batch_id, [item.leaving_rows() for item in items])
    except Exception:
        log.exception("rows of batch %s cannot be put in line", batch_id)
        # The write may have succeeded, so the database decides and our copy is dropped.
        for item in items:
            _retry_storage(partial(leases.release_chunk, item.chunk, failed=True))
        return items
    for item in items:
        item.forget_lined_up()
    return [item for item in items if item.chunk.pk in lost]


def _report_progress(items: list[OpenChunk]) -> list[OpenChunk]:
    """Renew leases and write progress for all chunks at once. Returns the lost chunks."""
    if not items:
        return []
    lost = _retry_storage(lambda: leases.renew_leases([item.report_progress() for item in items]))
    stopping = _retry_storage(lambda: leases.list_stopping_batches([item.chunk for item in items]))
    handed_in = [item for item in items if item.chunk.batch_id in stopping]
    for item in handed_in:
        _close_chunk(item, item.hand_in_results)
    return [item for item in items if item.chunk.pk in lost or item in handed_in]


def _collect_arrivals(item: OpenChunk) -> bool:
    """Collect arrived verdicts, and write the chunk when it is complete. True when it is lost."""
    item.collect_arrivals()
    if not item.run.ended:
        return False
    _close_chunk(item, item.write_results)
    return True


def _retry_storage(do: Callable[[], T]) -> T:
    """Call until the database accepts it. Results stay in memory meanwhile, and no host is probed again.

    The leases may end during a long outage; then other workers take the chunks.
    """
    return wait_for_storage(do, seconds=settings.LEASE_SECONDS)


def _close_chunk(item: OpenChunk, write: Callable[[], None]) -> None:
    """Write a chunk. A failed one is free again with its attempt counted; the others go on."""
    try:
        _retry_storage(write)
        _retry_storage(lambda: finish_batch(item.chunk.batch_id))
    except LeaseLost:
        log.info("chunk %s went to another worker", item.chunk.pk)
    except Exception:
        log.exception("chunk %s failed", item.chunk.pk)
        leases.release_chunk(item.chunk, failed=True)
    item.run.stop()
