"""The simulated outside world for tests: one for the whole run, in a thread of its own."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from emailcheck.sandbox.mailworld.scenario.loader import WORLD_FILE
from emailcheck.sandbox.runtime import Sandbox, SandboxOptions, start_sandbox

__all__ = ["WORLD_FILE", "Sandbox", "running_world"]

WEBHOOK_ID = "SANDBOX00WEBHOOK0"  # as in the settings
NOBODY = 9  # a port where nobody listens


@contextmanager
def running_world(data_dir: Path, world_file: Path = WORLD_FILE) -> Iterator[Sandbox]:
    """Run the world on free ports until the context is left."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="sandbox", daemon=True)
    thread.start()
    context = start_sandbox(
        SandboxOptions(
            data_dir=data_dir,
            world_file=world_file,
            webhook_id=WEBHOOK_ID,
            webhook_url=f"http://127.0.0.1:{NOBODY}/webhooks/paypal",
        )
    )
    try:
        yield asyncio.run_coroutine_threadsafe(context.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(context.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
