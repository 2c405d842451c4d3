"""Limits that the processes of a machine share. Two in one directory stand for two processes: the kernel tells open
files apart, not processes."""

import fcntl
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

from emailcheck.common.shared_state import files
from emailcheck.common.shared_state.files import EmbeddedState
from validation.engine.limits.shared_limits import (
    DAY_S,
    Lane,
    LimitGrant,
    LimitRequest,
    PairLimits,
    RecipientRate,
    give_recipients,
)
from validation.verifier.limits import machine_file
from validation.verifier.limits.machine_file import MachineLimits
from validation.verifier.limits.tests.processes import soon
from validation.verifier.limits.turns import TURN_S, WAIT_S

PAIR = "direct|mx.example.net"


class Day:
    """The clock of the machine, and the time of day, both standing still."""

    def __init__(self) -> None:
        self.now = 500.0
        self.epoch = 20_000 * DAY_S


class Process:
    """One process of the machine."""

    def __init__(self, directory: Path, day: Day) -> None:
        self.limits = MachineLimits(directory, clock=lambda: day.now, day_time=lambda: day.epoch)

    async def take(self, sessions: int, limits: PairLimits, lane: Lane = Lane.LONG, pair: str = PAIR) -> int:
        return (await self.limits.exchange([LimitRequest(pair, limits, lane, sessions)]))[0].sessions

    async def ask(self, recipients: int, limits: PairLimits, lane: Lane = Lane.LONG, pair: str = PAIR) -> LimitGrant:
        return (await self.limits.exchange([LimitRequest(pair, limits, lane, recipients=recipients)]))[0]


def held(process: Process) -> tuple[int, int]:
    """In the long and in the short lane."""
    return process.limits.count_held(PAIR, Lane.LONG), process.limits.count_held(PAIR, Lane.SHORT)


@pytest.fixture
def day() -> Day:
    return Day()


@pytest.fixture
async def start(tmp_path: Path, day: Day) -> AsyncIterator[Callable[[], Process]]:
    begun: list[Process] = []

    def begin() -> Process:
        begun.append(Process(tmp_path, day))
        return begun[-1]

    yield begin
    for process in begun:
        await process.limits.aclose()


async def test_there_are_as_many_sessions_as_the_pair_has(start: Callable[[], Process]) -> None:
    one, two, limits = start(), start(), PairLimits(3)
    assert [await one.take(2, limits), await two.take(2, limits), await one.take(1, limits)] == [2, 1, 0]
    assert await two.take(1, limits, pair="direct|mx.other.net") == 1
    one.limits.give_back(PAIR, Lane.LONG)
    assert [await two.take(1, limits), await two.take(1, limits)] == [1, 0]


async def test_what_a_process_held_comes_free_when_it_ends(start: Callable[[], Process]) -> None:
    one, two = start(), start()
    assert [await one.take(5, PairLimits(2)), await two.take(1, PairLimits(2))] == [2, 0]
    await one.limits.aclose()
    assert await two.take(5, PairLimits(2)) == 2


@pytest.mark.spec("SCA-011")
@pytest.mark.parametrize("lanes", [[Lane.SHORT, Lane.LONG], [Lane.LONG, Lane.SHORT]])
async def test_long_lists_leave_sessions_to_the_short_lane_and_both_reach_all(
    start: Callable[[], Process], lanes: list[Lane]
) -> None:
    one, two, limits = start(), start(), PairLimits(4, reserved=1)
    taken = [await process.take(4, limits, Lane.LONG) for process in (one, two)]
    assert (taken, await two.take(4, limits, Lane.SHORT)) == ([3, 0], 1)
    one.limits.give_back(PAIR, Lane.LONG)
    two.limits.give_back(PAIR, Lane.SHORT)
    first = await one.take(1, limits, lanes[0])
    assert [first, await two.take(4, limits, lanes[1])] == [1, 1]
    assert [await one.take(1, limits, Lane.SHORT), await one.take(1, limits, Lane.LONG)] == [0, 0]


async def test_a_long_list_always_may_have_one(start: Callable[[], Process]) -> None:
    assert await start().take(2, PairLimits(1, reserved=1)) == 1


async def test_who_waits_is_seen_until_it_is_served_or_asks_no_more(start: Callable[[], Process], day: Day) -> None:
    one, two, limits = start(), start(), PairLimits(1)
    await one.take(1, limits)
    assert await two.take(1, limits) == 0
    assert [process.limits.is_wanted(PAIR) for process in (one, two)] == [True, False]
    one.limits.give_back(PAIR, Lane.LONG)
    assert await two.take(1, limits) == 1
    assert not one.limits.is_wanted(PAIR)
    await one.take(1, limits)
    day.now += WAIT_S + 0.1
    await soon(lambda: not two.limits.is_wanted(PAIR))


async def test_of_several_that_wait_the_last_is_seen(start: Callable[[], Process], day: Day) -> None:
    one, two, three, limits = start(), start(), start(), PairLimits(1)
    await one.take(1, limits)
    await three.take(1, limits)
    day.now += 0.5
    await two.take(1, limits)
    day.now += 0.7
    assert one.limits.is_wanted(PAIR)
    day.now += 0.4
    assert not one.limits.is_wanted(PAIR)


async def test_who_was_just_served_lets_others_look_first(start: Callable[[], Process], day: Day) -> None:
    one, two, limits = start(), start(), PairLimits(2)
    await one.take(2, limits)
    await two.take(1, limits)
    one.limits.give_back(PAIR, Lane.LONG)
    assert [await one.take(1, limits), await two.take(1, limits)] == [0, 1]
    assert await two.take(1, limits) == 0
    one.limits.give_back(PAIR, Lane.LONG)
    assert [await two.take(1, limits), await two.take(1, limits), await one.take(1, limits)] == [0, 0, 1]
    one.limits.give_back(PAIR, Lane.LONG)
    day.now += TURN_S
    assert await two.take(1, limits) == 1


async def test_the_short_lane_lets_nobody_go_first(start: Callable[[], Process]) -> None:
    one, two, limits = start(), start(), PairLimits(1)
    await one.take(1, limits)
    await two.take(1, limits)
    one.limits.give_back(PAIR, Lane.LONG)
    assert await one.take(1, limits, Lane.SHORT) == 1


async def test_refused_sessions_are_worth_asking_for_soon(start: Callable[[], Process]) -> None:
    grants = await start().limits.exchange(
        [LimitRequest(PAIR, PairLimits(1), Lane.LONG, 3), LimitRequest("b", PairLimits(1), Lane.LONG, 1)]
    )
    assert [grant.sessions for grant in grants] == [1, 1]
    assert 0.05 <= grants[0].again_in_s <= 0.1
    assert grants[1] == LimitGrant(sessions=1)


@pytest.mark.finding("A2")
async def test_processes_share_one_rate_to_the_number(start: Callable[[], Process], day: Day) -> None:
    """Two processes are given together what one alone would be given."""
    alone, random = RecipientRate(), Random(7)
    processes = [start(), start()]
    for _ in range(2_000):
        limits = PairLimits(6, per_s=random.choice([0.5, 20.0, 100.0]), burst=5, per_day=random.choice([0, 700]))
        ask = LimitRequest(PAIR, limits, random.choice(list(Lane)), recipients=random.randint(1, 200), within_s=10.0)
        [given] = await random.choice(processes).limits.exchange([ask])
        assert given == give_recipients(alone, ask, day.now, day.epoch)
        day.now += random.random() * 2
        day.epoch += random.random() * 600


async def test_without_a_rate_everything_is_given_and_nothing_written(
    start: Callable[[], Process], tmp_path: Path
) -> None:
    assert await start().ask(1_000_000, PairLimits(6)) == LimitGrant(recipients=1_000_000)
    assert not (tmp_path / machine_file.FILE).exists()


async def test_a_machine_that_started_anew_owes_nothing_but_the_day(
    start: Callable[[], Process], day: Day, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limits = PairLimits(6, per_s=10.0, burst=1, per_day=25)
    assert (await start().ask(10, limits)).recipients == 10
    day.now = 3.0
    assert await start().ask(10, limits) == LimitGrant(recipients=0, again_in_s=500.0 + 1.0 - 3.0 - 0.5)
    (tmp_path / "boot").write_text("another start")
    monkeypatch.setattr(machine_file, "_BOOT_ID", tmp_path / "boot")
    assert await start().ask(10, limits) == LimitGrant(recipients=10)
    day.now += 60.0
    assert (await start().ask(10, limits)).recipients == 5


async def test_the_time_of_day_set_back_changes_no_rate(start: Callable[[], Process], day: Day) -> None:
    process, limits = start(), PairLimits(6, per_s=10.0, burst=1)
    await process.ask(10, limits)
    day.epoch -= 10 * DAY_S
    day.now += 1.0
    assert await process.ask(10, limits) == LimitGrant(recipients=10)


async def test_while_a_process_stands_still_in_the_middle_of_counting_nothing_is_given(
    start: Callable[[], Process], tmp_path: Path
) -> None:
    two, limits, stopped = (
        start(),
        PairLimits(6, per_s=10.0),
        EmbeddedState(tmp_path / machine_file.FILE, "", wait_s=1.0),
    )
    assert await two.take(1, limits) == 1
    with stopped.writing():
        two.limits.give_back(PAIR, Lane.LONG)
        [given] = await two.limits.exchange([LimitRequest(PAIR, limits, Lane.LONG, 1, 10)])
        assert (given.sessions, given.recipients, 0.05 <= given.again_in_s <= 0.1) == (0, 0, True)
        assert held(two) == (0, 0)
    assert await two.take(6, limits) == 6  # what was given back meanwhile is free, once
    assert await start().take(1, limits) == 0
    assert await two.ask(10, limits) == LimitGrant(recipients=10)


_HOLDING = """
import asyncio, sys
from pathlib import Path
from validation.engine.limits.shared_limits import Lane, LimitRequest, PairLimits
from validation.verifier.limits.machine_file import MachineLimits
limits = MachineLimits(Path(sys.argv[1]))
asks = [LimitRequest(f"direct|{name}", PairLimits(2), Lane.LONG, 2) for name in ("a", "b")]
granted = asyncio.run(limits.exchange(asks))
print(sum(grant.sessions for grant in granted), flush=True)
sys.stdin.read()
"""


def start_holder(directory: Path) -> "subprocess.Popen[str]":
    """A process that takes all there is, if it can, and says how many that is."""
    command = [sys.executable, "-c", _HOLDING, str(directory)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def list_locks(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.glob("*.lock"))


def read_number(process: "subprocess.Popen[str]") -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


async def test_what_a_killed_process_held_is_soon_free_and_its_files_are_used_again(
    start: Callable[[], Process], day: Day, tmp_path: Path
) -> None:
    mine, taken = start(), []
    for _ in range(3):
        holder = start_holder(tmp_path)
        taken.append(read_number(holder))
        assert await mine.take(1, PairLimits(2), pair="direct|a") == 0
        holder.send_signal(signal.SIGSTOP)
        assert await mine.take(1, PairLimits(2), pair="direct|a") == 0  # it lives
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
        assert await mine.take(1, PairLimits(2), pair="direct|a") == 0  # until its host has noticed
        day.now += machine_file._DEAD_FOR_S
        assert await mine.take(1, PairLimits(2), pair="direct|a") == 1
        mine.limits.give_back("direct|a", Lane.LONG)
    assert taken == [4, 4, 4]
    assert list_locks(tmp_path) == ["process-2.lock", "process.lock"]


def test_whoever_replaces_a_killed_process_does_not_hold_what_that_held(tmp_path: Path) -> None:
    taken = []
    for _ in range(2):
        holder = start_holder(tmp_path)
        taken.append(read_number(holder))
        holder.kill()
        holder.communicate()
    assert (taken, list_locks(tmp_path)) == ([4, 4], ["process.lock"])


def test_of_sixteen_processes_at_once_as_many_are_served_as_there_are_sessions(tmp_path: Path) -> None:
    holders = [start_holder(tmp_path) for _ in range(16)]
    assert sum(read_number(holder) for holder in holders) == 4
    for holder in holders:
        holder.kill()
        holder.communicate()


async def test_the_file_keeps_nothing_that_says_nothing_any_more(
    start: Callable[[], Process], day: Day, tmp_path: Path
) -> None:
    one, two, limits = start(), start(), PairLimits(1, per_s=10.0)
    for number in range(5):
        await one.take(1, limits, pair=f"direct|{number}")
        await two.take(1, limits, pair=f"direct|{number}")
        await one.ask(1, limits, pair=f"direct|{number}")
    await one.limits.aclose()
    day.now += 61.0
    day.epoch += DAY_S
    assert await two.take(1, limits, pair="direct|new") == 1
    with EmbeddedState(tmp_path / machine_file.FILE, "", wait_s=1.0).reading() as rows:
        assert rows.execute("SELECT pair, short, long FROM sessions").fetchall() == [("direct|new", 0, 1)]
        assert rows.execute("SELECT count(*) FROM rates").fetchone() == (0,)


async def test_sessions_above_a_share_end_first_whatever_their_lane(start: Callable[[], Process]) -> None:
    one, two, limits = start(), start(), PairLimits(4, reserved=1)
    assert [await one.take(2, limits), await one.take(1, limits, Lane.SHORT)] == [2, 1]
    assert [one.limits.mark_surplus(PAIR, 2), one.limits.mark_surplus(PAIR, 2), held(one)] == [1, 0, (2, 0)]
    one.limits.give_back(PAIR, Lane.LONG)
    assert [await two.take(4, PairLimits(2)), held(one)] == [0, (1, 1)]
    one.limits.give_back(PAIR, Lane.SHORT)
    one.limits.give_back(PAIR, Lane.LONG)
    assert (await two.take(4, limits, Lane.SHORT), one.limits.pairs_held()) == (4, [])


async def test_no_mixture_of_lanes_and_processes_has_more_than_the_limits(start: Callable[[], Process]) -> None:
    random, limits = Random(3), PairLimits(5, reserved=2)
    processes, held = [start(), start()], [Counter[Lane](), Counter[Lane]()]
    most, most_long = 0, 0
    for _ in range(3_000):
        number, lane = random.randrange(2), random.choice(list(Lane))
        if random.random() < 0.5:
            held[number][lane] += await processes[number].take(random.randint(1, 3), limits, lane)
        elif held[number][lane]:
            held[number][lane] -= 1
            processes[number].limits.give_back(PAIR, lane)
        most = max(most, held[0].total() + held[1].total())
        most_long = max(most_long, held[0][Lane.LONG] + held[1][Lane.LONG])
    assert (most, most_long) == (5, 3)


async def test_it_is_known_whether_another_process_reaches_the_count_of_all(start: Callable[[], Process]) -> None:
    one, two = start(), start()
    one.limits.mark_reaching(True)
    assert [one.limits.is_another_reaching(), two.limits.is_another_reaching()] == [False, True]
    one.limits.mark_reaching(False)
    assert not two.limits.is_another_reaching()
    one.limits.mark_reaching(True)
    await one.limits.aclose()
    assert not two.limits.is_another_reaching()


def count_opened(path: Path) -> int:
    """How often this process has a file open."""
    return [link.resolve() for link in Path("/proc/self/fd").iterdir()].count(path)


async def test_who_looks_at_that_moment_hides_nobody_for_long(start: Callable[[], Process], tmp_path: Path) -> None:
    one, two = start(), start()
    one.limits.mark_reaching(True)
    one.limits.mark_reaching(False)
    path = tmp_path / f"{one.limits._owner}.reaching"
    looks = files.open_file(path)
    fcntl.flock(looks, fcntl.LOCK_SH)
    for _ in range(16):
        one.limits.mark_reaching(True)
    assert count_opened(path) == 1
    os.close(looks)
    assert not two.limits.is_another_reaching()
    for _ in range(2):
        one.limits.mark_reaching(True)
        assert two.limits.is_another_reaching()


async def test_closing_twice_closes_nothing_of_others(tmp_path: Path) -> None:
    """The number of a closed file belongs to whoever opens one next."""
    limits = MachineLimits(tmp_path)
    await limits.aclose()
    with (tmp_path / "other").open("wb", buffering=0) as other:
        await limits.aclose()
        assert other.write(b"whole") == 5
