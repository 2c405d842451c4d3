"""Where a cluster lives: its folder, its ports, and which processes belong to it."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.stack import ROOT, read_file, reserve_ports, wait_until

MARK = "EMAILCHECK_CLUSTER"
"""The variable of all processes of a cluster: its folder."""
_PREFIX = "emailcheck-cluster-"
PORTS = 40
_START_S = 120.0


@dataclass(frozen=True, slots=True)
class Place:
    """A folder, and the first of so many free ports."""

    directory: Path
    first_port: int
    started: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    def folder(self, name: str) -> Path:
        """A folder below this one, made if need be."""
        made = self.directory / name
        made.mkdir(parents=True, exist_ok=True)
        return made

    def list_processes(self, mark: str = "") -> list[int]:
        """The processes of the cluster; with a mark, those that have it in environment or command line too."""
        return _find_processes(str(self.directory), mark)


BEHIND = ("nice", "-n", "10")
"""On one host, what would have processors of its own leaves them to webs and to what these wait for."""


@dataclass(slots=True)
class Program:
    """A program of the cluster. Its output goes to a file in the folder `logs`; with `is_asked` to a pipe, as what it
    is asked does."""

    place: Place
    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: Path = ROOT
    is_asked: bool = False
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        environment = {**os.environ, **self.environment, MARK: str(self.place.directory)}
        with (self.place.folder("logs") / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.directory,
                env=environment,
                stdin=subprocess.PIPE if self.is_asked else subprocess.DEVNULL,
                stdout=subprocess.PIPE if self.is_asked else log,
                stderr=log,
                start_new_session=True,
            )
        self.place.started.append(self.process)

    def stop(self, number: int = signal.SIGTERM, within_s: float = 60) -> None:
        """End it by a signal, and wait for that. Raises `TimeoutExpired`."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(number)
            self.process.wait(within_s)
            self.process = None

    def ask(self, line: str = "") -> str:
        """Send a line, where there is one, and answer the next one that it says."""
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if line:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        said: bytes = self.process.stdout.readline()
        return said.decode().strip()

    def wait_for_port(self, port: int) -> None:
        """Until it listens there. Raises `RuntimeError` when it has ended before."""

        def is_ready() -> bool:
            if not self.is_running():
                raise RuntimeError(f"{self.name} ended: see its log")
            return is_listening(port)

        wait_until(is_ready, _START_S)

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


@contextmanager
def open_place(first_port: int = 0) -> Iterator[Place]:
    """A place of its own; when it is left, all of its processes have ended and its folder is gone.

    What was left behind by an earlier one that was killed is removed first.
    """
    remove_abandoned()
    directory = Path(tempfile.mkdtemp(prefix=_PREFIX))
    directory.chmod(0o711)  # PostgreSQL has an account of its own where all else runs as root
    owner = _claim(directory)
    place = Place(directory, first_port or reserve_ports(range(PORTS)))
    try:
        yield place
    finally:
        kill_processes(place.list_processes)
        for process in place.started:
            _forget(process)
        shutil.rmtree(directory, ignore_errors=True)
        os.close(owner)


def remove_abandoned() -> list[Path]:
    """End the processes and delete the folders of clusters whose owner has died; answers the folders."""
    removed = []
    for directory in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            owner = _claim(directory)
        except OSError:
            continue  # its owner lives
        place = Place(directory, 0)
        kill_processes(place.list_processes)
        shutil.rmtree(directory, ignore_errors=True)
        os.close(owner)
        removed.append(directory)
    return removed


def kill_processes(find: Callable[[], list[int]]) -> None:
    """Kill all that are found until there are none, with those that they started meanwhile."""

    def is_gone() -> bool:
        found = find()
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not found

    wait_until(is_gone, 60)


def _forget(process: "subprocess.Popen[bytes]") -> None:
    """Let one that was killed go, with its pipes."""
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()


def is_listening(port: int) -> bool:
    """Whether somebody accepts connections at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _claim(directory: Path) -> int:
    """The descriptor of its lock, which ends with this process. Raises `OSError` where another has it."""
    owner = os.open(directory / "owner", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(owner)
        raise
    return owner


def _find_processes(*marks: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            text = read_file(entry / "environ") + b"\0" + read_file(entry / "cmdline")
            if text.strip(b"\0") and all(mark.encode() in text for mark in marks) and not _is_ended(entry):
                found.append(int(entry.name))
    return found


def _is_ended(entry: Path) -> bool:
    """Whether it is a zombie, which only its parent can remove."""
    return read_file(entry / "stat").rpartition(b")")[2].split()[:1] in ([b"Z"], [])
