"""Long lists that wait for rates of ours: what somebody waits beside them, and what the waiting costs.

Every row is at an operator of real life. The single checks run beside a list at one operator that keeps to the shipped
rate. What waiting costs is measured over a list that rates hold up from its first second to its last, at all operators
at once and six times as fast as in life, so that its end can be waited for: the product's worker is looked at for its
memory, and beside it works one that times itself (`timed_worker`).
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice, product
from typing import Any

from benchmarks import figures
from benchmarks.engine import words
from benchmarks.lists import life
from benchmarks.lists.life import Life
from benchmarks.lists.running import memory_mb, start_list
from tests.stack import QUEUES, ROOT, wait_until
from validation.engine.profiles import Profiles

SINGLE_ROWS, SINGLES = 110_000, 20
WAITING_ROWS = 400_000
# Rows at each of them, as many as its rate is: all lines last until the end.
SHARES = {"gmail.com": 5, "outlook.com": 5, "yahoo.com": 1, "icloud.com": 1, "gmx.net": 1}
PACE, BORNE = 6, 100  # times the rates of life: how we ask, and what operators bear
_WORKER = "from benchmarks.lists import timed_worker; timed_worker.main({batch_id!r})"


def single(_seed: int, divide: int) -> None:
    """Single checks at Yahoo beside a list that waits for Yahoo."""
    rows = list(islice(mailboxes("yahoo.com"), SINGLE_ROWS // divide + SINGLES))
    checks, listed = rows[:SINGLES], rows[SINGLES:]
    with life.running_life(Profiles.shipped()) as world:
        batch_id = start_list(world.stack, listed)
        wait_until(lambda: _rows_in_line(world, batch_id) > 0.9 * len(listed), 300)
        answers = [_check(world, address) for address in checks]
        left = _rows_in_line(world, batch_id)
    times = sorted(seconds for seconds, _ in answers)
    asked = sum(reason == "mailbox_exists" for _, reason in answers)
    what = f"a single check at Yahoo beside {len(listed):,} rows that wait for Yahoo"
    print(f"### {what}\n")
    print(f"{SINGLES} checks: median {statistics.median(times):.2f} s, slowest {times[-1]:.2f} s; {asked} answered")
    print(f"{left:,} rows still wait\n")
    figures.at_most(f"[A1] {what}: slowest of {SINGLES}", times[-1], 3, "s", digits=2)
    figures.at_least(f"[A1] {what}: answered by Yahoo", asked, SINGLES)


def waiting(_seed: int, divide: int) -> None:
    """Memory and processor time of a long list that waits for rates."""
    rows, profiles = list(mixed(WAITING_ROWS // divide)), life.times_the_rates(PACE)
    with life.running_life(profiles, changes={"WORKERS": "1"}) as world:
        world.bear(life.numbers_of(life.times_the_rates(BORNE)))
        queue = world.stack.members(*QUEUES)
        idle = memory_mb(queue)
        batch_id = start_list(world.stack, rows)
        with _timed_worker(world, batch_id) as timed:
            peak, seconds = _watch(world, batch_id, queue)
            seen: dict[str, Any] = json.loads(timed.communicate(timeout=120)[0].splitlines()[-1])
    what = f"{len(rows):,} rows that wait for rates"
    share = 100 * seen["waiting_cpu_s"] / seen["cpu_s"]
    print(f"### {what}\n")
    print(f"{seconds:.0f} s; the rates allow {max(life.allowed_s(rows, profiles).values()):.0f} s")
    print(f"all queue processes with one worker: {idle:.0f} MB idle, at most {peak:.0f} MB")
    print(f"the worker that times itself: {json.dumps(seen)}: {share:.1f} %\n")
    figures.at_most(f"{what}: memory of all queue processes over idle", peak - idle, 256, "MB")
    figures.at_most(f"{what}: what the waiting takes of a worker's CPU", share, 5, "%", digits=1)


def mixed(count: int) -> Iterator[str]:
    """Mailboxes at all operators of real life, in their proportion."""
    boxes = {domain: mailboxes(domain) for domain in SHARES}
    domains = [domain for domain, share in SHARES.items() for _ in range(share)]
    return (next(boxes[domain]) for domain in islice(cycle(domains), count))


def mailboxes(domain: str) -> Iterator[str]:
    """People who have a mailbox there, each once."""
    for number, given, family in product(range(1, 1_000), words.GIVEN, words.FAMILY):
        yield f"{given}.{family}{number}@{domain}"


@contextmanager
def _timed_worker(world: Life, batch_id: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", _WORKER.format(batch_id=batch_id)]
    with subprocess.Popen(command, cwd=ROOT, env=world.stack.environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _watch(world: Life, batch_id: str, pids: list[int]) -> tuple[float, float]:
    """The most memory that processes have together until a list has ended, in MB, and how long that took."""
    started, peak = time.monotonic(), 0.0
    while world.stack.status(batch_id)["status"] != "completed":
        peak = max(peak, memory_mb(pids))
        time.sleep(life.LOOK_S)
    return peak, time.monotonic() - started


def _check(world: Life, address: str) -> tuple[float, str]:
    """One address; answers the seconds it took, and the reason."""
    started = time.monotonic()
    answer = world.stack.client.post("/api/validate/single", json={"email": address})
    answer.raise_for_status()
    return time.monotonic() - started, str(answer.json()["reason"])


def _rows_in_line(world: Life, batch_id: str) -> int:
    return int(world.stack.status(batch_id)["waiting"])
