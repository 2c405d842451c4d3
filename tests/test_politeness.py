"""Several processes together keep to what one operator puts up with: real processes, real sockets, SIGKILL."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from tests.redis_server import needs_redis, running_redis
from tests.world import Sandbox
from validation.engine.profiles import Profiles

# Sandbox operator → one of its domains: so that what a profile names is one operator there.
DOMAINS = {"gmail": "gmail.com", "yahoo": "yahoo.com", "northbeam": "harborquill.com"}
NAMES = [f"{first}.{last}" for first in ("ida", "rosa", "tom", "anna", "karl") for last in ("holm", "kent", "reed")]
ADDRESSES = [f"{name}{number}@{domain}" for domain in DOMAINS.values() for name in NAMES for number in range(1, 17)]
PROCESSES = 4


class Crowd:
    """Processes that check the same addresses at once, on one machine or, as far as files go, on one each."""

    def __init__(self, world: Sandbox, directory: Path, machines: int, redis_url: str, stack: ExitStack) -> None:
        self._stats = world.simulation.stats
        command = [sys.executable, "-m", "tests.polite_process", str(world.dns_port), str(world.socks_port)]
        self.members = [
            stack.enter_context(
                subprocess.Popen(
                    [
                        *command,
                        str(directory / f"machine-{number % machines}"),
                        *([redis_url] if redis_url else []),
                    ],
                    cwd=settings.BASE_DIR,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                )
            )
            for number in range(PROCESSES)
        ]

    def begin(self) -> None:
        """Let all of them start at the same moment."""
        for member in self.members:
            assert member.stdout is not None
            assert member.stdout.readline() == "ready\n"
        for member in self.members:
            assert member.stdin is not None
            member.stdin.write("\n".join(ADDRESSES))
            member.stdin.close()

    def most_open(self) -> dict[str, int]:
        """The most sessions that were ever open at each operator at the same time."""
        peaks: dict[str, int] = self._stats.report()["peak_per_operator"]
        return peaks

    def first_verdict(self, member: "subprocess.Popen[str]") -> None:
        """Wait until one of them is in the middle of its work."""
        assert member.stdout is not None
        assert member.stdout.readline() == "valid mailbox_exists\n"

    def verdicts(self, member: "subprocess.Popen[str]") -> list[str]:
        """What one of them found, when it is done."""
        assert member.stdout is not None
        lines: list[str] = member.stdout.read().splitlines()
        assert member.wait(300) == 0
        return lines


@contextmanager
def crowd(world: Sandbox, directory: Path, *, machines: int = 1, redis_url: str = "") -> Iterator[Crowd]:
    with ExitStack() as stack:
        found = Crowd(world, directory, machines, redis_url, stack)
        try:
            found.begin()
            yield found
        finally:
            for member in found.members:
                member.kill()


def assert_polite(world: Sandbox, together: Crowd) -> None:
    """Every operator was asked, and none over more sessions than its profile allows."""
    operators, most_open = world.simulation.world.operators, together.most_open()
    limits = {key: Profiles.shipped().of_host(operators[key].hosts[0].name).sessions for key in DOMAINS}
    assert set(most_open) == set(limits)
    assert {key: peak for key, peak in most_open.items() if peak > limits[key]} == {}


@pytest.fixture
def slow_world(world: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    monkeypatch.setattr(world.simulation.switches, "latency_ms", 20.0)
    return world


def test_processes_of_one_machine_share_an_operators_places(slow_world: Sandbox, tmp_path: Path) -> None:
    with crowd(slow_world, tmp_path) as together:
        found = [together.verdicts(member) for member in together.members]
    assert [set(lines) for lines in found] == [{"valid mailbox_exists"}] * PROCESSES
    assert [len(lines) for lines in found] == [len(ADDRESSES)] * PROCESSES
    assert_polite(slow_world, together)


def test_the_places_of_a_killed_process_come_free(slow_world: Sandbox, tmp_path: Path) -> None:
    with crowd(slow_world, tmp_path) as together:
        killed, *others = together.members
        together.first_verdict(killed)
        killed.send_signal(signal.SIGKILL)
        found = [together.verdicts(member) for member in others]
    assert [len(lines) for lines in found] == [len(ADDRESSES)] * (PROCESSES - 1)
    assert_polite(slow_world, together)


@needs_redis
def test_machines_share_an_operators_places_by_redis(slow_world: Sandbox, tmp_path: Path) -> None:
    """Each process has a directory of its own, as processes of several machines do; one of them is killed."""
    with (
        running_redis(tmp_path) as (url, _),
        crowd(slow_world, tmp_path, machines=PROCESSES, redis_url=url) as together,
    ):
        killed, *others = together.members
        together.first_verdict(killed)
        killed.send_signal(signal.SIGKILL)
        found = [together.verdicts(member) for member in others]
    assert [len(lines) for lines in found] == [len(ADDRESSES)] * (PROCESSES - 1)
    assert_polite(slow_world, together)


@needs_redis
def test_without_redis_the_machines_own_places_count(slow_world: Sandbox, tmp_path: Path) -> None:
    with running_redis(tmp_path) as (url, server), crowd(slow_world, tmp_path, redis_url=url) as together:
        together.first_verdict(together.members[0])
        server.send_signal(signal.SIGKILL)
        found = [together.verdicts(member) for member in together.members]
    assert [set(lines) for lines in found] == [{"valid mailbox_exists"}] * PROCESSES
    assert_polite(slow_world, together)
