"""Several machines under faults: `make soak-cluster ROUNDS=10 SEED=…`.

In each round lists and calls are under way through the balancer, others are exported and deleted, and faults come by
chance; in one round in the middle the machines are replaced, one by one, by ones of the next version, with a migration.
After each, every row of every list came back once, counts, charges and messages are right, `reconcile` finds 0
differences, files of deleted lists are gone, scheduled work was made once, and no process is left over. The seed is
printed: the same one gives the same faults in the same order. It exits with 1 when anything was wrong, and names the
folder of the logs.
"""

import argparse
import random
import secrets
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx2

from benchmarks import figures
from tests.cluster import checks
from tests.cluster.calls import RATE, CallsUnderWay, Outcome
from tests.cluster.cluster import Cluster, list_missing, running_cluster
from tests.cluster.customer import Customer
from tests.cluster.faults import FAULTS, Fault
from tests.cluster.upgrade import migrate, roll
from tests.cluster.versions import make_next_version
from tests.soak import LIST, addresses_of, say
from tests.stack import ROOT

END_WITHIN_S = 300.0
DRAIN_BAR_S = 10.0
WARM_S = 15.0
_WAITING = (
    "SELECT c.state, c.size, c.wait_cause, c.waits_for, c.not_before, c.lease_until, now() FROM validation_chunk c "
    "JOIN validation_batch b ON b.id = c.batch_id WHERE b.public_id = %s AND c.state <> 'done'"
)
_BY_NAME = {fault.__name__: fault for fault in FAULTS}


@dataclass(slots=True)
class Soak:
    """A running cluster, its customer, chance, and what the customer was promised so far."""

    cluster: Cluster
    customer: Customer
    rng: random.Random
    rows: int
    rate: float = RATE
    addresses: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    ended: dict[str, list[str]] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)

    def prepare(self) -> None:
        """Two lists that have ended before the first fault."""
        checks.watch_schedules(self.cluster)
        self.customer.listen()
        self.addresses = list(dict.fromkeys(line.lower() for line in addresses_of(LIST)))
        self.check_lists([self.start_list(), self.start_list()])

    def run_round(self, chosen: list[Fault]) -> str:
        """Some faults, one after another; answers what there is to say. Raises where something was wrong."""
        with CallsUnderWay(self.cluster.address, self.customer.key, rate=self.rate) as calls:
            begun = [self.start_list(), self.start_list()]
            with ThreadPoolExecutor(1) as beside:
                meanwhile = beside.submit(self.use_meanwhile)
                for fault in chosen:
                    time.sleep(self.rng.uniform(0.5, 3))
                    fault(self.cluster, self.rng)
                begun.append(meanwhile.result())
        self.outcomes.append(calls.outcome)
        self.check_all(begun)
        return describe_calls(calls.outcome)

    def upgrade(self) -> tuple[str, Outcome, float]:
        """All machines are replaced by ones of the next version while calls go on, which are not repeated."""
        code = make_next_version(self.cluster.place.folder("next"))
        self.outcomes.append(self.warm_up())
        with CallsUnderWay(self.cluster.address, self.customer.key, rate=self.rate, again=False) as calls:
            begun = [self.start_list(), self.start_list()]
            migrate(self.cluster, code)
            slowest_s = roll(self.cluster, code)
            begun.append(self.start_list())
        self.outcomes.append(calls.outcome)
        self.check_all(begun)
        assert not self.cluster.list_running(ROOT), "processes of the version before are left over"
        return describe_calls(calls.outcome), calls.outcome, slowest_s

    def warm_up(self) -> Outcome:
        """Calls for a while, so that no machine makes its first ones later."""
        with CallsUnderWay(self.cluster.address, self.customer.key, rate=self.rate) as calls:
            time.sleep(WARM_S)
        return calls.outcome

    def use_meanwhile(self) -> tuple[str, list[str]]:
        """Somebody signs in and is known to every web; an export, a deletion and a new list; answers its id and its
        addresses."""
        signed_in = self.customer.sign_in()
        for _ in range(2 * len(self.cluster.webs)):
            self.customer.ask("GET", "/api/credits", headers=signed_in)
        batch_id, other = self.rng.sample(sorted(self.ended), 2)
        assert len(self.customer.export(batch_id)) == len(self.ended[batch_id])
        ((file,),) = self.cluster.postgres.query("SELECT file FROM validation_batch WHERE public_id = %s", other)
        self.customer.delete(other)
        self.deleted.append(str(file))
        del self.ended[other]
        return self.start_list()

    def start_list(self) -> tuple[str, list[str]]:
        addresses = self.rng.sample(self.addresses, self.rows)
        return self.customer.start_list(addresses), addresses

    def check_all(self, begun: list[tuple[str, list[str]]]) -> None:
        """What must hold after a round. Raises `AssertionError` or `TimeoutError`."""
        self.check_lists(begun)
        checks.check_messages(self.customer, [batch_id for batch_id, _ in begun], END_WITHIN_S)
        checks.check_files(self.cluster, self.deleted, END_WITHIN_S)
        checks.check_calls(self.cluster, self.outcomes)
        checks.check_books(self.cluster)
        checks.check_processes(self.cluster)

    def check_lists(self, begun: list[tuple[str, list[str]]]) -> None:
        for batch_id, addresses in begun:
            try:
                checks.check_list(self.customer, batch_id, addresses, END_WITHIN_S)
            except TimeoutError as error:
                error.add_note(f"{batch_id} waits: {self.cluster.postgres.query(_WAITING, batch_id)}")
                raise
            self.ended[batch_id] = addresses


def describe_calls(outcome: Outcome) -> str:
    """How many calls were answered, how fast, and what went wrong with how many."""
    took = sorted(outcome.took_ms) or [0.0]
    failures = ", ".join(f"{times} {kind}" for kind, times in sorted(outcome.failures.items())) or "no failures"
    middle, late = took[len(took) // 2], took[int(0.95 * (len(took) - 1))]
    return f"{len(outcome.ids)} calls answered, p50 {middle:.0f} ms, p95 {late:.0f} ms; {failures}"


def run_soak(soak: Soak, rounds: int, allowed: list[Fault]) -> bool:
    """So many rounds, one of them the upgrade where every fault is allowed; answers whether that kept to its bars."""
    middle, is_smooth = rounds // 2 + 1 if len(allowed) == len(FAULTS) else 0, True
    for number in range(1, rounds + 1):
        chosen = soak.rng.choices(allowed, k=soak.rng.randint(1, 3))
        names = ["upgrade"] if number == middle else [fault.__name__ for fault in chosen]
        say(f"round {number}: {', '.join(names)} …")
        began = time.monotonic()
        if number == middle:
            said, outcome, slowest_s = soak.upgrade()
            is_smooth = tell_upgrade(outcome, slowest_s, soak.rate)
        else:
            said = soak.run_round(chosen)
        say(f"  nothing lost or doubled ({time.monotonic() - began:.0f} s): {said}")
    return is_smooth


def tell_upgrade(outcome: Outcome, slowest_s: float, rate: float) -> bool:
    """The figures of an upgrade; answers whether they keep to their bars."""
    failed = sum(outcome.failures.values())
    figures.at_most(f"[SCA-024] failed calls during a rolling upgrade under {rate:g} calls a second", failed, 0)
    figures.at_most("[SCA-003] a web has ended behind the balancer after", slowest_s, DRAIN_BAR_S, "s", digits=1)
    say(f"  rolling upgrade: {failed} failed calls (bar 0); the slowest web drained in {slowest_s:.1f} s (bar 10 s)")
    return not failed and slowest_s <= DRAIN_BAR_S


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--rows", type=int, default=1_500, help="of each list")
    parser.add_argument("--rate", type=float, default=RATE, help="calls a second")
    parser.add_argument("--port", type=int, default=0, help="of the balancer; the others follow. By default free ones")
    parser.add_argument("--only", choices=sorted(_BY_NAME), action="append", help="only these faults")
    options = parser.parse_args(arguments)
    if missing := list_missing():
        say(f"not installed: {', '.join(missing)}")
        return 2
    say(f"seed {options.seed}")
    allowed = [_BY_NAME[name] for name in options.only] if options.only else list(FAULTS)
    try:
        with running_cluster(options.port) as cluster:
            soak = Soak(cluster, Customer(cluster), random.Random(options.seed), options.rows, options.rate)
            soak.prepare()
            is_smooth = run_soak(soak, options.rounds, allowed)
            lists, calls = len(soak.ended) + len(soak.deleted), sum(len(one.ids) for one in soak.outcomes)
    except (AssertionError, TimeoutError, RuntimeError, httpx2.HTTPError) as error:
        say(f"  VIOLATION: {type(error).__name__}: {error}\n  {' '.join(getattr(error, '__notes__', []))}")
        return 1
    tell_rounds(options.rounds, lists, calls)
    return 0 if is_smooth else 1


def tell_rounds(rounds: int, lists: int, calls: int) -> None:
    """The summary of rounds of which each was clean, and its figure."""
    figures.at_least("[SCA-034] rounds of the soak in which nothing was lost, doubled or left over", rounds, rounds)
    say(f"{rounds} rounds clean: {lists} lists, {calls:,} calls; nothing lost, doubled or left over")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
