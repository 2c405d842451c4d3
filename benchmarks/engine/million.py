"""A long list through the command line: a file in, JSON lines out, read and judged as they come.

The time is that of the whole command, start included. Memory is the peak of the command over its peak for an empty
list.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from benchmarks.engine.internet import Internet
from benchmarks.engine.judging import Score, score_ours
from benchmarks.engine.model import Truth
from benchmarks.engine.ours import HELO, SENDER
from benchmarks.engine.servers import Stats

_COMMAND = (sys.executable, "-m", "validation.engine", "--json", "--helo", HELO, "--mail-from", SENDER)
_ANSWER = re.compile(rb'^\{"email": "((?:[^"\\]|\\.)*)".*?"category": "(\w+)", "reason": "(\w+)"', re.DOTALL)
_LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class LongRun:
    """What the long list took. `in_order` says that every line was the verdict on the address of its place."""

    seconds: float
    cpu_s: float
    idle_mb: float
    peak_mb: float
    output_gb: float
    in_order: bool
    score: Score
    seen: Stats

    @property
    def rate(self) -> float:
        """Addresses a second."""
        return self.score.total / self.seconds


def measure(internet: Internet, questions: Sequence[tuple[str, Truth]]) -> LongRun:
    """Check a list of any length. The command asks the machine's resolver and port 25."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "list.txt")
        path.write_text("".join(f"{text}\n" for text, _ in questions), encoding="utf-8")
        empty = Path(folder, "empty.txt")
        empty.touch()
        idle = _Run(empty)
        internet.start(0.0)
        run = _Run(path)
        seen = internet.stats()
    emails = [text for text, _ in questions]
    score = score_ours([truth for _, truth in questions], run.answers)
    in_order = run.emails == [_as_json(email) for email in emails]
    return LongRun(run.seconds, run.cpu_s, idle.peak_mb, run.peak_mb, run.octets / 1e9, in_order, score, seen)


class _Run:
    """One run of the command over a file, to its end."""

    def __init__(self, path: Path) -> None:
        self.emails: list[bytes] = []
        self.answers: list[tuple[str, str]] = []
        self.octets = 0
        self.peak_mb = 0.0
        started = time.monotonic()
        with subprocess.Popen([*_COMMAND, str(path)], stdout=subprocess.PIPE) as process:
            watcher = threading.Thread(target=self._watch, args=(process.pid,), daemon=True)
            watcher.start()
            if process.stdout is not None:
                self._read(process.stdout)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"the command line ended with {process.returncode}")
        self.seconds = time.monotonic() - started
        self.cpu_s = used.ru_utime + used.ru_stime

    def _read(self, lines: IO[bytes]) -> None:
        names: dict[bytes, str] = {}
        for line in lines:
            self.octets += len(line)
            found = _ANSWER.match(line)
            if found is None:
                raise RuntimeError(f"no verdict: {line[:200]!r}")
            email, category, reason = found.groups()
            self.emails.append(email)
            for word in (category, reason):
                names.setdefault(word, word.decode())
            self.answers.append((names[category], names[reason]))

    def _watch(self, pid: int) -> None:
        """Keep the last word of the system on the peak (VmHWM in proc(5)) while the process lives."""
        status = Path(f"/proc/{pid}/status")
        while True:
            try:
                text = status.read_text(encoding="ascii")
            except OSError:
                return
            match = re.search(r"VmHWM:\s+(\d+)", text)
            if match is None:
                return
            self.peak_mb = max(self.peak_mb, int(match[1]) / 1024)
            time.sleep(_LOOK_S)


def _as_json(email: str) -> bytes:
    return email.replace("\\", "\\\\").replace('"', '\\"').encode()
