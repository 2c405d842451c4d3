"""Everything of a cluster, started in order and stopped at once."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cluster.backends import ObjectStore, Outside, Postgres, Redis, find_postgres
from tests.cluster.balancer import Balancer, find_haproxy
from tests.cluster.machines import PORTS_EACH, START_S, Machine, Shared
from tests.cluster.place import BEHIND, MARK, Place, Program, open_place
from tests.stack import ROOT, wait_until

WEBS, WORKERS = 2, 3
_FIRST_MACHINE = 9
# Small leases and chunks: a list changes hands within seconds.
CHANGES = {
    "WORKERS": "1",
    "WEB_THREADS": "32",  # for checks that wait while another machine takes the processors
    "LEASE_SECONDS": "5",
    "CHUNK_ROWS": "200",
    "WINDOW_ROWS": "1000",
    "GREYLIST_SECONDS": "0",
    "IMMEDIATE_ADDRESSES": "0",
}


class Cluster:
    """Two webs and three workers behind a balancer. `say` gets a line for each step."""

    def __init__(self, place: Place, changes: dict[str, str]) -> None:
        port = place.first_port
        self.place = place
        self.postgres = Postgres(place, port + 1)
        self.redis = Redis(place, port + 2)
        self.store = ObjectStore(place, port + 3)
        self.address = f"http://127.0.0.1:{port}"
        self.outside = Outside(place, port + 4, self.address)
        self.shared = Shared(
            self.postgres,
            self.redis.port,
            self.store,
            self.outside,
            self.address,
            CHANGES | changes,
        )
        self.webs = [self._build_machine("web", number, 0) for number in range(WEBS)]
        self.workers = [self._build_machine("work", number, WEBS) for number in range(WORKERS)]
        self.balancer = Balancer(place, port, {one.slot: one.web_port for one in self.webs})
        links = [link for machine in self.machines for link in machine.links]
        command = [sys.executable, "-m", "tests.cluster.link", json.dumps(links)]
        self._links = Program(place, "links", command, is_asked=True)

    @property
    def machines(self) -> list[Machine]:
        return [*self.webs, *self.workers]

    def start(self) -> None:
        """Start all, with an empty, migrated database that has the demo accounts."""
        for backend in (self.redis, self.store, self.outside):
            backend.start()
        self.postgres.prepare()
        self._links.start()
        assert self._links.ask() == "done"
        self.manage("migrate", "--no-input", "-v", "0")
        self.manage("seed_demo")
        self.start_machines(self.machines)
        self.balancer.start()
        wait_until(lambda: all(self.balancer.is_used(one.slot) for one in self.webs), START_S)

    def start_machines(self, machines: list[Machine]) -> None:
        """Start some, and wait until all of them are ready."""
        for machine in machines:
            machine.start()
        for machine in machines:
            wait_until(machine.is_ready, START_S)

    def change_links(self, machine: Machine, state: str) -> None:
        """`cut`, `refuse` or `mend` the links of a machine."""
        assert self._links.ask(f"{machine.slot} {state}") == "done"

    def list_running(self, code: Path) -> list[int]:
        """The processes of machines that run the version of a folder."""
        found = [pid for machine in self.machines for pid in machine.list_processes()]
        return [pid for pid in found if find_directory(pid) == code]

    def manage(self, *arguments: str, code: Path = ROOT) -> str:
        """Run a management command of a version, away from all machines; answers what it printed.

        Raises `CalledProcessError` with what it said.
        """
        ports = (self.postgres.port, self.redis.port, self.store.port)
        own = {
            **self.shared.settings(*ports),
            "VAR_DIR": str(self.place.folder("desk")),
            "MACHINE_NAME": "desk",
            "VERIFIER_ROUTES": f"socks5://egress-1:x@127.0.0.1:{self.outside.socks}",
            MARK: str(self.place.directory),
        }
        command = [*BEHIND, sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=code, env={**os.environ, **own}, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)[:200]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def list_files(self) -> set[str]:
        """The names of all uploaded files in the store."""
        return self.store.list_keys("files/")

    def _build_machine(self, kind: str, number: int, before: int) -> Machine:
        first_port = self.place.first_port + _FIRST_MACHINE + PORTS_EACH * (before + number)
        slot = f"{'web' if kind == 'web' else 'worker'}-{number + 1}"
        return Machine(
            self.place, self.shared, slot, kind, before + number, first_port,
            schedules=kind == "work" and number < 2,
        )  # fmt: skip


def find_directory(pid: int) -> Path | None:
    """The working directory of a process; None for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink()
    except OSError:
        return None


def list_missing() -> list[str]:
    """What is not installed that a cluster needs."""
    needed = {
        "PostgreSQL": find_postgres(),
        "redis-server": shutil.which("redis-server"),
        "haproxy": find_haproxy(),
    }
    return [name for name, found in needed.items() if not found]


@contextmanager
def running_cluster(first_port: int = 0, **changes: str) -> Iterator[Cluster]:
    """A running one; all of it ends with the context. When that is left by an error, the logs are kept, and named."""
    with open_place(first_port) as place:
        cluster = Cluster(place, changes)
        try:
            cluster.start()
            yield cluster
        except Exception as error:
            kept = tempfile.mkdtemp(prefix="emailcheck-logs-")
            shutil.copytree(place.folder("logs"), kept, dirs_exist_ok=True)
            error.add_note(f"the logs of all processes: {kept}")
            raise
