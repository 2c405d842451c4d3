"""Chunks under a lease: claimed in turns, and what their holder writes.

Every step may run twice, run late, or stop half-way. SQLite has one writer at a time, so a worker claims and renews in
one short transaction each.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone

from billing.ledger.models import HoldState
from validation.batches.chunks import free_chunks, greylisted_rows, rate_limited_rows, unresolved_rows
from validation.batches.chunks.free_chunks import MAX_ATTEMPTS, ClaimRequest, FreeChunkKind, ReadyBatch
from validation.batches.chunks.greylisted_rows import GreylistedRow
from validation.batches.chunks.models import Chunk, ChunkQuerySet, ChunkState
from validation.batches.chunks.rate_limited_rows import LineTail, RateLimitedRow
from validation.batches.chunks.unresolved_rows import UnresolvedRow
from validation.batches.models import Batch, BatchStatus
from validation.daily.models import TALLY_FIELDS
from validation.results import storage
from validation.results.storage import PreparedResults, ResultRow
from validation.signals import batch_started

NO_PROGRESS: dict[str, Any] = {**dict.fromkeys(TALLY_FIELDS, 0), "latest_replies": None}


class LeaseLost(Exception):
    """Another worker holds this chunk, or its batch has ended. Nothing may be written."""


class ChunkProgress(NamedTuple):
    """The progress of a chunk."""

    chunk: Chunk
    tally: dict[str, int]
    latest_replies: list[dict[str, Any]] | None = None


class LeavingRows(NamedTuple):
    """Rows that leave a chunk under work, to stand in line. `left` are those that stay."""

    chunk: Chunk
    rows: Sequence[RateLimitedRow]
    left: Sequence[Any]


def claim_fairly(
    *, rows: int = 1, last_tries: bool = True, asks: int = 1, crowded: Collection[str] = frozenset()
) -> list[Chunk]:
    """Claim free chunks of about so many rows, each from the batch with the fewest chunks under work.

    So a long list never starves a short one. A chunk on its last try comes alone (see `is_last_try`), and only with
    `last_tries`. At most `asks` chunks have provider questions. None belongs to the line of a `crowded` operator.
    """
    wanted = ClaimRequest(rows, last_tries, asks, crowded)
    ready = free_chunks.list_ready_batches(wanted) if rows > 0 else []
    if not ready:
        return []
    with transaction.atomic():
        claimed = _claim_in_turns(ready, wanted)
    return _load_claimed(claimed)


def claim_chunk(batch_id: int) -> Chunk | None:
    """Take a lease on the next free chunk of a batch. Concurrent callers get different chunks."""
    with transaction.atomic():
        chunk = _claim_next(ReadyBatch(batch_id, list(FreeChunkKind)), ClaimRequest())
    return next(iter(_load_claimed([chunk] if chunk else [])), None)


def is_last_try(chunk: Chunk) -> bool:
    """Whether every earlier try of a claimed chunk failed or killed its worker.

    Such a chunk is checked alone, so that it cannot take others down with it.
    """
    return chunk.attempts >= MAX_ATTEMPTS


@transaction.atomic
def renew_leases(reports: Iterable[ChunkProgress]) -> set[int]:
    """Renew leases and write the chunks' progress. Returns the ids of chunks whose lease was lost."""
    lost = set()
    for chunk, tally, replies in sorted(
        reports, key=lambda one: one.chunk.pk
    ):  # in one order, so that nobody waits in a circle
        changes = {**tally, "latest_replies": replies}
        if not Chunk.objects.in_active_batches().renew(chunk, lasts=_lease_time(), **changes):
            lost.add(chunk.pk)
    return lost


def list_stopping_batches(chunks: Collection[Chunk]) -> set[int]:
    """The ids of those chunks' batches that were asked to stop."""
    ids = {chunk.batch_id for chunk in chunks}
    return set(Batch.objects.filter(pk__in=ids).exclude(stop_asked_at=None).values_list("pk", flat=True))


def release_chunk(chunk: Chunk, *, failed: bool = False) -> None:
    """Give a lease back without results. Does nothing when it was lost. Only a `failed` try counts as an attempt."""
    give_back = Chunk.objects.complete if failed else Chunk.objects.release
    give_back(chunk, state=ChunkState.PENDING, **NO_PROGRESS)


@transaction.atomic
def put_in_line(batch_id: int, leaving: Iterable[LeavingRows]) -> set[int]:
    """Move rows that were not probed out of running chunks of a batch, into chunks that wait in line.

    Returns the ids of chunks whose lease was lost or whose state has changed. Their rows stay where they are.
    """
    last, lost = find_last_number(batch_id), set[int]()
    moved: list[RateLimitedRow] = []
    for one in sorted(leaving, key=lambda one: one.chunk.pk):
        unchanged = Chunk.objects.in_active_batches().filter(size=len(one.left) + len(one.rows))
        if unchanged.held_by(one.chunk).update(rows=one.left, size=len(one.left)):
            moved += one.rows
        else:
            lost.add(one.chunk.pk)
    for number, fields in enumerate(_build_line_chunks(batch_id, moved), start=last + 1):
        create_chunk(batch_id, number, **fields)
    return lost


def complete_chunk(
    chunk: Chunk,
    made: Iterable[ResultRow],
    to_wait: Sequence[GreylistedRow] = (),
    undone: Sequence[Any] = (),
    unresolved: Sequence[UnresolvedRow] = (),
    in_line: Sequence[RateLimitedRow] = (),
) -> None:
    """Write the results of a chunk, once, and move the rows without a result into new chunks.

    `to_wait` are greylisted rows. `undone` rows were not reached; their chunk is free at once. `unresolved` rows go to
    outside providers. `in_line` rows wait for a limit of ours. Raises `LeaseLost`, with nothing written, when another
    worker holds the lease.
    """
    is_free = chunk.batch.is_free_recheck or chunk.batch.test or chunk.reuses
    prepared = storage.prepare_results(made, free=is_free)
    _write_results(chunk, prepared, list(_build_waiting_chunks(chunk, to_wait, undone, unresolved)), in_line)


def _build_waiting_chunks(
    chunk: Chunk, to_wait: Sequence[GreylistedRow], undone: Sequence[Any], unresolved: Sequence[UnresolvedRow]
) -> Iterator[dict[str, Any]]:
    """The fields of the chunks for a chunk's rows without a result."""
    for due, group in greylisted_rows.group_by_due_time(to_wait):
        yield {"rows": [row.as_row for row in group], "not_before": due, "reuses": chunk.reuses}
    for rows, packed, due in unresolved_rows.group_by_due_time(unresolved):
        yield {"rows": rows, "asks_providers": True, "engine_verdicts": packed, "not_before": due}
    if undone:
        yield {"rows": undone, "attempts": chunk.attempts - 1, "reuses": chunk.reuses}


def _build_line_chunks(batch_id: int, rows: Iterable[RateLimitedRow]) -> Iterator[dict[str, Any]]:
    """The fields of the chunks for rows that stand in line. The caller has locked the batch."""
    now = timezone.now()
    for (operator, cause, free), line in rate_limited_rows.group_by_line(rows).items():
        for portion in rate_limited_rows.split_portions(line, _find_tail(batch_id, operator, cause), now=now):
            yield {
                "rows": portion.rows,
                "not_before": portion.due,
                "waits_for": operator,
                "wait_cause": cause,
                "waits_since": now,
                "reuses": free,
            }


def _find_tail(batch_id: int, operator: str, cause: str) -> LineTail | None:
    """The last portion of a batch's line."""
    line = Chunk.objects.filter(batch_id=batch_id, waits_for=operator, wait_cause=cause, state=ChunkState.PENDING)
    last = line.order_by("-not_before").values_list("not_before", "size").first()
    return None if last is None or last[0] is None else LineTail(last[0], last[1])


def _isolate_rows(chunk: Chunk) -> None:
    """Halve a claimed chunk that keeps killing its workers, down to the one row responsible.

    That row gets an unknown result with the reason. The others go on.
    """
    if chunk.size == 1:
        give_up_chunk(chunk)
        return
    rows, last = chunk.rows, find_last_number(chunk.batch_id)
    Chunk.objects.held_by(chunk).delete()
    middle = chunk.size // 2
    for number, half in enumerate((rows[:middle], rows[middle:]), start=last + 1):
        create_chunk(chunk.batch_id, number, half, attempts=MAX_ATTEMPTS - 1, reuses=chunk.reuses)


@transaction.atomic
def give_up_chunk(chunk: Chunk) -> bool:
    """Write unknown results for the rows of an unfinished chunk. False when another worker has it."""
    basic = chunk.batch.is_basic
    rows = [storage.build_unchecked_row(row[1], position=row[0], basic=basic) for row in chunk.rows]
    return _finish_chunk(chunk, storage.prepare_results(rows, free=True))


@transaction.atomic
def end_unresolved_chunk(chunk: Chunk, made: Iterable[ResultRow]) -> bool:
    """Write the results of a chunk that waits for providers, under any lease. False when it has changed.

    They are free in a free re-check, and where no credits are held for them any more.
    """
    batch = Batch.objects.select_for_update(no_key=True).get(pk=chunk.batch_id)
    is_held = batch.hold is not None and batch.hold.state == HoldState.OPEN
    return _finish_chunk(chunk, storage.prepare_results(made, free=batch.is_free_recheck or not is_held))


def _finish_chunk(chunk: Chunk, prepared: PreparedResults) -> bool:
    if not _filter_unchanged(chunk).revoke(**_build_end(prepared)):
        return False
    _insert_results(chunk, prepared)
    return True


def _build_end(prepared: PreparedResults) -> dict[str, Any]:
    """The fields of a chunk that is done."""
    over: dict[str, Any] = {"state": ChunkState.DONE, "rows": [], "engine_verdicts": None, "done_at": timezone.now()}
    return NO_PROGRESS | over | prepared.tally


def _filter_unchanged(chunk: Chunk) -> ChunkQuerySet:
    """The chunk, unless its state has changed since it was read."""
    return Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=chunk.state)


def _claim_in_turns(ready: Sequence[ReadyBatch], wanted: ClaimRequest) -> list[Chunk]:
    claimed: list[Chunk] = []
    at_work = _count_at_work(ready) if len(ready) > 1 else {}
    heap = [(at_work.get(one.batch_id, 0), one) for one in ready]
    heapq.heapify(heap)
    while heap and wanted.rows > 0:
        count, one = heapq.heappop(heap)
        chunk = _claim_next(one, wanted)
        if chunk is None:
            continue
        claimed.append(chunk)
        if is_last_try(chunk):
            break
        wanted.last_tries = False
        wanted.rows -= chunk.size
        wanted.asks -= chunk.asks_providers
        heapq.heappush(heap, (count + 1, one))
    return claimed


def _count_at_work(ready: Sequence[ReadyBatch]) -> dict[int, int]:
    """The number of leased chunks of each batch."""
    ids = [one.batch_id for one in ready]
    at_work = Chunk.objects.held().filter(batch_id__in=ids).order_by()
    return dict(at_work.values_list("batch_id").annotate(Count("pk")))


def _claim_next(one: ReadyBatch, wanted: ClaimRequest) -> Chunk | None:
    """Take a lease on a chunk, in the caller's transaction, without loading its rows.

    Removes exhausted kinds from those of the batch. A chunk that has killed its workers too often is halved instead.
    """
    while one.kinds:
        found = free_chunks.order_free_chunks(one.batch_id, one.kinds[0], wanted)
        claimed = found.claim(lasts=_lease_time(), state=ChunkState.RUNNING, **NO_PROGRESS)
        if not claimed:
            del one.kinds[0]
            continue
        (chunk,) = claimed
        chunk.state = ChunkState.RUNNING
        if chunk.attempts <= MAX_ATTEMPTS:
            return chunk
        _isolate_rows(chunk)
        one = ReadyBatch(one.batch_id, list(FreeChunkKind))
    return None


def _load_claimed(claimed: Sequence[Chunk]) -> list[Chunk]:
    """The claimed chunks with their rows and batches, but those that somebody ended meanwhile. The batches are
    processing from now on.
    """
    ids, tokens = [chunk.pk for chunk in claimed], [chunk.lease for chunk in claimed]
    found = Chunk.objects.filter(pk__in=ids, lease__in=tokens, state=ChunkState.RUNNING)
    found = found.select_related("batch__organisation", "batch__hold").order_by("batch_id", "number")
    opened = list(found) if ids else []
    fresh = {chunk.batch_id: chunk.batch for chunk in opened if chunk.batch.status == BatchStatus.QUEUED}
    for batch in fresh.values():
        _mark_processing(batch)
    return opened


@transaction.atomic
def _mark_processing(batch: Batch) -> None:
    """Mark a batch as processing and send the signal, once."""
    batch.started_at = timezone.now()
    waiting = Batch.objects.filter(pk=batch.pk, status=BatchStatus.QUEUED)
    batch.status = BatchStatus.PROCESSING
    if waiting.update(status=batch.status, started_at=batch.started_at):
        batch_started.send(sender=Batch, batch=batch)


@transaction.atomic
def _write_results(
    chunk: Chunk, prepared: PreparedResults, to_come: Sequence[dict[str, Any]], in_line: Sequence[RateLimitedRow] = ()
) -> None:
    last = find_last_number(chunk.batch_id) if to_come or in_line else 0
    if not Chunk.objects.in_active_batches().complete(chunk, size=len(prepared.rows), **_build_end(prepared)):
        raise LeaseLost
    for number, values in enumerate([*to_come, *_build_line_chunks(chunk.batch_id, in_line)], start=last + 1):
        create_chunk(chunk.batch_id, number, **values)
    if not prepared.rows and in_line:
        # All rows stand in line again; empty chunks would pile up.
        Chunk.objects.filter(pk=chunk.pk).delete()
    _insert_results(chunk, prepared)


def _insert_results(chunk: Chunk, prepared: PreparedResults) -> None:
    write = storage.insert_results if chunk.batch.last_recheck_at is None else storage.replace_results
    organisation_id = None if chunk.batch.test else chunk.batch.organisation_id
    write(prepared, organisation_id=organisation_id, batch_id=chunk.batch_id)


def create_chunk(batch_id: int, number: int, rows: Sequence[Any], **fields: Any) -> None:
    """A new chunk of a batch."""
    Chunk.objects.create(batch_id=batch_id, number=number, rows=rows, size=len(rows), **fields)


def find_last_number(batch_id: int) -> int:
    """The highest number of a batch's chunks. The batch is locked, so that concurrent callers use different numbers."""
    Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
    last: int = Chunk.objects.filter(batch_id=batch_id).aggregate(last=Max("number"))["last"]
    return last


def _lease_time() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)
