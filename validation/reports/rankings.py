"""What a report ranks: the reasons and the mail hosts with the most rows.

Counting them reads every row of a list. Long lists are counted by the queue when they end, and the batch keeps what was
found (`Batch.rankings`), so that their reports take no longer than others. Without it a list is counted on the spot:
short ones, and those that ended a moment ago or before rankings were kept.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Count

from emailcheck.common.queue import tasks
from validation.batches.models import Batch, BatchStatus
from validation.egress.polling import current_profiles
from validation.results.models import Evidence, Result
from validation.signals import batch_finished, batch_rechecked

REASONS, HOSTS = 10, 5
KEPT_FROM_ROWS = 5_000
RANK = "validation.tasks.rank_batch"
_ROWS_AT_ONCE = 2_000
_CHANGED_WITH_ROWS = ("status", "rechecked_at", "full_check_at", "unknown_count", "expired_at", "deleted_at")
Counts = list[tuple[str, int]]


class Rankings(NamedTuple):
    """`reasons` are those of verdicts, `hosts` names; both with the most first."""

    reasons: Counts
    hosts: Counts


def connect() -> None:
    """Connect to the signals of lists."""
    for signal in (batch_finished, batch_rechecked):
        signal.connect(_enqueue_ranking, dispatch_uid="rankings")


def _enqueue_ranking(batch: Batch, **_: Any) -> None:
    if batch.total_emails >= KEPT_FROM_ROWS:
        tasks.enqueue(RANK, batch.pk, queue="bulk")


def rank_batch(batch_id: int) -> None:
    """Count a finished list, unless that was done. May be repeated."""
    batch = Batch.objects.filter(pk=batch_id, status=BatchStatus.COMPLETED, rankings__isnull=True).first()
    if batch is not None:
        load_rankings(batch)


def load_rankings(batch: Batch) -> Rankings:
    """The rankings of a finished list, counted where they are not known yet; those of a long list are kept."""
    if batch.rankings is not None:
        return Rankings(*([(name, rows) for name, rows in batch.rankings[kind]] for kind in Rankings._fields))
    found = Rankings(_count_reasons(batch), _count_hosts(batch))
    if batch.total_emails >= KEPT_FROM_ROWS:
        # Not those of rows that a re-check replaces meanwhile, nor of a list that was removed.
        same = {name: getattr(batch, name) for name in _CHANGED_WITH_ROWS}
        Batch.objects.filter(pk=batch.pk, **same).update(rankings=found._asdict())
    return found


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
    """The first mail host of each row that has one."""
    current = _list_current_rows(batch) if _may_have_been_rechecked(batch) else None
    pages = Evidence.objects.filter(batch=batch).order_by("pk").values_list("pk", "rows")
    for number, page in pages.iterator(chunk_size=50):
        hosts = _list_hosts(page)
        chosen = range(len(hosts)) if current is None else current[number]
        yield from (hosts[row] for row in chosen if hosts[row])


def _may_have_been_rechecked(batch: Batch) -> bool:
    """Whether pages may have rows that count no more. A full check that was stopped leaves no stamp."""
    return batch.last_recheck_at is not None or batch.checks_left_out is not None


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
