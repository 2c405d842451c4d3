"""What only the rows of a list know: its commonest reasons and mail hosts, flagged addresses, and confidences.

Counting them reads every row of a list. Long lists are counted by the queue when they end, and the batch keeps what was
found (`Batch.rankings`), so that their reports take no longer than others. Without it a list is counted on the spot:
short ones, and those that ended a moment ago or before this was kept.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Count

from emailcheck.common.queue import tasks
from validation.batches.models import ENDED, Batch
from validation.egress.polling import current_profiles
from validation.results.decisions import DECISIONS
from validation.results.evidence_facts import Facts, FactsReader, list_facts
from validation.results.models import Evidence, Result
from validation.signals import batch_finished, batch_rechecked, batch_stopped

REASONS, HOSTS = 10, 5
KEPT_FROM_ROWS = 5_000
RANK = "validation.tasks.rank_batch"
_ROWS_AT_ONCE = 2_000
_CHANGED_WITH_ROWS = ("status", "rechecked_at", "full_check_at", "unknown_count", "expired_at", "deleted_at")
REACH_STEPS = 20
"""Confidences are counted in so many steps from 0 to 1."""
Counts = list[tuple[str, int]]


class ReachStep(NamedTuple):
    """Addresses that may be sent to. `risky_from`: the least confidence of these risky ones, in steps; None: the safe
    ones. `bounces`: how many of them are expected to bounce, the sum of 1 - confidence as a decimal number."""

    risky_from: int | None
    addresses: int
    bounces: str


class Rankings(NamedTuple):
    """`reasons` are those of verdicts, `hosts` names; both with the most first. `role` and `typo` are rows with that
    flag, or with a suggestion. `reach` has the safe ones first, then risky ones by falling confidence."""

    reasons: Counts
    hosts: Counts
    role: int
    typo: int
    reach: list[ReachStep]


def connect() -> None:
    """Connect to the signals of lists."""
    for signal in (batch_finished, batch_rechecked, batch_stopped):
        signal.connect(_enqueue_ranking, dispatch_uid="rankings")


def _enqueue_ranking(batch: Batch, **_: Any) -> None:
    if batch.total_emails >= KEPT_FROM_ROWS:
        tasks.enqueue(RANK, batch.pk, queue="bulk")


def rank_batch(batch_id: int) -> None:
    """Count a list that has ended, unless that was done. May be repeated."""
    batch = Batch.objects.filter(pk=batch_id, status__in=ENDED, expired_at=None, deleted_at=None).first()
    if batch is not None and _read_kept(batch) is None:
        load_rankings(batch)


def load_rankings(batch: Batch) -> Rankings:
    """The rankings of a list that has ended, counted where they are not known yet; those of a long list are kept."""
    kept = _read_kept(batch)
    if kept is not None:
        return kept
    hosts, role, typo = _count_facts(batch)
    found = Rankings(_count_reasons(batch), hosts, role, typo, _count_reach(batch))
    if batch.total_emails >= KEPT_FROM_ROWS:
        # Not those of rows that a re-check replaces meanwhile, nor of a list that was removed.
        same = {name: getattr(batch, name) for name in _CHANGED_WITH_ROWS}
        Batch.objects.filter(pk=batch.pk, **same).update(rankings=found._asdict())
    return found


def find_rankings(batch: Batch) -> Rankings | None:
    """The rankings of a list as far as a page may wait for them; None while it runs, and of a long list until the queue
    has counted it, which is asked to. None as well once its results are removed."""
    if batch.status not in ENDED or batch.expired_at is not None:
        return None
    if batch.total_emails < KEPT_FROM_ROWS:
        return load_rankings(batch)
    kept = _read_kept(batch)
    if kept is None and not tasks.count_waiting(RANK, "bulk"):
        _enqueue_ranking(batch)
    return kept


def _read_kept(batch: Batch) -> Rankings | None:
    """What the batch keeps; None where that is nothing, or was counted before all of this was."""
    kept = batch.rankings
    if kept is None or not kept.keys() >= set(Rankings._fields):
        return None
    reasons, hosts = ([(name, rows) for name, rows in kept[kind]] for kind in ("reasons", "hosts"))
    return Rankings(reasons, hosts, kept["role"], kept["typo"], [ReachStep(*step) for step in kept["reach"]])


def _count_reasons(batch: Batch) -> Counts:
    found = Result.objects.filter(batch=batch).values("reason").annotate(rows=Count("pk")).order_by("-rows", "reason")
    return list(found.values_list("reason", "rows")[:REASONS])


def _count_facts(batch: Batch) -> tuple[Counts, int, int]:
    """The rows of the largest mail hosts, each known by its operator or by its name; those with the flag role, and
    those with a suggestion."""
    rows: Counter[str] = Counter()
    role = typo = 0
    for facts in _iterate_facts(batch):
        rows[facts.mx_host] += 1
        role += facts.is_role
        typo += bool(facts.did_you_mean)
    del rows[""]
    profiles = current_profiles()
    named: Counter[str] = Counter()
    for host, count in rows.items():
        profile = profiles.of_host(host)
        named[profile.title if profile.name else host] += count
    return sorted(named.items(), key=lambda item: (-item[1], item[0]))[:HOSTS], role, typo


def _iterate_facts(batch: Batch) -> Iterator[Facts]:
    """What the evidence says of each row, in no order."""
    if _has_other_evidence(batch):
        yield from _iterate_facts_of_results(batch)
    else:
        for page in Evidence.objects.filter(batch=batch).values_list("rows", flat=True).iterator(chunk_size=50):
            yield from list_facts(page)


def _has_other_evidence(batch: Batch) -> bool:
    """Whether rows may rest on other pages than those of the list, or pages have rows that count no more. A full check
    that was stopped leaves no stamp."""
    return batch.last_recheck_at is not None or batch.checks_left_out is not None or batch.reused_count > 0


def _iterate_facts_of_results(batch: Batch) -> Iterator[Facts]:
    reader = FactsReader()
    details = Result.objects.filter(batch=batch).order_by("position").values_list("details", flat=True)
    left = details.iterator(_ROWS_AT_ONCE)
    while some := list(islice(left, _ROWS_AT_ONCE)):
        yield from reader.read_facts(some)


def _count_reach(batch: Batch) -> list[ReachStep]:
    """The safe addresses, and the risky ones by confidence."""
    counts: Counter[int | None] = Counter({None: 0})
    bounces: defaultdict[int | None, Decimal] = defaultdict(Decimal)
    may_be_sent = Result.objects.filter(DECISIONS["safe"].condition | DECISIONS["risky"].condition, batch=batch)
    groups = may_be_sent.values_list("safe_to_send", "confidence").annotate(rows=Count("pk"))
    for is_safe, confidence, count in groups:
        step = None if is_safe else find_reach_step(confidence)
        counts[step] += count
        bounces[step] += count * (1 - Decimal(str(confidence)))
    risky = sorted((step for step in counts if step is not None), reverse=True)
    return [ReachStep(step, counts[step], str(bounces[step])) for step in (None, *risky)]


def find_reach_step(confidence: float) -> int:
    """The highest step that a confidence reaches; a step is what `step / REACH_STEPS` is, as the export compares.

    >>> find_reach_step(0.6), find_reach_step(0.59), find_reach_step(0.05), find_reach_step(0.0)
    (12, 11, 1, 0)
    """
    return max(step for step in range(REACH_STEPS + 1) if step / REACH_STEPS <= confidence)
