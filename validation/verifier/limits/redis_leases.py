"""The count of sessions and recipients that all machines share: leases in Redis.

What a process holds is stored in Redis, by its server's clock, and in the limits file of the machine. It is a lease,
said anew every second. By our own clock it ends a little before Redis may give the sessions to another; they are
revoked then.

While Redis is unavailable nothing is opened for the length of a lease, because others may still hold theirs. Afterwards
each machine uses its share. A returning Redis grants nothing until every process had time to report its leases.
"""

import asyncio
import logging
import random
import uuid
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from validation.engine.limits.shared_limits import Lane, LimitGrant, LimitRequest
from validation.verifier.limits.machine_file import AGAIN_S, MachineLimits, boot_clock
from validation.verifier.limits.redis_script import Answers, Item, RedisCalls, RedisUnavailable, to_item
from validation.verifier.limits.shares import NO_SHARE, Share
from validation.verifier.limits.turns import WAIT_S, Turns

log = logging.getLogger(__name__)
_FLUSH_S = 0.01


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds.

    A lease is renewed every `look_s`, which is also the interval of looking for Redis. A session is revoked `margin_s`
    before its lease ends. Redis grants nothing for `young_s` after a gap of `gap_s` without any client.
    """

    lease_s: float = 15.0
    margin_s: float = 2.5
    look_s: float = 1.0
    gap_s: float = 5.0
    young_s: float = 5.0
    timeout_s: float = 1.0


class RedisLimits:
    """Limits over all machines, on top of the machine's own; see `SharedLimits`.

    `share` returns this machine's share while Redis is unavailable. It must not block.
    """

    def __init__(
        self,
        url: str,
        machine: MachineLimits,
        share: Callable[[], Share],
        *,
        times: Times = Times(),
        clock: Callable[[], float] = boot_clock,
    ) -> None:
        common = {"process": uuid.uuid4().hex, "wait_s": WAIT_S}
        common |= {"lease_s": times.lease_s, "gap_s": times.gap_s, "young_s": times.young_s}
        self._calls = RedisCalls(url, times.timeout_s, common)
        self._machine = machine
        self._share = share
        self._times = times
        self._clock = clock
        self._revoke: Callable[[str, int], None] = lambda _pair, _count: None
        self._one_call = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_begun, self._is_flushing, self._is_closed = False, False, False
        self._turns = Turns()
        self._wanted: dict[str, float] = {}
        # Pairs of which Redis is to be told what we hold, and the number of sessions by pair.
        self._changed: set[str] = set()
        self._sessions: dict[str, int] = {}
        self._valid_until = 0.0
        # Granted recipients: the end of their use, and the number by day.
        self._busy_until: dict[str, float] = {}
        self._used: dict[str, tuple[float, int]] = {}
        self._epoch = ""
        self._is_unavailable = False
        self._closed_until = 0.0
        self._guarded_at = 0.0

    @property
    def is_reaching(self) -> bool:
        """Whether Redis answered the last call. Thread-safe."""
        return bool(self._epoch) and not self._is_unavailable

    @property
    def calls(self) -> int:
        """The number of commands sent."""
        return self._calls.made

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """Ask Redis, in one round trip; while it is unavailable, grant from the machine's share."""
        self._begin()
        async with self._one_call:
            if not self._is_unavailable:
                try:
                    return await self._ask_redis(asks)
                except RedisUnavailable as error:
                    self._note_unavailable(error)
            return await self._ask_machine(asks)

    def give_back(self, pair: str, lane: Lane) -> None:
        """End a session at once; Redis is told soon."""
        self._machine.give_back(pair, lane)
        self._changed.add(pair)
        if not self._machine.is_holding(pair):
            self._sessions.pop(pair, None)
        if not self._is_unavailable and not self._is_flushing:
            self._is_flushing = True
            self._start(self._flush_changed())

    def is_wanted(self, pair: str) -> bool:
        """Whether another process waited within the last second."""
        return self._wanted.get(pair, 0.0) > self._clock() or self._machine.is_wanted(pair)

    def on_revoked(self, revoke: Callable[[str, int], None]) -> None:
        """Register `revoke`, called when sessions of a pair must end at once."""
        self._revoke = revoke

    async def aclose(self) -> None:
        """Free the leases if Redis answers, and close the connection and the file."""
        if self._is_closed:
            return
        self._is_closed = True
        async with self._one_call:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            nothing = {"short": 0, "long": 0}
            left = [self._holding_of(pair) | nothing for pair in {*self._machine.pairs_held(), *self._changed}]
            try:
                if left and not self._is_unavailable:
                    await self._calls.exchange(left)
            except RedisUnavailable:
                log.debug("leases end by themselves")
        await self._calls.aclose()
        await self._machine.aclose()

    # While Redis answers.

    async def _ask_redis(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        if not self._epoch:
            await self._renew_leases()
        held = {ask.pair: self._count_held(ask.pair) for ask in asks}
        bare = [replace(ask, recipients=0) for ask in asks]
        reserved = [grant.sessions for grant in await self._machine.exchange(bare)]
        try:
            answers = await self._call((), list(self._items_of(asks, reserved, held)))
        except BaseException:
            for ask, sessions in zip(asks, reserved, strict=True):
                self._give_back_many(ask, sessions)
            raise
        grants = [
            self._read_answer(ask, sessions, answer, answers.young_s)
            for ask, sessions, answer in zip(asks, reserved, answers.items, strict=True)
        ]
        if answers.epoch != self._epoch:
            await self._try_to_renew()
        return grants

    def _items_of(
        self, asks: Sequence[LimitRequest], reserved: Sequence[int], held: dict[str, dict[str, int]]
    ) -> Iterator[Item]:
        now = self._clock()
        for ask, sessions in zip(asks, reserved, strict=True):
            is_polite = ask.lane is Lane.LONG and self._turns.must_wait(ask.pair, now)
            within_s = min(ask.within_s, self._times.lease_s / 2)
            yield to_item(ask, sessions, within_s, is_polite=is_polite, held=held.pop(ask.pair, {}))

    def _read_answer(self, ask: LimitRequest, reserved: int, answer: Any, young_s: float) -> LimitGrant:
        given, count, starts_s, again_s, others, day, used = answer
        now, pair = self._clock(), ask.pair
        taken = given if now < self._valid_until else 0
        if taken < given:
            self._changed.add(pair)
        self._give_back_many(ask, reserved - taken)
        if taken:
            self._sessions[pair] = ask.limits.sessions
        self._note_turn(ask, taken, others, now)
        if used:
            self._used[pair] = (float(day), used)
        if count and ask.limits.per_s:
            ends = now + float(starts_s) + count / ask.limits.per_s
            self._busy_until[pair] = max(self._busy_until.get(pair, 0.0), ends)
        waits = [float(again_s)] if ask.recipients else []
        if taken < ask.sessions:
            waits.append(young_s if young_s > 0 else random.uniform(*AGAIN_S))
        return LimitGrant(taken, count, float(starts_s), min((wait for wait in waits if wait), default=0.0))

    def _note_turn(self, ask: LimitRequest, taken: int, others: int, now: float) -> None:
        if others:
            self._wanted[ask.pair] = now + WAIT_S
        if taken and others:
            self._turns.let_others_go(ask.pair, now)
        if taken < ask.sessions:
            self._turns.wait(ask.pair, now)
        elif ask.sessions:
            self._turns.end_wait(ask.pair)

    def _give_back_many(self, ask: LimitRequest, sessions: int) -> None:
        for _ in range(sessions):
            self._machine.give_back(ask.pair, ask.lane)

    async def _call(self, pairs: Sequence[str], asked: Sequence[Item] = ()) -> Answers:
        """Say what we hold of all pairs that changed and of these, and ask; answers for these and what was asked.

        What could not be said is said with the next call.
        """
        changed = self._changed.difference(pairs)
        told = [*changed, *pairs]
        self._changed.clear()
        try:
            answers = await self._calls.exchange([*map(self._holding_of, told), *asked])
        except BaseException:
            self._changed.update(told)
            raise
        return replace(answers, items=answers.items[len(changed) :])

    async def _flush_changed(self) -> None:
        await asyncio.sleep(_FLUSH_S)
        self._is_flushing = False
        async with self._one_call:
            if self._changed and not self._is_unavailable:
                try:
                    await self._call(())
                except RedisUnavailable as error:
                    self._note_unavailable(error)

    # Leases.

    async def _try_to_renew(self) -> None:
        try:
            await self._renew_leases()
        except RedisUnavailable as error:
            self._note_unavailable(error)

    async def _renew_leases(self) -> None:
        """Say what we hold. The first time in an epoch, also the granted recipients."""
        self.guard_once()
        sent = self._clock()
        pairs = [*{*self._machine.pairs_held(), *self._changed}]
        if not self._epoch:
            pairs = [*{*pairs, *self._busy_until, *self._used}]
        answers = await self._call(pairs)
        self._valid_until = sent + self._times.lease_s - self._times.margin_s
        for pair, others in zip(pairs, answers.items, strict=True):
            if others:
                self._wanted[pair] = self._clock() + WAIT_S
        await self._note_epoch(answers)

    def _holding_of(self, pair: str) -> Item:
        day, used = self._used.get(pair, (0.0, 0))
        return {
            "key": f"pair:{pair}",
            **self._count_held(pair),
            "busy_s": max(0.0, self._busy_until.get(pair, 0.0) - self._clock()),
            "day": day,
            "used": used,
        }

    def _count_held(self, pair: str) -> dict[str, int]:
        return {str(lane): self._machine.count_held(pair, lane) for lane in Lane}

    async def _note_epoch(self, answers: Answers) -> None:
        if self._epoch and answers.epoch != self._epoch:
            self._epoch = ""  # a Redis that forgot, and is told everything
            await self._renew_leases()
            return
        self._epoch = answers.epoch
        self._machine.mark_reaching(True)
        if self._is_unavailable:
            log.warning("Redis answers again: limits are counted over all machines")
        self._is_unavailable = False

    # While Redis is unavailable.

    def _note_unavailable(self, error: RedisUnavailable) -> None:
        if self._is_unavailable:
            return
        log.warning("Redis does not answer (%s): each machine keeps to its share of the limits", error)
        now = self._clock()
        self._is_unavailable, self._epoch = True, ""
        self._closed_until, self._guarded_at = now + self._times.lease_s, now
        self._machine.mark_reaching(False)
        self._wanted.clear()

    async def _ask_machine(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """Grant from the machine's share, once others' earlier leases are over."""
        now, share = self._clock(), self._share()
        nothing = LimitGrant(again_in_s=self._times.look_s)
        if now < self._closed_until or not share.may_take:
            return [nothing for _ in asks]
        asked = {number: self._in_share(ask, share, now) for number, ask in enumerate(asks)}
        may = {number: ask for number, ask in asked.items() if ask.limits.sessions}
        given = dict(zip(may, await self._machine.exchange(list(may.values())), strict=True))
        for number, grant in given.items():
            self._note_share(asks[number], may[number], grant, now)
        return [given.get(number) or nothing for number in asked]

    def _in_share(self, ask: LimitRequest, share: Share, now: float) -> LimitRequest:
        """The request to a share. The rest of the day's recipients is unknown meanwhile."""
        limits = share.limits_of(ask.limits)
        portion = max(ask.limits.burst, int(ask.limits.per_s))
        is_used = limits.per_s > 0 and now < self._closed_until + portion / ask.limits.per_s
        return replace(ask, limits=limits, recipients=0 if limits.per_day or is_used else ask.recipients)

    def _note_share(self, whole: LimitRequest, ask: LimitRequest, grant: LimitGrant, now: float) -> None:
        if grant.sessions:
            self._sessions[ask.pair] = whole.limits.sessions
        if grant.recipients and ask.limits.per_s:
            ends = now + grant.starts_in_s + grant.recipients / ask.limits.per_s
            self._busy_until[ask.pair] = max(self._busy_until.get(ask.pair, 0.0), ends)

    # Background tasks.

    def _begin(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            self._guarded_at = self._clock()
            self._start(self._run_renewals())
            self._start(self._run_guard())

    async def _run_renewals(self) -> None:
        """Renew leases regularly, and look whether Redis is back."""
        while not self._is_closed:
            await asyncio.sleep(self._times.look_s)
            async with self._one_call:
                await self._try_to_renew()
            now = self._clock()
            self._turns.ended_waits(now)
            self._wanted = {pair: until for pair, until in self._wanted.items() if until > now}
            self._busy_until = {pair: until for pair, until in self._busy_until.items() if until > now}

    async def _run_guard(self) -> None:
        """Revoke sessions whose lease has ended."""
        while not self._is_closed:
            await asyncio.sleep(self._times.margin_s / 4)
            self.guard_once()

    def guard_once(self) -> None:
        """Check once. A process that was stopped keeps no session without a lease."""
        now, before = self._clock(), self._guarded_at
        self._guarded_at = now
        share = self._share() if self._is_unavailable and now < before + self._times.young_s / 2 else NO_SHARE
        if self._is_unavailable and not share.may_take:
            self._closed_until = now + self._times.lease_s
        if now < self._valid_until:
            return
        for pair in self._machine.pairs_held():
            surplus = self._machine.mark_surplus(pair, share.sessions_of(self._sessions.get(pair, 0)))
            if surplus:
                self._revoke(pair, surplus)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
