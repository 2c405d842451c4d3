import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import httpx2
import pytest

from tests.stack import ROOT, SEEDED, Stack, copies, free_port, wait_until


@pytest.fixture(scope="package")
def webs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[int]]:
    """The ports of two webs on one database, which trust the proxy at 127.0.0.1."""
    directory = tmp_path_factory.mktemp("webs")
    shutil.copytree(copies() / SEEDED, directory, dirs_exist_ok=True)
    environment = Stack(directory, {"TRUSTED_PROXIES": "127.0.0.1/32", "ALLOWED_HOSTS": "*"}).environment
    ports = [free_port(), free_port()]
    running = [
        subprocess.Popen(
            [sys.executable, "manage.py", "web"],
            cwd=ROOT,
            env={**environment, "EMAILCHECK_PORT": str(port)},
            stdout=subprocess.DEVNULL,
        )
        for port in ports
    ]
    try:
        for port in ports:
            wait_until(partial(_answers, port), 120)
        yield ports
    finally:
        for web in running:
            os.kill(web.pid, signal.SIGTERM)
        for web in running:
            web.wait(60)


def _answers(port: int) -> bool:
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/api/plans", trust_env=False).status_code == 200
    except httpx2.TransportError:
        return False
