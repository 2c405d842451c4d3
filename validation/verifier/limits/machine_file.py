"""The count of sessions and recipients that the processes of one machine share: locked bytes of a file.

The web process and every worker have an engine each; together they keep the limits of each pair of an egress address
and an operator.
"""

import asyncio
import fcntl
import os
import random
import struct
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from validation.engine.limits.shared_limits import Lane, LimitGrant, LimitRequest, RecipientRate, give_recipients
from validation.verifier.limits.turns import Turns

# Bytes of a pair: one for each session, one for the counting process, one for waiting processes.
_BYTES = 256
_SESSIONS, _COUNTING, _WAITING = _BYTES - 2, _BYTES - 2, _BYTES - 1
# Bytes of the whole file: one for claiming a record, one for processes that reach Redis.
_CLAIMING, _REACHING = 1 << 60, (1 << 60) + 1
_TRIES = 100
AGAIN_S = (0.05, 0.1)
_SWEEP_S = 0.5
# The records: behind the counters that earlier versions left in the file.
_TABLE_AT, _RECORDS, _PROBES = 1 << 20, 65_536, 16
_RECORD = struct.Struct("=QQddqq")  # pair, start of the machine, then a `RecipientRate`
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_clock() -> float:
    """Seconds since the machine booted, the same in all its processes. This clock is never set."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class MachineLimits:
    """Limits as locked bytes of a file, exact between all processes of a machine that open it.

    A session at a pair is a byte; who has it holds an open-file-description lock on it (fcntl(2), F_OFD_SETLK). The
    kernel frees the locks of a process that dies, and each lock costs a microsecond. A long list may have the first
    bytes alone; the short lane begins with the last, so that both together can have all of them. Pairs share sessions
    when 48 bits of their hashes are equal.

    What was given of a pair's recipients lies in a record of the file. A record says whose it is (64 bits of a hash)
    and is looked for at sixteen places; where all of these are others', two pairs count in one and are given less.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], float] = boot_clock, day_time: Callable[[], float] = time.time
    ) -> None:
        """`clock` is one that all processes share; `day_time` gives seconds since 1970."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._clock = clock
        self._day_time = day_time
        self._boot = _hash_of(_BOOT_ID.read_text() if _BOOT_ID.exists() else "")
        self._held: dict[str, dict[int, Lane]] = {}
        self._surplus: dict[str, set[int]] = {}
        self._records: dict[str, int] = {}
        self._turns = Turns()
        self._sweep: asyncio.TimerHandle | None = None

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """Grant what the limits allow, without waiting."""
        return [self._answer(ask) for ask in asks]

    def give_back(self, pair: str, lane: Lane) -> None:
        """End a session; first one that is marked as surplus."""
        held, surplus = self._held[pair], self._surplus.get(pair)
        byte = next(byte for byte in reversed(held) if held[byte] is lane)
        if surplus:
            condemned = surplus.pop()
            if not surplus:
                del self._surplus[pair]
            held[byte] = held[condemned]
            byte = condemned
        del held[byte]
        if not held:
            del self._held[pair]
        self._lock(fcntl.F_UNLCK, _first_byte_of(pair) + byte)

    def is_wanted(self, pair: str) -> bool:
        """Whether another process waits for a session."""
        return self._conflict(_first_byte_of(pair) + _WAITING) is not None

    def on_revoked(self, revoke: Callable[[str, int], None]) -> None:
        """Nothing is revoked: a lock lasts as long as its process."""

    async def aclose(self) -> None:
        """Close the file, which frees all locks. Call it once: the descriptor's number may be reused."""
        if self._sweep is not None:
            self._sweep.cancel()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def count_held(self, pair: str, lane: Lane) -> int:
        """The number of sessions that this process has of a pair in a lane, without surplus ones."""
        surplus = self._surplus.get(pair, ())
        return sum(found is lane and byte not in surplus for byte, found in self._held.get(pair, {}).items())

    def is_holding(self, pair: str) -> bool:
        """Whether this process has sessions of a pair."""
        return pair in self._held

    def pairs_held(self) -> list[str]:
        """The pairs with sessions of this process."""
        return list(self._held)

    def mark_surplus(self, pair: str, sessions: int) -> int:
        """Limit the sessions that all processes of the machine may keep of a pair.

        Returns how many more of this process must end. Those are given back first.
        """
        marked = self._surplus.get(pair, set())
        more = {byte for byte in self._held.get(pair, ()) if byte >= sessions} - marked
        if more:
            self._surplus[pair] = marked | more
        return len(more)

    def mark_reaching(self, reaches: bool) -> None:
        """Record whether this process reaches Redis."""
        self._lock(fcntl.F_RDLCK if reaches else fcntl.F_UNLCK, _REACHING)

    def is_another_reaching(self) -> bool:
        """Whether another process of the machine reaches Redis."""
        return self._conflict(_REACHING) is not None

    def _answer(self, ask: LimitRequest) -> LimitGrant:
        sessions, again_s = 0, 0.0
        if ask.sessions:
            sessions = self._take_sessions(ask)
            again_s = random.uniform(*AGAIN_S) if sessions < ask.sessions else 0.0
        if not ask.recipients:
            return LimitGrant(sessions, again_in_s=again_s)
        given = self._count_recipients(ask)
        waits_s = [wait for wait in (again_s, given.again_in_s) if wait]
        return LimitGrant(sessions, given.recipients, given.starts_in_s, min(waits_s, default=0.0))

    def _take_sessions(self, ask: LimitRequest) -> int:
        """Take sessions for a lane. A process with all of the lane's bytes yields to no other."""
        pair, now = ask.pair, self._clock()
        mine = self._held.get(pair)
        if mine and all(byte in mine for byte in _bytes_of(ask)):
            return 0
        others_wait = self.is_wanted(pair)
        taken = 0
        if not (others_wait and ask.lane is Lane.LONG and self._turns.must_wait(pair, now)):
            taken = self._lock_sessions(ask)
        self._note_turn(ask, taken, now, others_wait)
        return taken

    def _note_turn(self, ask: LimitRequest, taken: int, now: float, others_wait: bool) -> None:
        if taken and others_wait:
            self._turns.let_others_go(ask.pair, now)
        if taken == ask.sessions:
            if self._turns.end_wait(ask.pair):
                self._lock(fcntl.F_UNLCK, _first_byte_of(ask.pair) + _WAITING)
            return
        if self._turns.wait(ask.pair, now):
            self._lock(fcntl.F_RDLCK, _first_byte_of(ask.pair) + _WAITING)
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(_SWEEP_S, self._forget_waits)

    def _forget_waits(self) -> None:
        """Drop waits that were not renewed for a while."""
        self._sweep = None
        for pair in self._turns.ended_waits(self._clock()):
            self._lock(fcntl.F_UNLCK, _first_byte_of(pair) + _WAITING)
        if self._turns.waiting:
            self._sweep = asyncio.get_running_loop().call_later(_SWEEP_S, self._forget_waits)

    def _lock_sessions(self, ask: LimitRequest) -> int:
        """Lock free bytes of a lane. For a locked byte the kernel reports the length of the lock, which is skipped."""
        start, mine = _first_byte_of(ask.pair), self._held.get(ask.pair, {})
        taken, others = 0, range(0)
        for byte in _bytes_of(ask):
            if taken == ask.sessions:
                break
            if byte in mine or byte in others:
                continue
            if self._lock(fcntl.F_WRLCK, start + byte):
                mine = self._held.setdefault(ask.pair, mine)
                mine[byte] = ask.lane
                taken += 1
            else:
                found = self._conflict(start, _SESSIONS, first=byte) or range(0)
                others = found if byte in found else range(0)
        return taken

    def _count_recipients(self, ask: LimitRequest) -> LimitGrant:
        """Grant recipients by the pair's record. A process that is stopped in the middle of counting is waited for."""
        if not (ask.limits.per_s or ask.limits.per_day):
            return LimitGrant(recipients=ask.recipients)
        byte = _first_byte_of(ask.pair) + _COUNTING
        if not any(self._lock(fcntl.F_WRLCK, byte) for _ in range(_TRIES)):
            return LimitGrant(again_in_s=random.uniform(*AGAIN_S))
        try:
            at = self._record_of(ask.pair)
            if at is None:
                return LimitGrant(again_in_s=random.uniform(*AGAIN_S))
            pair, boot, next_at, short_at, day, used = _RECORD.unpack(os.pread(self._file, _RECORD.size, at))
            rate = (
                RecipientRate(next_at, short_at, day, used)
                if boot == self._boot
                else RecipientRate(0.0, 0.0, day, used)
            )
            given = give_recipients(rate, ask, self._clock(), self._day_time())
            written = _RECORD.pack(pair, self._boot, rate.next_at, rate.short_at, rate.day, rate.used)
            os.pwrite(self._file, written, at)
        finally:
            self._lock(fcntl.F_UNLCK, byte)
        return given

    def _record_of(self, pair: str) -> int | None:
        """The offset of a pair's record; the first possible one when the file is full.

        None while another process claims one.
        """
        if pair not in self._records:
            if not any(self._lock(fcntl.F_WRLCK, _CLAIMING) for _ in range(_TRIES)):
                return None
            try:
                self._records[pair] = self._claim_record(pair)
            finally:
                self._lock(fcntl.F_UNLCK, _CLAIMING)
        return self._records[pair]

    def _claim_record(self, pair: str) -> int:
        mark = _hash_of(pair)
        offsets = [_TABLE_AT + (mark + probe) % _RECORDS * _RECORD.size for probe in range(_PROBES)]
        for at in offsets:
            owner = int.from_bytes(os.pread(self._file, 8, at), sys.byteorder)
            if not owner:
                os.pwrite(self._file, _RECORD.pack(mark, self._boot, 0.0, 0.0, 0, 0), at)
            if owner in {0, mark}:
                return at
        return offsets[0]

    def _lock(self, kind: int, byte: int) -> bool:
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _FLOCK.pack(kind, os.SEEK_SET, byte, 1, 0))
        except BlockingIOError:
            return False
        return True

    def _conflict(self, start: int, length: int = 1, first: int = 0) -> range | None:
        """The first bytes at or after `first`, counted from `start`, that another process has locked."""
        asked = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, start + first, length - first, 0)
        kind, _, at, locked, _ = _FLOCK.unpack(fcntl.fcntl(self._file, fcntl.F_OFD_GETLK, asked))
        return None if kind == fcntl.F_UNLCK else range(at - start, at - start + locked)


_FLOCK = struct.Struct("hhqqi4x")  # struct flock of Linux on 64 bits: type, whence, start, length, pid


def _bytes_of(ask: LimitRequest) -> Iterable[int]:
    """The bytes of a lane, in the order of trying them."""
    most = min(ask.limits.sessions, _SESSIONS)
    if ask.lane is Lane.LONG:
        return range(min(most, max(1, most - ask.limits.reserved)))
    return range(most - 1, -1, -1)


def _first_byte_of(pair: str) -> int:
    return (_hash_of(pair) >> 16) * _BYTES


_hashes: dict[str, int] = {}
_HASHES = 100_000


def _hash_of(text: str) -> int:
    """64 bits, none of them known before; never 0."""
    found = _hashes.get(text)
    if found is None:
        if len(_hashes) >= _HASHES:
            _hashes.clear()
        found = _hashes[text] = int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) or 1
    return found
