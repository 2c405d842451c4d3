"""Whoever is measured: our engine and its peers, each in a process of its own that reports what it cost."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.engine.internet import Internet
from benchmarks.engine.judging import Answer, Reader, deep_email_validator, py3_validate_email
from benchmarks.engine.ours import HELO, SENDER
from benchmarks.engine.servers import Stats

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "var" / "peers"
_SOURCES = Path(__file__).parent / "peers"
_PATIENCE_S = 30.0  # a peer's call that has not ended by then is left
_LONGEST_S = 300.0


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer: how it is started and how its answers are read."""

    name: str
    command: tuple[str, ...]
    read: Reader


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of one subject: its own account and what the servers saw."""

    seconds: float
    cpu_s: float
    start_mb: float
    peak_mb: float
    slowest_s: float
    answers: list[Answer]
    seen: Stats
    parallel: int = 0

    @property
    def rate(self) -> float:
        """Addresses a second."""
        return len(self.answers) / self.seconds


DEEP = Peer(
    "deep-email-validator 0.1.27 (npm)", ("node", str(_SOURCES / "deep_email_validator.mjs")), deep_email_validator
)
PY3 = Peer(
    "py3-validate-email 1.0.5.post2 (PyPI)",
    (str(PEERS / "venv/bin/python"), str(_SOURCES / "py3_validate_email.py")),
    py3_validate_email,
)


def install_peers() -> list[Peer]:
    """Install the pinned peers into a folder of their own; answers those that are there."""
    PEERS.mkdir(parents=True, exist_ok=True)
    steps = {PY3: _install_py3, DEEP: _install_deep}
    present = []
    for peer, install in steps.items():
        try:
            install()
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{peer.name} could not be installed and is left out: {error}", file=sys.stderr)
        else:
            present.append(peer)
    return present


def _install_py3() -> None:
    pins = _SOURCES / "requirements.txt"
    mark = PEERS / "venv" / "installed.txt"
    if mark.exists() and mark.read_text(encoding="utf-8") == pins.read_text(encoding="utf-8"):
        return
    _run(sys.executable, "-m", "venv", str(PEERS / "venv"))
    _run(
        PY3.command[0],
        "-m",
        "pip",
        "install",
        "-qq",
        "--disable-pip-version-check",
        "--require-hashes",
        "-r",
        str(pins),
    )
    mark.write_text(pins.read_text(encoding="utf-8"), encoding="utf-8")


def _install_deep() -> None:
    lock = (_SOURCES / "package-lock.json").read_text(encoding="utf-8")
    mark = PEERS / "npm" / "installed.json"
    if mark.exists() and mark.read_text(encoding="utf-8") == lock:
        return
    mark.parent.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        (mark.parent / name).write_text((_SOURCES / name).read_text(encoding="utf-8"), encoding="utf-8")
    _run("npm", "ci", "--prefix", str(mark.parent), "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
    mark.write_text(lock, encoding="utf-8")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def measure_peer(
    peer: Peer, internet: Internet, addresses: Sequence[str], *, delay: float, parallel: int, tls: bool = False
) -> Measured:
    """One run of a peer with `parallel` calls side by side."""
    job = {"parallel": parallel, "helo": HELO, "sender": SENDER, "tls": tls, "patience_s": _PATIENCE_S}
    try:
        return _measure(peer.command, internet, {**job, "addresses": addresses}, delay, parallel)
    except subprocess.TimeoutExpired:
        nothing: list[Answer] = [(None, "no answer", "")] * len(addresses)
        return Measured(_LONGEST_S, 0.0, 0.0, 0.0, _LONGEST_S, nothing, internet.stats(), parallel)


def measure_ours(
    internet: Internet, addresses: Sequence[str], *, delay: float, inside: bool, config: dict[str, Any] | None = None
) -> Measured:
    """One run of our engine: on resolver and port of the machine inside its own network, else on loopback ports."""
    job: dict[str, Any] = {"addresses": addresses, "config": config or {}}
    if not inside:
        job |= {"dns_port": internet.dns_port, "smtp_port": internet.smtp_port}
    return _measure((sys.executable, "-m", "benchmarks.engine.ours"), internet, job, delay, 0)


def _measure(command: Sequence[str], internet: Internet, job: dict[str, Any], delay: float, parallel: int) -> Measured:
    own = {"PEER_HOME": str(PEERS / "npm"), "PY3VE_IGNORE_UPDATER": "1", "UV_THREADPOOL_SIZE": "64"}
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "result.json")
        order = Path(folder, "job.json")
        order.write_text(json.dumps({**job, "result": str(result)}), encoding="utf-8")
        internet.start(delay)
        subprocess.run([*command, str(order)], check=True, timeout=_LONGEST_S, cwd=ROOT, env={**os.environ, **own})
        seen = internet.stats()
        return Measured(**json.loads(result.read_text(encoding="utf-8")), seen=seen, parallel=parallel)
