"""What a customer can have done: one address checked, a list started."""

import logging
import threading
import time
from collections.abc import Iterable
from datetime import timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import Error, transaction
from django.utils import timezone

from accounts import activity
from accounts.models import ActivityKind, ApiKey, User
from billing import services as billing
from billing.models import CreditHold
from billing.quota import noting_refusals
from emailcheck.common import ids
from emailcheck.common.errors import BadInput
from emailcheck.common.storage import faults
from validation import (
    asking,
    gates,
    intake,
    memory,
    pipeline,
    provider_gate,
    results,
    second_opinions,
    stopping,
    testmode,
    webhook_events,
)
from validation.checker import checker
from validation.engine import EVERY_CHECK, OptionalCheck, Verdict
from validation.models import ACTIVE, Batch, BatchType, Chunk, Result
from validation.operators import count_operators

log = logging.getLogger(__name__)
NO_ADDRESS = "Please enter a valid email address"
EMPTY_LIST = "Please enter at least one email"
SINGLE = "single:"
_CHUNKS_AT_ONCE = 20
# Short lists checked at once in one process: half of the threads of the web server, so that slow hosts never hold all.
_at_once = threading.BoundedSemaphore(max(1, settings.WEB_THREADS // 2))


def validate_single(
    *, user: User, address: str, api_key: ApiKey | None = None, use_providers: bool | None = None
) -> Result:
    """Check one address now; `api_key` is the one that the call was made with, `use_providers` as for a list.

    Raises `BadInput` (`INVALID_EMAIL`) for an empty one, and with a key for one without @ (DOC-033); `Refused` without
    a credit, as `billing.hold`.
    """
    address = address.strip()
    if not address or (api_key is not None and "@" not in address):
        raise BadInput(NO_ADDRESS, code="INVALID_EMAIL", field="email", value=address)
    if user.in_test_mode:
        return _record_test_single(user, testmode.check(cut(address)))
    with noting_refusals(user):
        cost, key = intake.take_in([address]).possible, f"{SINGLE}{ids.new('chk')}"
        job = gates.begin_job(user=user, cost=cost, reason="Single check", key=key, api_key=api_key)
    try:
        started = time.monotonic()
        verdict = _second_opinion(user, ask(cut(address), job.checks), job.hold, use_providers)
        took_ms = round(1000 * (time.monotonic() - started))
        single = results.prepare_single(results.from_verdict(verdict, basic=job.is_basic), took_ms=took_ms)
        return _record_single(user, single, job.hold, tell=webhook_events.has_endpoints(user.pk))
    except BaseException:
        if job.hold:
            billing.settle(hold=job.hold, captured=0)
        raise


def cut(address: str) -> str:
    """As much of what was sent as an address may have."""
    return address[: intake.MAX_ADDRESS_CHARACTERS]


def ask(address: str, checks: frozenset[OptionalCheck], *, deadline_s: float | None = None) -> Verdict:
    """The engine's verdict on one address, at the latest after `deadline_s` seconds."""
    asked = checker()
    memory.recall(asked, [address])
    verdict = asked.check(address, checks=checks, deadline_s=deadline_s)
    memory.keep(asked)
    return verdict


def _second_opinion(user: User, verdict: Verdict, hold: CreditHold | None, choice: bool | None) -> Verdict:
    """The verdict after outside providers were asked, where it is open and they may be."""
    if not second_opinions.is_open(verdict):
        return verdict
    gate = provider_gate.gate_of_job(user, hold=hold, choice=choice)
    return asking.ask_now(verdict, gate) if gate else verdict


@transaction.atomic
def _record_single(user: User, single: results.Single, hold: CreditHold | None, *, tell: bool) -> Result:
    if hold:
        billing.settle(hold=hold, captured=int(single.row.charged))
    result = results.write_single(single, user_id=user.pk)
    if tell:
        webhook_events.address_checked(result)
    return result


@transaction.atomic
def _record_test_single(user: User, verdict: Verdict) -> Result:
    result = results.write_test_single(results.from_verdict(verdict), user_id=user.pk)
    webhook_events.address_checked(result)
    return result


def start_list(
    *,
    user: User,
    lines: Iterable[str],
    batch_type: BatchType,
    api_key: ApiKey | None = None,
    use_providers: bool | None = None,
    max_credits: int | None = None,
) -> Batch:
    """Accept a typed list: its credits are held and it is queued, in one transaction; or nothing at all.

    `use_providers`: whether outside providers may see its addresses; None is as the account says. With `max_credits`
    only the first addresses are checked that so many credits pay for.

    A list of up to `IMMEDIATE_ADDRESSES` is checked at once when that takes no longer than `IMMEDIATE_SECONDS`.
    Raises `BadInput` when nothing is left to check, `Refused` (`QUOTA_EXCEEDED`) when the credits do not suffice.
    """
    taken = intake.take_in(lines, max_credits=max_credits)
    if not taken.unique:
        raise BadInput(EMPTY_LIST, code="EMPTY_LIST", field="emails", value="")
    batch = Batch(
        user=user,
        test=user.in_test_mode,
        batch_type=batch_type,
        total_emails=taken.unique,
        duplicates_removed=taken.duplicates,
        blank_rows=taken.blank,
        use_providers=use_providers,
        operators=count_operators(taken.domains()),
    )
    with noting_refusals(user):
        queue(batch, cost=taken.possible, chunks=taken.chunks(settings.CHUNK_ROWS), api_key=api_key)
    run_now(batch)
    return batch


@transaction.atomic
def queue(batch: Batch, *, cost: int, chunks: Iterable[list[Any]], api_key: ApiKey | None = None) -> None:
    """Store a new batch with its rows, hold its credits, and wake the workers unless it is checked at once.

    Raises `Refused` (`QUOTA_EXCEEDED`) when the credits do not suffice.
    """
    if batch.test:
        _queue_test(batch, testmode.Watched(chunks))
        return
    reason = f"Batch: {batch.filename[:80] or 'pasted list'}"
    job = gates.begin_job(user=batch.user, cost=cost, reason=reason, key=batch.public_id, api_key=api_key)
    batch.hold, batch.left_out = job.hold, sorted(EVERY_CHECK - job.checks) or None
    batch.save()
    started = f"List of {batch.total_emails:,} addresses started"
    activity.record(user=batch.user, kind=ActivityKind.VALIDATION, action=started)
    _store(batch, chunks)


def _queue_test(batch: Batch, chunks: testmode.Watched) -> None:
    """As `queue`, with nothing to pay and nothing to tell; refused, or failed at once, as its addresses ask for."""
    batch.retention_days = testmode.KEPT_DAYS
    batch.save()
    _store(batch, chunks)
    if chunks.fails:
        stopping.fail(batch=batch, reason=testmode.FAILED)


def _store(batch: Batch, chunks: Iterable[list[Any]]) -> None:
    made = (Chunk(batch=batch, number=number, rows=rows, size=len(rows)) for number, rows in enumerate(chunks))
    count = 0
    while some := list(islice(made, _CHUNKS_AT_ONCE)):
        count += len(Chunk.objects.bulk_create(some))
    if not _is_short(batch):
        pipeline.wake(times=min(settings.WORKERS, count))


def _is_short(batch: Batch) -> bool:
    return batch.total_emails <= settings.IMMEDIATE_ADDRESSES


def run_now(batch: Batch) -> None:
    """Check a short list in the caller's time; what is not done by then, or finds no room, goes to the workers.

    The list is theirs already: a full disk or a database that is away does not make its acknowledgement a refusal.
    """
    try:
        _run_now(batch)
    except (Error, OSError) as error:
        if faults.refusal_of(error) is None:
            raise
        log.exception("a short list was left to the workers")


def _run_now(batch: Batch) -> None:
    if not _is_short(batch):
        return
    if _at_once.acquire(blocking=False):
        try:
            pipeline.run_now(batch, seconds=testmode.IMMEDIATE_S if batch.test else settings.IMMEDIATE_SECONDS)
        finally:
            _at_once.release()
    batch.refresh_from_db()
    if batch.status in ACTIVE:
        pipeline.wake()


def release_cut_off_checks() -> None:
    """Give back the credits of single checks whose process died: they never take ten minutes."""
    billing.release_stale(prefix=SINGLE, before=timezone.now() - timedelta(minutes=10))
