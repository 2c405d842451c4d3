"""A Redis of a test's own."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.stack import free_port, wait_until

needs_redis = pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")


@contextmanager
def running_redis(directory: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """An empty Redis on a free port until the context is left: its address and its process."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(directory)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    try:
        wait_until(lambda: subprocess.call(["redis-cli", "-u", url, "ping"], stdout=subprocess.DEVNULL) == 0, 10)
        yield url, server
    finally:
        server.terminate()
        server.wait()
