"""Our engine as one subject of the run: `python -m benchmarks.engine.ours JOB`, a file of JSON.

It collects garbage as the command line does. Every verdict is taken with all of its evidence. Addresses that may be
asked again soon are, once, in the way the first verdict says.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import uvloop

from validation.engine import EngineConfig, Verdict
from validation.engine.cli.garbage_collection import relax_garbage_collection
from validation.engine.clock import SystemClock
from validation.engine.dns.resolver import WireResolver
from validation.engine.egress.addresses import Egress
from validation.engine.egress.connectors import Connector, DirectConnector, Speaker
from validation.engine.knowledge.domains import DomainLists
from validation.engine.verifier import Verifier
from validation.engine.vocabulary import FollowUp

HELO = "verifier.probing.net"
SENDER = "probe@probing.net"
_PATIENCE_S = 10.0  # longest wait for a second look


class ByLoopback:
    """A way to the world's public addresses where only loopback may be used: 11.x.y.z is served at 127.x.y.z."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._inner: Connector = DirectConnector()
        self.name = self.key = "direct"

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Dial the host. Raises OSError."""
        return await self._inner.connect(factory, f"127.{ip.partition('.')[2]}", self._port)


def verifier_for(job: dict[str, Any]) -> Verifier:
    """The verifier of a job: on the machine's resolver and port 25, or on the ports it names."""
    config = EngineConfig(helo=HELO, mail_from=SENDER, **job.get("config", {}))
    if "dns_port" not in job:
        return Verifier.build(config)
    clock, rng = SystemClock(), random.SystemRandom()
    return Verifier(
        config,
        resolver=WireResolver([("127.0.0.1", job["dns_port"])], clock=clock, rng=rng),
        egresses=[Egress.by(ByLoopback(job["smtp_port"]))],
        knowledge=DomainLists(),
        clock=clock,
        rng=random.Random(),
    )


async def run(job: dict[str, Any]) -> dict[str, Any]:
    """Check the addresses of a job; answers what was found and what it cost."""
    addresses: list[str] = job["addresses"]
    verifier = verifier_for(job)
    start_mb = memory_mb("VmRSS")
    cpu, started = time.process_time(), time.monotonic()
    verdicts, slowest = await _check(verifier, addresses, {})
    seconds, cpu = time.monotonic() - started, time.process_time() - cpu
    answers = [_row(verdict) for verdict in verdicts]
    for index, verdict in (await _second_look(verifier, addresses, verdicts)).items():
        answers[index] = [*answers[index][:2], *_row(verdict)[:2]]
    await verifier.aclose()
    return {
        "seconds": seconds,
        "cpu_s": cpu,
        "start_mb": start_mb,
        "peak_mb": memory_mb("VmHWM"),
        "slowest_s": slowest,
        "answers": answers,
    }


async def _check(
    verifier: Verifier, addresses: Sequence[str], follow_ups: dict[int, FollowUp]
) -> tuple[list[Verdict], float]:
    """All verdicts in order, and when the last one came."""
    found: list[Verdict | None] = [None] * len(addresses)
    started = time.monotonic()
    slowest = evidence = 0.0
    async for arrived in verifier.verify_stream(addresses, follow_ups=follow_ups):
        slowest = time.monotonic() - started
        for index, verdict in arrived:
            evidence += len(verdict.checks) + len(verdict.transcript)
            found[index] = verdict
    verdicts = [verdict for verdict in found if verdict is not None]
    if len(verdicts) != len(addresses) or not evidence:
        raise RuntimeError("verdicts are missing")
    return verdicts, slowest


async def _second_look(verifier: Verifier, addresses: Sequence[str], verdicts: Sequence[Verdict]) -> dict[int, Verdict]:
    """Ask those again whose hosts announced a short wait."""
    due = {
        index: verdict.follow_up
        for index, verdict in enumerate(verdicts)
        if verdict.follow_up is not None and verdict.follow_up.wait_s <= _PATIENCE_S
    }
    if not due:
        return {}
    await asyncio.sleep(max(follow_up.wait_s for follow_up in due.values()))
    again, _ = await _check(verifier, [addresses[index] for index in due], dict(enumerate(due.values())))
    return dict(zip(due, again, strict=True))


def _row(verdict: Verdict) -> list[str]:
    return [verdict.category.value, verdict.reason.value]


def memory_mb(kind: str) -> float:
    """`VmRSS` now or `VmHWM` at most, of this process, in MB (proc(5))."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    """Do the job that the file names."""
    relax_garbage_collection()
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    result = uvloop.run(run(job))
    Path(job["result"]).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
