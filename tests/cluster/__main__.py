"""`make demo-cluster`: several machines on one host, a list, a machine that is lost in the middle, and the proof."""

import argparse
import signal
import sys
import time
from contextlib import suppress

from emailcheck.common.demo import DEMO_LOGINS
from tests.cluster import checks
from tests.cluster.cluster import Cluster, list_missing, running_cluster
from tests.cluster.customer import Customer
from tests.soak import LIST, addresses_of, say
from tests.stack import wait_until

_KILL_AT = 0.3
_END_WITHIN_S = 900.0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end after the proof, not with Ctrl-C")
    parser.add_argument("--rows", type=int, default=20_000, help="of the list")
    parser.add_argument("--port", type=int, default=0, help="of the balancer; the others follow. By default free ones")
    options = parser.parse_args(arguments)
    if missing := list_missing():
        say(f"not installed: {', '.join(missing)}. On Debian: apt-get install postgresql redis-server haproxy")
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.monotonic()
    say("Starting PostgreSQL, Redis, an object store, the simulated world, two webs, three workers and a balancer …")
    with suppress(KeyboardInterrupt), running_cluster(options.port) as cluster:
        introduce(cluster, time.monotonic() - began)
        prove(cluster, options.rows)
        if not options.once:
            say("\nIt goes on until Ctrl-C, which ends everything.")
            signal.pause()
    say("Everything that was started has ended.")
    return 0


def introduce(cluster: Cluster, took_s: float) -> None:
    """Say where to go, how to sign in, and what runs where."""
    say(f"\n  EmailCheck is ready after {took_s:.0f} s: {cluster.address}")
    for login in DEMO_LOGINS:
        say(f"    {login.email:26}  {login.password}   {login.label}")
    ports = f"PostgreSQL {cluster.postgres.port}, Redis {cluster.redis.port}, object store {cluster.store.port}"
    say(f"\n  shared      {ports}, simulated world {cluster.outside.http}")
    for one in cluster.machines:
        runs = f"web on {one.web_port}" if one.kind == "web" else "workers" + " and a scheduler" * one.schedules
        say(f"  {one.slot:11} {runs}, egress-{one.number + 1}, {one.folder}")


def prove(cluster: Cluster, rows: int) -> None:
    """Run a list, lose a machine in the middle, and show that every row came back once."""
    customer = Customer(cluster)
    checks.watch_schedules(cluster)
    addresses = list(dict.fromkeys(line.lower() for line in addresses_of(LIST)[:rows]))
    began, batch_id = time.monotonic(), customer.start_list(addresses)
    say(f"\n  {len(addresses):,} addresses are handed in at the balancer: {batch_id}")
    at = int(_KILL_AT * len(addresses))
    wait_until(lambda: customer.read_status(batch_id)["processed_emails"] >= at, _END_WITHIN_S)
    lost = cluster.workers[0]
    count = len(lost.list_processes())
    done = customer.read_status(batch_id)["processed_emails"]
    lost.kill()
    say(f"  {done:,} are done: {lost.slot} is lost, all of its {count} processes by kill -9")
    kinds = checks.check_list(customer, batch_id, addresses, _END_WITHIN_S)
    checks.check_books(cluster)
    took_s = time.monotonic() - began
    say(f"  {sum(kinds.values()):,} rows came back, each exactly once, after {took_s:.0f} s: {dict(kinds)}")
    say("  reconcile: 0 differences; nothing scheduled was made twice")
    lost.replace()
    cluster.start_machines([lost])
    say(f"  {lost.name} runs in its place")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
