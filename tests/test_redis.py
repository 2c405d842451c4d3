"""With `REDIS_URL` the cache is shared between processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.redis_server import needs_redis, running_redis

pytestmark = needs_redis


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    with running_redis(tmp_path) as (url, _):
        yield url


def in_a_process(redis_url: str, tmp_path: Path, code: str) -> str:
    environment = {**os.environ, "REDIS_URL": redis_url, "VAR_DIR": str(tmp_path)}
    command = [
        sys.executable,
        "manage.py",
        "shell",
        "--no-imports",
        "-c",
        f"from django.core.cache import cache; {code}",
    ]
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def test_what_one_process_remembers_another_finds(redis_url: str, tmp_path: Path) -> None:
    in_a_process(redis_url, tmp_path, "cache.set('word', 'hello', 60)")
    assert in_a_process(redis_url, tmp_path, "print(cache.get('word'), cache.get('other'))") == "hello None\n"
