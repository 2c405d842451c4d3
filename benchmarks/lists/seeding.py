"""A million stored results of one customer, as the pipeline leaves them: lists with their counts, single checks with
their credits. Runs inside the product: `manage.py shell`.
"""

import random
import time
from collections.abc import Iterator
from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone

from accounts.users.models import User
from billing.ledger.models import CreditHold, HoldState
from tests.stack import ALICE
from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.daily import rollups
from validation.daily.models import Source
from validation.engine import Category, Check, Outcome, Reason, Verdict
from validation.results import storage
from validation.results.models import Result
from validation.results.storage import EvidenceWriter, ResultRow, build_evidence

LISTS = (400_000, *[50_000] * 10)
SINGLES = 100_000
SLICE = 10_000
DAYS = 365
CATEGORIES = {"valid": 6_000, "invalid": 1_799, "catch_all": 900, "unknown": 700, "disposable": 600, "spam_trap": 1}
CONFIDENCE = {"valid": (0.97, 0.93, 0.9), "catch_all": (0.62, 0.5, 0.41), "unknown": (0.4, 0.3, 0.1)}
DOMAINS = ("gmail.com", "outlook.com", "yahoo.com", *(f"company-{number}.com" for number in range(4_000)))
NAMES = ("anna", "ben", "carla", "david", "emma", "felix", "greta", "hugo", "ida", "jonas", "klara", "liam")


def main(*, seed: int, divide: int) -> None:
    """Store `1 / divide` of a million results and print how long that took."""
    started = time.monotonic()
    user = User.objects.get(email=ALICE["email"])
    rng = random.Random(seed)
    for size in LISTS:
        store_list(user, size // divide, rng)
    _singles(user, SINGLES // divide, rng)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "postgresql" else "PRAGMA wal_checkpoint(TRUNCATE)")
    print(f"{Result.objects.count():,} results stored in {time.monotonic() - started:.0f} s")


# About what a mail server that was asked leaves: 21 checks and the conversation.
ASKED = Verdict(
    email="",
    category=Category.VALID,
    reason=Reason.MAILBOX_EXISTS,
    sentence="",
    mx_hosts=("mx",),
    transcript=tuple(f"S: 250-mx.company.com answers with line {number}" for number in range(14)),
    checks=tuple(
        Check(f"check_{n}", Outcome.PASS, f"what check {n} found out about this", "SMTP RCPT", 12.5) for n in range(21)
    ),
)


def _rows(size: int, rng: random.Random) -> Iterator[ResultRow]:
    categories = rng.choices(list(CATEGORIES), list(CATEGORIES.values()), k=size)
    # Half of the addresses are at three operators, as in real lists.
    domains = rng.choices(DOMAINS, [2_400, 1_000, 600, *[1] * 4_000], k=size)
    for position, (category, domain) in enumerate(zip(categories, domains, strict=True), start=1):
        email = f"{rng.choice(NAMES)}.{rng.randrange(10**6)}@{domain}"
        confidence = rng.choice(CONFIDENCE.get(category, (0.0,)))
        yield storage.build_unchecked_row(email, position=position)._replace(
            domain=domain,
            category=category,
            confidence=confidence,
            safe_to_send=category == "valid" or confidence > 0.6,
            charged=category != "unknown",
        )


def store_list(user: User, size: int, rng: random.Random) -> Batch:
    """A finished list with its results, evidence and counts."""
    batch = Batch.objects.create(
        organisation=user.own_organisation,
        batch_type=BatchType.FILE_UPLOAD,
        filename=f"list-{size}.csv",
        total_emails=size,
        status=BatchStatus.COMPLETED,
        completed_at=timezone.now(),
    )
    rows = list(_rows(size, rng))
    # As chunks come: by domain, not in the order of the list.
    rows.sort(key=lambda row: row.domain)
    for first in range(0, size, SLICE):
        writer = EvidenceWriter()
        prepared = storage.prepare_results(
            row._replace(details=writer.add(ASKED)) for row in rows[first : first + SLICE]
        )
        with transaction.atomic():
            storage.insert_results(prepared, organisation_id=user.pk, batch_id=batch.pk)
            Chunk.objects.create(
                batch=batch, number=first, rows=[], size=len(prepared.rows), state=ChunkState.DONE, **prepared.tally
            )
    Batch.objects.filter(pk=batch.pk).update(**storage.tally_rows(rows))
    return batch


def _singles(user: User, size: int, rng: random.Random) -> None:
    """Single checks over a year; those of this month with the credits that they cost."""
    shared = {"position": 0, "details": build_evidence(ASKED)}
    now = timezone.now()
    for first in range(0, size, SLICE):
        rows = list(_rows(min(SLICE, size - first), rng))
        moment = now - timedelta(days=DAYS * (size - first) // size)
        with transaction.atomic():
            Result.objects.bulk_create(
                Result(organisation=user.own_organisation, created_at=moment, **(row._asdict() | shared))
                for row in rows
            )
            rollups.add_counts(
                storage.tally_rows(rows), organisation_id=user.pk, on=rollups.day_of(moment), source=Source.SINGLE
            )
            CreditHold.objects.bulk_create(
                CreditHold(
                    organisation=user.own_organisation,
                    key=f"single:{size}:{first + n}",
                    amount=1,
                    captured=1,
                    state=HoldState.CLOSED,
                    closed_at=now,
                )
                for n in range(len(rows))
            )
