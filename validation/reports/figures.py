"""What stands in the report of a list: counts alone, which are those of its page."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count

from emailcheck.common.errors import Conflict, Gone
from validation.batches.coverage import checks_of
from validation.batches.models import Batch, BatchStatus
from validation.egress.polling import current_profiles
from validation.results.models import Category, Evidence, Result
from validation.results.storage import DO_NOT_SEND

REASONS, HOSTS = 10, 5
NOT_FINISHED = "The report is made when the list is finished."
EXPIRED = "The results of this list have passed their retention time."
_ROWS_AT_ONCE = 2_000
Counts = list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class ReportFigures:
    """The figures of a finished list. `reasons` are those of verdicts, `hosts` names; both with the most first."""

    filename: str
    finished_at: datetime
    total: int
    duplicates: int
    credits_used: int
    checks: str
    categories: dict[str, int]
    safe: int
    risky: int
    reasons: Counts
    hosts: Counts

    @property
    def never(self) -> int:
        return sum(count for category, count in self.categories.items() if category in DO_NOT_SEND)


def load_figures(batch: Batch) -> ReportFigures:
    """The figures of a finished list. Raises `Conflict` (`NOT_COMPLETED`) for any other, `Gone` (`EXPIRED`) once its
    results are removed."""
    if batch.status != BatchStatus.COMPLETED or batch.completed_at is None:
        raise Conflict(NOT_FINISHED, code="NOT_COMPLETED")
    if batch.expired_at is not None:
        raise Gone(EXPIRED, code="EXPIRED")
    return ReportFigures(
        filename=batch.filename,
        finished_at=batch.completed_at,
        total=batch.total_emails,
        duplicates=batch.duplicates_removed,
        credits_used=batch.credits_used,
        checks=checks_of(batch),
        categories={category: getattr(batch, f"{category}_count") for category in Category.values},
        safe=batch.safe_to_send_count,
        risky=batch.risky_count,
        reasons=_count_reasons(batch),
        hosts=_count_hosts(batch),
    )


def _count_reasons(batch: Batch) -> Counts:
    found = Result.objects.filter(batch=batch).values("reason").annotate(rows=Count("pk")).order_by("-rows", "reason")
    return list(found.values_list("reason", "rows")[:REASONS])


def _count_hosts(batch: Batch) -> Counts:
    """The rows of the largest mail hosts, each known by its operator or by its name."""
    rows: Counter[str] = Counter(host for host in _iterate_hosts(batch))
    profiles = current_profiles()
    named: Counter[str] = Counter()
    for host, count in rows.items():
        profile = profiles.of_host(host)
        named[profile.title if profile.name else host] += count
    return sorted(named.items(), key=lambda item: (-item[1], item[0]))[:HOSTS]


def _iterate_hosts(batch: Batch) -> Iterator[str]:
    """The first mail host of each row that has one. After a re-check some rows of the pages count no more."""
    current = _list_current_rows(batch) if batch.last_recheck_at else None
    pages = Evidence.objects.filter(batch=batch).order_by("pk").values_list("pk", "rows")
    for number, page in pages.iterator(chunk_size=50):
        hosts = _list_hosts(page)
        chosen = range(len(hosts)) if current is None else current[number]
        yield from (hosts[row] for row in chosen if hosts[row])


def _list_current_rows(batch: Batch) -> dict[int, list[int]]:
    """Which rows of each page the results of a list point to."""
    found: dict[int, list[int]] = defaultdict(list)
    for details in Result.objects.filter(batch=batch).values_list("details", flat=True).iterator(_ROWS_AT_ONCE):
        if isinstance(details, list):
            found[details[0]].append(details[1])
    return found


def _list_hosts(page: Any) -> list[str]:
    """The first mail host of each row of a page, or nothing."""
    servers = [row["mx"] for row in page] if isinstance(page, list) else [row[2] for row in page["rows"]]
    return [hosts[0].rstrip(".").lower() if hosts else "" for hosts in servers]
