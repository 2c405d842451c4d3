"""Checks one address: holds its credit, calls engine and providers, stores the result."""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.access.models import ApiKey
from accounts.organisations.models import Organisation
from billing.ledger import services as ledger
from billing.ledger.models import CreditHold
from billing.usage.quota import notify_refusals
from emailcheck.common import secrecy
from emailcheck.common.errors import BadInput
from emailcheck.common.storage.statements import Rows, Statement, execute_together
from emailcheck.common.web import metrics
from validation import entitlements
from validation.batches.intake.cells import MAX_ADDRESS_CHARACTERS
from validation.batches.models import Batch, BatchStatus
from validation.engine import (
    EVERY_CHECK,
    AddressSyntaxError,
    OptionalCheck,
    Verdict,
    has_at_sign,
    parse,
    read_addresses,
)
from validation.engine.verdict.verdicts import is_undecided
from validation.providers import allowance, runner
from validation.results import storage
from validation.results.models import Result
from validation.results.storage import ResultRow, tally_rows
from validation.testmode import verdicts
from validation.verifier.checker import checker
from validation.webhooks import events


@transaction.atomic
def create_test_result(row: ResultRow, *, organisation_id: int) -> Result:
    """Insert the result of a single check in test mode, in a batch of its own, without a type."""
    row = row._replace(charged=False, position=0)
    now = timezone.now()
    batch = Batch.objects.create(
        organisation_id=organisation_id,
        test=True,
        total_emails=1,
        status=BatchStatus.COMPLETED,
        created_at=now,
        completed_at=now,
        **tally_rows([row]),
    )
    return Result.objects.create(batch=batch, created_at=now, **row._asdict())


NO_ADDRESS = "Please enter a valid email address"


SINGLE_KEY_PREFIX = "single:"


MOST_SHOWN = 20
"""The addresses of a text with several that an answer shows."""


class _Asked(NamedTuple):
    """The address to check, and what its evidence says of the text that was sent."""

    address: str
    reading: dict[str, Any]


def validate_single(
    *,
    organisation: Organisation,
    address: str,
    api_key: ApiKey | None = None,
    use_providers: bool | None = None,
    repair: bool = False,
) -> Result:
    """Check one address now. `api_key`: the key of the call. `use_providers`: as for a list.

    With `repair` the address is taken out of what stands around it. A text with several is impossible syntax, free;
    with `repair` nothing of it is kept.

    Raises `BadInput` (`INVALID_EMAIL`) for an empty address, and with a key for one without @ (DOC-033); `Refused`
    without a credit, as `ledger.open_hold`.
    """
    address = address.strip()
    if not address or (api_key is not None and not has_at_sign(address)):
        raise BadInput(NO_ADDRESS, code="INVALID_EMAIL", field="email", value=address)
    asked = _read_text(address, repair=repair)
    if repair and asked.reading.get("found_count"):
        row = storage.build_row(ask_engine(asked.address, EVERY_CHECK), reading=asked.reading)
        return Result(**row._asdict())
    if organisation.in_test_mode:
        return _record_test_single(organisation, asked)
    with notify_refusals(organisation):
        key = f"{SINGLE_KEY_PREFIX}{secrecy.generate_id('chk')}"
        cost = _compute_most_credits(asked.address)
        job = entitlements.begin_job(
            organisation=organisation, cost=cost, reason="Single check", key=key, api_key=api_key
        )
    try:
        started = time.monotonic()
        verdict = _ask_providers(organisation, ask_engine(asked.address, job.checks), job.hold, use_providers)
        took_ms = round(1000 * (time.monotonic() - started))
        row = storage.build_row(verdict, basic=job.is_basic, reading=asked.reading)
        writing = storage.SingleWriting(row, took_ms=took_ms, organisation_id=organisation.pk)
        is_charged, tell = row.charged, events.has_endpoints(organisation.pk)
        return _record_single(writing, job.hold, is_charged=is_charged, tell=tell)
    except BaseException:
        if job.hold:
            ledger.close_hold(hold=job.hold, captured=0)
        raise


def _read_text(text: str, *, repair: bool) -> _Asked:
    """What is checked of a text: the whole of it, or the address that it holds."""
    reading = read_addresses(text)
    if reading.found > 1:
        found = {"found_addresses": reading.addresses[:MOST_SHOWN], "found_count": reading.found}
        return _Asked(cut_address(text), found)
    if repair and reading.kinds:
        return _Asked(reading.addresses[0], {"repaired_from": text, "repairs": reading.kinds})
    return _Asked(cut_address(text), {})


def cut_address(address: str) -> str:
    """The text, cut to the length of an address."""
    return address[:MAX_ADDRESS_CHARACTERS]


def _compute_most_credits(address: str) -> int:
    """The most that a check can cost: impossible syntax is free (VAL-043)."""
    try:
        parse(address)
    except AddressSyntaxError:
        return 0
    return 1


def ask_engine(address: str, checks: frozenset[OptionalCheck], *, deadline_s: float | None = None) -> Verdict:
    """The engine's verdict on one address, at the latest after `deadline_s` seconds."""
    asked = checker()
    asked.load_known_domains([address])
    verdict = asked.check(address, checks=checks, deadline_s=deadline_s)
    asked.store_learned()
    metrics.count_single_check()
    return verdict


def _ask_providers(
    organisation: Organisation, verdict: Verdict, hold: CreditHold | None, choice: bool | None
) -> Verdict:
    """The verdict with outside providers' answers, where it is undecided and they are allowed."""
    if not is_undecided(verdict):
        return verdict
    gate = allowance.allowance_of_job(organisation, hold=hold, choice=choice)
    return runner.ask_providers(verdict, gate) if gate else verdict


def _record_single(writing: storage.SingleWriting, hold: CreditHold | None, *, is_charged: bool, tell: bool) -> Result:
    """What other checks of the account wait for comes last, and at once where no webhook has to know the result's id.

    What was not earned is returned by itself; a process that dies right before leaves that to
    `release_cut_off_checks`.
    """
    earned = hold if is_charged else None
    if tell:
        with transaction.atomic():
            result = writing.build_result(*execute_together([writing.inserting]))
            events.announce_single(result)
            _execute_charged(earned, after=writing.counting)
    else:
        result = writing.build_result(*_execute_charged(earned, before=[writing.inserting], after=writing.counting))
    if hold and not earned:
        ledger.close_hold(hold=hold, captured=0)
    return result


def _execute_charged(
    earned: CreditHold | None, *, before: Sequence[Statement] = (), after: Sequence[Statement]
) -> list[Rows]:
    """Execute statements around the charge, if there is one. Answers the rows of those `before`."""
    if earned:
        return ledger.spend_hold(hold=earned, before=before, after=after)
    return execute_together([*before, *after])[: len(before)]


@transaction.atomic
def _record_test_single(organisation: Organisation, asked: _Asked) -> Result:
    row = storage.build_row(verdicts.check_address(asked.address), reading=asked.reading)
    result = create_test_result(row, organisation_id=organisation.pk)
    events.announce_single(result)
    return result


def release_cut_off_checks() -> None:
    """Release the credits of single checks whose process died: a check never takes ten minutes."""
    ledger.release_stale_holds(prefix=SINGLE_KEY_PREFIX, before=timezone.now() - timedelta(minutes=10))
