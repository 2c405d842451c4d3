"""Speed and memory of a 20,000-row list: the engine alone and the whole pipeline, in one run on one machine.

    make bench-pipeline

Both ask the same simulated world at 0 ms. The engine alone runs in as many processes as the pipeline has workers, each
with its part of the same domains; the pipeline is the real product: upload, workers, SQLite, progress. The share
outside the engine is what the pipeline costs on top: of wall-clock time, and of processor time (web and workers
against the bare engines). Medians of `ROUNDS` rounds, taken in turns because machines are noisy.
"""

import asyncio
import multiprocessing
import os
import platform
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import figures
from tests.stack import QUEUES, ROOT, Stack, cpu_seconds, peak_memory_mb, running_stack, wait_until
from validation.engine import EngineConfig
from validation.engine.profiles import Profiles
from validation.engine.verifier import Verifier

LIST = ROOT / "samples" / "list-20000"
PROFILES = ROOT / "emailcheck" / "sandbox" / "profiles.toml"  # the product's too
ROUNDS = 3
WORKERS = 2
GRANT = """
from accounts.users.models import User
from billing.ledger import services as ledger
user = User.objects.get(email="alice@alder-and-ash.com")
organisation = user.own_organisation.pk
ledger.grant_credits(
    organisation_id=organisation, kind="pack", amount=1_000_000, reason="Benchmark", key="benchmark")
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Wall-clock and processor seconds of one round."""

    wall_s: float
    cpu_s: float


def main() -> None:
    # Without patience for greylisting hosts: work is measured, not their wait of some seconds.
    changes = {"WORKERS": str(WORKERS), "GREYLIST_SECONDS": "0"}
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), **changes) as stack:
        stack.manage("shell", "--no-imports", "-c", GRANT)
        rounds = [(engine_alone(stack), whole_pipeline(stack)) for _ in range(ROUNDS)]
        web_mb = peak_memory_mb(stack.members("web"))
        worker_mb = peak_memory_mb(stack.members(*QUEUES))
    report([engine for engine, _ in rounds], [pipeline for _, pipeline in rounds], web_mb, worker_mb)


def report(engine: list[Cost], pipeline: list[Cost], web_mb: float, worker_mb: float) -> None:
    """Print the figures."""
    addresses = len(addresses_of_list())
    wall = {"engine": middle(engine, lambda cost: cost.wall_s), "pipeline": middle(pipeline, lambda cost: cost.wall_s)}
    cpu = {"engine": middle(engine, lambda cost: cost.cpu_s), "pipeline": middle(pipeline, lambda cost: cost.cpu_s)}
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, SQLite, {WORKERS} workers"
    )
    print(f"{addresses:,} rows, simulated servers at 0 ms, medians of {ROUNDS} rounds")
    print(f"{'':26}{'addresses/s':>12}{'wall s':>9}{'CPU s':>9}{'µs CPU an address':>19}")
    for name, title in (("engine", "engine alone"), ("pipeline", "upload → completed")):
        rate = addresses / wall[name]
        print(f"{title:26}{rate:12,.0f}{wall[name]:9.2f}{cpu[name]:9.2f}{1e6 * cpu[name] / addresses:19,.0f}")
    print(f"outside the engine: {share(wall):.0%} of the time, {share(cpu):.0%} of the processor time")
    print(f"peak memory: web process {web_mb:.0f} MB, largest queue process {worker_mb:.0f} MB")
    figures.at_most(f"{addresses:,} rows: share of the time outside the engine", 100 * share(wall), 30, "%")
    figures.at_most("memory of a web process", web_mb, 200, "MB")


def share(cost: dict[str, float]) -> float:
    return 1 - cost["engine"] / cost["pipeline"]


def middle(costs: list[Cost], value: Callable[[Cost], float]) -> float:
    return statistics.median(value(cost) for cost in costs)


def engine_alone(stack: Stack) -> Cost:
    """The engine over the list, without Django, in as many processes as the pipeline has workers."""
    forget(stack)
    addresses = sorted(addresses_of_list(), key=lambda address: address.rpartition("@")[2].lower())
    size = -(-len(addresses) // WORKERS)
    shares = [addresses[number * size : (number + 1) * size] for number in range(WORKERS)]
    context = multiprocessing.get_context("spawn")
    with context.Pool(WORKERS) as pool:
        pool.map(warm_up, range(WORKERS))
        started = time.monotonic()
        cpu = sum(pool.starmap(check_all, [(stack.port, share) for share in shares], chunksize=1))
        return Cost(time.monotonic() - started, cpu)


def whole_pipeline(stack: Stack) -> Cost:
    """From the answer to the upload until the batch is completed; web and workers pay."""
    forget(stack)
    payers = stack.members("web", *QUEUES)
    before = cpu_seconds(payers)
    batch_id = stack.upload(LIST.with_suffix(".csv"))["batch_id"]
    started = time.monotonic()
    wait_until(lambda: stack.status(batch_id)["status"] == "completed", 300)
    return Cost(time.monotonic() - started, cpu_seconds(payers) - before)


def forget(stack: Stack) -> None:
    """Have the simulated servers forget their counters and greylists."""
    stack.client.post("/sandbox/reset", follow_redirects=True).raise_for_status()


def addresses_of_list() -> list[str]:
    return LIST.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def warm_up(_: int) -> None:
    """Start a process of the pool and import what it needs, outside the measured time."""


def check_all(port: int, addresses: list[str]) -> float:
    """Check a share of the list; answers the processor seconds it took."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    asyncio.run(_check_all(port, addresses))
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


async def _check_all(port: int, addresses: list[str]) -> None:
    config = EngineConfig(
        dns_servers=(("127.0.0.1", port + 153),),
        routes=(f"socks5://127.0.0.1:{port + 125}",),
        helo="verifier.emailcheck.app",
        mail_from="probe@emailcheck.app",
        profiles=Profiles.read(PROFILES),
    )
    verifier = Verifier.build(config)
    arrived = 0
    async for _ in verifier.verify_many(addresses, deadline_s=60):
        arrived += 1
    await verifier.aclose()
    assert arrived == len(addresses)


if __name__ == "__main__":
    main()
