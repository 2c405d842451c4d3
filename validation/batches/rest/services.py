"""Goes on with a finished list that was cut for want of credits: the same list grows by what was left out."""

from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.access.models import ApiKey
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from billing.usage.quota import notify_refusals
from emailcheck.common.errors import BadInput, Conflict, Gone
from emailcheck.common.files import delete_files, file_store
from validation.access import makers
from validation.batches import repairs
from validation.batches import services as batches
from validation.batches.chunks import leases
from validation.batches.coverage import open_covered_hold
from validation.batches.intake.choices import parse_choices
from validation.batches.intake.sorted_files import iterate_chunks
from validation.batches.models import ENDED, Batch, BatchStatus
from validation.batches.reuse.known import TakenOver
from validation.batches.uploads.files import FileContent, Reading
from validation.batches.uploads.known_addresses import KnownReader, open_taken_over
from validation.listfiles import ReadOptions, parse_location

NOTHING_LEFT = "Every address of this list was checked."
NOT_KEPT = "The file of this list is no longer kept. Send the addresses that were left out as a new list."
NOT_INCLUDED = "Your plan no longer includes the checks of this list. Send the addresses as a new list."
_GROWN = ("total_emails", "duplicates_removed", "possible", "reused_count")
_CHANGED = (
    *_GROWN,
    "blank_rows",
    "repaired_count",
    "overfull",
    "cut_at",
    "rest",
    "rest_at",
    "status",
    "started_at",
    "operators",
)


class StartedRest(NamedTuple):
    """The addresses that are checked, and the credits that are held for them. `has_more`: the queue still stores
    repairs."""

    addresses: int
    held: int
    has_more: bool


class _AtHand(NamedTuple):
    """A reading of the rest, and its sorted file on this machine."""

    content: FileContent
    path: Path
    over: TakenOver


def check_rest(*, batch: Batch, max_credits: int | None = None, api_key: ApiKey | None = None) -> StartedRest:
    """Check what was left out of a finished list, with its choices.

    With `max_credits` it is cut once more. Raises `BadInput` (`NOTHING_TO_CHECK`), `Conflict` (`BATCH_RUNNING`,
    `NOT_COMPLETED`), `Gone` without its file, or the errors of `open_covered_hold`. Nothing changes then.
    """
    cut_at = _require_rest(batch)
    location = parse_location(batch.address_location or {})
    options = ReadOptions(
        sheet=location.sheet,
        email_columns=tuple(map(str, location.email_columns)),
        header_row=location.header_row,
        encoding=location.encoding,
        delimiter=location.delimiter,
    )
    reading = Reading(options, parse_choices(batch.repair_choices), max_credits, cut_at)
    days = (batch.rest or {}).get("reuse_days", 0)
    reader = KnownReader(batch.organisation, days=days, person_id=makers.find_maker(api_key))
    read = reader.read(batch.file, reading, content_hash=batch.content_hash)
    has_more = False
    try:
        with (
            file_store().local_copy(read.content.sorted_file) as path,
            open_taken_over(read.known, read.known_file) as over,
            notify_refusals(batch.organisation),
        ):
            started = _go_on(batch, cut_at, _AtHand(read.content, path, over), api_key)
            has_more = started.has_more
    finally:
        if not has_more:
            delete_files(read.content.sorted_file)
    batch.refresh_from_db()
    batches.check_short_list(batch)
    return started


def _require_rest(batch: Batch) -> int:
    """Where a finished list was cut."""
    if batch.status not in ENDED:
        raise Conflict("This batch is still running", code="BATCH_RUNNING")
    if batch.status != BatchStatus.COMPLETED:
        raise Conflict("Only a finished batch can go on", code="NOT_COMPLETED")
    if batch.cut_at is None:
        raise BadInput(NOTHING_LEFT, code="NOTHING_TO_CHECK")
    if not batch.file:
        raise Gone(NOT_KEPT)
    return batch.cut_at


@transaction.atomic
def _go_on(batch: Batch, cut_at: int, read: _AtHand, api_key: ApiKey | None) -> StartedRest:
    found = Batch.objects.select_for_update(no_key=True).select_related("organisation").get(pk=batch.pk)
    if _require_rest(found) != cut_at:
        raise Conflict("This batch is still running", code="BATCH_RUNNING")
    content, path, over = read
    if not content.unique:
        raise BadInput(NOTHING_LEFT, code="NOTHING_TO_CHECK")
    cost = 0 if found.test else content.possible - over.known.reused
    found.hold = open_covered_hold(found, amount=cost, api_key=api_key, refusal=NOT_INCLUDED) if cost else None
    more = (content.unique, content.duplicates, content.possible, over.known.reused)
    for name, number in zip(_GROWN, more, strict=True):
        setattr(found, name, (getattr(found, name) or 0) + number)
    found.blank_rows, found.repaired_count = content.blank, content.findings["repaired"]
    found.overfull = content.findings["overfull"] or None
    found.cut_at, found.operators = content.cut_at, content.operators
    found.rest = content.rest and {**(found.rest or {}), **content.rest}
    found.rest_at, found.status, found.started_at = timezone.now(), BatchStatus.QUEUED, None
    found.save(update_fields=[*_CHANGED, "hold"])
    has_more = repairs.store_repairs(found, content.sorted_file, path)
    chunks = iterate_chunks(path)
    batches.store_chunks(found, chunks, over, first=leases.find_last_number(found.pk) + 1)
    _record(found, content.unique)
    return StartedRest(content.unique, cost, has_more)


def _record(batch: Batch, addresses: int) -> None:
    if not batch.test:
        action = f"The other {addresses:,} addresses of a list started"
        audit_log.record_activity(
            organisation=batch.organisation, kind=ActivityKind.VALIDATION, action=action, target=batch.public_id
        )
