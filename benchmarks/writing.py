"""What it costs to turn verdicts into stored results: plain rows against model instances, in one run.

    make bench-pipeline

The same verdicts, of real sessions with the simulated world, are written in both ways, in turns, in transactions that
are rolled back. Medians of `ROUNDS` rounds, processor time. The instances are made from the same row, so that its
making counts in both.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from django.db import transaction

from accounts.users.models import User
from tests.stack import ROOT
from tests.world import Sandbox, running_world
from validation.batches.models import Batch, BatchType
from validation.engine import EngineConfig, Verdict
from validation.engine.verifier import Verifier
from validation.results import storage
from validation.results.models import Result
from validation.results.storage import EvidenceWriter

ROUNDS = 5
ADDRESSES = 4_000


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, running_world(Path(directory)) as world:
        verdicts = asyncio.run(verdicts_of(world))
    ways = {"plain rows, one statement": as_rows, "model instances, bulk_create": as_instances}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            times[name].append(cost(way, verdicts))
    print(f"{len(verdicts):,} verdicts, medians of {ROUNDS} rounds, µs of CPU a row")
    for name, measured in times.items():
        print(f"{name:30}{1e6 * statistics.median(measured) / len(verdicts):6.0f}")


async def verdicts_of(world: Sandbox) -> list[Verdict]:
    """The verdicts on the first addresses of the long sample."""
    text = (ROOT / "samples" / "list-20000.txt").read_text(encoding="utf-8")
    config = EngineConfig(
        dns_servers=(("127.0.0.1", world.dns_port),),
        routes=(f"socks5://127.0.0.1:{world.socks_port}",),
        helo="verifier.emailcheck.app",
        mail_from="probe@emailcheck.app",
    )
    verifier = Verifier.build(config)
    verdicts = [verdict async for _, verdict in verifier.verify_many(text.splitlines()[:ADDRESSES])]
    await verifier.aclose()
    return verdicts


def cost(way: Callable[[Batch, list[Verdict]], None], verdicts: list[Verdict]) -> float:
    """Processor seconds of one way; nothing stays behind."""
    with transaction.atomic():
        owner = User.objects.create_user("benchmark@alder.com", name="Benchmark")
        batch = Batch.objects.create(
            organisation=owner.own_organisation, batch_type=BatchType.BULK_TEXTAREA, total_emails=len(verdicts)
        )
        started = time.process_time()
        way(batch, verdicts)
        used = time.process_time() - started
        assert batch.results.count() == len(verdicts)
        transaction.set_rollback(True)
    return used


def as_rows(batch: Batch, verdicts: list[Verdict]) -> None:
    """What the pipeline does."""
    evidence_writer = EvidenceWriter()
    rows = [
        storage.build_row(verdict, position=position, evidence_writer=evidence_writer)
        for position, verdict in enumerate(verdicts, 1)
    ]
    storage.insert_results(storage.prepare_results(rows), organisation_id=batch.organisation_id, batch_id=batch.pk)


def as_instances(batch: Batch, verdicts: list[Verdict]) -> None:
    """What the ORM offers."""
    made = []
    for position, verdict in enumerate(verdicts, 1):
        values = storage.build_row(verdict, position=position)._asdict()
        made.append(Result(organisation_id=batch.organisation_id, batch=batch, **values))
    Result.objects.bulk_create(made, batch_size=500)
