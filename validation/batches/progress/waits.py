"""The rows of a batch that wait, and what for."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Min, Q, Sum

from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.models import Batch
from validation.batches.progress import estimates
from validation.engine.profiles import format_operator_title

GREYLISTING, PROVIDERS = "greylisting", "providers"
OTHER_HOSTS = "other mail hosts"


@dataclass(frozen=True, slots=True)
class WaitingFor:
    """Rows that wait until a time at the latest; the first of them until `first_until`.

    They wait in line for an operator (`reason` is a `WaitCause`), for greylisting hosts, or for outside providers.
    """

    operator: str
    reason: str
    rows: int
    until: datetime
    first_until: datetime

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


def list_waiting(batch: Batch, now: datetime) -> list[WaitingFor]:
    """Rows in line, due or not, and other rows that are not due yet. An index alone answers it."""
    pending = Chunk.objects.filter(batch=batch, state=ChunkState.PENDING, not_before__isnull=False)
    found = pending.filter(Q(not_before__gt=now) | ~Q(wait_cause="")).values(
        "waits_for", "wait_cause", "asks_providers"
    )
    rows: dict[tuple[str, str], int] = defaultdict(int)
    times: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for group in found.annotate(rows=Sum("size"), until=Max("not_before"), first=Min("not_before")).order_by():
        otherwise = PROVIDERS if group["asks_providers"] else GREYLISTING
        line = group["waits_for"], group["wait_cause"] or otherwise
        rows[line] += group["rows"]
        times[line] += group["first"], group["until"]
    lines = [WaitingFor(*line, count, max(now, *times[line]), min(times[line])) for line, count in rows.items()]
    return sorted(lines, key=lambda line: (-line.rows, line.operator, line.reason))
