"""The whole product as a newcomer starts it, on ports and files of its own: for crash tests and benchmarks."""

import atexit
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx2
import psycopg

ROOT = Path(__file__).resolve().parent.parent
ALICE = {"email": "alice@alder-and-ash.com", "password": "sandbox-2026"}
QUEUES = ("high", "mail", "bulk", "hooks")
"""The queues whose workers a machine runs."""
MIGRATED, SEEDED = "migrated", "seeded"
_OFFSETS = (0, 125, 126, 153, 180)


class Stack:
    """A running copy of the product below `directory`."""

    def __init__(self, directory: Path, changes: dict[str, str]) -> None:
        self.port = reserve_ports(_OFFSETS)
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "VAR_DIR": str(directory),
            "EMAILCHECK_PORT": str(self.port),
            "EMAILCHECK_MODE": "sandbox",
            "SITE_REQUESTS_PER_MINUTE": "1000000",  # tests look more often than pages do
            # Our own engine answers by itself, so that a list gives the same every time.
            **{f"PROVIDER_{name}_KEY": "none" for name in ("ZEROBOUNCE", "NEVERBOUNCE", "KICKBOX")},
            **changes,
        }
        self.supervisor: subprocess.Popen[bytes] | None = None
        self.client = httpx2.Client(base_url=self.address, timeout=60, trust_env=False)

    def manage(self, *arguments: str) -> str:
        """Run a management command; answers what it printed. Raises `CalledProcessError`."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout

    def start(self) -> None:
        """Start every process and wait until the site answers."""
        command = [sys.executable, "manage.py", "serve"]
        self.supervisor = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL)
        wait_until(self._answers, 240)

    def sign_in(self) -> None:
        """Let the client act as Alice from now on."""
        token = self.client.post("/api/auth/login", json=ALICE).json()["token"]
        self.client.headers["Authorization"] = f"Bearer {token}"

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End the supervisor by a signal and everything below it with it."""
        if self.supervisor is not None:
            self.supervisor.send_signal(number)
            self.supervisor.wait()
            self.supervisor = None
        wait_until(lambda: not self.processes(), 120)

    def processes(self, *words: str) -> list[int]:
        """The ids of this copy's processes whose command line holds every word."""
        mark = f"VAR_DIR={self.environment['VAR_DIR']}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and mark in read_file(entry / "environ").split(b"\0"):
                line = read_file(entry / "cmdline")
                if all(word.encode() in line or word.encode() in read_file(entry / "environ") for word in words):
                    found.append(int(entry.name))
        return found

    def members(self, *names: str) -> list[int]:
        """The ids of the processes of this copy's family that are so named, before their number."""
        return [pid for pid in self.processes() if name_of(pid).rpartition("-")[0] in names]

    def parents(self) -> list[int]:
        """The ids of the processes from which others were forked, of each family."""
        forked = [pid for pid in self.processes() if name_of(pid) == "scheduler"]
        return [int(read_file(Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()[1]) for pid in forked]

    def get(self, path: str) -> Any:
        answer = self.client.get(path)
        answer.raise_for_status()
        return answer.json()

    def upload(self, path: Path) -> Any:
        """Upload a list; answers what the call answers."""
        with path.open("rb") as file:
            answer = self.client.post(
                "/api/validate/upload",
                files={"file": (path.name, file)},
                headers={"Idempotency-Key": uuid.uuid4().hex},
            )
        answer.raise_for_status()
        return answer.json()

    def status(self, batch_id: str) -> Any:
        return self.get(f"/api/validate/batch/{batch_id}/status")

    def _answers(self) -> bool:
        try:
            ready = self.client.get("/sandbox/world.json").status_code == 200
        except httpx2.TransportError:
            return False
        return ready


@contextmanager
def running_stack(directory: Path, **changes: str) -> Iterator[Stack]:
    """A migrated, seeded, running copy with Alice signed in; everything ends with the context."""
    stack = Stack(directory, changes)
    with data_of(stack, SEEDED, is_own="DATABASE_URL" not in changes), _started(stack):
        stack.sign_in()
        yield stack


@contextmanager
def data_of(stack: Stack, kind: str, *, is_own: bool = True) -> Iterator[None]:
    """What a copy finds when it starts.

    On PostgreSQL a database that no other copy on the same server has: it would meet their machines, tasks and
    schedules there. It goes with the context. Without `is_own` it is the one that the copy names.
    """
    if "DATABASE_URL" not in stack.environment:
        shutil.copytree(copies() / kind, stack.environment["VAR_DIR"], dirs_exist_ok=True)
        yield
        return
    with _own_database(stack) if is_own else nullcontext():
        _migrate(stack)
        if kind == SEEDED:
            _seed(stack)
        yield


@contextmanager
def _own_database(stack: Stack) -> Iterator[None]:
    server, _, _ = stack.environment["DATABASE_URL"].rpartition("/")
    name = f"copy_{stack.port}"
    stack.environment["DATABASE_URL"] = f"{server}/{name}"
    template = os.environ.get("TEMPLATE_DATABASE", "template1")
    _execute(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield
    finally:
        _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


def _execute(server: str, *statements: str) -> None:
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _migrate(stack: Stack) -> None:
    stack.manage("migrate", "--no-input", "-v", "0")


def _seed(stack: Stack) -> None:
    stack.manage("seed_demo")


@lru_cache(maxsize=1)
def copies() -> Path:
    """A folder with the files of a copy of each kind, made once: `COPIES` names that of another process."""
    made = os.environ.get("COPIES")
    if made:
        return Path(made)
    directory = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    make_copies(directory)
    return directory


def make_copies(directory: Path) -> None:
    """Make a copy without any account, and a seeded one."""
    _migrate(Stack(directory / MIGRATED, {}))
    shutil.copytree(directory / MIGRATED, directory / SEEDED)
    _seed(Stack(directory / SEEDED, {}))


@contextmanager
def empty_stack(directory: Path) -> Iterator[Stack]:
    """A migrated, running copy without any account; everything ends with the context."""
    stack = Stack(directory, {})
    with data_of(stack, MIGRATED), _started(stack):
        yield stack


@contextmanager
def _started(stack: Stack) -> Iterator[None]:
    stack.start()
    try:
        yield
    finally:
        stack.stop(signal.SIGKILL if stack.supervisor and stack.supervisor.poll() is not None else signal.SIGTERM)
        stack.client.close()


def name_of(pid: int) -> str:
    """The name that a process shows."""
    return read_file(Path(f"/proc/{pid}/comm")).decode().strip()


def list_names(pids: Iterable[int]) -> set[str]:
    """The names that processes show."""
    return {name_of(pid) for pid in pids}


def wait_until(true: Callable[[], bool], seconds: float) -> None:
    """Look ten times a second until it is true. Raises `TimeoutError`."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not true within {seconds} s")
        time.sleep(0.1)


def peak_memory_mb(pids: list[int]) -> float:
    """The largest resident size that any of the processes has had, in MB (VmHWM)."""
    return max((_read_status_mb(pid, "VmHWM:") for pid in pids), default=0.0)


def resident_mb(pid: int) -> float:
    """The resident size of a process now, in MB (VmRSS)."""
    return _read_status_mb(pid, "VmRSS:")


def _read_status_mb(pid: int, name: str) -> float:
    lines = read_file(Path(f"/proc/{pid}/status")).decode().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), 0.0)


def cpu_seconds(pids: list[int]) -> float:
    """The processor time of the processes so far (user and system)."""
    ticks = 0
    for pid in pids:
        fields = read_file(Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()
        ticks += int(fields[11]) + int(fields[12]) if fields else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A TCP port that nobody listens on, and that stays this process's own."""
    return _reserve(range(10_000, 12_000), [0])


def reserve_ports(offsets: Collection[int]) -> int:
    """A port whose neighbours at these offsets are free too, and stay this process's own."""
    return _reserve(range(12_000, 32_600, max(_OFFSETS) + 1), offsets)


def _reserve(ports: Iterable[int], offsets: Collection[int]) -> int:
    """They are below those that the system gives to connections: none of those takes one before it is listened on."""
    for port in ports:
        if _is_ours(port) and all(_is_free(port + offset) for offset in offsets):
            return port
    raise OSError("no free ports")


def _is_ours(port: int) -> bool:
    """Whether no other process took the port, and this one has now, for as long as it lives."""
    name = Path(tempfile.gettempdir()) / f"emailcheck-ports-{port}"
    lock = os.open(name, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return False
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def read_file(path: Path) -> bytes:
    """The content of a file; empty where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    make_copies(Path(sys.argv[1]))
