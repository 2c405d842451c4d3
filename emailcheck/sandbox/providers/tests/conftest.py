"""The played services for the official SDKs, which are told where to find them."""

from collections.abc import Iterator
from typing import Any

import pytest

from emailcheck.sandbox.providers.world import ProviderWorld
from tests.world import Sandbox


class Place:
    """Where the services are played."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.world: ProviderWorld = sandbox.simulation.providers
        self.site = f"http://127.0.0.1:{sandbox.http_port}"
        self.base = f"{self.site}/sandbox/providers"

    def trouble(self, name: str, kind: str) -> None:
        self.world.accounts[name].make_trouble(kind, 0, 0.0)


@pytest.fixture
def place(running_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    found = Place(running_sandbox)
    for account in found.world.accounts.values():
        account.reset()
    yield found
    for account in found.world.accounts.values():
        account.reset()
