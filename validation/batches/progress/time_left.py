"""The time that a running batch still takes, from the pace of its questions and from what its rows wait for.

A greylisted row is asked twice, so what is asked counts, not what is answered: of 100 rows with 40 greylisted ones 140
questions. The pace is that of time at work; a list whose rows all wait is not slow.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from validation.batches.chunks.models import UNFINISHED, Chunk, ChunkState
from validation.batches.models import Batch
from validation.batches.progress import estimates
from validation.batches.progress.waits import GREYLISTING, WaitingFor

# The speed of the last two minutes, because hosts differ and change.
MEASURED = timedelta(minutes=2)
_CHUNKS_LOOKED_AT = 50
_FIRST = Q(not_before=None)
_AGAIN = Q(not_before__isnull=False, wait_cause="", asks_providers=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """Rows: `fresh` ones were not asked yet, `answered` ones the first time, `again` are all greylisted ones so far."""

    fresh: int
    answered: int
    again: int

    @property
    def again_share(self) -> float:
        """The share of the rows asked so far that have to be asked again."""
        return self.again / (self.answered + self.again) if self.again else 0.0


def estimate_seconds_left(
    batch: Batch, left: int, lines: Iterable[WaitingFor], *, started_at: datetime, now: datetime
) -> int | None:
    """Seconds left; None while nothing was measured. `left`: rows that do not wait and have no result."""
    asked = _count_asked(batch)
    pace = _measure_pace(batch, asked, started_at, now)
    waiting = list(lines)
    if left > 0 and not pace:
        return None
    greylisted = [line for line in waiting if line.reason == GREYLISTING]
    questions = left + asked.fresh * asked.again_share + sum(line.rows for line in greylisted)
    ends = [_needs(questions, pace), _estimate_rest(batch, started_at, now)]
    ends += [line.seconds(now) for line in waiting]
    for line in greylisted:
        # Those first asked last wait as long as those before them.
        ends.append(_needs(asked.fresh, pace) + (line.until - now).total_seconds())
        ends.append((line.first_until - now).total_seconds() + _needs(line.rows, pace))
    return round(max(ends))


def _needs(questions: float, pace: float | None) -> float:
    return questions / pace if pace else 0.0


def _count_asked(batch: Batch) -> Asked:
    """An index alone answers it."""
    chunks = Chunk.objects.filter(batch=batch)
    return Asked(
        fresh=_sum(chunks.filter(_FIRST, state__in=UNFINISHED), "size"),
        answered=_sum(chunks.filter(_FIRST, state=ChunkState.DONE), "size"),
        again=_sum(chunks.filter(_AGAIN, state__in=ChunkState.values), "size"),
    )


def _sum(chunks: QuerySet[Chunk], name: str) -> int:
    total: int = chunks.aggregate(n=Coalesce(Sum(name), 0))["n"]
    return total


def _measure_pace(batch: Batch, asked: Asked, started_at: datetime, now: datetime) -> float | None:
    """Questions a second: lately, while there are new rows; else as it was while there were."""
    since = max(started_at, now - MEASURED)
    seconds = (now - since).total_seconds()
    lately = Chunk.objects.filter(batch=batch, done_at__gte=since)
    first, later = _sum(lately.filter(_FIRST), "processed"), _sum(lately.exclude(_FIRST), "processed")
    if since == started_at:
        first += _sum(Chunk.objects.held().filter(batch=batch), "processed")
    if not first or not asked.fresh:
        return _recall_pace(batch, asked, started_at) or _divide(later, _count_seconds_asked_again(lately, since, now))
    return _divide(first / (1 - asked.again_share) + later, seconds)


def _count_seconds_asked_again(lately: QuerySet[Chunk], since: datetime, now: datetime) -> float:
    """Seconds since the first of them was due."""
    first_due = lately.exclude(_FIRST).aggregate(n=Min("not_before"))["n"] or since
    return (now - max(since, first_due)).total_seconds()


def _recall_pace(batch: Batch, asked: Asked, started_at: datetime) -> float | None:
    """The pace of the new rows that were done last, without the slowest and the quickest of their chunks."""
    chunks = Chunk.objects.filter(_FIRST, batch=batch, state=ChunkState.DONE, done_at__isnull=False)
    found = chunks.order_by("-done_at").values_list("done_at", "processed")[:_CHUNKS_LOOKED_AT]
    latest = [(done_at, processed) for done_at, processed in found if done_at][::-1]
    if not latest:
        return None
    odd = len(latest) // 10
    usual = latest[odd : len(latest) - odd]
    seconds = (usual[-1][0] - usual[0][0]).total_seconds()
    done = sum(processed for _, processed in usual[1:])
    if seconds < 1:
        seconds, done = (latest[-1][0] - started_at).total_seconds(), sum(processed for _, processed in latest)
    return _divide(done / (1 - asked.again_share), seconds)


def _divide(questions: float, seconds: float) -> float | None:
    return questions / seconds if questions and seconds >= 1 else None


def _estimate_rest(batch: Batch, started_at: datetime, now: datetime) -> float:
    """The remaining part of the first estimate, so that it does not grow when rows get into line."""
    estimate = estimates.estimate_batch(batch)
    return max(0.0, estimate.seconds - (now - started_at).total_seconds()) if estimate else 0.0
