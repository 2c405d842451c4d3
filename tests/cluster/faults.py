"""What happens to a cluster by chance. Each fault is over when its function returns."""

import random
import signal
import time
from collections.abc import Callable

from tests.cluster.cluster import Cluster
from tests.cluster.machines import START_S, Machine
from tests.stack import wait_until

AHEAD_S = 90
Fault = Callable[[Cluster, random.Random], None]


def cut_a_worker(cluster: Cluster, rng: random.Random) -> None:
    """Nothing passes to and from a worker for longer than its leases last; nobody is told so."""
    machine = rng.choice(cluster.workers)
    cluster.change_links(machine, "cut")
    time.sleep(rng.uniform(6, 15))
    cluster.change_links(machine, "mend")


def refuse_a_worker(cluster: Cluster, rng: random.Random) -> None:
    """All connections of a worker are reset, and refused for a while."""
    machine = rng.choice(cluster.workers)
    cluster.change_links(machine, "refuse")
    time.sleep(rng.uniform(2, 8))
    cluster.change_links(machine, "mend")


def freeze_a_worker(cluster: Cluster, rng: random.Random) -> None:
    """A whole machine stands still for longer than its leases last, and goes on as if nothing had been."""
    machine = rng.choice(cluster.workers)
    machine.send_signal(signal.SIGSTOP)
    time.sleep(rng.uniform(6, 15))
    machine.send_signal(signal.SIGCONT)


def kill_redis(cluster: Cluster, rng: random.Random) -> None:
    cluster.redis.kill()
    time.sleep(rng.uniform(1, 8))
    cluster.redis.start()


def kill_postgres(cluster: Cluster, rng: random.Random) -> None:
    cluster.postgres.kill()
    time.sleep(rng.uniform(0, 4))
    cluster.postgres.start()


def lose_a_worker(cluster: Cluster, rng: random.Random) -> None:
    """A machine is gone at once; another comes in its place."""
    _lose(cluster, rng.choice(cluster.workers), rng)


def lose_a_web(cluster: Cluster, rng: random.Random) -> None:
    _lose(cluster, rng.choice(cluster.webs), rng)


def set_a_clock_ahead(cluster: Cluster, rng: random.Random) -> None:
    """A machine is replaced by one whose clock is ahead, until another fault replaces that."""
    machine = rng.choice(cluster.machines)
    machine.stop()
    machine.replace()
    machine.ahead_s = AHEAD_S
    _start(cluster, machine)
    time.sleep(rng.uniform(5, 10))


def _lose(cluster: Cluster, machine: Machine, rng: random.Random) -> None:
    machine.kill()
    time.sleep(rng.uniform(0, 3))
    machine.replace()
    machine.ahead_s = 0
    _start(cluster, machine)


def _start(cluster: Cluster, machine: Machine) -> None:
    cluster.start_machines([machine])
    if machine.kind == "web":
        wait_until(lambda: cluster.balancer.is_used(machine.slot), START_S)


FAULTS: tuple[Fault, ...] = (
    cut_a_worker,
    refuse_a_worker,
    freeze_a_worker,
    kill_redis,
    kill_postgres,
    lose_a_worker,
    lose_a_web,
    set_a_clock_ahead,
)
