"""What a customer can have done: one address checked, a list started."""

import threading
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from billing import services as billing
from billing.models import CreditHold
from billing.quota import noting_refusals
from emailcheck.common import ids
from emailcheck.common.errors import BadInput
from validation import gates, intake, memory, pipeline, results, uploads
from validation.checker import checker
from validation.engine import EVERY_CHECK, OptionalCheck, Verdict
from validation.intake import Intake
from validation.models import ACTIVE, Batch, BatchType, Chunk, Result

NO_ADDRESS = "Please enter a valid email address"
EMPTY_LIST = "Please enter at least one email"
NO_EMAILS = "No email addresses found in the file"
SINGLE = "single:"
# Short lists checked at once in one process: half of the threads of the web server, so that slow hosts never hold all.
_at_once = threading.BoundedSemaphore(8)


def validate_single(*, user: User, address: str) -> Result:
    """Check one address now.

    Raises `BadInput` (`INVALID_EMAIL`) for an empty one, `Refused` (`QUOTA_EXCEEDED`) without a credit.
    """
    address = address.strip()
    if not address:
        raise BadInput(NO_ADDRESS, code="INVALID_EMAIL", field="email", value="")
    cost = intake.take_in([address]).possible
    key = f"{SINGLE}{ids.new('chk')}"
    with noting_refusals(user):
        hold = billing.hold(user_id=user.pk, amount=cost, reason="Single check", key=key) if cost else None
    try:
        verdict = _check(address[: intake.MAX_ADDRESS_CHARACTERS], gates.checks_for(user))
        return _record_single(user, verdict, hold)
    except BaseException:
        if hold:
            billing.settle(hold_id=hold.pk, captured=0)
        raise


def _check(address: str, checks: frozenset[OptionalCheck]) -> Verdict:
    memory.recall(checker(), [address])
    verdict = checker().check(address, checks=checks)
    memory.keep(checker())
    return verdict


@transaction.atomic
def _record_single(user: User, verdict: Verdict, hold: CreditHold | None) -> Result:
    result = results.write_single(results.from_verdict(verdict), user_id=user.pk)
    if hold:
        billing.settle(hold_id=hold.pk, captured=int(result.charged))
    return result


def start_list(*, user: User, lines: Iterable[str], batch_type: BatchType, filename: str = "", file: str = "") -> Batch:
    """Accept a list: its credits are held and it is queued, in one transaction; or nothing at all.

    A list of up to `IMMEDIATE_ADDRESSES` is checked at once when that takes no longer than `IMMEDIATE_SECONDS`.
    `file` is the stored upload, a path below `MEDIA_ROOT`. Raises `BadInput` when nothing is left to check, `Refused`
    (`QUOTA_EXCEEDED`) when the credits do not suffice.
    """
    taken = intake.take_in(lines)
    if not taken.rows:
        raise _empty(batch_type)
    at_once = len(taken.rows) <= settings.IMMEDIATE_ADDRESSES
    with noting_refusals(user):
        batch = _queue(user, taken, batch_type, filename, file, at_once=at_once)
    if at_once:
        _run_now(batch)
    return batch


def start_upload(*, user: User, upload: "UploadedFile[bytes]") -> Batch:
    """Accept a file: kept, read, then as `start_list`. What is refused leaves no file behind."""
    uploads.check_name(upload)
    stored = uploads.store(upload)
    try:
        return start_list(
            user=user,
            lines=uploads.addresses_in(stored),
            batch_type=BatchType.FILE_UPLOAD,
            filename=Path(upload.name or "").name,
            file=stored,
        )
    except BaseException:
        if not Batch.objects.filter(file=stored).exists():
            uploads.discard(stored)
        raise


@transaction.atomic
def _queue(user: User, taken: Intake, batch_type: BatchType, filename: str, file: str, *, at_once: bool) -> Batch:
    batch = Batch(
        user=user,
        batch_type=batch_type,
        filename=filename[:255],
        file=file,
        total_emails=len(taken.rows),
        duplicates_removed=taken.duplicates,
        blank_rows=taken.blank,
        left_out=sorted(EVERY_CHECK - gates.checks_for(user)) or None,
    )
    if taken.possible:
        what = filename[:80] or "pasted list"
        batch.hold = billing.hold(user_id=user.pk, amount=taken.possible, reason=f"Batch: {what}", key=batch.public_id)
    batch.save()
    pieces = intake.into_chunks(taken, settings.CHUNK_ROWS)
    Chunk.objects.bulk_create(
        Chunk(batch=batch, number=number, rows=rows, size=len(rows)) for number, rows in enumerate(pieces)
    )
    if not at_once:
        pipeline.wake(times=min(settings.WORKERS, len(pieces)))
    return batch


def _run_now(batch: Batch) -> None:
    """Check a short list in the caller's time; what is not done by then, or finds no room, goes to the workers."""
    if _at_once.acquire(blocking=False):
        try:
            pipeline.run_now(batch)
        finally:
            _at_once.release()
    batch.refresh_from_db()
    if batch.status in ACTIVE:
        pipeline.wake()


def _empty(batch_type: BatchType) -> BadInput:
    if batch_type == BatchType.FILE_UPLOAD:
        return BadInput(NO_EMAILS, code="NO_EMAILS", field="file")
    return BadInput(EMPTY_LIST, code="EMPTY_LIST", field="emails", value="")


def release_cut_off_checks() -> None:
    """Give back the credits of single checks whose process died: they never take ten minutes."""
    billing.release_stale(prefix=SINGLE, before=timezone.now() - timedelta(minutes=10))
