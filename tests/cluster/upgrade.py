"""Machines are replaced one by one, by ones of another version or of the same."""

import time
from pathlib import Path

from tests.cluster.cluster import Cluster
from tests.cluster.machines import START_S, Machine
from tests.stack import wait_until


def migrate(cluster: Cluster, code: Path) -> None:
    """Migrate the database by a version's own command, while others run."""
    cluster.manage("migrate", "--no-input", "-v", "0", code=code)


def roll(cluster: Cluster, code: Path) -> float:
    """Replace every machine by one that runs the version of a folder, workers first.

    Answers how long the slowest web took to end, in seconds.
    """
    slowest = 0.0
    for machine in (*cluster.workers, *cluster.webs):
        took_s = replace_machine(cluster, machine, code)
        if machine.kind == "web":
            slowest = max(slowest, took_s)
    return slowest


def replace_machine(cluster: Cluster, machine: Machine, code: Path | None = None) -> float:
    """End a machine with SIGTERM and start another in its place, used by the balancer when this returns.

    Answers how long the old one took to end, in seconds.
    """
    began = time.monotonic()
    machine.stop()
    took_s = time.monotonic() - began
    machine.replace(code)
    cluster.start_machines([machine])
    if machine.kind == "web":
        wait_until(lambda: cluster.balancer.is_used(machine.slot), START_S)
    return took_s
