"""Hands out sessions and recipients at the operators.

A worker of a host group waits for a session of its operator, in its lane, and gets one of the least used pair. With the
session it draws recipients as the pair's rate allows. `SharedLimits` counts what is handed out, perhaps over many
processes. One task exchanges the requests of all waiting workers at once.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress

from validation.engine.clock import Clock
from validation.engine.egress.addresses import Egress
from validation.engine.limits.operators import (
    ConnectionSlot,
    EgressPool,
    Operator,
    Pair,
    PairRequest,
    RecipientRequest,
    SessionRequest,
)
from validation.engine.limits.shared_limits import Lane, LimitGrant, PairLimits, SharedLimits

SLICE_S = 2.0
IDLE_CHECK_S = 0.1
_SOON_S = 0.02
_LEAST_PART = 20


class Admission:
    """Admission to all operators of one engine.

    An idle session ends when another worker needs its slot, here or in another process. A busy one ends after `SLICE_S`
    seconds then, so that a long list never keeps a short one from an operator.
    """

    def __init__(self, total: int, shared: SharedLimits, egresses: EgressPool, clock: Clock) -> None:
        self._total = asyncio.Semaphore(total)
        self._shared = shared
        self._egresses = egresses
        self._clock = clock
        self._slots: dict[str, set[ConnectionSlot]] = defaultdict(set)
        self._idle: dict[asyncio.Future[None], ConnectionSlot] = {}
        self._due: dict[Operator, float] = {}
        self._change_event: asyncio.Event | None = None
        self._exchange_task: asyncio.Task[None] | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._is_closing = False
        shared.on_revoked(self._revoke)

    # Sessions

    async def enter(
        self, operator: Operator, lane: Lane, only: str = "", avoid: frozenset[Pair] = frozenset()
    ) -> ConnectionSlot:
        """Wait for the right to open a session with the operator."""
        waiter = SessionRequest(asyncio.get_running_loop().create_future(), only, avoid)
        operator.users += 1
        operator.sessions[lane].append(waiter)
        self.notify_change(operator)
        self._end_idle(operator)
        try:
            slot = await waiter.future
        except asyncio.CancelledError:
            self._withdraw(operator, lane, waiter)
            raise
        try:
            self._free_session_slot()
            await self._total.acquire()
        except asyncio.CancelledError:
            self._give_up(slot)
            raise
        return slot

    def leave(self, slot: ConnectionSlot) -> None:
        """Return a session slot."""
        self._total.release()
        self._give_up(slot)

    def must_end_session(self, slot: ConnectionSlot, since: float) -> bool:
        """Whether a session that began at `since` (loop time) must end: its time is over and others wait, or it was
        revoked.
        """
        if slot.revoked:
            return True
        if asyncio.get_running_loop().time() - since < SLICE_S:
            return False
        return any(slot.operator.sessions.values()) or self._shared.is_wanted(slot.pair.key)

    async def idle(self, slot: ConnectionSlot, work: "asyncio.Future[None]", seconds: float) -> None:
        """Hold an open session until `work` is done, `seconds` have passed, or another worker needs the slot."""
        waited_for = any(slot.operator.sessions.values()) or self._shared.is_wanted(slot.pair.key)
        if slot.revoked or self._total.locked() or waited_for:
            return
        self._idle[work] = slot
        self._watch_idle_sessions()
        try:
            await asyncio.wait([work], timeout=seconds)
        finally:
            del self._idle[work]

    def _withdraw(self, operator: Operator, lane: Lane, waiter: SessionRequest) -> None:
        """Withdraw a request whose worker was cancelled."""
        if waiter.future.done() and not waiter.future.cancelled():
            self._give_up(waiter.future.result())
            return
        with suppress(ValueError):
            operator.sessions[lane].remove(waiter)
        operator.users -= 1

    def _give_up(self, slot: ConnectionSlot) -> None:
        operator, pair = slot.operator, slot.pair
        pair.open[slot.lane] -= 1
        self._slots[pair.key].discard(slot)
        if not self._slots[pair.key]:
            del self._slots[pair.key]
        self._shared.give_back(pair.key, slot.lane)
        operator.users -= 1
        self.notify_change(operator)

    def _revoke(self, pair: str, count: int) -> None:
        for slot in list(self._slots.get(pair, ()))[:count]:
            slot.revoke()
            for future, idle in self._idle.items():
                if idle is slot and not future.done():
                    future.set_result(None)

    # Recipients

    async def draw(self, slot: ConnectionSlot, most: int) -> int:
        """Wait until a session may ask about recipients. Returns how many, at most `most`."""
        limits = self._limits(slot.pair)
        now = asyncio.get_running_loop().time()
        key, operator = (slot.pair, slot.lane), slot.operator
        waiting = operator.draws.setdefault(key, [])
        drawn = 0 if waiting or not limits.per_s else slot.pair.meters[slot.lane].draw(most, now)
        if not drawn:
            draw = RecipientRequest(asyncio.get_running_loop().create_future(), most)
            waiting.append(draw)
            self.notify_change(operator)
            operator.begin_wait(now)
            try:
                drawn = await draw.future
            finally:
                operator.end_wait(asyncio.get_running_loop().time())
                if draw in waiting:
                    waiting.remove(draw)
                if not waiting:
                    operator.draws.pop(key, None)
        elif not waiting:
            del operator.draws[key]
        slot.pair.used += drawn
        now = asyncio.get_running_loop().time()
        operator.flows[slot.lane].count(drawn, now, operator.waited_s(now))
        return drawn

    def is_metered(self, slot: ConnectionSlot) -> bool:
        """Whether recipients are counted at the slot's pair."""
        limits = self._limits(slot.pair)
        return bool(limits.per_s or limits.per_day)

    def close(self, egress: Egress, until: float) -> None:
        """Close an egress address until a time of the loop's clock."""
        self._egresses.close(egress, until)

    def put_back(self, slot: ConnectionSlot, count: int) -> None:
        """Return drawn recipients that were not used."""
        if count and self._limits(slot.pair).per_s:
            slot.pair.used -= count
            slot.pair.meters[slot.lane].put_back(count)

    def rate(self, operator: Operator, only: str = "") -> float:
        """The recipients a second that all pairs of an operator allow; 0 for no limit.

        Resting pairs count only if all rest.
        """
        now = asyncio.get_running_loop().time()
        return sum(self._limits(pair).per_s for pair in operator.usable(now, only) or operator.pairs)

    def pace(self, operator: Operator, lane: Lane, only: str = "") -> float:
        """The recipients a second that this process may expect at an operator; 0 for no limit.

        It is the whole rate, or less where other processes have used their part recently.
        """
        whole = self.rate(operator, only)
        known = operator.flows[lane].at(asyncio.get_running_loop().time())
        return max(min(known, whole), whole / _LEAST_PART) if known else whole

    def _limits(self, pair: Pair) -> PairLimits:
        now = asyncio.get_running_loop().time()
        if now >= pair.limits_until:
            pair.renew_limits(self._egresses.state(pair.egress), now, self._clock.time())
        return pair.limits

    # The task that asks for all callers

    def notify_change(self, operator: Operator) -> None:
        """Re-plan for an operator: something changed for its waiting workers."""
        if not operator.draws and not any(operator.sessions.values()):
            return
        self._due[operator] = 0.0
        if self._exchange_task is None:
            self._change_event = asyncio.Event()
            self._exchange_task = asyncio.get_running_loop().create_task(self._exchange_limits(self._change_event))
        elif self._change_event is not None:
            self._change_event.set()

    async def aclose(self) -> None:
        """Stop asking."""
        self._is_closing = True
        if self._exchange_task is not None and self._change_event is not None:
            self._change_event.set()  # not cancelled: what was asked for is to be answered
            await asyncio.gather(self._exchange_task, return_exceptions=True)
        if self._idle_timer is not None:
            self._idle_timer.cancel()

    async def _exchange_limits(self, change_event: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._due and not self._is_closing:
                change_event.clear()
                now = loop.time()
                ready = [operator for operator, at in self._due.items() if at <= now]
                for operator in ready:
                    del self._due[operator]
                plans = [plan for operator in ready for plan in self._plans(operator, now)]
                if plans:
                    grants = await self._shared.exchange([plan.ask for plan in plans])
                    for plan, grant in zip(plans, grants, strict=True):
                        self._hand_out(plan, grant)
                for operator in ready:
                    self._schedule_next_exchange(operator, now)
                await self._wait_until_due(change_event)
        finally:
            self._exchange_task = None

    async def _wait_until_due(self, change_event: asyncio.Event) -> None:
        if not self._due:
            return
        wait_s = min(self._due.values()) - asyncio.get_running_loop().time()
        if wait_s > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s if wait_s < math.inf else None):
                    await change_event.wait()

    def _plans(self, operator: Operator, now: float) -> list[PairRequest]:
        plans: dict[tuple[Pair, Lane], PairRequest] = {}
        for lane in Lane:
            for waiter in operator.sessions[lane]:
                pair = self._choose_least_used(operator, lane, waiter, plans, now)
                if pair is not None:
                    plan = plans.setdefault((pair, lane), PairRequest(operator, pair, lane, self._limits(pair)))
                    plan.waiters.append(waiter)
        for pair, lane in operator.draws:
            recipients = self._count_missing_recipients(operator, pair, lane, now)
            if recipients:
                plan = plans.setdefault((pair, lane), PairRequest(operator, pair, lane, self._limits(pair)))
                plan.recipients = recipients
        return list(plans.values())

    def _choose_least_used(
        self,
        operator: Operator,
        lane: Lane,
        waiter: SessionRequest,
        plans: Mapping[tuple[Pair, Lane], PairRequest],
        now: float,
    ) -> Pair | None:
        """The least used pair that may open another session for a request."""
        best, least = None, (math.inf, math.inf)
        usable = operator.usable(now, waiter.only)
        untried = [pair for pair in usable if pair not in waiter.avoid]
        for pair in untried or usable:
            planned = sum(len(plans[pair, one].waiters) for one in Lane if (pair, one) in plans)
            inside = pair.open.total() + planned
            if pair.closed_until.get(lane, 0.0) > now or inside >= pair.bearable.at(now):
                continue
            if (inside, pair.used) < least:
                best, least = pair, (inside, pair.used)
        return best

    def _count_missing_recipients(self, operator: Operator, pair: Pair, lane: Lane, now: float) -> int:
        """The recipients to request for a pair: what waiting workers need, and up to a second's worth for a long queue.

        Nothing is requested in advance while another process waits for its turn.
        """
        limits, meter = self._limits(pair), pair.meters[lane]
        if not limits.per_s:
            return sum(draw.most for draw in operator.draws[pair, lane])
        if meter.ask_at > now:
            return 0
        needed = sum(min(draw.most, limits.burst) for draw in operator.draws[pair, lane])
        a_second = max(limits.burst, int(limits.per_s))
        ahead = 0 if self._shared.is_wanted(pair.key) else operator.line[lane] // max(1, len(operator.pairs))
        wanted = max(needed, min(a_second, needed + ahead))
        left = meter.left(now)
        enough = needed if needed > left else min(wanted, a_second // 2)
        return 0 if left >= max(enough, 1) else min(a_second, max(limits.burst, math.ceil(wanted - left)))

    def _hand_out(self, plan: PairRequest, grant: LimitGrant) -> None:
        now = asyncio.get_running_loop().time()
        self._hand_out_sessions(plan, grant, now)
        if plan.recipients and plan.limits.per_s:
            meter = plan.pair.meters[plan.lane]
            meter.add(grant, plan.limits, now)
            meter.ask_at = 0.0 if grant.recipients else now + max(grant.again_in_s, _SOON_S)
        elif plan.recipients:
            self._hand_out_by_day(plan, grant)

    def _hand_out_sessions(self, plan: PairRequest, grant: LimitGrant, now: float) -> None:
        waiters = [waiter for waiter in plan.waiters if not waiter.future.done()]
        for waiter in waiters[: grant.sessions]:
            slot = ConnectionSlot(plan.operator, plan.pair, plan.lane)
            plan.pair.open[plan.lane] += 1
            self._slots[plan.pair.key].add(slot)
            plan.operator.sessions[plan.lane].remove(waiter)
            waiter.future.set_result(slot)
        for _ in range(grant.sessions - len(waiters)):  # for those who do not wait any more
            self._shared.give_back(plan.pair.key, plan.lane)
        if grant.sessions < len(plan.waiters):
            plan.pair.closed_until[plan.lane] = now + max(grant.again_in_s, _SOON_S)

    def _hand_out_by_day(self, plan: PairRequest, grant: LimitGrant) -> None:
        """Hand out recipients of a pair that has a daily limit alone."""
        left = grant.recipients
        for draw in plan.operator.draws.get((plan.pair, plan.lane), ()):
            if left and not draw.future.done():
                draw.future.set_result(min(left, draw.most))
                left -= min(left, draw.most)

    def _schedule_next_exchange(self, operator: Operator, planned_at: float) -> None:
        """Serve waiting workers, and schedule the next exchange for the operator."""
        now = asyncio.get_running_loop().time()
        times = [*self._list_session_times(operator, planned_at), *self._serve_recipient_requests(operator, now)]
        if times:
            self._due[operator] = min(self._due.get(operator, math.inf), max(min(times), now + 0.001))

    def _list_session_times(self, operator: Operator, planned_at: float) -> Iterator[float]:
        for lane in Lane:
            if operator.sessions[lane]:
                for pair in operator.pairs:
                    # Pairs that were full by our own count are checked again when a session ends. Closed ones may
                    # have opened meanwhile and were not checked since.
                    at = max(pair.closed_until.get(lane, 0.0), operator.opens_at(pair), pair.bearable.ceiling_until)
                    yield at if at > planned_at else math.inf

    def _serve_recipient_requests(self, operator: Operator, now: float) -> Iterator[float]:
        for (pair, lane), draws in operator.draws.items():
            meter = pair.meters[lane]
            waiting = [draw for draw in draws if not draw.future.done()]
            while waiting:
                drawn = meter.draw(waiting[0].most, now) if self._limits(pair).per_s else 0
                if not drawn:
                    ready_at = meter.ready_at(waiting[0].most)
                    yield ready_at if ready_at is not None else max(meter.ask_at, now + _SOON_S)
                    break
                waiting.pop(0).future.set_result(drawn)

    # Freeing slots

    def _free_session_slot(self) -> None:
        """End an idle session when the process has no session slot left."""
        if self._total.locked():
            self._end_idle(None)

    def _end_idle(self, operator: Operator | None) -> None:
        for future, slot in self._idle.items():
            if not future.done() and operator in (None, slot.operator):
                future.set_result(None)
                return

    def _watch_idle_sessions(self) -> None:
        """Check regularly whether another process needs the slots of idle sessions."""
        if self._idle_timer is None:
            self._idle_timer = asyncio.get_running_loop().call_later(IDLE_CHECK_S, self._end_wanted_sessions)

    def _end_wanted_sessions(self) -> None:
        self._idle_timer = None
        if not self._idle:
            return
        for future, slot in self._idle.items():
            if not future.done() and self._shared.is_wanted(slot.pair.key):
                future.set_result(None)
        self._watch_idle_sessions()
