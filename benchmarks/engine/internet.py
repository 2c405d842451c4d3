"""The other end of `servers`: starts the simulated mail internet and asks it for its counts."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from benchmarks.engine.servers import Listen, Stats
from benchmarks.engine.worlds import Recipe


class Internet:
    """A running mail internet. `dns_port` and `smtp_port` say where it listens."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.dns_port = 0
        self.smtp_port = 0

    def start(self, delay: float) -> None:
        """Forget all counts; replies take `delay` seconds from now on."""
        self.ask({"do": "start", "delay": delay})

    def stats(self) -> Stats:
        """What was counted since."""
        return Stats(**self.ask({"do": "stats"}))

    def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        """Send an order and wait for the answer. Raises RuntimeError when the servers have died."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the simulated mail internet has no pipes")
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the simulated mail internet has died")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def running(recipe: Recipe, listen: Listen) -> Iterator[Internet]:
    """A mail internet for the time of the block."""
    command = [sys.executable, "-m", "benchmarks.engine.servers"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        internet = Internet(process)
        try:
            ports = internet.ask({"recipe": asdict(recipe), "listen": asdict(listen)})
            internet.dns_port, internet.smtp_port = ports["dns_port"], ports["smtp_port"]
            yield internet
        finally:
            if process.stdin is not None:
                process.stdin.close()
            process.terminate()
