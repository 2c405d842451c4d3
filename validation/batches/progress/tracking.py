"""The measured speed of a batch, its waiting rows, and its time left.

Rows that wait for a limit of ours take the time of the operator's rate, however fast the others are.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Q, Sum
from django.utils import timezone

from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.models import ACTIVE, Batch
from validation.batches.progress import estimates
from validation.engine.profiles import format_operator_title

# The speed of the last two minutes, because hosts differ and change.
_MEASURED = timedelta(minutes=2)
GREYLISTING, PROVIDERS = "greylisting", "providers"
OTHER_HOSTS = "other mail hosts"


@dataclass(frozen=True, slots=True)
class WaitingFor:
    """Rows that wait until a time at the latest.

    They wait in line for an operator (`reason` is a `WaitCause`), for greylisting hosts, or for outside providers.
    """

    operator: str
    reason: str
    rows: int
    until: datetime

    @property
    def name(self) -> str:
        """The operator's display name; "" for other reasons."""
        if self.reason in (GREYLISTING, PROVIDERS):
            return ""
        return format_operator_title(self.operator) if self.operator else OTHER_HOSTS

    def seconds(self, now: datetime) -> float:
        """Seconds until they are done: until they are due, and at least the time of the operator's rate."""
        a_minute = estimates.limit_per_minute(self.operator) if self.operator else 0
        needed = 60 * self.rows / a_minute if a_minute else 0.0
        return max(needed, (self.until - now).total_seconds())


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a batch.

    `rate`: addresses a second. `waiting` rows wait until `waiting_until`; `waiting_for` has the reasons, most rows
    first.
    """

    rate: float | None = None
    seconds_left: int | None = None
    waiting: int = 0
    waiting_until: datetime | None = None
    waiting_for: tuple[WaitingFor, ...] = ()


def measure_progress(batch: Batch) -> Progress:
    """The progress of a batch whose current count is in `processed`. No query for a batch that does not run."""
    if batch.status not in ACTIVE or batch.started_at is None:
        return Progress()
    now = timezone.now()
    lines = _list_waiting(batch, now)
    waiting = sum(line.rows for line in lines)
    rate = _measure_rate(batch, batch.started_at, now)
    left = batch.total_emails - batch.processed - waiting
    return Progress(
        rate=rate and round(rate, 1),
        seconds_left=_seconds_left(batch, left, rate, lines, now),
        waiting=waiting,
        waiting_until=max((line.until for line in lines), default=None),
        waiting_for=tuple(lines),
    )


def _list_waiting(batch: Batch, now: datetime) -> list[WaitingFor]:
    """Rows in line, due or not, and other rows that are not due yet. An index alone answers it."""
    pending = Chunk.objects.filter(batch=batch, state=ChunkState.PENDING, not_before__isnull=False)
    found = pending.filter(Q(not_before__gt=now) | ~Q(wait_cause="")).values(
        "waits_for", "wait_cause", "asks_providers"
    )
    rows: dict[tuple[str, str], int] = defaultdict(int)
    untils: dict[tuple[str, str], datetime] = {}
    for group in found.annotate(rows=Sum("size"), until=Max("not_before")).order_by():
        otherwise = PROVIDERS if group["asks_providers"] else GREYLISTING
        line = group["waits_for"], group["wait_cause"] or otherwise
        rows[line] += group["rows"]
        untils[line] = max(group["until"], untils.get(line, now))
    lines = [WaitingFor(*line, count, untils[line]) for line, count in rows.items()]
    return sorted(lines, key=lambda line: (-line.rows, line.operator, line.reason))


def _measure_rate(batch: Batch, started_at: datetime, now: datetime) -> float | None:
    """Rows a second that got a result lately; at the beginning also those not written yet."""
    since = max(started_at, now - _MEASURED)
    fresh = [Chunk.objects.filter(done_at__gte=since), Chunk.objects.held()]
    # One query for each, because together they are no index range.
    counted = fresh if since == started_at else fresh[:1]
    done = sum(found.filter(batch=batch).aggregate(n=Sum("processed"))["n"] or 0 for found in counted)
    seconds = (now - since).total_seconds()
    return done / seconds if done and seconds >= 1 else None


def _seconds_left(
    batch: Batch, left: int, rate: float | None, lines: Iterable[WaitingFor], now: datetime
) -> int | None:
    """Seconds left; None while nothing was measured."""
    if left > 0 and not rate:
        return None
    working = left / rate if rate else 0.0
    return round(max(working, _estimate_left(batch, now), *(line.seconds(now) for line in lines)))


def _estimate_left(batch: Batch, now: datetime) -> float:
    """The remaining part of the first estimate, so that it does not grow when rows get into line."""
    estimate = estimates.estimate_batch(batch)
    if estimate is None or batch.started_at is None:
        return 0.0
    return max(0.0, estimate.seconds - (now - batch.started_at).total_seconds())
