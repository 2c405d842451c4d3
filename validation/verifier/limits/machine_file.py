"""The count of sessions and recipients that the processes of one machine share: rows of a file.

The web process and every worker have an engine each; together they keep the limits of each pair of an egress address
and an operator.
"""

import mmap
import os
import random
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from emailcheck.common.shared_state import files
from emailcheck.common.shared_state.files import EmbeddedState
from emailcheck.common.shared_state.process_name import claim_process_name, is_process_alive
from validation.engine.limits.shared_limits import (
    DAY_S,
    Lane,
    LimitGrant,
    LimitRequest,
    RecipientRate,
    count_free_sessions,
    give_recipients,
)
from validation.verifier.limits.turns import WAIT_S, Turns

AGAIN_S = (0.05, 0.1)
FILE = "sessions.sqlite3"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    pair TEXT, owner TEXT, short INTEGER, long INTEGER, waits_until REAL, PRIMARY KEY (pair, owner)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS waiting ON sessions (waits_until) WHERE waits_until > 0;
CREATE TABLE IF NOT EXISTS rates (
    pair TEXT PRIMARY KEY, next_at REAL, short_at REAL, day INTEGER, used INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS boot (id TEXT);
"""
_ADD = """
INSERT INTO sessions VALUES (?, ?, ?, ?, ?) ON CONFLICT (pair, owner) DO UPDATE
SET short = short + excluded.short, long = long + excluded.long, waits_until = excluded.waits_until
"""
_GIVE_BACK = "UPDATE sessions SET short = short - ?, long = long - ? WHERE pair = ? AND owner = ?"
_FORGET = "DELETE FROM sessions WHERE owner = ?"
_REACHING = ".reaching"
_Row = tuple[str, int, int, float]
"""Whose it is, sessions of the short and of the long lane, until when more are waited for."""
_WAIT_FOR_FILE_S = 0.02
_SWEEP_S = 60.0
_DEAD_FOR_S = 0.2
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_clock() -> float:
    """Seconds since the machine booted, the same in all its processes. This clock is never set."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class MachineLimits:
    """Limits as rows of a file in a directory, exact between all processes of a machine that use it.

    A row says how many sessions of a pair a process has, and until when it waits for more. Its owner is the locked name
    of that process: the rows of one that died are no longer counted by whoever finds too few sessions free.
    """

    def __init__(
        self, directory: Path, *, clock: Callable[[], float] = boot_clock, day_time: Callable[[], float] = time.time
    ) -> None:
        """`clock` is one that all processes share; `day_time` gives seconds since 1970."""
        self._directory = directory
        self._state = EmbeddedState(directory / FILE, _SCHEMA, wait_s=_WAIT_FOR_FILE_S)
        self._clock = clock
        self._day_time = day_time
        self._owner, self._lock_file = claim_process_name(directory)
        self._reaching_file = -1
        self._has_joined = False
        self._held: dict[str, Counter[Lane]] = defaultdict(Counter)
        self._surplus: Counter[str] = Counter()
        self._given_back: list[tuple[Lane, str]] = []  # and not yet written
        self._turns = Turns()
        self._dead_since: dict[str, float] = {}
        self._sweep_at = 0.0
        self._changes = _map_number(directory / "changes")
        self._waits, self._waits_known_at = dict[str, float](), -1

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """Grant what the limits allow. Nothing is granted while a process that was stopped holds the file."""
        if not any(ask.sessions or (ask.recipients and _is_limited(ask)) for ask in asks):
            return [LimitGrant(recipients=ask.recipients) for ask in asks]
        try:
            with self._writing() as rows:
                living = {self._owner}
                grants = [self._answer(rows, ask, living) for ask in asks]
        except (sqlite3.Error, OSError):
            return [LimitGrant(again_in_s=random.uniform(*AGAIN_S)) for _ in asks]
        if any(ask.sessions for ask in asks):
            self._changes[0] += 1  # of two at once one may get lost: it has changed all the same
        for ask, grant in zip(asks, grants, strict=True):
            if grant.sessions:
                self._held[ask.pair][ask.lane] += grant.sessions
        return grants

    def give_back(self, pair: str, lane: Lane) -> None:
        """End a session; first one that is marked as surplus."""
        self._held[pair][lane] -= 1
        self._surplus -= Counter([pair])
        if not self._held[pair].total():
            del self._held[pair]
        self._given_back.append((lane, pair))
        with suppress(sqlite3.Error, OSError), self._writing():
            pass  # else with the next exchange

    def is_wanted(self, pair: str) -> bool:
        """Whether another process waits for a session."""
        if self._changes[0] != self._waits_known_at:
            self._waits_known_at = self._changes[0]
            found = "SELECT pair, waits_until FROM sessions WHERE waits_until > ? AND owner <> ? ORDER BY waits_until"
            with suppress(sqlite3.Error, OSError), self._state.reading() as rows:
                self._waits = dict(rows.execute(found, (max(0.0, self._clock()), self._owner)).fetchall())
        return self._waits.get(pair, 0.0) > self._clock()

    def on_revoked(self, revoke: Callable[[str, int], None]) -> None:
        """Nothing is revoked: what a process holds lasts as long as the process."""

    async def aclose(self) -> None:
        """Free all. Call it once or more: the descriptor's number may be reused."""
        if self._lock_file >= 0 and self._has_joined:
            with suppress(sqlite3.Error, OSError), self._writing() as rows:
                rows.execute(_FORGET, (self._owner,))
        self._state.close()
        self.mark_reaching(False)
        if self._lock_file >= 0:
            os.close(self._lock_file)
            self._lock_file = -1

    def count_held(self, pair: str, lane: Lane) -> int:
        """The number of sessions that this process has of a pair in a lane, without surplus ones."""
        held = self._held.get(pair, Counter())
        of_short = min(self._surplus[pair], held[Lane.SHORT])
        return held[lane] - (of_short if lane is Lane.SHORT else self._surplus[pair] - of_short)

    def is_holding(self, pair: str) -> bool:
        """Whether this process has sessions of a pair."""
        return pair in self._held

    def pairs_held(self) -> list[str]:
        """The pairs with sessions of this process."""
        return list(self._held)

    def mark_surplus(self, pair: str, sessions: int) -> int:
        """Limit the sessions that all processes of the machine may keep of a pair: first come those first by name.

        Returns how many more of this process must end. Those are given back first.
        """
        before, others = "SELECT coalesce(sum(short + long), 0) FROM sessions WHERE pair = ? AND owner < ?", sessions
        with suppress(sqlite3.Error, OSError), self._state.reading() as rows:
            others = rows.execute(before, (pair, self._owner)).fetchone()[0]
        surplus = self._held.get(pair, Counter()).total() - max(0, sessions - others)
        more = max(0, surplus - self._surplus[pair])
        self._surplus[pair] += more
        return more

    def mark_reaching(self, reaches: bool) -> None:
        """Record whether this process reaches Redis. Repeat it: while another process looks, nothing is recorded."""
        if reaches and self._reaching_file < 0:
            file = files.open_file(self._directory / f"{self._owner}{_REACHING}")
            if files.try_lock(file):
                self._reaching_file = file
            else:
                os.close(file)
        elif not reaches and self._reaching_file >= 0:
            os.close(self._reaching_file)
            self._reaching_file = -1

    def is_another_reaching(self) -> bool:
        """Whether another process of the machine reaches Redis."""
        paths = self._directory.glob(f"*{_REACHING}")
        return any(path.stem != self._owner and files.is_locked(path) for path in paths)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._state.writing() as rows:
            if not self._has_joined:
                self._join(rows)
            written = len(self._given_back)
            for lane, pair in self._given_back:
                lanes = (1, 0) if lane is Lane.SHORT else (0, 1)
                rows.execute(_GIVE_BACK, (*lanes, pair, self._owner))
            yield rows
        self._has_joined = True
        del self._given_back[:written]

    def _join(self, rows: sqlite3.Connection) -> None:
        """Forget what the last owner of our name had; after a start of the machine, what everybody had."""
        boot = _BOOT_ID.read_text() if _BOOT_ID.exists() else ""
        if rows.execute("SELECT id FROM boot").fetchone() != (boot,):
            rows.execute("DELETE FROM boot")
            rows.execute("INSERT INTO boot VALUES (?)", (boot,))
            rows.execute("DELETE FROM sessions")
            rows.execute("UPDATE rates SET next_at = 0, short_at = 0")
        rows.execute(_FORGET, (self._owner,))

    def _answer(self, rows: sqlite3.Connection, ask: LimitRequest, living: set[str]) -> LimitGrant:
        sessions, again_s = 0, 0.0
        if ask.sessions:
            sessions = self._take_sessions(rows, ask, living)
            again_s = random.uniform(*AGAIN_S) if sessions < ask.sessions else 0.0
        if not ask.recipients:
            return LimitGrant(sessions, again_in_s=again_s)
        given = self._give_recipients(rows, ask)
        waits_s = [wait for wait in (again_s, given.again_in_s) if wait]
        return LimitGrant(sessions, given.recipients, given.starts_in_s, min(waits_s, default=0.0))

    def _take_sessions(self, rows: sqlite3.Connection, ask: LimitRequest, living: set[str]) -> int:
        """Take sessions for a lane. A process with all that the lane may have yields to no other."""
        pair, now = ask.pair, self._clock()
        found = self._read_pair(rows, pair)
        if not _count_free(ask, [row for row in found if row[0] == self._owner]):
            return 0
        if _count_free(ask, found) < ask.sessions and self._forget_dead(rows, found, living):
            found = self._read_pair(rows, pair)
        others_wait = any(owner != self._owner and until > now for owner, _, _, until in found)
        taken = 0
        if not (others_wait and ask.lane is Lane.LONG and self._turns.must_wait(pair, now)):
            taken = min(ask.sessions, _count_free(ask, found))
        if taken and others_wait:
            self._turns.let_others_go(pair, now)
        self._write_taken(rows, ask, taken, now)
        return taken

    def _read_pair(self, rows: sqlite3.Connection, pair: str) -> list[_Row]:
        found = "SELECT owner, short, long, waits_until FROM sessions WHERE pair = ?"
        return rows.execute(found, (pair,)).fetchall()

    def _write_taken(self, rows: sqlite3.Connection, ask: LimitRequest, taken: int, now: float) -> None:
        is_served = taken == ask.sessions
        if is_served:
            self._turns.end_wait(ask.pair)
        else:
            self._turns.wait(ask.pair, now)
        lanes = (taken, 0) if ask.lane is Lane.SHORT else (0, taken)
        rows.execute(_ADD, (ask.pair, self._owner, *lanes, 0.0 if is_served else now + WAIT_S))
        if now >= self._sweep_at:
            self._sweep_at = now + _SWEEP_S
            self._sweep(rows, now)

    def _forget_dead(self, rows: sqlite3.Connection, found: list[_Row], living: set[str]) -> bool:
        """Forget the processes of these rows that have been dead for a moment: their hosts have noticed by then.

        `living` are known to live, and grow. Answers whether any was forgotten.
        """
        others, now = {owner for owner, *_ in found} - living, self._clock()
        living |= {owner for owner in others if is_process_alive(self._directory, owner)}
        self._dead_since = {owner: self._dead_since.get(owner, now) for owner in others - living}
        gone = [owner for owner, since in self._dead_since.items() if now >= since + _DEAD_FOR_S]
        rows.executemany(_FORGET, [(owner,) for owner in gone])
        return bool(gone)

    def _sweep(self, rows: sqlite3.Connection, now: float) -> None:
        """Delete what says nothing any more."""
        self._turns.ended_waits(now)
        owners = rows.execute("SELECT DISTINCT owner, 0, 0, 0.0 FROM sessions").fetchall()
        self._forget_dead(rows, owners, {self._owner})
        rows.execute("DELETE FROM sessions WHERE short = 0 AND long = 0 AND waits_until <= ?", (now,))
        over = "DELETE FROM rates WHERE next_at <= ? AND short_at <= ? AND day < ?"
        rows.execute(over, (now, now, int(self._day_time() // DAY_S)))

    def _give_recipients(self, rows: sqlite3.Connection, ask: LimitRequest) -> LimitGrant:
        """Grant recipients by the pair's rate."""
        if not _is_limited(ask):
            return LimitGrant(recipients=ask.recipients)
        found = "SELECT next_at, short_at, day, used FROM rates WHERE pair = ?"
        rate = RecipientRate(*(rows.execute(found, (ask.pair,)).fetchone() or ()))
        given = give_recipients(rate, ask, self._clock(), self._day_time())
        written = (ask.pair, rate.next_at, rate.short_at, rate.day, rate.used)
        rows.execute("INSERT OR REPLACE INTO rates VALUES (?, ?, ?, ?, ?)", written)
        return given


def _map_number(path: Path) -> "memoryview[int]":
    """A number in memory that all processes of the machine share."""
    file = files.open_file(path)
    try:
        os.posix_fallocate(file, 0, 8)  # a hole could not be filled on a full disk
        return memoryview(mmap.mmap(file, 8)).cast("Q")
    finally:
        os.close(file)


def _is_limited(ask: LimitRequest) -> bool:
    """Whether recipients are counted at all."""
    return bool(ask.limits.per_s or ask.limits.per_day)


def _count_free(ask: LimitRequest, found: list[_Row]) -> int:
    short, long = sum(row[1] for row in found), sum(row[2] for row in found)
    return count_free_sessions(ask.limits, ask.lane, short, long)
