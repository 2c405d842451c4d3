"""The outermost process: starts a command's family, starts it again when it ends or stands still, ends with it.

It knows nothing of the product and loads nothing of it, so that it stays small and cannot break down with it. The
family is a session and a process group of its own, and shows through a pipe that it lives.
"""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

COMMANDS: Final = ("serve", "serve_web", "work")
"""Those of `manage.py` that are supervised."""
BEAT_EVERY_S: Final = 1.0
SILENT_S: Final = 20.0
START_WITHIN_S: Final = 240.0
"""Seconds: how often a family shows itself, how long it may not, and how long it may take to load the product."""
PULSE: Final = "EMAILCHECK_PULSE"
"""What tells a family of its supervisor: the descriptor of the pipe, and the supervisor's process id."""
_TICK_S: Final = 0.5
_LONGEST_WAIT_S: Final = 30.0


class Supervisor:
    """Runs a command until SIGTERM or SIGINT."""

    def __init__(self, command: Sequence[str], report: Callable[[str], None]) -> None:
        self._command = command
        self._report = report
        self._stopping = threading.Event()
        self._quick_ends = 0

    def run(self) -> int:
        """The exit status: 0 after a signal, the command's own when it could not even begin."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        while not self._stopping.is_set():
            began = time.monotonic()
            code, has_shown = self._run_once()
            if self._stopping.is_set():
                break
            if not has_shown and not self._quick_ends:
                return code
            self._quick_ends = self._quick_ends + 1 if time.monotonic() - began < 30 else 1
            self._report(f"{self._command[-1]} ended with {code}; starting it again")
            self._stopping.wait(min(2.0**self._quick_ends, _LONGEST_WAIT_S) - 1)
        return 0

    def _run_once(self) -> tuple[int, bool]:
        """The exit status of one family, and whether it ever showed itself."""
        reads, writes = os.pipe()
        os.set_blocking(writes, False)
        environment = {**os.environ, PULSE: f"{writes}:{os.getpid()}"}
        with subprocess.Popen(self._command, env=environment, pass_fds=[writes], start_new_session=True) as process:
            os.close(writes)
            has_shown = self._watch(process, reads)
            os.close(reads)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # what its members have left
        return process.returncode, has_shown

    def _watch(self, process: "subprocess.Popen[bytes]", pulse: int) -> bool:
        until, has_shown, is_asked = time.monotonic() + START_WITHIN_S, False, False
        while process.poll() is None:
            if select.select([pulse], [], [], _TICK_S)[0]:
                if not os.read(pulse, 4_096):  # all who hold it have ended
                    process.wait()
                    break
                until, has_shown = time.monotonic() + SILENT_S, True
            if self._stopping.is_set() and not is_asked:
                process.terminate()
                is_asked, until = True, time.monotonic() + SILENT_S
            if time.monotonic() > until:
                self._report(f"{self._command[-1]} has shown no sign of life; ending it")
                os.killpg(process.pid, signal.SIGKILL)
        return has_shown

    def _stop(self, number: int, frame: object) -> None:
        self._stopping.set()


def supervise(arguments: Sequence[str]) -> int:
    """Run `manage.py` with these arguments under a supervisor, and be it."""
    return Supervisor([sys.executable, *arguments], _write_line).run()


def _write_line(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def should_supervise(arguments: Sequence[str]) -> bool:
    """Whether `manage.py` with these arguments runs a family that has no supervisor yet."""
    return arguments[1:2] != [] and arguments[1] in COMMANDS and PULSE not in os.environ
