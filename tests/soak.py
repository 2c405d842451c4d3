"""Lists under faults: `make soak ROUNDS=20 SEED=…`.

Half of the list has the operators of real life, at limits for which its rows wait. A calm run says what the export of
a list has to be. Then, round by round, the same list runs through the real product
while its processes are killed, stopped, restarted and starved at random moments, and a second list is cancelled. After
each round every list that was acknowledged has ended, the export is that of the calm run, octet by octet but for
times and sentences, and the credits add up. The seed is printed: the same one gives the same faults in the same order.
"""

import argparse
import csv
import io
import os
import random
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import httpx2

from tests.stack import ALICE, QUEUES, ROOT, Stack, running_stack, wait_until
from tests.world import Sandbox, running_world
from validation.engine.profiles import SHIPPED

LIST = ROOT / "samples" / "list-20000.txt"
AS_IN_LIFE = ROOT / "samples" / "list-real-20000.csv"
CHANGES = {
    "LEASE_SECONDS": "3",
    "CHUNK_ROWS": "100",
    "WINDOW_ROWS": "800",
    "GREYLIST_SECONDS": "0",
    "IMMEDIATE_ADDRESSES": "0",
}
LATENCY_MS = 60.0
# Those of life, so that rows wait for them.
LIMITS = {"EGRESS_PROFILES": str(SHIPPED)}
_BY_CHANCE = {"Explanation", "Checked at"}
ENDED = {"completed", "cancelled", "failed"}
_FULL_AT = 1024 * 1024  # octets that a file may have while the disk is full: less than the database has
_WAKE_TWICE = (
    "from emailcheck.common.queue import tasks\nfor _ in range(3): tasks.enqueue('validation.tasks.work', queue='bulk')"
)
_TOP_UP = (
    "from accounts.users.models import User\n"
    "from billing.ledger import services as ledger\n"
    "from billing.ledger.models import LotKind\n"
    "user = User.objects.get(email={email!r})\n"
    "organisation = user.own_organisation.pk\n"
    "ledger.grant_credits(organisation_id=organisation, kind=LotKind.PACK, amount={amount}, reason='A round of lists', "
    "key={key!r})"
)


def workers(stack: Stack) -> list[int]:
    """The processes that check lists."""
    return stack.members("bulk")


def kill(pids: list[int], number: int = signal.SIGKILL) -> None:
    """Send a signal; who is gone is gone."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def kill_web(stack: Stack, rng: random.Random) -> None:
    kill(stack.members("web"))


def kill_a_worker(stack: Stack, rng: random.Random) -> None:
    kill(rng.sample(workers(stack), 1) if workers(stack) else [])


def kill_all_workers(stack: Stack, rng: random.Random) -> None:
    kill(stack.members(*QUEUES))


def kill_the_parent(stack: Stack, rng: random.Random) -> None:
    """The process from which all others were forked: they end with it."""
    kill(stack.parents())


def kill_everything(stack: Stack, rng: random.Random) -> None:
    kill(stack.processes())
    stack.stop(signal.SIGKILL)
    stack.start()


def restart(stack: Stack, rng: random.Random) -> None:
    stack.stop()
    stack.start()


def stop_past_the_lease(stack: Stack, rng: random.Random) -> None:
    stopped = workers(stack)[:1]
    kill(stopped, signal.SIGSTOP)
    time.sleep(float(CHANGES["LEASE_SECONDS"]) + 1.5)
    kill(stopped, signal.SIGCONT)


def deliver_twice(stack: Stack, rng: random.Random) -> None:
    stack.manage("shell", "--no-imports", "-c", _WAKE_TWICE)


def fill_the_disk(stack: Stack, rng: random.Random) -> None:
    """No file of the workers may grow for a while (setrlimit(2)): their writes fail as on a full disk."""
    _limit_files(workers(stack), _FULL_AT)
    time.sleep(2)
    _limit_files(workers(stack), resource.RLIM_INFINITY)


def kill_the_database(stack: Stack, rng: random.Random) -> None:
    """PostgreSQL dies at once and comes back through its log; SQLite lives in the processes that are killed."""
    control = os.environ.get("POSTGRES_CRASH")
    if control:
        subprocess.run(control, shell=True, check=True, capture_output=True)
    else:
        kill_everything(stack, rng)


def _limit_files(pids: list[int], octets: int) -> None:
    for pid in pids:
        try:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (octets, resource.RLIM_INFINITY))
        except ProcessLookupError:
            continue


def first_difference(calm: bytes, export: bytes) -> str:
    """Where an export begins to differ from that of the calm run, and in how many lines."""
    lines = list(zip_longest(calm.decode().splitlines(), export.decode().splitlines()))
    differing = [f"calm: {one}\nnow:  {other}" for one, other in lines if one != other]
    return f"{len(differing)} of {len(lines)} lines differ, first\n{differing[0]}"


def addresses_of(path: Path) -> list[str]:
    """The addresses of a sample list, a text or a table with a column of them."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".txt":
        return lines
    return [next(cell for cell in row.values() if "@" in cell) for row in csv.DictReader(lines)]


def domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower()


Fault = Callable[[Stack, random.Random], None]
FAULTS: tuple[Fault, ...] = (
    kill_web,
    kill_a_worker,
    kill_all_workers,
    kill_the_parent,
    kill_everything,
    restart,
    stop_past_the_lease,
    deliver_twice,
    fill_the_disk,
    kill_the_database,
)


_BY_NAME = {fault.__name__: fault for fault in FAULTS}


@dataclass(slots=True)
class Soak:
    """A running product, what its list has to come to, and chance."""

    stack: Stack
    world: Sandbox
    rng: random.Random
    folder: Path
    rows: list[str] = field(default_factory=list)
    calm: bytes = b""

    def prepare(self, rows: int) -> None:
        """Take a list whose verdicts do not depend on how often its hosts were asked, and its calm export."""
        lines = self.rng.sample(addresses_of(LIST), rows - rows // 2) + self.rng.sample(
            addresses_of(AS_IN_LIFE), rows // 2
        )
        first = self.export(self.finished(self.start(lines)))
        found = list(csv.DictReader(io.StringIO(first.decode())))
        fickle = {domain_of(row["Email"]) for row in found if row["Category"] == "unknown"}
        written = {row["Email"] for row in found}
        self.rows = [line for line in lines if line in written and domain_of(line) not in fickle]
        self.forget()
        self.calm = self.export(self.finished(self.start(self.rows)))

    def round(self, faults: list[Fault]) -> None:
        """One list through some faults, one after the other, and a second one that is cancelled meanwhile.

        Raises `AssertionError` where something was lost, doubled or changed.
        """
        self.ready()
        batch_id, other_id = self.start(self.rows), self.start(self.rows[: len(self.rows) // 2])
        moment = self.rng.uniform(0.2, 4.0)
        with beside(lambda: self.calmly(lambda: self.cancel(other_id)), after=moment):
            for fault in faults:
                time.sleep(self.rng.uniform(0.2, 1.5))
                fault(self.stack, self.rng)
        self.finished(other_id)
        export = self.export(self.finished(batch_id))
        assert export == self.calm, first_difference(self.calm, export)
        self.check_other(other_id)
        assert self.stack.manage("reconcile").startswith("0 differences")

    def ready(self) -> Stack:
        """The product, with Alice signed in and able to pay, and with an outside world that knows of no list before."""
        self.sign_in()
        self.top_up()
        self.forget()
        return self.stack

    def check_other(self, batch_id: str) -> None:
        """What was cancelled has a result for each row that counts as done, and no credits are held any more."""
        batch = self.calmly(lambda: self.stack.get(f"/api/validate/batch/{batch_id}?page_size=10000"))
        rows = [row["row"] for row in batch["emails"]]
        assert len(rows) == len(set(rows)) == batch["processed_emails"] == batch["total"]
        assert self.calmly(lambda: self.stack.get("/api/credits"))["held"] == 0

    def start(self, lines: list[str]) -> str:
        """Hand a list in; once it is acknowledged it has to end."""
        path = self.folder / "list.txt"
        path.write_text("\n".join(lines), encoding="utf-8")
        answer: dict[str, Any] = self.calmly(lambda: self.stack.upload(path))
        return str(answer["batch_id"])

    def cancel(self, batch_id: str) -> None:
        answer = self.stack.client.post(f"/api/validate/batch/{batch_id}/cancel")
        assert answer.status_code in {200, 409}, answer.text

    def finished(self, batch_id: str) -> str:
        """Wait until a batch has ended; answers its id."""
        wait_until(lambda: self.calmly(lambda: self.stack.status(batch_id))["status"] in ENDED, 180)
        return batch_id

    def export(self, batch_id: str) -> bytes:
        """The export without the times, and without the sentences: they name the mail host that was asked by chance."""
        address = f"/api/validate/batch/{batch_id}/export?format=csv"
        text = self.calmly(lambda: self.stack.client.get(address).raise_for_status().text)
        kept = io.StringIO()
        columns = csv.DictReader(io.StringIO(text))
        names = [name for name in columns.fieldnames or () if name not in _BY_CHANCE]
        writer = csv.DictWriter(kept, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(columns)
        return kept.getvalue().encode()

    def sign_in(self) -> None:
        answer = self.calmly(lambda: self.stack.client.post("/api/auth/login", json=ALICE).raise_for_status())
        self.stack.client.headers["Authorization"] = f"Bearer {answer.json()['token']}"

    def top_up(self) -> None:
        """Pay for a round where what is left does not, so that there may be any number of them."""
        if self.calmly(lambda: self.stack.get("/api/credits"))["credits"] >= 2 * len(self.rows):
            return
        grant = _TOP_UP.format(email=ALICE["email"], amount=10 * len(self.rows), key=secrets.token_hex(8))
        self.stack.manage("shell", "--no-imports", "-c", grant)

    def forget(self) -> None:
        """Let the simulated servers forget; their replies take a moment."""
        self.world.simulation.reset()
        self.world.simulation.switches.latency_ms = LATENCY_MS
        self.world.simulation.switches.greylist_s = 0.0

    def calmly(self, ask: Callable[[], Any], seconds: float = 60) -> Any:
        """Ask until there is an answer: the web server may be down at this moment."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return ask()
            except (httpx2.TransportError, httpx2.HTTPStatusError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)


@contextmanager
def soaking(seed: int, folder: Path, rows: int, **changes: str) -> Iterator[Soak]:
    """A product with its calm run behind it."""
    with running_world(folder / "world") as world:
        # The outside world is no part of the product: it stays when everything else dies.
        outside = {
            "VERIFIER_DNS": f"127.0.0.1:{world.dns_port}",
            "VERIFIER_ROUTES": f"socks5://127.0.0.1:{world.socks_port}",
        }
        with running_stack(folder / "var", **CHANGES | outside | changes) as stack:
            soak = Soak(stack, world, random.Random(seed), folder)
            soak.forget()
            soak.prepare(rows)
            yield soak


@contextmanager
def beside(do: Callable[[], object], *, after: float) -> Iterator[None]:
    """Do something meanwhile, `after` seconds from now. Leaving waits for it, and raises what it raised."""

    def later() -> None:
        time.sleep(after)
        do()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(later)
        yield
        done.result()


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> None:
    """So many rounds of three to five faults each."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--rows", type=int, default=3_000)
    parser.add_argument("--only", choices=sorted(_BY_NAME), action="append", help="only these faults")
    options = parser.parse_args(arguments)
    say(f"seed {options.seed}")
    allowed = [_BY_NAME[name] for name in options.only] if options.only else FAULTS
    with tempfile.TemporaryDirectory() as folder, soaking(options.seed, Path(folder), options.rows, **LIMITS) as soak:
        say(f"{len(soak.rows):,} rows")
        for number in range(1, options.rounds + 1):
            faults = soak.rng.choices(allowed, k=soak.rng.randint(3, 5))
            say(f"round {number}: {', '.join(fault.__name__ for fault in faults)} …")
            started = time.monotonic()
            soak.round(faults)
            say(f"  ok ({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main(sys.argv[1:])
