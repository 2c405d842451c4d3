"""What docs/scale.md multiplies: bytes, log, statements and time of a stored result, on a PostgreSQL of its own.

    make bench-costs

The database syncs its log, as in production. Results: the verdicts of real sessions with the simulated world, written
by the pipeline's own functions as lists of 4,000, each in a transaction. Tasks: one for each transaction, then
taken, done and ended by so many processes. Pipeline: the product with two workers and a Redis checks the sample of
20,000 rows; what it does while nobody uses it is taken off. Checks: single ones by the API.
"""

import asyncio
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path

from django.db import connection, connections, transaction
from django_q.brokers import get_broker

from accounts.users.models import User
from benchmarks import figures
from benchmarks.api import MAKE_KEY, Caller
from benchmarks.pipeline import GRANT, LIST
from benchmarks.writing import verdicts_of
from emailcheck.common.queue import tasks
from tests.redis_server import running_redis
from tests.stack import QUEUES, Stack, cpu_seconds, running_stack
from tests.world import running_world
from validation.batches.models import Batch, BatchType
from validation.engine import Verdict
from validation.results import storage
from validation.results.storage import EvidenceWriter

LISTS = 20
TASKS, ROUNDS = 1_000, 3
PROCESSES = (1, 4)
WORKERS = 2
IDLE_S, CHECKS, LOOK_EVERY_S = 20.0, 300, 1.0
TASK = "emailcheck.common.queue.tasks.run_heartbeat"
_SIZES = """
SELECT pg_table_size('validation_result'), pg_indexes_size('validation_result'),
       pg_total_relation_size('validation_evidence')"""
_COUNTS = """
SELECT coalesce(sum(calls) FILTER (WHERE NOT query ~ '^SELECT ([$]1$|[$]2 FROM ONLY|.*"django_q_ormq")'), 0),
       coalesce(sum(calls) FILTER (WHERE query ~ '^SELECT ([$]1$|.*"django_q_ormq")'), 0),
       coalesce(sum(calls) FILTER (WHERE query LIKE 'SELECT $2 FROM ONLY %'), 0), coalesce(sum(total_exec_time), 0),
       pg_snapshot_xmax(pg_current_snapshot())::text::bigint, pg_current_wal_lsn() - '0/0'::pg_lsn
FROM pg_stat_statements"""


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, running_world(Path(directory)) as world:
        verdicts = asyncio.run(verdicts_of(world))
    measure_results(verdicts)
    measure_queue()
    count_statements()
    with tempfile.TemporaryDirectory() as folder, running_redis(Path(folder)) as (address, _):
        measure_product(Path(folder), address)


def tell(what: str, value: float, bar: float, unit: str, *, digits: int = 0) -> None:
    print(f"{what:80}{value:12,.{digits}f} {unit}")
    figures.at_most(what, value, bar, unit, digits=digits)


def ask(statement: str) -> tuple[float, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return tuple(float(value) for value in cursor.fetchone() or ())


def measure_results(verdicts: list[Verdict]) -> None:
    """Bytes and log of stored results."""
    owner = User.objects.create_user("costs@alder.com", name="Costs").own_organisation
    before, log, used = ask(_SIZES), ask(_LOG), time.process_time()
    for _ in range(LISTS):
        store_list(owner.pk, verdicts)
    used, written = time.process_time() - used, ask(_LOG)[0] - log[0]
    rows = LISTS * len(verdicts)
    table, indexes, evidence = (after - was for after, was in zip(ask(_SIZES), before, strict=True))
    tell("a stored result: its row", table / rows, 500, "bytes")
    tell("a stored result: its indexes", indexes / rows, 900, "bytes")
    tell("a stored result: its evidence", evidence / rows, 300, "bytes")
    tell("a stored result: log (WAL) of its writing", written / rows, 3_000, "bytes")
    tell("a stored result: processor time of its writing, in Python", 1e6 * used / rows, 200, "µs")


_LOG = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"


def store_list(organisation_id: int, verdicts: list[Verdict]) -> None:
    """Write a list as the pipeline does."""
    writer = EvidenceWriter()
    with transaction.atomic():
        batch = Batch.objects.create(
            organisation_id=organisation_id, batch_type=BatchType.BULK_TEXTAREA, total_emails=len(verdicts)
        )
        rows = [storage.build_row(one, position=at, evidence_writer=writer) for at, one in enumerate(verdicts, 1)]
        storage.insert_results(storage.prepare_results(rows), organisation_id=organisation_id, batch_id=batch.pk)


def measure_queue() -> None:
    """Tasks a second, put in and done by processes of their own; docs/scale.md says how few lists need."""
    for count in PROCESSES:
        into = statistics.median(rate(enqueue_some, count) for _ in range(ROUNDS))
        done = []
        for _ in range(ROUNDS):
            enqueue_some(TASKS - tasks.count_waiting(TASK, "high"))
            done.append(rate(take_all, count))
        for what, value in (("put into the queue", into), ("taken, done and ended", statistics.median(done))):
            print(f"tasks a second {what}, {count} processes: {value:,.0f}")
            figures.at_least(f"tasks a second {what}, {count} processes", value, 20)


def rate(work: Callable[[int], None], count: int) -> float:
    """Tasks a second, of `TASKS` that so many processes share."""
    connections.close_all()
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=work, args=(TASKS // count,)) for _ in range(count)]
    begun = time.monotonic()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    return TASKS / (time.monotonic() - begun)


def enqueue_some(count: int) -> None:
    for _ in range(count):
        with transaction.atomic():
            tasks.enqueue(TASK, "nobody")


def take_all(_: int) -> None:
    """As a worker takes and ends tasks; what they do costs nothing here."""
    broker = get_broker("high")
    while (taken := broker.dequeue()) is not None:
        for pk, _ in taken:
            broker.acknowledge(pk)


def count_statements() -> None:
    """Have the server count statements: it restarts for that."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
    connections.close_all()
    subprocess.run(os.environ["POSTGRES_CRASH"], shell=True, check=True, stdout=subprocess.DEVNULL)
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION pg_stat_statements")


@dataclass(frozen=True, slots=True)
class Spent:
    """What something took: seconds, statements of the product, polls of its workers with the `SELECT 1` before each,
    keys that the server looked up for constraints, ms in the server, transactions that wrote, bytes of log, commands of
    Redis, processor seconds of the product."""

    wall_s: float
    statements: float
    polls: float
    keys: float
    server_ms: float
    writes: float
    log: float
    commands: float
    cpu_s: float

    def without(self, idle: "Spent") -> "Spent":
        """Without what goes on all the time."""
        share = self.wall_s / idle.wall_s
        mine, theirs = astuple(self)[1:], astuple(idle)[1:]
        return Spent(self.wall_s, *(max(0.0, own - share * other) for own, other in zip(mine, theirs, strict=True)))


def measure_product(directory: Path, redis: str) -> None:
    """What a list and single checks take in the whole product."""
    changes = {"WORKERS": str(WORKERS), "GREYLIST_SECONDS": "0", "REDIS_URL": redis, "DATABASE_URL": database_url()}
    with running_stack(directory / "var", **changes) as stack:
        stack.manage("shell", "--no-imports", "-c", GRANT)
        key = stack.manage("shell", "--no-imports", "-c", MAKE_KEY).strip().splitlines()[-1]
        run_list(stack)  # connections, caches and sessions
        idle = spend(stack, redis, lambda: time.sleep(IDLE_S))
        rows = float(run_list(stack))
        spent = spend(stack, redis, lambda: run_list(stack)).without(idle)
        caller = Caller(stack, key, 0)
        caller.call()
        checks = spend(stack, redis, lambda: make_checks(caller)).without(idle)
    tell("an idle machine: statements", (idle.statements + idle.polls) / idle.wall_s, 100, "a second")
    tell("an idle machine: commands to Redis", idle.commands / idle.wall_s, 100, "a second")
    tell("a list: statements for 1,000 rows", 1_000 * spent.statements / rows, 300, "", digits=1)
    tell("a list: keys looked up for constraints, for 1,000 rows", 1_000 * spent.keys / rows, 3_000, "", digits=1)
    tell("a list: transactions that write, for 1,000 rows", 1_000 * spent.writes / rows, 100, "", digits=1)
    tell("a list: time in the database for 1,000 rows", 1_000 * spent.server_ms / rows, 1_000, "ms", digits=1)
    tell("a list: log (WAL) of a row, from the upload to its end", spent.log / rows, 5_000, "bytes")
    tell("a list: commands to Redis for 1,000 rows", 1_000 * spent.commands / rows, 2_000, "", digits=1)
    tell("a list: processor time of a row, web and workers", 1e3 * spent.cpu_s / rows, 1, "ms", digits=3)
    tell("a single check: statements", checks.statements / CHECKS, 40, "", digits=1)
    tell("a single check: transactions that write", checks.writes / CHECKS, 10, "", digits=1)
    tell("a single check: time in the database", checks.server_ms / CHECKS, 20, "ms", digits=2)
    tell("a single check: log (WAL)", checks.log / CHECKS, 20_000, "bytes")
    tell("a single check: commands to Redis", checks.commands / CHECKS, 40, "", digits=1)
    tell("a single check: processor time of the product", 1e3 * checks.cpu_s / CHECKS, 20, "ms", digits=2)


def make_checks(caller: Caller) -> None:
    for _ in range(CHECKS):
        caller.call()


def database_url() -> str:
    return os.environ["DATABASE_URL"]


def run_list(stack: Stack) -> int:
    """Check the sample; its number of rows."""
    stack.client.post("/sandbox/reset", follow_redirects=True).raise_for_status()
    batch_id = stack.upload(LIST.with_suffix(".csv"))["batch_id"]
    while (status := stack.status(batch_id))["status"] != "completed":
        time.sleep(LOOK_EVERY_S)  # each look is a call that costs too
    return int(status["total_emails"])


def spend(stack: Stack, redis: str, work: Callable[[], object]) -> Spent:
    """Work, and what it took."""
    payers = stack.members("web", *QUEUES)
    before, begun = (*ask(_COUNTS), count_commands(redis), cpu_seconds(payers)), time.monotonic()
    work()
    wall_s = time.monotonic() - begun
    after = (*ask(_COUNTS), count_commands(redis), cpu_seconds(payers))
    return Spent(wall_s, *(now - was for now, was in zip(after, before, strict=True)))


def count_commands(redis: str) -> float:
    """How many commands the server has been sent."""
    socket = redis.removeprefix("unix://").partition("?")[0]
    told = subprocess.run(["redis-cli", "-s", socket, "info", "stats"], capture_output=True, check=True, text=True)
    return float(told.stdout.partition("total_commands_processed:")[2].split()[0])
