"""Probing by MX set: the queue of all addresses that the same hosts serve, and the sessions that work it off."""

import asyncio
import logging
import math
import random
from collections import Counter
from collections.abc import Iterable

from validation.engine.config import EngineConfig
from validation.engine.dns.lookups import Exchanges
from validation.engine.hosts.behaviour import RejectionTracker, ReplyPace
from validation.engine.hosts.dialler import Dialler, Quirks, end_session
from validation.engine.hosts.rounds import Round
from validation.engine.jobs import FollowUpRoute, JobQueue, Portion, settle_portions
from validation.engine.knowledge.domains import CatchAllCache
from validation.engine.limits.admission import Admission
from validation.engine.limits.operators import ConnectionSlot, Operator, Pair
from validation.engine.limits.shared_limits import Lane
from validation.engine.probes.failed_probes import (
    INTERNAL_FAULT,
    NO_SESSION_IN_TIME,
    SESSION_ENDED_EARLY,
    UnreachableError,
    build_failure_probe,
    build_unasked_probe,
)
from validation.engine.probes.probe import Probe
from validation.engine.replies.readings import Subject
from validation.engine.smtp.session import Session
from validation.engine.smtp.stages import SessionError, Stage, Trouble
from validation.engine.vocabulary import Wait, WaitCause

_log = logging.getLogger(__name__)

_REST_WAITED_FOR_S = 3_600.0
_UNKNOWN_WAIT_S = 5.0
_SHORTEN_EVERY_S = 1.0


class HostGroup:
    """All work of one lane for one set of mail hosts. Workers start when work comes and end when it stays away.

    The number of sessions follows the server: one more after every success, half as many after a complaint.
    """

    def __init__(
        self,
        exchanges: Exchanges,
        operator: Operator,
        lane: Lane,
        follow_up_route: FollowUpRoute,
        config: EngineConfig,
        dialler: Dialler,
        admission: Admission,
        catch_all: CatchAllCache,
        rng: random.Random,
    ) -> None:
        self._exchanges = exchanges
        self.operator = operator
        self._lane = lane
        self._only = follow_up_route[0] if follow_up_route else ""
        self._sender = follow_up_route[1] if follow_up_route else None
        self._config = config
        self._dialler = dialler
        self._admission = admission
        self._catch_all = catch_all
        self._random = rng
        self._queue = JobQueue(operator, lane, catch_all)
        self._workers: set[asyncio.Task[None]] = set()
        self._working = 0  # workers that will look at the queue again
        self._idle_workers: list[asyncio.Future[None]] = []
        self._quirks = Quirks()
        self._recipients = operator.profile.recipients
        self._open = 0
        self._dialling = 0
        self._pace = ReplyPace()
        self._inside: Counter[Pair] = Counter()
        self._rejections = RejectionTracker(operator, config, admission, dialler.log)
        self._shortened_at, self._patience_s = 0.0, math.inf

    @property
    def is_idle(self) -> bool:
        """Whether nothing is queued and no worker runs."""
        return not (self._queue or self._workers)

    def submit(self, portions: Iterable[Portion]) -> None:
        """Queue the addresses of some domains, in portions that fit an envelope together with a random recipient."""
        self._queue.add(portions, max(1, self._recipients - 1))
        self.operator.groups.add(self)
        if self.operator.rests_for(asyncio.get_running_loop().time()):
            self.handle_all_resting()
        self._shorten_line()
        self.start_workers()

    async def aclose(self) -> None:
        """End the workers. Queued addresses stay unanswered."""
        self._queue.clear()
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    # The line

    def unasked_probe(self) -> Probe | None:
        """The probe of an address in line here; None where its hosts were dialled without success."""
        return None if self._dialling and not self._open else build_unasked_probe(self._wait())

    def handle_all_resting(self) -> None:
        """Handle that every pair rests: addresses that can wait go back, the others get the last rejection."""
        now = asyncio.get_running_loop().time()
        word, rest_s = self.operator.last_rejection(now), self.operator.rests_for(now)
        is_for_now = word is None or word.reading.subject is Subject.LOAD or word.is_temporary
        if is_for_now and self.operator.profile.name and rest_s <= _REST_WAITED_FOR_S:
            self._queue.send_back(rest_s, self._wait(WaitCause.EGRESS, rest_s))
        elif word is not None:
            self._queue.settle_all(word)
        elif rest_s == math.inf:
            self._queue.send_back(rest_s, self._wait(WaitCause.EGRESS, _REST_WAITED_FOR_S))
        if self._queue and 0 < rest_s < math.inf:
            asyncio.get_running_loop().call_later(rest_s, self.start_workers)

    def _shorten_line(self) -> None:
        """Return addresses that would wait too long at the operator's rate."""
        per_s = self._admission.pace(self.operator, self._lane, self._only)
        patience_s = self._queue.shortest_patience_s() if per_s else math.inf
        if patience_s == math.inf:
            return
        self._patience_s = patience_s
        self.operator.max_queued = patience_s * per_s
        others = self.operator.line[self._lane] - self._queue.size
        most = max(0, int(patience_s * per_s) - others)
        if self._queue.size > most:
            self._queue.shorten(most, patience_s + 1.0, self._wait())

    def _wait(self, cause: WaitCause | None = None, seconds: float = 0.0) -> Wait:
        whole = self._admission.rate(self.operator)  # who waits elsewhere waits for all processes together
        if cause is None:
            cause, seconds = WaitCause.RATE if whole else WaitCause.SESSION, _UNKNOWN_WAIT_S
            if whole:
                pace = self._admission.pace(self.operator, self._lane, self._only)
                # The time of a full line; addresses behind it wait elsewhere.
                seconds = min(self.operator.line[self._lane] / pace, self._patience_s)
        return Wait(self.operator.profile.name, cause, max(1.0, seconds), whole)

    # The workers

    @property
    def _limit(self) -> int:
        """The number of sessions that the operator is expected to accept."""
        now = asyncio.get_running_loop().time()
        return sum(pair.bearable.at(now) for pair in self.operator.usable(now, self._only))

    def start_workers(self) -> None:
        """Start as many workers as there is work for, and as the operator accepts."""
        while self._idle_workers:
            work = self._idle_workers.pop()
            if not work.done():
                work.set_result(None)
        if not self._queue.size:
            return
        limit, size = self._limit, self._queue.size
        useful = self._pace.useful_sessions(size)
        if self._admission.rate(self.operator):
            useful = max(useful, min(len(self.operator.pairs), -(-size // self._recipients)))
        while self._working < min(limit, useful):
            self._working += 1
            worker = asyncio.get_running_loop().create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        """Work the queue off, one session at a time, then wait a little for more.

        End early when others need the slot.
        """
        session: Session | None = None
        avoid = frozenset(self._rejections.tried_in_vain)
        slot = await self._admission.enter(self.operator, self._lane, self._only, avoid)
        since = asyncio.get_running_loop().time()
        try:
            while self._queue or (session is not None and await self._wait_for_work(slot)):
                if self._admission.must_end_session(slot, since) or not self._is_slot_usable(slot):
                    break
                session = await self._serve(slot, session)
        finally:
            self._working -= 1
            try:
                if session is not None:
                    await self._leave(slot, session)
            finally:
                self._admission.leave(slot)
        if self._queue:
            self.start_workers()
        elif not self._working:
            self.operator.groups.discard(self)

    def _is_slot_usable(self, slot: ConnectionSlot) -> bool:
        """Whether the slot's pair may still be used, and no other pair should be tried first."""
        now = asyncio.get_running_loop().time()
        is_full = slot.pair.open.total() > slot.pair.bearable.at(now)
        return not (is_full or self.operator.opens_at(slot.pair) > now or slot.pair in self._rejections.tried_in_vain)

    async def _wait_for_work(self, slot: ConnectionSlot) -> bool:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._idle_workers.append(work)
        await self._admission.idle(slot, work, self._config.idle_s)
        if work in self._idle_workers:
            self._idle_workers.remove(work)
        return bool(self._queue)

    async def _leave(self, slot: ConnectionSlot, session: Session, *, broken: bool = False) -> None:
        self._open -= 1
        self._inside[slot.pair] -= 1
        await end_session(session.drop() if broken or slot.revoked else session.quit())

    async def _serve(self, slot: ConnectionSlot, session: Session | None) -> Session | None:
        """Send one round, with a new session where there is none. Returns the session while it can be used again."""
        given_up = self._rejections.verdict_on_all
        if given_up is not None:
            self._queue.settle_all(given_up)
            return session
        most = self._pace.portion(self._queue.size, self._limit)
        drawn: float = math.inf
        if self._admission.is_metered(slot):
            drawing = asyncio.ensure_future(self._admission.draw(slot, most + 1))
            try:
                session = await self._keep_session_while(drawing, slot, session) if session else None
                drawn = await drawing
            finally:
                drawing.cancel()
            if slot.revoked:
                self._admission.put_back(slot, int(drawn))
                return session
        kept_session = await self._ask_queued(slot, session, most, drawn)
        if asyncio.get_running_loop().time() >= self._shortened_at + _SHORTEN_EVERY_S:
            self._shortened_at = asyncio.get_running_loop().time()
            self._shorten_line()
        return kept_session

    async def _keep_session_while(
        self, drawing: "asyncio.Future[int]", slot: ConnectionSlot, session: Session
    ) -> Session | None:
        """Hold a session open while recipients are awaited, for a limited time. Returns None when the session ended."""
        try:
            async with asyncio.timeout(self._config.idle_s) as slot.limit:
                await asyncio.wait([drawing])
        except TimeoutError:
            await self._leave(slot, session)
            return None
        finally:
            slot.limit = None
        return session

    async def _ask_queued(
        self, slot: ConnectionSlot, session: Session | None, most: int, drawn: float
    ) -> Session | None:
        """Probe queued addresses over the given session or a new one.

        Returns the session while it can be used again.
        """
        deadline, held = asyncio.get_running_loop().time() + self._config.address_s, list[Portion]()
        fresh: Session | None = None
        try:
            if session is None:
                session = fresh = await self._dial(slot, deadline)
            held = self._queue.draw(most, drawn)
            return await self._run_round(slot, session, held, deadline, drawn) if held else session
        except UnreachableError as unreachable:
            if not slot.revoked:
                await self._handle_unreachable(slot, unreachable)
        except asyncio.CancelledError:
            if fresh is not None:
                await self._leave(slot, fresh)  # the worker ends those that it knows
            raise
        except Exception:
            _log.exception("probing failed")
            settle_portions(held or self._queue.draw(most, math.inf), INTERNAL_FAULT)
            if session is not None:
                await self._leave(slot, session, broken=True)
        return None

    async def _dial(self, slot: ConnectionSlot, deadline: float) -> Session:
        """Open a session. Each success is a reason to try another one. Raises UnreachableError."""
        self._dialling += 1
        self._inside[slot.pair] += 1
        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(deadline) as slot.limit:
                session = await self._dialler.dial(slot.pair.egress, self._exchanges, self._quirks, self._sender)
        except TimeoutError as error:
            raise UnreachableError(NO_SESSION_IN_TIME) from error
        finally:
            slot.limit = None
            self._dialling -= 1
            self._inside[slot.pair] -= 1
        self._open += 1
        self._inside[slot.pair] += 1
        self._rejections.note_session(slot.pair)
        self._pace.opened(asyncio.get_running_loop().time() - started, session.round_s)
        slot.pair.bearable.grow()
        self._admission.notify_change(self.operator)
        self.start_workers()
        return session

    async def _run_round(
        self, slot: ConnectionSlot, session: Session, portions: list[Portion], deadline: float, drawn: float
    ) -> Session | None:
        """Probe the addresses, queue those without an answer again, and learn from the replies."""
        provider = self.operator.profile.name
        round_ = Round(session, portions, self._catch_all, self._random, most=self._recipients, provider=provider)
        if drawn != math.inf:
            self._admission.put_back(slot, int(drawn) - round_.wanted)
        loop = asyncio.get_running_loop()
        slow_timer = loop.call_later(self._pace.patience_s, self._note_slow_flush, slot, session, loop.time())
        try:
            async with asyncio.timeout_at(deadline) as slot.limit:
                error = await session.send_envelopes(round_.envelopes) if round_.envelopes else None
        except TimeoutError:
            error = SessionError(Stage.RCPT, Trouble.TIMEOUT, "the time for this address is up")
        finally:
            slot.limit = None
            slow_timer.cancel()
        round_.read_replies()
        if round_.answered:
            self._dialler.log.answered(session.route, self.operator.name, round_.answered)
        self._recipients = round_.recipients
        left = build_failure_probe(error, provider) if error else None
        word = self._requeue(round_.portions, round_.progress or slot.revoked, left)
        if error is not None and error.trouble is Trouble.OUT_OF_STEP:
            self._quirks.step_by_step = True
        elif round_.progress:
            self._rejections.note_answers(slot.pair)
            self._learn_pace(slot, round_, session)
        elif not slot.revoked:
            await self._pause_after_rejection(slot, word or SESSION_ENDED_EARLY)
        return await self._keep_or_leave(slot, session, broken=error is not None, progress=round_.progress)

    async def _keep_or_leave(
        self, slot: ConnectionSlot, session: Session, *, broken: bool, progress: bool
    ) -> Session | None:
        profile = self.operator.profile
        is_used_up = session.recipients_sent >= profile.per_session or session.refused >= profile.refusals
        if broken or is_used_up or not progress:
            await self._leave(slot, session, broken=broken)
            return None
        return session

    def _requeue(self, portions: list[Portion], progress: bool, left: Probe | None) -> Probe | None:
        tries, pairs = self._config.tries, len(self.operator.pairs)
        return self._queue.requeue(portions, left, progress=progress, tries=tries, pairs=pairs)

    async def _handle_unreachable(self, slot: ConnectionSlot, unreachable: UnreachableError) -> None:
        """Handle that no host gave a session.

        With sessions open on the pair, its limit is reached. For a load reason the group retries later. Otherwise
        another egress address is tried, or the failure is the answer for everything queued.
        """
        probe, pair = unreachable.probe, slot.pair
        if self._inside[pair] and not unreachable.no_route:
            pair.bearable.turned_away(self._inside[pair], asyncio.get_running_loop().time())
        elif probe.reading.subject is Subject.LOAD and not unreachable.no_route:
            self._requeue(self._queue.draw(self._recipients, math.inf), False, probe)
            await self._pause_after_rejection(slot, probe)
        else:
            verdict = self._rejections.note_failure(pair, unreachable, self._only, is_inside=self._open > 0)
            if verdict is not None:
                self._queue.settle_all(verdict)

    # The pace

    def _learn_pace(self, slot: ConnectionSlot, round_: Round, session: Session) -> None:
        """Adjust to an answered flush: more sessions, or fewer where the host complains or slows down."""
        if round_.envelopes:
            self._pace.answered(*session.timing)
        if round_.complaint:
            slot.pair.bearable.halve()
        elif self._pace.is_straining:
            slot.pair.bearable.ease()
        else:
            slot.pair.bearable.grow()
            self._admission.notify_change(self.operator)
        self.start_workers()

    def _note_slow_flush(self, slot: ConnectionSlot, session: Session, started: float) -> None:
        """Note a slow flush. Where every reply is slow, more sessions help."""
        if session.heard:
            self._pace.dragging(session.heard, asyncio.get_running_loop().time() - started)
            self.start_workers()

    async def _pause_after_rejection(self, slot: ConnectionSlot, word: Probe) -> None:
        """Pause where the rejection asks for it."""
        pause_s = self._rejections.note_rejection(slot.pair, word, self._only)
        if pause_s and self._queue:
            await asyncio.sleep(pause_s)
