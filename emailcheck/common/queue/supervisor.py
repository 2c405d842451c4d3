"""Starts the parts of the running system, keeps them alive and ends them all.

Each part is a process group of its own. A part that ends is started again, later each time it ends soon after its
start. A queue whose heartbeat stands still (a wedged worker group) is ended and started again; leases on chunks make
that safe. When staff ask for a restart, workers end what they are at, and are started again; nothing else is. Once a
minute it has done what `settings.ON_MINUTE` names: what must happen on each machine.
"""

import logging
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import Error, close_old_connections
from django.utils import timezone
from django.utils.module_loading import import_string

from emailcheck.common.queue import restarts, tasks
from emailcheck.common.queue.child_processes import die_with_parent
from emailcheck.common.queue.models import Heartbeat

log = logging.getLogger(__name__)

TICK_S = 0.5
HEARTBEAT_EVERY_S = 15
MINUTE_S = 60
SILENT_FOR = timedelta(seconds=120)
STOP_WITHIN_S = 5
# A turn of a worker, and time to end.
END_WITHIN_S = settings.TURN_SECONDS + 20


@dataclass(slots=True)
class Part:
    """One process (group) of the system; `queue` is the queue it serves, `port` the TCP port it listens on, if any;
    without `prints` its standard output is dropped. `end_by` is set while it ends on request."""

    name: str
    command: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)
    queue: tasks.Queue | None = None
    port: int | None = None
    prints: bool = True
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    born_at: datetime | None = None
    end_by: float | None = None
    start_at: float = 0.0
    quick_ends: int = 0

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            stdout=None if self.prints else subprocess.DEVNULL,
            env={**os.environ, **self.environment},
            start_new_session=True,
            preexec_fn=partial(die_with_parent, signal.SIGTERM),
        )
        self.started_at, self.born_at, self.end_by = time.monotonic(), timezone.now(), None

    def signal(self, number: int) -> None:
        """Signal the whole group; harmless when it has ended."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return

    def ask_to_stop(self) -> None:
        """Ask the leader alone: it ends its children in order."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Runs parts until it is stopped.

    `report` gets a line for each event, `ready` is called once, when every port answers.
    """

    def __init__(self, parts: Sequence[Part], report: Callable[[str], None], ready: Callable[[], None]) -> None:
        self.parts = parts
        self.report = report
        self.ready = ready
        self.awaited = {part.port for part in parts if part.port}
        self.stopping = False
        self.next_heartbeat_check = 0.0
        self.next_minute = time.monotonic() + MINUTE_S

    def run(self) -> None:
        """Start everything, watch until SIGINT or SIGTERM, end everything."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        try:
            while not self.stopping:
                close_old_connections()
                self.watch()
                time.sleep(TICK_S)
        finally:
            self.end_all()

    def watch(self) -> None:
        """Check every part once: start what should run, and check the heartbeats of the queues."""
        for part in self.parts:
            if not part.running:
                self._start_again(part)
            elif part.end_by is not None and time.monotonic() > part.end_by:
                self.report(f"{part.name} did not end when asked to; ending it")
                part.signal(signal.SIGKILL)
        self._await_ports()
        if time.monotonic() >= self.next_heartbeat_check:
            self.next_heartbeat_check = time.monotonic() + HEARTBEAT_EVERY_S
            self._try_to_check_heartbeats()
        if time.monotonic() >= self.next_minute:
            self.next_minute = time.monotonic() + MINUTE_S
            self._do_chores()

    def end_all(self) -> None:
        """Ask every part to stop, and end what has not within a few seconds."""
        for part in self.parts:
            part.ask_to_stop()
        deadline = time.monotonic() + STOP_WITHIN_S
        while time.monotonic() < deadline and any(part.running for part in self.parts):
            time.sleep(0.1)
        for part in self.parts:
            part.signal(signal.SIGKILL)
            if part.process is not None:
                part.process.wait()

    def _stop(self, number: int, frame: object) -> None:
        self.stopping = True

    def _start_again(self, part: Part) -> None:
        now = time.monotonic()
        if part.process is not None:
            part.signal(signal.SIGKILL)
            quick = now - part.started_at < 30 and part.end_by is None
            part.quick_ends = part.quick_ends + 1 if quick else 0
            part.start_at = now + min(2**part.quick_ends, 30) - 1
            self.report(f"{part.name} ended with {part.process.returncode}; starting it again")
            part.process = None
        if now >= part.start_at:
            part.start()

    def _await_ports(self) -> None:
        if self.awaited:
            self.awaited = {port for port in self.awaited if not is_listening(port)}
            if not self.awaited:
                self.ready()

    def _try_to_check_heartbeats(self) -> None:
        """A database that is away for a while must not take the product down."""
        try:
            self._check_heartbeats()
        except Error as error:
            self.report(f"the heartbeats of the queues could not be checked: {type(error).__name__}")

    def _check_heartbeats(self) -> None:
        restarts.record_supervisor()
        asked_at = restarts.find_restart_request()
        for part in self.parts:
            if part.queue is None:
                continue
            self._follow_restart(part, asked_at)
            if self._silent(part):
                self.report(f"{part.name} has shown no sign of life; starting it again")
                part.signal(signal.SIGKILL)
            tasks.request_heartbeat(part.queue)

    def _follow_restart(self, part: Part, asked_at: datetime | None) -> None:
        """Record when the workers of a queue were started; stop those older than the requested restart,
        once."""
        if part.queue is None or part.born_at is None or not part.running or part.end_by is not None:
            return
        restarts.record_workers_started(part.queue, part.born_at)
        if asked_at is not None and part.born_at < asked_at:
            self.report(f"{part.name} is to be restarted")
            part.ask_to_stop()
            part.end_by = time.monotonic() + END_WITHIN_S

    def _do_chores(self) -> None:
        """What fails here must not take the product down."""
        for path in settings.ON_MINUTE:
            try:
                import_string(path)()
            except Exception:
                log.exception("%s failed", path)

    def _silent(self, part: Part) -> bool:
        if time.monotonic() - part.started_at < SILENT_FOR.total_seconds():
            return False
        alive = Heartbeat.objects.filter(name=f"queue:{part.queue}", at__gte=timezone.now() - SILENT_FOR)
        return not alive.exists()


def is_listening(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a process accepts TCP connections there."""
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0
