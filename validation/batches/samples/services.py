"""Draws the sample of a list. It costs nothing, and there is one for each content, and so many a month."""

import secrets
from collections.abc import Iterable, Iterator
from random import Random

from django.db import transaction

from accounts.organisations.models import Organisation
from accounts.team.holders import lock_organisation
from billing.catalogue.plans import Plan
from billing.subscriptions.entitlements import load_current_plan
from emailcheck.common.errors import BadInput, Conflict, ProductError
from emailcheck.common.queue import tasks
from emailcheck.common.text.dates import format_day
from emailcheck.env import Env
from validation.batches.samples.models import Sample
from validation.batches.samples.verdicts import pack_sample

_env = Env()
WORK = "validation.tasks.work"
LEAST_ADDRESSES = _env.number("SAMPLE_LEAST_ADDRESSES", 1_000)
SIZE = _env.number("SAMPLE_SIZE", 100)
A_MONTH_ON_FREE = _env.number("SAMPLES_A_MONTH_ON_FREE", 1)
A_MONTH = _env.number("SAMPLES_A_MONTH", 10)
_WAS_TAKEN = "These addresses have had their free sample."
_rng = secrets.SystemRandom()


def find_reason(organisation: Organisation, *, possible: int, content_hash: str) -> str:
    """Why a list can have no sample now; "" where it can. `possible`: its addresses that can cost a credit."""
    refusal = _find_refusal(organisation, possible, content_hash)
    return refusal.detail if refusal else ""


def _find_refusal(organisation: Organisation, possible: int, content_hash: str) -> ProductError | None:
    if possible < LEAST_ADDRESSES:
        return BadInput(f"A free sample takes a list of at least {LEAST_ADDRESSES:,} addresses.", field="upload_id")
    mine = Sample.objects.for_org(organisation)
    if mine.filter(content_hash=content_hash).exists():
        return Conflict(_WAS_TAKEN, code="SAMPLE_USED")
    now = load_current_plan(organisation)
    most = A_MONTH_ON_FREE if now.plan == Plan.FREE else A_MONTH
    if mine.filter(created_at__gte=now.month.starts_at).count() >= most:
        plan = "Free has" if now.plan == Plan.FREE else "Your plan has"
        day = format_day(now.month.ends_at)
        samples = "one free sample" if most == 1 else f"{most:,} free samples"
        return Conflict(f"{plan} {samples} a credit month. The next one begins on {day}.", code="SAMPLE_USED")
    return None


def create_sample(
    organisation: Organisation, addresses: Iterable[str], *, possible: int, content_hash: str, rng: Random = _rng
) -> Sample:
    """Draw the sample of a list evenly from its `addresses`, of which there are `possible`.

    Raises `BadInput` for a smaller list, `Conflict` (`SAMPLE_USED`) for a second sample and one above the month's
    number; nothing changes then.
    """
    _refuse(organisation, possible, content_hash)
    drawn = list(_draw(addresses, possible, rng))
    with transaction.atomic():
        lock_organisation(organisation)
        _refuse(organisation, possible, content_hash)
        return _store_sample(organisation, drawn, possible, content_hash)


def _refuse(organisation: Organisation, possible: int, content_hash: str) -> None:
    refusal = _find_refusal(organisation, possible, content_hash)
    if refusal:
        raise refusal


def _store_sample(organisation: Organisation, drawn: list[str], possible: int, content_hash: str) -> Sample:
    """Keep a sample, and wake a worker for it."""
    tasks.enqueue(WORK, queue="bulk")
    return Sample.objects.create(
        organisation=organisation,
        test=organisation.in_test_mode,
        content_hash=content_hash,
        unique=possible,
        size=len(drawn),
        verdicts=pack_sample((address, None) for address in drawn),
    )


def _draw(addresses: Iterable[str], possible: int, rng: Random) -> Iterator[str]:
    """So many of the addresses that each set of them is equally likely."""
    places = set(rng.sample(range(possible), min(SIZE, possible)))
    return (address for place, address in enumerate(addresses) if place in places)
