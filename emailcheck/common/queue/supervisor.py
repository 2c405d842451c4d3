"""The outermost process: starts a command's family, starts it again when it ends or stands still, ends with it.

It knows nothing of the product and loads nothing of it, so that it stays small and cannot break down with it. The
family is a session and a process group of its own, and shows through a pipe that it lives.
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

COMMANDS: Final = ("serve", "web", "work", "scheduler")
"""Those of `manage.py` that are supervised."""
BEAT_EVERY_S: Final = 1.0
SILENT_S: Final = 20.0
START_WITHIN_S: Final = 240.0
"""Seconds: how often a family shows itself, how long it may not, and how long it may take to load the product."""
PULSE: Final = "EMAILCHECK_PULSE"
"""What tells a family of its supervisor: the descriptor of the pipe, and the supervisor's process id."""
_TICK_S: Final = 0.5
_LATE_S: Final = 5.0
_LONGEST_WAIT_S: Final = 30.0


class Supervisor:
    """Runs a command until SIGTERM or SIGINT."""

    def __init__(self, command: Sequence[str], report: Callable[[str], None]) -> None:
        self._command = command
        self._name = " ".join(command[1:3])
        self._report = report
        self._is_stopping = False
        self._quick_ends = 0

    def run(self) -> int:
        """The exit status: 0 after a signal, the command's own when it could not even begin."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        while not self.is_stopping():
            began = time.monotonic()
            code, has_shown = self._run_once()
            if self.is_stopping():
                break
            if code is not None and not has_shown and not self._quick_ends:
                return code
            self._quick_ends = self._quick_ends + 1 if time.monotonic() - began < 30 else 1
            self._report(f"{self._name} ended with {code}; starting it again")
            self._sleep(min(2.0**self._quick_ends, _LONGEST_WAIT_S) - 1)
        return 0

    def is_stopping(self) -> bool:
        """Whether a signal has come."""
        return self._is_stopping

    def _run_once(self) -> tuple[int | None, bool]:
        """The exit status of one family, None where there is no room for it, and whether it ever showed itself."""
        reads, writes = os.pipe()
        try:
            process = self._spawn(writes)
            if process is None:
                return None, False
            has_shown = self._watch(process, reads)
            _kill_session(process.pid)
            return process.returncode, has_shown
        finally:
            os.close(reads)

    def _spawn(self, pulse: int) -> "subprocess.Popen[bytes] | None":
        os.set_blocking(pulse, False)
        environment = {**os.environ, PULSE: f"{pulse}:{os.getpid()}"}
        try:
            return subprocess.Popen(self._command, env=environment, pass_fds=[pulse], start_new_session=True)
        except OSError as error:  # no memory, or no room for another process
            self._report(f"{self._name} could not be started ({error.strerror})")
            return None
        finally:
            os.close(pulse)

    def _watch(self, process: "subprocess.Popen[bytes]", pulse: int) -> bool:
        """Until it has ended."""
        looked_at = time.monotonic()
        until, has_shown, is_asked = looked_at + START_WITHIN_S, False, False
        while process.poll() is None:
            if select.select([pulse], [], [], _TICK_S)[0]:
                if not os.read(pulse, 4_096):  # all who hold it have ended
                    process.wait()
                    break
                until, has_shown = time.monotonic() + SILENT_S, True
            _reap_others(process.pid)
            now, before = time.monotonic(), looked_at
            looked_at = now
            if now > before + _LATE_S:
                until = max(until, now + SILENT_S)  # the machine stood still, and the family with it
            if self._is_stopping and not is_asked:
                process.terminate()
                is_asked, until = True, now + SILENT_S
            if now > until:
                self._report(f"{self._name} has shown no sign of life; ending it")
                _kill_session(process.pid)
        return has_shown

    def _stop(self, number: int, frame: object) -> None:
        self._is_stopping = True

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._is_stopping and time.monotonic() < until:
            time.sleep(_TICK_S)


def _kill_session(session: int) -> None:
    """Kill all processes of a session, also those that have a group of their own (proc_pid_stat(5))."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError):
                if int((entry / "stat").read_bytes().rpartition(b")")[2].split()[3]) == session:
                    os.kill(int(entry.name), signal.SIGKILL)


def _reap_others(family: int) -> None:
    """Where this is the first process of a container: let processes go whose parents have died."""
    with suppress(ChildProcessError):
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid != family:
            os.waitpid(ended.si_pid, os.WNOHANG)


def supervise(arguments: Sequence[str]) -> int:
    """Run `manage.py` with these arguments under a supervisor, and be it."""
    return Supervisor([sys.executable, *arguments], _write_line).run()


def _write_line(line: str) -> None:
    with suppress(OSError):  # a full disk, a reader that has gone
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def should_supervise(arguments: Sequence[str]) -> bool:
    """Whether `manage.py` with these arguments runs a family that has no supervisor yet."""
    return arguments[1:2] != [] and arguments[1] in COMMANDS and PULSE not in os.environ
