"""A machine: its own folder, name, egress address, links and, where it has one, clock; and what runs on it."""

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.backends import ObjectStore, Outside, Postgres
from tests.cluster.place import BEHIND, Place, Program, is_listening, kill_processes
from tests.stack import QUEUES, ROOT, list_names, wait_until

PORTS_EACH = 4
START_S = 300.0
_GRACE_S = 5
_OWN = "one-host-many-machines-" * 2


@dataclass(frozen=True, slots=True)
class Shared:
    """What every machine of a cluster uses, and the address of the balancer."""

    postgres: Postgres
    redis_port: int
    store: ObjectStore
    outside: Outside
    site_url: str
    changes: dict[str, str]

    def settings(self, postgres_port: int, redis_port: int, store_port: int) -> dict[str, str]:
        """The settings of whoever reaches them at these ports."""
        return {
            "EMAILCHECK_MODE": "sandbox",
            "SECRET_KEY": _OWN,
            "SITE_URL": self.site_url,
            "TRUSTED_PROXIES": "127.0.0.1/32",
            "SITE_REQUESTS_PER_MINUTE": "1000000",
            "DATABASE_URL": self.postgres.url(postgres_port),
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
            "WEB_GRACE_SECONDS": str(_GRACE_S),
            # Our own engine answers by itself, so that a list gives the same every time.
            **{f"PROVIDER_{name}_KEY": "none" for name in ("ZEROBOUNCE", "NEVERBOUNCE", "KICKBOX")},
            **self.store.settings(store_port),
            **self.outside.settings(),
            **self.changes,
        }


@dataclass(slots=True)
class Machine:
    """A machine of a kind, `web` or `work`, in its place among the others, `number`, from 0.

    `code` is the folder of the version that runs on it. A replaced one has the same place, and another name and folder.
    `schedules`: a scheduler runs beside. Its clock is `ahead_s` seconds ahead of the others', from its next start on.
    """

    place: Place
    shared: Shared
    slot: str
    kind: str
    number: int
    first_port: int
    code: Path = ROOT
    schedules: bool = False
    ahead_s: int = 0
    generation: int = 1
    programs: list[Program] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.slot}.{self.generation}"

    @property
    def members(self) -> set[str]:
        """The processes that it has once, as they show themselves."""
        return {"web-0"} if self.kind == "web" else {f"{queue}-0" for queue in QUEUES}

    @property
    def web_port(self) -> int:
        return self.first_port

    @property
    def links(self) -> list[tuple[str, int, int]]:
        """Its links: the machine, the port here, and where that leads."""
        targets = (self.shared.postgres.port, self.shared.redis_port, self.shared.store.port)
        return [(self.slot, self.first_port + 1 + number, target) for number, target in enumerate(targets)]

    @property
    def folder(self) -> Path:
        return self.place.folder(self.name)

    def start(self) -> None:
        """Start what runs on it; it is ready when `is_ready` says so."""
        commands = [["web"] if self.kind == "web" else ["work", "--queues", ",".join(QUEUES)]]
        if self.schedules:
            commands.append(["scheduler"])
        environment = self._build_environment()
        for command in commands:
            line = [*(BEHIND if self.kind == "work" else ()), sys.executable, "manage.py", *command]
            program = Program(self.place, f"{self.name}-{command[0]}", line, environment, self.code)
            program.start()
            self.programs.append(program)

    def is_ready(self) -> bool:
        """Whether all that runs on it has begun. Raises `RuntimeError` where it has ended."""
        if any(not program.is_running() for program in self.programs):
            raise RuntimeError(f"{self.name} ended: see its log")
        if self.kind == "web":
            return is_listening(self.web_port)
        return self.members <= list_names(self.list_processes())

    def stop(self, within_s: float = 60) -> None:
        """End it with SIGTERM, and wait for its last process."""
        for program in self.programs:
            program.stop(signal.SIGTERM, within_s)
        self.programs.clear()
        wait_until(lambda: not self.list_processes(), within_s)

    def kill(self) -> None:
        """Lose it: every process at once, without a word."""
        kill_processes(self.list_processes)
        for program in self.programs:
            program.stop(signal.SIGKILL)
        self.programs.clear()

    def send_signal(self, number: int) -> None:
        """Send all of its processes a signal."""
        for pid in self.list_processes():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def replace(self, code: Path | None = None) -> None:
        """Be another machine in the same place, not started yet."""
        self.generation += 1
        self.code = code or self.code

    def list_processes(self) -> list[int]:
        return self.place.list_processes(f"VAR_DIR={self.folder}\0")

    def _build_environment(self) -> dict[str, str]:
        ports = [port for _, port, _ in self.links]
        egress = f"egress-{self.number + 1}"
        return {
            **self.shared.settings(*ports),
            "VAR_DIR": str(self.folder),
            "MACHINE_NAME": self.name,
            "EMAILCHECK_PORT": str(self.web_port),
            "VERIFIER_ROUTES": f"socks5://{egress}:x@127.0.0.1:{self.shared.outside.socks}",
            **self._build_clock(),
        }

    def _build_clock(self) -> dict[str, str]:
        """The time of the day, and not how long something takes, is another."""
        if not self.ahead_s:
            return {}
        return {"PYTHONPATH": str(Path(__file__).parent / "clock"), "CLUSTER_CLOCK_AHEAD": str(self.ahead_s)}
