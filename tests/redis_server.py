"""A Redis of a test's own."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.stack import wait_until

needs_redis = pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")


@contextmanager
def running_redis(directory: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """An empty Redis until the context is left: its address and its process.

    It listens on a file, so that no port can be taken; the folder is one of its own, because such a path is short.
    """
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/redis"
        command = ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", str(directory)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: _answers(socket), 60)
            yield f"unix://{socket}?db=0", server
        finally:
            server.terminate()
            server.wait()


def _answers(socket: str) -> bool:
    asked = subprocess.run(["redis-cli", "-s", socket, "ping"], capture_output=True, check=False)
    return asked.returncode == 0
