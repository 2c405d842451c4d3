"""The life of a running batch.

    start ── wake workers
    work:    a worker keeps a window of chunks in the engine at once, taken fairly from all running batches;
             a chunk whose rows have all arrived is written in one short transaction, and the next one is taken,
             so that rows of slow mail hosts hold neither the other rows nor the worker
    wait:    a row that a greylisting host turned away goes to a chunk of its own, to be asked again in time; what
             the engine leaves open too, to be asked about at outside providers where that is wanted; and, while its
             chunk is at work, a row that nobody could be asked about yet because of a limit of ours
    finish:  when no chunk of a batch is left, exactly one caller wins the guarded UPDATE and settles the credits

The tables are the truth and a task is only a wake-up. `sweep_batches` wakes workers for whatever nobody works on.
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

from emailcheck.common.queue import tasks
from emailcheck.common.storage.patience import wait_for_storage
from validation.batches.chunks import completion, free_chunks, greylisted_rows, leases, unresolved_rows
from validation.batches.chunks.leases import LeaseLost
from validation.batches.chunks.models import UNFINISHED, Chunk
from validation.batches.chunks.open_chunk import OpenChunk
from validation.batches.chunks.question_limits import BatchQuestions, batch_question_limit, count_questions_left
from validation.batches.models import Batch, BatchStatus
from validation.engine.limits.shared_limits import Lane
from validation.providers import allowance, booking, runner
from validation.providers.allowance import ProviderAllowance
from validation.providers.booking import QuestionBudget
from validation.providers.runner import ProviderRun, QuestionSubject
from validation.testmode import verdicts
from validation.verifier import catch_all_cache
from validation.verifier.checker import Run, checker, wait_for_any

log = logging.getLogger(__name__)
T = TypeVar("T")
WORK = "validation.tasks.work"
TICK_S = 0.2
HEARTBEAT_EVERY_S = 5.0
POLL_EVERY_S = 2.0
SOON_S = 15.0
ASKING_AT_ONCE = 2


def wake_workers(*, times: int = 1) -> None:
    """Ask workers to look for work; joins the caller's transaction."""
    for _ in range(times):
        tasks.enqueue(WORK, queue="bulk")


def run_worker() -> None:
    """One worker's turn: take chunks for `SLICE_SECONDS`, bring them to an end, wake a successor if work is left.

    Whoever leaves chunks to others wakes one more at once, so that workers on other machines come too.
    Turns end so that a worker can be replaced, and so that nothing outlives the queue's time limit.
    """
    window: list[OpenChunk] = []
    poller, begun = ChunkPoller(), time.monotonic()
    next_beat = begun
    try:
        _fill_window(window, poller)
        _wake_if_work_left()
        while _fill_window(window, poller) if time.monotonic() < begun + settings.SLICE_SECONDS else window:
            if time.monotonic() >= next_beat:
                _retry_storage(lambda: tasks.record_heartbeat("bulk"))
                _retry_storage(lambda: catch_all_cache.store_learned(checker()))
                next_beat += HEARTBEAT_EVERY_S
            _advance_window(window, poller)
    finally:
        for item in window:
            item.run.stop()
        for item in window:
            leases.release_chunk(item.chunk)
    catch_all_cache.store_learned(checker())
    _wake_if_work_left()


def check_at_once(batch: Batch, *, seconds: float) -> None:
    """Check a short list in the caller's time, of at most so many seconds; what is left is free for workers."""
    end = time.monotonic() + seconds
    chunk = leases.claim_chunk(batch.pk)
    while chunk is not None:
        item = _open_chunks([chunk], seconds=end - time.monotonic())[0]
        while not item.run.ended and time.monotonic() < end:
            wait_for_any([item.run], min(TICK_S, max(0.0, end - time.monotonic())))
            item.collect_arrivals()
        if not item.run.ended:
            item.run.stop()
            leases.release_chunk(chunk)
            return
        _collect_arrivals(item)
        catch_all_cache.store_learned(checker())
        chunk = _claim_due(batch, end)


def _claim_due(batch: Batch, end: float) -> Chunk | None:
    """The rows that wait until a time before `end`, for whatever it is, when it has come."""
    while (left_s := end - time.monotonic()) > 0 and free_chunks.has_waiting_rows(batch, within_s=left_s):
        chunk = leases.claim_chunk(batch.pk)
        if chunk is not None:
            return chunk
        time.sleep(TICK_S)
    return None


def end_without_providers(chunk: Chunk) -> bool:
    """End the rows of a chunk that waits for providers by what is known of them: nobody is asked any more.

    False when it has changed meanwhile.
    """
    item = OpenChunk(chunk, _start_provider_run(chunk, None, 0.0))
    item.collect_arrivals()
    return leases.end_unresolved_chunk(chunk, item.made)


def finish_batch(batch_id: int) -> bool:
    """End a batch whose chunks are all done and settle its credits. True for the one caller who did it."""
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
    """Finish the batches that only lack that, and wake a worker when there are chunks that nobody works on."""
    unfinished = Chunk.objects.filter(batch=OuterRef("pk"), state__in=UNFINISHED)
    for batch_id in Batch.objects.active().exclude(Exists(unfinished)).values_list("pk", flat=True):
        try:
            finish_batch(batch_id)
        except Exception:
            log.exception("batch %s cannot be finished", batch_id)
    _wake_if_work_left()


def _wake_if_work_left() -> None:
    """Wake a worker, unless as many calls as there are workers wait already: long lists would pile them up."""
    if free_chunks.has_free_chunks(within_s=SOON_S) and tasks.count_waiting(WORK, "bulk") < settings.WORKERS:
        wake_workers()


class ChunkPoller:
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
            self._is_more_coming = free_chunks.has_free_chunks(within_s=SOON_S)
        return self._is_more_coming

    def note_claimed(self, chunks: Sequence[Chunk], *, wanted: int) -> None:
        """What was found this time, where so many rows were wanted."""
        is_all = sum(chunk.size for chunk in chunks) < wanted
        self._next_at = time.monotonic() + (POLL_EVERY_S if is_all else 0.0)
        self._is_more_coming = None

    def note_ended(self, item: OpenChunk) -> None:
        """A chunk has ended. Where it leaves rows to ask providers about, or asked them, another may come at once."""
        if item.unresolved or item.chunk.asks_providers:
            self._next_at = 0.0


def _fill_window(window: list[OpenChunk], poller: ChunkPoller) -> bool:
    """Take chunks until enough rows are awaited; a chunk on its last try by itself.

    False when there is none at all, nor one whose time comes before the next sweep.
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
    """Begin with the rows of some chunks; providers get so many seconds, at most those that a chunk has."""
    unknown = [chunk for chunk in chunks if not chunk.batch.test and not chunk.asks_providers]
    catch_all_cache.load_known_domains(checker(), [row[1] for chunk in unknown for row in chunk.rows])
    return [_open_chunk(chunk, min(seconds, runner.CHUNK_S)) for chunk in chunks]


def _open_chunk(chunk: Chunk, seconds: float) -> OpenChunk:
    if chunk.batch.test:
        return OpenChunk(chunk, verdicts.start_run([row[1] for row in chunk.rows]))
    batch = chunk.batch
    provider_limits = allowance.allowance_of_job(batch.user, hold=batch.hold, choice=batch.use_providers)
    if chunk.asks_providers:
        # What has killed its workers before gets the verdicts that are known by then.
        return OpenChunk(
            chunk, _start_provider_run(chunk, None if leases.is_last_try(chunk) else provider_limits, seconds)
        )
    unresolved_limit = (
        count_questions_left(provider_limits, batch, booking.find_month(provider_limits.user_id))
        if provider_limits
        else 0
    )
    return OpenChunk(chunk, _start_engine_run(chunk), unresolved_limit)


def _start_provider_run(chunk: Chunk, provider_limits: ProviderAllowance | None, seconds: float) -> ProviderRun:
    """Ask outside providers about the rows of a chunk, if that is still allowed."""
    batch = chunk.batch
    questions = BatchQuestions(batch.pk, batch_question_limit(batch))
    asker = QuestionBudget(
        batch.user_id,
        provider_limits.a_month if provider_limits else 0,
        questions,
        looks_again_since=batch.last_recheck_at,
    )
    rows = zip(chunk.rows, unresolved_rows.unpack_verdicts(chunk.engine_verdicts), strict=True)
    subjects = [
        QuestionSubject(index, asker.subject(position), address, verdict)
        for index, ((position, address), verdict) in enumerate(rows)
    ]
    return ProviderRun(subjects, provider_limits, asker, seconds=seconds)


def _start_engine_run(chunk: Chunk) -> Run:
    earlier = greylisted_rows.parse_follow_ups(chunk.rows)
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


def _advance_window(window: list[OpenChunk], poller: ChunkPoller) -> None:
    """Wait a moment, then attend to every chunk, and drop those that have ended."""
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
    """Have rows that nobody was asked about wait in the database, once a second, those of a batch together.

    Answers the chunks that are no longer ours.
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
        # Whether that was written is not known, so nothing of what we hold may be: the database is right.
        for item in items:
            _retry_storage(partial(leases.release_chunk, item.chunk, failed=True))
        return items
    for item in items:
        item.forget_lined_up()
    return [item for item in items if item.chunk.pk in lost]


def _report_progress(items: list[OpenChunk]) -> list[OpenChunk]:
    """Keep leases and show progress, for all chunks in one go. Answers those that are no longer ours."""
    if not items:
        return []
    lost = _retry_storage(lambda: leases.renew_leases([item.report_progress() for item in items]))
    stopping = _retry_storage(lambda: leases.list_stopping_batches([item.chunk for item in items]))
    handed_in = [item for item in items if item.chunk.batch_id in stopping]
    for item in handed_in:
        _close_chunk(item, item.hand_in_results)
    return [item for item in items if item.chunk.pk in lost or item in handed_in]


def _collect_arrivals(item: OpenChunk) -> bool:
    """Take what arrived; write the chunk when that is all. True when it is no longer ours."""
    item.collect_arrivals()
    if not item.run.ended:
        return False
    _close_chunk(item, item.write_results)
    return True


def _retry_storage(do: Callable[[], T]) -> T:
    """Do it once the database takes it: what we know of our rows is kept meanwhile, and nobody is asked again. Somebody
    else may have them when our leases are over."""
    return wait_for_storage(do, seconds=settings.LEASE_SECONDS)


def _close_chunk(item: OpenChunk, write: Callable[[], None]) -> None:
    """Write a chunk. One that fails is free again, its attempt counted; the others go on."""
    try:
        _retry_storage(write)
        _retry_storage(lambda: finish_batch(item.chunk.batch_id))
    except LeaseLost:
        log.info("chunk %s went to another worker", item.chunk.pk)
    except Exception:
        log.exception("chunk %s failed", item.chunk.pk)
        leases.release_chunk(item.chunk, failed=True)
    item.run.stop()
