"""The simulated world for the tests of the sandbox: as data, as hosts with a clock of their own, as a running one."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from emailcheck.sandbox import Sandbox, SandboxOptions, start_sandbox
from emailcheck.sandbox.mailworld.scenario.limits import LimitBook
from emailcheck.sandbox.mailworld.scenario.loader import load_world
from emailcheck.sandbox.mailworld.scenario.world import World
from emailcheck.sandbox.mailworld.smtp.mail_hosts import MailHosts
from emailcheck.sandbox.mailworld.smtp.stats import Stats, Switches
from emailcheck.sandbox.tests.dialogue import Clock


@pytest.fixture(scope="session")
def scenario() -> World:
    return load_world()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hosts(scenario: World, clock: Clock) -> MailHosts:
    book = LimitBook(scenario.limits, scenario.limits_factor)
    return MailHosts(scenario, Stats(scenario, book, clock), Switches(latency_ms=0.0, greylist_s=30.0), clock)


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[Sandbox]:
    async with start_sandbox(SandboxOptions(data_dir=tmp_path)) as running:
        yield running


@pytest.fixture
async def web(sandbox: Sandbox) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(
        base_url=f"http://127.0.0.1:{sandbox.http_port}", trust_env=False, verify=False
    ) as client:
        yield client
