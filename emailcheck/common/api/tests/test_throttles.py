"""The one limiter, in the database and in Redis."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection

from emailcheck.common import sealing
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import TooMany
from emailcheck.common.shared_state.models import RecentRequests
from tests.redis_server import needs_redis, running_redis

pytestmark = pytest.mark.postgres

FIVE = Limit("test", 5, 60)
"""Five a minute."""


@pytest.fixture(params=["database", "files", pytest.param("redis", marks=needs_redis)])
def store(request: Any, settings: Any, db: None, tmp_path: Path) -> Iterator[str]:
    settings.LIMITS_DIR = tmp_path / "limits" if request.param == "files" else None
    if request.param != "redis":
        yield request.param
        return
    with running_redis(tmp_path) as (address, _):
        settings.REDIS_URL = address
        yield "redis"


def who() -> str:
    return uuid.uuid4().hex


@pytest.mark.spec("LIM-032")
def test_never_more_than_n_pass_in_any_minute(store: str) -> None:
    name = who()
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        assert [throttles.count_request(FIVE, name).remaining for _ in range(3)] == [4, 3, 2]
        clock.shift(40)
        assert [throttles.count_request(FIVE, name).passed for _ in range(3)] == [True, True, False]
        refused = throttles.count_request(FIVE, name)
        assert (refused.remaining, refused.reset_s) == (0, 20)
        clock.shift(21)
        assert [throttles.count_request(FIVE, name).passed for _ in range(4)] == [True, True, True, False]


def test_everybody_is_counted_alone_and_forgiven_alone(store: str) -> None:
    one, other = who(), who()
    for name in (one, other):
        assert [throttles.count_request(FIVE, name).passed for _ in range(6)].count(True) == 5
    throttles.reset_counts((FIVE, one))
    assert (throttles.count_request(FIVE, one).passed, throttles.count_request(FIVE, other).passed) == (True, False)


def test_several_limits_count_up_to_the_first_that_is_met(store: str) -> None:
    two = Limit("two", 2, 60)
    name, other = who(), who()
    passed = [[answer.passed for answer in throttles.count_under_all((two, name), (FIVE, other))] for _ in range(4)]
    assert passed == [[True, True], [True, True], [False], [False]]
    assert throttles.count_request(FIVE, other).remaining == 2
    throttles.reset_counts((two, name), (FIVE, other))
    assert [answer.remaining for answer in throttles.count_under_all((FIVE, other), (two, name))] == [4, 1]


def test_a_refusal_says_when_to_come_back(db: None) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        for _ in range(5):
            throttles.require_pass(FIVE, "x")
        with pytest.raises(TooMany) as refused:
            throttles.require_pass(FIVE, "x")
    assert dict(refused.value.headers) == {
        "Retry-After": "60", "RateLimit-Policy": '"test";q=5;w=60', "RateLimit": '"test";r=0;t=60',
        "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60",
    }  # fmt: skip


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("place", ["limits", None])
def test_of_sixteen_at_once_five_pass(settings: Any, tmp_path: Path, place: str | None) -> None:
    settings.LIMITS_DIR = tmp_path / place if place else None

    def take(_: int) -> bool:
        try:
            return throttles.count_request(FIVE, "x").passed
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(take, range(16))).count(True) == 5


def test_without_redis_the_database_counts(db: None, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert [throttles.count_request(FIVE, "x").passed for _ in range(6)].count(True) == 5
    throttles.reset_counts((FIVE, "x"))
    assert throttles.count_request(FIVE, "x").passed


def test_nobody_is_named_in_the_table_and_old_rows_go(db: None, settings: Any) -> None:
    settings.LIMITS_DIR = None
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        throttles.count_request(FIVE, "alice@alder.com")
        assert "alice" not in str(RecentRequests.objects.values().get())
        throttles.delete_old_counts()
        assert RecentRequests.objects.count() == 1
        clock.shift(61)
        throttles.delete_old_counts()
    assert not RecentRequests.objects.exists()


def test_nor_by_a_file_and_idle_ones_go(db: None, settings: Any, tmp_path: Path) -> None:
    settings.LIMITS_DIR = tmp_path / "limits"
    throttles.delete_old_counts()
    throttles.count_request(FIVE, "alice@alder.com")
    (file,) = settings.LIMITS_DIR.iterdir()
    assert (b"alice" in file.read_bytes(), "alice" in file.name, file.stat().st_mode & 0o777) == (False, False, 0o600)
    throttles.delete_old_counts()
    assert throttles.count_request(FIVE, "alice@alder.com").remaining == 3
    os.utime(file, (0, 0))
    throttles.delete_old_counts()
    assert list(settings.LIMITS_DIR.iterdir()) == []
    assert not RecentRequests.objects.exists()


def test_a_file_that_was_torn_counts_what_is_whole(settings: Any, tmp_path: Path) -> None:
    settings.LIMITS_DIR = tmp_path / "limits"
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        for _ in range(3):
            throttles.count_request(FIVE, "x")
        (file,) = settings.LIMITS_DIR.iterdir()
        file.write_bytes(file.read_bytes()[:-3])
        assert throttles.count_request(FIVE, "x").remaining == 2


def test_processes_count_together(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from emailcheck.common.shared_state import rate_files\n"
        "path = Path(sys.argv[1]) / 'limits' / 'x'\n"
        "print(sum(rate_files.count_request(path, requests=50, seconds=60, now=time.time())[0] for _ in range(40)))"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert sum(int(process.communicate()[0]) for process in started) == 50


def test_what_is_sealed_is_read_with_the_same_key_alone(settings: Any) -> None:
    sealed = sealing.seal_text("secret")
    assert (sealing.unseal_text(sealed), "secret" in sealed) == ("secret", False)
    for damaged in (sealed[:-4], "x", ""):
        with pytest.raises(sealing.UnreadableSecret):
            sealing.unseal_text(damaged)
    hashed = sealing.keyed_hash("a", purpose="x")
    assert hashed != sealing.keyed_hash("a", purpose="y")
    settings.FIELD_ENCRYPTION_KEY = "another"
    assert sealing.keyed_hash("a", purpose="x") != hashed
    with pytest.raises(sealing.UnreadableSecret):
        sealing.unseal_text(sealed)
