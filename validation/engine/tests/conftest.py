"""The test world, and the lists loaded once."""

from collections.abc import AsyncIterator

import pytest

from validation.engine.knowledge import Knowledge
from validation.engine.tests.world import World


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    """The lists as shipped."""
    return Knowledge()


@pytest.fixture
async def world(knowledge: Knowledge) -> AsyncIterator[World]:
    """A small mail internet."""
    made = World(knowledge)
    yield made
    await made.aclose()
