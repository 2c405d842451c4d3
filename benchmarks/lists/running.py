"""Running lists: what the pipeline costs over the bare engine, what a second worker brings, memory and fairness.

Everything asks one simulated mail internet whose replies take 50 ms, in a network of the run's own. The product is
real: web, queues, workers, database. Wall-clock time is that from the start of the list to its end; processor time that
of all processes that serve it, the idle ones included.
"""

import asyncio
import multiprocessing
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import figures
from benchmarks.engine.internet import Internet
from benchmarks.engine.internet import running as running_internet
from benchmarks.engine.ours import HELO, SENDER
from benchmarks.engine.scenes import INSIDE
from benchmarks.engine.worlds import Recipe, build
from tests.stack import QUEUES, Stack, cpu_seconds, running_stack, wait_until
from validation.engine import EngineConfig
from validation.engine.verifier import Verifier

DELAY_S = 0.05
SETS = 400
ROWS = 100_000
ROUNDS = 5
LOOK_S = 0.5  # how often the list is looked at; its page does so every two seconds
LONGEST_S = 600.0  # of the bare engine over a list
SHORT, LONG = 40_000, 400_000
_START = """
import sys
from accounts.users.models import User
from billing.ledger import services as ledger
from validation.batches import services as batches
user = User.objects.get(email="alice@alder-and-ash.com")
organisation = user.own_organisation
ledger.grant_credits(
    organisation_id=organisation.pk, kind="pack", amount=1_000_000, reason="Benchmark", key="benchmark")
lines = open({path!r}, encoding="utf-8").read().splitlines()
print(batches.start_list(organisation=organisation, lines=lines, batch_type="bulk_textarea").public_id)
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a list took: wall-clock and processor seconds, and the most memory over idle in MB."""

    wall_s: float
    cpu_s: float
    over_idle_mb: float = 0.0


def cost(seed: int, divide: int, rounds: int = ROUNDS) -> None:
    """The pipeline with one worker against the bare engine in one process, in turns."""
    rows = ROWS // divide
    print(f"### {rows:,} rows, replies after {DELAY_S * 1000:.0f} ms: one worker against the bare engine\n")
    turns = list[tuple[Taken, Taken]]()
    with _internet(seed, rows) as (internet, addresses):
        for _ in range(rounds):
            turns.append((_bare(internet, addresses), _whole(internet, addresses, 1)))
            _row("bare engine", rows, turns[-1][0])
            _row("pipeline, one worker", rows, turns[-1][1])
    bare, whole = (_middle(list(column)) for column in zip(*turns, strict=True))
    more, times = whole.wall_s / bare.wall_s - 1, whole.cpu_s / bare.cpu_s
    print(f"cost, by the medians of {rounds}: {more:+.0%} of the time, {times:.2f} times the CPU\n")
    figures.at_most(f"{rows:,} rows: time of the pipeline over the bare engine", 100 * more, 25, "%")
    figures.at_most(f"{rows:,} rows: CPU of the pipeline, of the bare engine's", times, 1.5, "times", digits=2)


def workers(seed: int, divide: int) -> None:
    """The pipeline with one worker and with two."""
    rows = ROWS // divide
    with _internet(seed, rows) as (internet, addresses):
        taken = {count: _whole(internet, addresses, count) for count in (1, 2)}
    print(f"### {rows:,} rows, {SETS} sets of mail hosts, replies after {DELAY_S * 1000:.0f} ms: workers 1 → 2\n")
    for count, one in taken.items():
        _row(f"{count} workers", rows, one)
    gain = taken[1].wall_s / taken[2].wall_s
    print(f"speed: × {gain:.2f}\n")
    figures.at_least(f"{rows:,} rows: speed with two workers, of that with one", gain, 1.8, "times", digits=2)


def size(seed: int, divide: int) -> None:
    """A list ten times as long, and a one-address job beside it."""
    beside: list[float] = []
    with _internet(seed, LONG // divide) as (internet, addresses), _product(internet, 2) as stack:
        short = _through(stack, internet, addresses[: SHORT // divide])
        long = _through(stack, internet, addresses, beside)
    print(f"### {LONG // divide:,} rows against {SHORT // divide:,}, two workers\n")
    _row("short", SHORT // divide, short)
    _row("long", LONG // divide, long)
    print(f"time: × {long.wall_s / short.wall_s:.1f}; memory over idle: {long.over_idle_mb:.0f} MB of all processes")
    print(f"one-address lists beside it took {', '.join(f'{seconds:.1f}' for seconds in beside)} s\n")
    what = f"{LONG // divide:,} rows"
    figures.at_most(f"{what}: time of {SHORT // divide:,}", long.wall_s / short.wall_s, 11, "times", digits=1)
    figures.at_most(f"{what}: memory of all processes over idle", long.over_idle_mb, 256, "MB")
    figures.at_most(f"{what}: a one-address list beside it", max(beside), 5, "s", digits=1)


def _middle(taken: list[Taken]) -> Taken:
    """The medians of some runs."""
    return Taken(statistics.median(one.wall_s for one in taken), statistics.median(one.cpu_s for one in taken))


@contextmanager
def _internet(seed: int, rows: int) -> Iterator[tuple[Internet, list[str]]]:
    recipe = Recipe(seed=seed, domains=max(rows // 20, 2 * SETS), sets=SETS, addresses=rows, named=False)
    addresses = [address for address, _ in build(recipe).questions]
    with running_internet(recipe, INSIDE) as internet:
        yield internet, addresses


@contextmanager
def _product(internet: Internet, count: int) -> Iterator[Stack]:
    changes = {
        "WORKERS": str(count),
        "GREYLIST_SECONDS": "0",
        "IMMEDIATE_ADDRESSES": "0",
        "VERIFIER_DNS": f"127.0.0.1:{internet.dns_port}",
        "VERIFIER_SMTP_PORT": str(internet.smtp_port),
        "VERIFIER_ROUTES": "direct",
    }
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), **changes) as stack:
        yield stack


def _whole(internet: Internet, addresses: list[str], count: int) -> Taken:
    with _product(internet, count) as stack:
        return _through(stack, internet, addresses)


def _through(stack: Stack, internet: Internet, addresses: list[str], beside: list[float] | None = None) -> Taken:
    """One list through the product. With `beside`, one-address lists are started meanwhile and their times noted."""
    internet.start(DELAY_S)
    payers = stack.members("web", *QUEUES)
    before, idle = cpu_seconds(payers), memory_mb(payers)
    batch_id = start_list(stack, addresses)
    started, peak = time.monotonic(), idle
    while stack.status(batch_id)["status"] != "completed":
        peak = max(peak, memory_mb(payers))
        if beside is not None and len(beside) < 3:
            beside.append(_one_address(stack, addresses[0]))
        time.sleep(LOOK_S)
    return Taken(time.monotonic() - started, cpu_seconds(payers) - before, peak - idle)


def start_list(stack: Stack, addresses: Sequence[str]) -> str:
    """Start a list as Alice does, who has credits enough; answers its id."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.write("\n".join(addresses))
        file.flush()
        return stack.manage("shell", "--no-imports", "-c", _START.format(path=file.name)).strip()


def _one_address(stack: Stack, address: str) -> float:
    """A list of one address that nobody checks at once: the workers have to."""
    started = time.monotonic()
    answer = stack.client.post("/api/validate/bulk", json={"emails": [address]})
    answer.raise_for_status()
    batch_id = answer.json()["batch_id"]
    wait_until(lambda: stack.status(batch_id)["status"] == "completed", 120)
    return time.monotonic() - started


def memory_mb(pids: list[int]) -> float:
    """Memory of processes, what they share counted once (PSS)."""
    total = 0
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total / 1024


def _bare(internet: Internet, addresses: list[str]) -> Taken:
    """The engine without the product, in a process of its own."""
    internet.start(DELAY_S)
    ordered = sorted(addresses, key=lambda address: address.rpartition("@")[2].lower())
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(threading.active_count)
        started = time.monotonic()
        cpu = pool.apply(_check_all, (internet.dns_port, internet.smtp_port, ordered))
        return Taken(time.monotonic() - started, cpu)


def _check_all(dns_port: int, smtp_port: int, addresses: list[str]) -> float:
    """Check a list; answers the processor seconds that took, without those that the process took to start."""
    before = time.process_time()
    asyncio.run(_check(dns_port, smtp_port, addresses))
    return time.process_time() - before


async def _check(dns_port: int, smtp_port: int, addresses: list[str]) -> None:
    config = EngineConfig(
        dns_servers=(("127.0.0.1", dns_port),), smtp_port=smtp_port, helo=HELO, mail_from=SENDER, routes=("direct",)
    )
    verifier = Verifier.build(config)
    arrived = 0
    async with asyncio.timeout(LONGEST_S):
        async for _ in verifier.verify_many(addresses):
            arrived += 1
    await verifier.aclose()
    assert arrived == len(addresses)


def _row(name: str, rows: int, taken: Taken) -> None:
    speed, cpu = f"{rows / taken.wall_s:8,.0f} addresses/s", f"{1e6 * taken.cpu_s / rows:7.0f} µs each"
    print(f"{name:24}{speed}{taken.wall_s:9.1f} s{taken.cpu_s:9.1f} s CPU{cpu}", flush=True)
