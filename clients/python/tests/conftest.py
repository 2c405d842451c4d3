"""One product for all tests of the package, a proxy in front of it, and clients of both kinds."""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

import pytest
from tests.stack import Stack, running_stack

from clients.python.tests.cutting_proxy import CuttingProxy, running_proxy
from emailcheck_client import exchange, lists
from emailcheck_client.client import AsyncEmailCheck, EmailCheck

# Tests call more often in a minute than smaller plans include.
_NO_LIMIT = "from billing.subscriptions.models import Subscription as S; S.objects.update(plan='enterprise')"
Connect = Callable[..., AbstractAsyncContextManager[Any]]


@dataclass(frozen=True)
class Product:
    """The running product, with a live key and one of test mode."""

    stack: Stack
    key: str
    trial: str

    @property
    def address(self) -> str:
        return self.stack.address

    def balance(self) -> int:
        """Credits that can be spent, and those that are held."""
        now = self.stack.get("/api/credits")
        return int(now["credits"] + now["held"])

    def count_lists(self) -> int:
        """Lists of live mode."""
        return int(self.stack.get("/api/validate/batches")["batches_total"])


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with running_stack(tmp_path_factory.mktemp("product")) as stack:
        key, trial = (
            stack.client.post("/api/user/api-keys", json={"name": "Client", "test": test}).json()["key"]
            for test in (False, True)
        )
        stack.manage("shell", "--no-imports", "-v0", "-c", _NO_LIMIT)
        yield Product(stack, key, trial)


@pytest.fixture
def proxy(product: Product) -> Iterator[CuttingProxy]:
    with running_proxy(product.address) as running:
        yield running


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries and polls follow each other at once."""
    monkeypatch.setattr(exchange, "FIRST_WAIT_S", 0.001)
    monkeypatch.setattr(lists, "_FIRST_POLL_S", 0.02)


@pytest.fixture(params=["blocks", "awaits"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def connect(kind: str) -> Connect:
    """Clients of one kind: `async with connect(key, address) as client`."""

    @asynccontextmanager
    async def connected(key: str, address: str, **options: Any) -> AsyncIterator[Any]:
        if kind == "blocks":
            with EmailCheck(key, address, allow_http=True, **options) as client:
                yield client
        else:
            async with AsyncEmailCheck(key, address, allow_http=True, **options) as other:
                yield other

    return connected


async def settle(value: Any) -> Any:
    """What a method of either kind answers."""
    return await value if isawaitable(value) else value


async def gather(items: Iterable[Any] | AsyncIterable[Any]) -> list[Any]:
    """All that a method of either kind iterates over."""
    return [one async for one in items] if isinstance(items, AsyncIterable) else list(items)
