"""The event loop that the engine runs on."""

import asyncio
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec


def new_event_loop() -> asyncio.AbstractEventLoop:
    """A loop of uvloop where it is installed, else asyncio's own."""
    module = import_module("uvloop") if find_spec("uvloop") else asyncio
    factory: Callable[[], asyncio.AbstractEventLoop] = module.new_event_loop
    return factory()
