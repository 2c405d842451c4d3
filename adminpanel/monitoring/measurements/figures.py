"""Figures about requests: from the samples of all machines, and what this one has counted since its last sample."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet, Sum
from django.db.models.functions import TruncMinute
from django.utils import timezone

from adminpanel.monitoring.measurements.models import MachineSample, RequestSample
from emailcheck.common.web import metrics

API = tuple(group for group in metrics.GROUPS if group != metrics.PAGES)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STEP = timedelta(minutes=15)
_SUMS = {f"sum_{name}": Sum(name) for name in ("requests", "refused", "failed", "time_ms")}


@dataclass(frozen=True, slots=True)
class Window:
    """The requests of some time. Shares are percent; None where there were no requests."""

    requests: int = 0
    refused: int = 0
    failed: int = 0
    time_ms: float = 0.0
    buckets: Sequence[int] = field(default_factory=lambda: [0] * (len(metrics.BUCKETS_MS) + 1))

    @property
    def error_rate(self) -> float:
        return round(100 * self.failed / self.requests, 2) if self.requests else 0.0

    @property
    def average_ms(self) -> float:
        return round(self.time_ms / self.requests, 1) if self.requests else 0.0

    def percentile_ms(self, share: float) -> float | None:
        """How long that share of requests took at most: read off the histogram, evenly within a bucket.

        None without requests. What took longer than the last bucket counts as that bucket's end.
        """
        counted, rank, begin = 0, share * sum(self.buckets), 0
        if not sum(self.buckets):
            return None
        for count, end in zip(self.buckets, metrics.BUCKETS_MS, strict=False):
            if counted + count >= rank:
                return round(begin + (end - begin) * (rank - counted) / max(1, count), 1)
            counted, begin = counted + count, end
        return float(metrics.BUCKETS_MS[-1])


def sum_window(since: datetime, groups: Collection[str] = metrics.GROUPS) -> Window:
    """The requests since a moment, without the histogram."""
    sums = _samples_since(since, groups).aggregate(**_SUMS)
    requests, refused, failed, time_ms = (sums[name] or 0 for name in _SUMS)
    return _add_sums(Window(requests, refused, failed, time_ms), _pending_sums(groups))


def sum_histogram(since: datetime, groups: Collection[str] = metrics.GROUPS) -> Window:
    """As `sum_window`, with the histogram: reads every sample, so for an hour rather than for a week."""
    fields = ("requests", "refused", "failed", "time_ms", "buckets")
    total = _pending_sums(groups)
    for row in _samples_since(since, groups).values_list(*fields):
        total = _add_sums(total, Window(*row))
    return total


def sum_by_group(since: datetime) -> dict[str, Window]:
    """The requests of each group since a moment, with histograms."""
    return {group: sum_histogram(since, (group,)) for group in metrics.GROUPS}


def build_series(groups: Collection[str] = API) -> list[dict[str, Any]]:
    """The last day in steps of 15 minutes that had requests, the oldest first."""
    since = timezone.now() - DAY
    steps: dict[datetime, Window] = defaultdict(Window)
    minutes = _samples_since(since, groups).annotate(minute=TruncMinute("at")).values("minute").annotate(**_SUMS)
    for row in minutes.values_list("minute", *_SUMS):
        step = _step_start(row[0])
        steps[step] = _add_sums(steps[step], Window(*row[1:]))
    now = _pending_sums(groups)
    if now.requests:
        step = _step_start(timezone.now())
        steps[step] = _add_sums(steps[step], now)
    return [
        {"time": at, "avg_response": one.average_ms, "requests": one.requests, "errors": one.failed}
        for at, one in sorted(steps.items())
    ]


def count_calls_today() -> int:
    """Calls of the API since midnight UTC."""
    midnight = timezone.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return sum_window(midnight, API).requests


def measure_throughput(since: datetime) -> dict[str, float]:
    """Rows and chunks of lists that were checked since a moment, on all machines."""
    sums = MachineSample.objects.filter(at__gt=since).aggregate(
        sum_rows=Sum("rows"), sum_chunks=Sum("chunks"), sum_ms=Sum("work_ms")
    )
    now = metrics.read_work(metrics.read_pending())
    rows = (sums["sum_rows"] or 0) + now.rows
    chunks = (sums["sum_chunks"] or 0) + now.chunks
    seconds = ((sums["sum_ms"] or 0.0) + now.time_ms) / 1_000
    return {"rows": rows, "chunks": chunks, "seconds_per_chunk": round(seconds / chunks, 2) if chunks else 0.0}


def _samples_since(since: datetime, groups: Collection[str]) -> QuerySet[RequestSample]:
    return RequestSample.objects.filter(at__gt=since, group__in=groups).order_by()


def _pending_sums(groups: Collection[str]) -> Window:
    sums, window = metrics.read_pending(), Window()
    for group in groups:
        now = metrics.read_requests(sums, group)
        window = _add_sums(window, Window(now.requests, now.refused, now.failed, now.time_ms, now.buckets))
    return window


def _add_sums(one: Window, other: Window) -> Window:
    return Window(
        one.requests + other.requests,
        one.refused + other.refused,
        one.failed + other.failed,
        one.time_ms + other.time_ms,
        [have + more for have, more in zip(one.buckets, other.buckets, strict=True)],
    )


def _step_start(moment: datetime) -> datetime:
    seconds = int(moment.timestamp()) // int(STEP.total_seconds()) * int(STEP.total_seconds())
    return datetime.fromtimestamp(seconds, UTC)
