from collections.abc import Iterator

import pytest

from tests.abuse.sockets import PROXY
from tests.stack import Stack, running_stack

CONNECTIONS = 300
"""Of one address; more than any abuse here has, but one that looks for it."""


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """With few threads, so that few callers are many."""
    with running_stack(
        tmp_path_factory.mktemp("abuse"),
        WEB_THREADS="4",
        WEB_ADDRESS_CONNECTIONS=str(CONNECTIONS),
        TRUSTED_PROXIES=f"{PROXY}/32",
    ) as running:
        yield running


@pytest.fixture(scope="package")
def bearer(stack: Stack) -> str:
    """The line of a request's head that makes it Alice's."""
    return f"Authorization: {stack.client.headers['Authorization']}\r\n"
