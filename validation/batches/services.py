"""Starts lists: credits are held and the list is queued in one transaction; a short one is checked at once."""

import dataclasses
import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import Error, transaction

from accounts.access.models import ApiKey
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from billing.ledger import reasons
from billing.usage.quota import notify_refusals
from emailcheck.common.errors import BadInput
from emailcheck.common.storage import faults
from validation import entitlements
from validation.access import makers
from validation.batches.chunks import pipeline
from validation.batches.chunks.models import Chunk
from validation.batches.control import stopping
from validation.batches.intake import addresses
from validation.batches.intake.addresses import Intake
from validation.batches.intake.cells import CellReader
from validation.batches.intake.choices import RepairChoices
from validation.batches.intake.operators import count_operators
from validation.batches.models import ACTIVE, Batch, BatchType
from validation.batches.repairs import FindingsFile, store_repairs
from validation.batches.reuse import known
from validation.batches.reuse.known import NOTHING, TakenOver
from validation.engine import EVERY_CHECK
from validation.testmode import verdicts

log = logging.getLogger(__name__)
EMPTY_LIST = "Please enter at least one email"
_CHUNKS_AT_ONCE = 20
# Short lists checked at once in one process: half of the web server's threads, so that slow hosts never occupy all.
_at_once = threading.BoundedSemaphore(max(1, settings.WEB_THREADS // 2))


def start_list(
    *,
    organisation: Organisation,
    lines: Iterable[str],
    batch_type: BatchType,
    api_key: ApiKey | None = None,
    use_providers: bool | None = None,
    max_credits: int | None = None,
    private: bool = False,
    repair: RepairChoices | None = None,
    reuse_days: int = 0,
) -> Batch:
    """Start a typed list: hold its credits and queue it, in one transaction.

    `private`: only its maker, owners and admins see it. `use_providers`: whether outside providers may get its
    addresses; None follows the account's setting. `repair`: how lines become addresses. With `max_credits` only the
    first addresses that so many credits pay for are checked. Verdicts of up to `reuse_days` days are taken over, free
    of charge. A list of up to `IMMEDIATE_ADDRESSES` is checked within
    the request, for at most `IMMEDIATE_SECONDS`. Raises `BadInput` when nothing is left to check, `Refused`
    (`QUOTA_EXCEEDED`) without enough credits.
    """
    choices = repair or RepairChoices()
    with FindingsFile() as findings:
        typed = _TypedLines(organisation, lines, choices, findings, makers.find_maker(api_key), reuse_days)
        taken, content_hash, over = typed.take(max_credits)
        findings.store_long()
        if not taken.unique:
            raise BadInput(EMPTY_LIST, code="EMPTY_LIST", field="emails", value="")
        batch = Batch(
            organisation=organisation,
            test=organisation.in_test_mode,
            private=private,
            batch_type=batch_type,
            total_emails=taken.unique,
            duplicates_removed=taken.duplicates,
            blank_rows=taken.blank,
            positions_a_row=taken.positions_a_row,
            repair_choices=None if choices.changes_nothing else dataclasses.asdict(choices),
            repaired_count=taken.found.repaired,
            overfull=taken.found.overfull or None,
            cut_at=taken.cut_at,
            content_hash=content_hash,
            use_providers=use_providers,
            operators=count_operators(taken.domains()),
        )
        with notify_refusals(organisation), transaction.atomic():
            chunks = taken.chunks(settings.CHUNK_ROWS)
            queue_batch(batch, possible=taken.possible, chunks=chunks, api_key=api_key, over=over)
            if findings.path:
                findings.is_needed = store_repairs(batch, findings.name, findings.path)
    check_short_list(batch)
    return batch


@dataclass(slots=True)
class _TypedLines:
    """The lines of a typed list. `findings`: where it is written what was done to them."""

    organisation: Organisation
    lines: Iterable[str]
    choices: RepairChoices
    findings: FindingsFile
    person_id: int | None
    reuse_days: int

    def take(self, max_credits: int | None) -> tuple[Intake, str, TakenOver]:
        """The addresses that so many credits pay for, the hash of the whole list, and what is taken over."""
        if not known.may_know(self.organisation, days=self.reuse_days):
            taken = self._sort(max_credits, ())
            return taken, taken.hash_content(), NOTHING
        self.lines = list(self.lines)
        cut = known.read_within(max_credits, read=self._sort, find=self._find)
        over = TakenOver(cut.found.known, list(cut.found.rows()))
        return cut.content, cut.whole.hash_content(), over

    def _sort(self, max_credits: int | None, free: Iterable[int]) -> Intake:
        if self.choices.changes_nothing:
            return addresses.sort_lines(self.lines, max_credits=max_credits, free=frozenset(free))
        with self.findings.begin() as note:
            return addresses.sort_lines(
                self.lines, reader=CellReader(self.choices), max_credits=max_credits, free=frozenset(free), note=note
            )

    def _find(self, taken: Intake, whole: Intake) -> known.Finding:
        def chunks() -> Iterable[list[Any]]:
            return taken.chunks(settings.CHUNK_ROWS)

        those = known.ListOfAddresses(self.organisation, chunks, taken.possible, whole.hash_content(), self.person_id)
        return known.Finding(those, days=self.reuse_days)


@transaction.atomic
def queue_batch(
    batch: Batch,
    *,
    possible: int,
    chunks: Iterable[list[Any]],
    api_key: ApiKey | None = None,
    over: TakenOver = NOTHING,
) -> None:
    """Store a new batch with its rows, hold its credits, and wake the workers unless it is checked at once.

    `possible`: how many addresses can cost a credit, those included that take verdicts `over` and cost none. Raises
    `Refused` (`QUOTA_EXCEEDED`) without enough credits.
    """
    batch.maker_id = makers.find_maker(api_key)
    batch.possible, batch.reused_count = possible, over.known.reused
    if batch.test:
        _queue_test_batch(batch, verdicts.WatchedChunks(chunks), over)
        return
    job = entitlements.begin_job(
        organisation=batch.organisation,
        cost=possible - over.known.reused,
        reason=reasons.name_list(batch.filename),
        key=batch.public_id,
        api_key=api_key,
        is_basic=over.known.reused > 0 and not over.known.full,
    )
    batch.hold, batch.checks_left_out = job.hold, sorted(EVERY_CHECK - job.checks) or None
    batch.save()
    started = f"List of {batch.total_emails:,} addresses started"
    audit_log.record_activity(organisation=batch.organisation, kind=ActivityKind.VALIDATION, action=started)
    store_chunks(batch, chunks, over)


def _queue_test_batch(batch: Batch, chunks: verdicts.WatchedChunks, over: TakenOver) -> None:
    """As `queue_batch`, without credits and signals. Its addresses may ask for a refusal or a failure."""
    batch.retention_days = verdicts.KEEP_DAYS
    batch.save()
    store_chunks(batch, chunks, over)
    if chunks.fails:
        stopping.fail_batch(batch=batch, reason=verdicts.FAILED)


def store_chunks(batch: Batch, chunks: Iterable[list[Any]], over: TakenOver = NOTHING, *, first: int = 0) -> None:
    """Store the chunks of a list, numbered from `first`, and wake the workers unless it is checked at once."""
    pieces: Iterable[tuple[list[Any], bool]] = ((rows, False) for rows in chunks)
    if over.known.reused:
        pieces = known.divide_chunks(chunks, over.rows, size=settings.CHUNK_ROWS)
    made = (
        Chunk(batch=batch, number=number, rows=rows, size=len(rows), reuses=reuses)
        for number, (rows, reuses) in enumerate(pieces, start=first)
    )
    count = 0
    while some := list(islice(made, _CHUNKS_AT_ONCE)):
        count += len(Chunk.objects.bulk_create(some))
    if not _is_short(batch):
        pipeline.wake_workers(times=min(settings.WORKERS, count))


def _is_short(batch: Batch) -> bool:
    return batch.total_emails <= settings.IMMEDIATE_ADDRESSES


def check_short_list(batch: Batch) -> None:
    """Check a short list within the request. Unfinished rows go to the workers.

    The list is already queued, so a full disk or a lost database does not turn its acceptance into a refusal.
    """
    try:
        _check_at_once(batch)
    except (Error, OSError) as error:
        if faults.find_refusal(error) is None:
            raise
        log.exception("a short list was left to the workers")


def _check_at_once(batch: Batch) -> None:
    if not _is_short(batch):
        return
    if _at_once.acquire(blocking=False):
        try:
            pipeline.check_at_once(batch, seconds=verdicts.IMMEDIATE_S if batch.test else settings.IMMEDIATE_SECONDS)
        finally:
            _at_once.release()
    batch.refresh_from_db()
    if batch.status in ACTIVE:
        pipeline.wake_workers()
