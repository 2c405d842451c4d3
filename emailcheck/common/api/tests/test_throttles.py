"""The one limiter, in a file of the machine and in Redis."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import time_machine

from emailcheck.common import secrecy
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import EmbeddedStorage, Limit, LimitResult
from emailcheck.common.errors import TooMany
from emailcheck.common.queue import scheduler
from emailcheck.common.queue.liveness import FamilyLiveness
from emailcheck.common.shared_state.files import EmbeddedState, locking_file
from tests.redis_server import needs_redis, running_redis

FIVE = Limit("test", 5, 60)
"""Five a minute."""


@pytest.fixture(params=["file", pytest.param("redis", marks=needs_redis)])
def store(request: Any, settings: Any, tmp_path: Path) -> Iterator[str]:
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


def test_a_refusal_says_when_to_come_back() -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        for _ in range(5):
            throttles.require_pass(FIVE, "x")
        with pytest.raises(TooMany) as refused:
            throttles.require_pass(FIVE, "x")
    assert dict(refused.value.headers) == {
        "Retry-After": "60", "RateLimit-Policy": '"test";q=5;w=60', "RateLimit": '"test";r=0;t=60',
        "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60",
    }  # fmt: skip


def test_each_answer_says_to_the_second_when_one_more_passes(store: str) -> None:
    name = who()
    with time_machine.travel("2026-03-01 12:00:00.123456+00:00", tick=False) as clock:
        assert [throttles.count_request(FIVE, name).reset_s for _ in range(5)] == [60] * 5
        clock.shift(40.5)
        refused = throttles.count_request(FIVE, name)
        assert (refused.passed, refused.remaining, refused.reset_s) == (False, 0, 20)
        clock.shift(19.6)
        assert throttles.count_request(FIVE, name) == LimitResult(FIVE, passed=True, remaining=4, reset_s=60)


def test_a_limit_for_a_day_counts_for_a_day(store: str) -> None:
    three, name = Limit("mails", 3, 86_400), who()
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        assert [throttles.count_request(three, name).passed for _ in range(4)] == [True, True, True, False]
        clock.shift(86_000)
        throttles.delete_old_counts()
        assert throttles.count_request(three, name).reset_s == 400


def test_of_sixteen_at_once_five_pass(store: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(lambda _: throttles.count_request(FIVE, "x").passed, range(16))).count(True) == 5


def test_without_redis_the_machine_counts(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert [throttles.count_request(FIVE, "x").passed for _ in range(6)].count(True) == 5
    throttles.reset_counts((FIVE, "x"))
    assert throttles.count_request(FIVE, "x").passed


def test_nobody_is_named_in_the_file_and_old_counts_go(settings: Any) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        throttles.count_request(FIVE, "alice@alder.com")
        files = list(settings.LIMITS_FILE.parent.glob("requests*"))
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
        assert b"alice" not in b"".join(path.read_bytes() for path in files)
        throttles.delete_old_counts()
        assert count_rows(settings.LIMITS_FILE) == 1
        clock.shift(60)
        throttles.delete_old_counts()
        assert count_rows(settings.LIMITS_FILE) == 0


def test_every_machine_forgets_old_counts_even_without_workers(settings: Any) -> None:
    settings.ON_MINUTE = [path for path in settings.ON_MINUTE if path.startswith(throttles.__name__)]
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as now:
        throttles.count_request(FIVE, "x")
        now.shift(60)
        for chore in scheduler.build_chores(scheduler.Duties(FamilyLiveness(1), {}, False, ""), 0.0):
            if chore.do == scheduler.do_minute:
                chore.do()
    assert count_rows(settings.LIMITS_FILE) == 0


@pytest.mark.parametrize("ahead", [False, True])
def test_old_counts_go_some_at_a_time_by_an_index_so_that_callers_come_in_between(settings: Any, ahead: bool) -> None:
    storage, statements = throttles.find_embedded(settings.LIMITS_FILE), list[str]()
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as now:
        storage.acquire_entry("old", 2_500, 60, 2_500)
        now.shift(-3_600 if ahead else 60)
        storage.acquire_entry("new", 1, 60)
        with storage._state.reading() as rows:
            rows.set_trace_callback(statements.append)
            deleted = [storage.reset(), storage.reset()]
            rows.set_trace_callback(None)
            deletes = [one for one in statements if one.startswith("DELETE")]
            plans = [str(rows.execute(f"EXPLAIN QUERY PLAN {one}").fetchall()) for one in deletes]
    assert (deleted, len(deletes), statements.count("COMMIT"), count_rows(settings.LIMITS_FILE)) == (
        [2_500, 0],
        6,
        6,
        1,
    )
    assert not [plan for plan in plans if "SCAN requests" in plan]


def test_a_clock_that_was_ahead_locks_nobody_out(tmp_path: Path) -> None:
    storage = EmbeddedStorage(tmp_path / "requests")
    with time_machine.travel("2026-03-31 12:00:00+00:00", tick=False) as now:
        assert storage.acquire_entry("x", 5, 60, 5)
        now.move_to("2026-03-01 12:00:00+00:00")
        assert storage.get_moving_window("x", 5, 60) == (time.time(), 0)
        assert storage.acquire_entry("x", 5, 60, 4)
        assert storage.get_moving_window("x", 5, 60) == (time.time(), 4)
        assert (count_rows(tmp_path / "requests"), storage.reset()) == (4, 0)
        with ThreadPoolExecutor(16) as pool:
            assert list(pool.map(lambda _: storage.acquire_entry("x", 5, 60), range(16))).count(True) == 1
        now.move_to("2026-03-31 12:00:01+00:00")
        assert storage.acquire_entry("x", 5, 60, 5)


def count_rows(path: Path) -> int:
    with EmbeddedState(path, "", wait_s=1.0).reading() as rows:
        number: int = rows.execute("SELECT count(*) FROM requests").fetchone()[0]
    return number


def test_a_file_that_a_power_cut_has_torn_begins_anew(tmp_path: Path) -> None:
    before = EmbeddedState(tmp_path / "requests", "CREATE TABLE requests (x);", wait_s=1.0)
    with before.writing() as rows:
        rows.executemany("INSERT INTO requests VALUES (?)", [("x" * 100,)] * 300)
    before.close()
    whole = (tmp_path / "requests").read_bytes()
    (tmp_path / "requests").write_bytes(whole[:4096].ljust(len(whole), b"\7"))
    after = EmbeddedStorage(tmp_path / "requests")
    assert [after.acquire_entry("x", 1, 60), after.acquire_entry("x", 1, 60)] == [True, False]
    (tmp_path / "other").write_bytes(b"no database " * 1_000)
    assert EmbeddedStorage(tmp_path / "other").acquire_entry("x", 1, 60)


_COUNTING = """
import sys
from pathlib import Path
from emailcheck.common.api.throttles import EmbeddedStorage
storage = EmbeddedStorage(Path(sys.argv[1]))
storage.get_moving_window("x", 50, 60)
print("ready", flush=True)
sys.stdin.readline()
print(sum(storage.acquire_entry("x", 50, 60) for _ in range(40)), flush=True)
sys.stdin.readline()
"""


def test_processes_count_together_and_what_a_killed_one_counted_stays(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _COUNTING, str(tmp_path / "requests")]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [read_line(process) for process in started] == ["ready"] * 4
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert sum(int(read_line(process)) for process in started) == 50
    for process in started:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert not EmbeddedStorage(tmp_path / "requests").acquire_entry("x", 50, 60)


def read_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return str(process.stdout.readline()).strip()


def test_a_child_that_is_forked_in_a_transaction_is_not_in_it(tmp_path: Path) -> None:
    state = EmbeddedState(tmp_path / "state", "CREATE TABLE IF NOT EXISTS t (x);", wait_s=0.01)
    with state.writing() as rows:
        rows.execute("INSERT INTO t VALUES (1)")
        child = os.fork()
        if not child:
            os._exit(0 if is_refused(state) else 1)
        assert os.waitpid(child, 0)[1] == 0
    with state.reading() as found:
        assert found.execute("SELECT x FROM t").fetchall() == [(1,)]


def is_refused(state: EmbeddedState) -> bool:
    """Whether another has the file."""
    try:
        with state.writing():
            return False
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_BUSY


def test_a_file_that_another_process_does_not_let_go_is_refused_and_nothing_counted(tmp_path: Path) -> None:
    one = EmbeddedState(tmp_path / "state", "CREATE TABLE IF NOT EXISTS t (x);", wait_s=0.01)
    other = EmbeddedState(tmp_path / "state", "", wait_s=0.01)
    with one.writing() as rows:
        rows.execute("INSERT INTO t VALUES (1)")
        with pytest.raises(sqlite3.OperationalError, match="locked"), other.writing() as refused:
            refused.execute("INSERT INTO t VALUES (2)")
    with other.reading() as found:
        assert found.execute("SELECT x FROM t").fetchall() == [(1,)]


def test_a_process_that_stands_still_while_it_opens_the_file_stops_no_other(tmp_path: Path) -> None:
    state = EmbeddedState(tmp_path / "state", "CREATE TABLE IF NOT EXISTS t (x);", wait_s=0.01)
    with locking_file(tmp_path / "state-lock"):
        assert is_refused(state)
    assert not is_refused(state)


def test_a_thread_that_stands_still_in_the_middle_of_counting_stops_no_other(tmp_path: Path) -> None:
    state = EmbeddedState(tmp_path / "state", "CREATE TABLE IF NOT EXISTS t (x);", wait_s=0.01)
    with ThreadPoolExecutor(16) as pool:
        with state.writing() as rows:
            rows.execute("INSERT INTO t VALUES (1)")
            assert list(pool.map(lambda _: is_refused(state), range(16))) == [True] * 16
        assert not pool.submit(is_refused, state).result()
    with state.reading() as found:
        assert found.execute("SELECT x FROM t").fetchall() == [(1,)]


_OPENING = """
import sys
from pathlib import Path
from emailcheck.common.shared_state.files import EmbeddedState, locking_file
state = EmbeddedState(Path(sys.argv[1]), "", wait_s=1.0)
with state.reading() as found:
    print([x for x, in found.execute("SELECT x FROM t ORDER BY x")])
state.close()
"""


def test_who_opens_a_file_twice_keeps_the_locks_on_it(tmp_path: Path) -> None:
    one, other = (EmbeddedState(tmp_path / "state", "CREATE TABLE IF NOT EXISTS t (x);", wait_s=1.0) for _ in range(2))
    command, log = [sys.executable, "-c", _OPENING, str(tmp_path / "state")], tmp_path / "state-wal"
    for number, state in enumerate((one, other, one, other)):
        with state.writing() as rows:
            rows.execute("INSERT INTO t VALUES (?)", (number,))
        before = log.stat().st_ino
        assert subprocess.check_output(command, text=True) == f"{list(range(number + 1))}\n"
        assert log.exists(), "the other process took itself for the last one that uses the file"
        assert log.stat().st_ino == before


def test_what_is_sealed_is_read_with_the_same_key_alone(settings: Any) -> None:
    sealed = secrecy.seal_text("secret")
    assert (secrecy.unseal_text(sealed), "secret" in sealed) == ("secret", False)
    for damaged in (sealed[:-4], "x", ""):
        with pytest.raises(secrecy.UnreadableSecret):
            secrecy.unseal_text(damaged)
    hashed = secrecy.keyed_hash("a", purpose="x")
    assert hashed != secrecy.keyed_hash("a", purpose="y")
    settings.FIELD_ENCRYPTION_KEY = "another"
    assert secrecy.keyed_hash("a", purpose="x") != hashed
    with pytest.raises(secrecy.UnreadableSecret):
        secrecy.unseal_text(sealed)
