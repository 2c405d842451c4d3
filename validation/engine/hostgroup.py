"""Probing by MX set: the queue of everything that is served by the same hosts, and the sessions that work it off."""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Coroutine, Iterable
from typing import Any

from validation.engine.config import EngineConfig
from validation.engine.dialling import Dialler, Quirks, UnreachableError, probe_of
from validation.engine.gate import Rate, SessionGate
from validation.engine.pace import Pace, SessionLimit
from validation.engine.probing import CatchAllMemory, Job, Probe, Ticket
from validation.engine.profiles import Profile
from validation.engine.replies import Reading, Subject
from validation.engine.rounds import Round
from validation.engine.routelog import RouteState
from validation.engine.smtp import Session, SessionError, Stage, Trouble
from validation.engine.vocabulary import Reason

_log = logging.getLogger(__name__)

_STRIKES = 3
_NO_WORD = Probe(Reading(Reason.TEMPORARY, Subject.LOAD, "connection"), Stage.RCPT, detail="the session ended early")
_OUR_FAULT = Probe(Reading(Reason.TEMPORARY, Subject.MOMENT, "engine"), Stage.CONNECT, detail="a fault of our own")


class HostGroup:
    """All work for one set of mail hosts. Workers come with the work and go when it stays away.

    The number of sessions follows the server: one more with every success, half as many when it complains.
    """

    def __init__(
        self,
        exchanges: tuple[tuple[int, str], ...],
        profile: Profile,
        config: EngineConfig,
        dialler: Dialler,
        gate: SessionGate,
        memory: CatchAllMemory,
        allowance: Rate,
        rng: random.Random,
    ) -> None:
        self.operator = profile.name or exchanges[0][1]
        self._exchanges = exchanges
        self._profile = profile
        self._config = config
        self._dialler = dialler
        self._gate = gate
        self._memory = memory
        self._allowance = allowance
        self._random = rng
        self._queue: deque[Job] = deque()
        self._queued = 0
        self._workers: set[asyncio.Task[None]] = set()
        self._working = 0  # workers that will look at the queue again
        self._wake: list[asyncio.Future[None]] = []
        self._quirks = Quirks(step_by_step=not profile.pipelining)
        self._recipients = profile.recipients
        self._bearable = SessionLimit(profile.first_sessions, profile.sessions, config.rest_s)
        self._open = 0
        self._dialling = 0
        self._strikes = 0
        self._pace = Pace()
        self._verdict_on_all: tuple[float, Probe] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is queued and nobody is working."""
        return not self._queue and not self._workers

    def submit(self, jobs: Iterable[Job]) -> None:
        """Queue the addresses of some domains, in portions that fit an envelope beside a random recipient."""
        size = max(1, self._recipients - 1)
        for job in jobs:
            for start in range(0, len(job.tickets), size):
                self._put(Job(job.hosts, job.tickets[start : start + size]))
        self._hire()

    async def aclose(self) -> None:
        """End the workers; what is queued stays unanswered."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    # The queue

    def _put(self, job: Job, *, first: bool = False) -> None:
        (self._queue.appendleft if first else self._queue.append)(job)
        self._queued += len(job.tickets)

    def _take(self) -> list[Job]:
        """Jobs for one flush, those already answered left out."""
        jobs: list[Job] = []
        room = self._pace.portion(self._queued, self._limit)
        while self._queue and (not jobs or len(self._queue[0].tickets) <= room):
            job = self._queue.popleft()
            self._queued -= len(job.tickets)
            waiting = [ticket for ticket in job.tickets if not ticket.done]
            if len(waiting) > room:
                self._put(Job(job.hosts, waiting[room:]), first=True)
            if waiting:
                jobs.append(Job(job.hosts, waiting[:room]))
                room -= len(jobs[-1].tickets)
        return jobs

    # The workers

    def _hire(self) -> None:
        while self._wake:
            waiting = self._wake.pop()
            if not waiting.done():
                waiting.set_result(None)
        wanted = min(self._limit, self._pace.useful_sessions(self._queued))
        while self._working < wanted:
            self._working += 1
            worker = asyncio.get_running_loop().create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        """Work the queue off over one place at the operator, then wait a little for more; make way for others."""
        session: Session | None = None
        await self._gate.enter(self.operator, self._profile.sessions)
        since = asyncio.get_running_loop().time()
        try:
            while self._queue or (session is not None and await self._is_wanted_again()):
                if session is None and self._open + self._dialling >= self._limit:
                    break
                if self._gate.is_time_to_go(self.operator, since):
                    break
                session = await self._serve(session)
        finally:
            self._working -= 1
            try:
                if session is not None:
                    await self._leave(session)
            finally:
                self._gate.leave(self.operator)
        if self._queue:
            self._hire()

    @property
    def _limit(self) -> int:
        """How many sessions the server is thought to bear."""
        return self._bearable.at(asyncio.get_running_loop().time())

    async def _is_wanted_again(self) -> bool:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wake.append(work)
        await self._gate.idle(self.operator, work, self._config.idle_s)
        if work in self._wake:
            self._wake.remove(work)
        return bool(self._queue)

    async def _leave(self, session: Session) -> None:
        self._open -= 1
        await _to_the_end(session.quit())

    async def _drop(self, session: Session) -> None:
        self._open -= 1
        await _to_the_end(session.drop())

    async def _serve(self, session: Session | None) -> Session | None:
        """One round, with a new session where there is none. Answers the session when it is good for more."""
        given_up = self._given_up()
        if given_up is not None:
            self._settle_queue(given_up)
            return session
        now = asyncio.get_running_loop().time()
        wait_s = self._allowance.wait_s(now)
        if wait_s:
            return await self._pause(session, wait_s)
        return await self._ask_by(session, now)

    async def _ask_by(self, session: Session | None, now: float) -> Session | None:
        """Ask for what is queued, by a session of the worker's or a new one. Answers it when it is good for more."""
        deadline = now + self._config.address_s
        fresh: Session | None = None
        held: list[Job] = []
        try:
            if session is None:
                session = fresh = await self._dial(deadline)
            held = self._take()
            self._allowance.spend(sum(len(job.tickets) for job in held), now)
            return await self._ask(session, held, deadline) if held else session
        except UnreachableError as unreachable:
            await self._not_reached(unreachable.probe)
        except asyncio.CancelledError:
            if fresh is not None:
                await self._leave(fresh)  # the worker ends those that it knows
            raise
        except Exception:
            _log.exception("probing failed")
            _settle(held or self._take(), _OUR_FAULT)
            if session is not None:
                await self._drop(session)
        return None

    async def _pause(self, session: Session | None, seconds: float) -> Session | None:
        """The operator has been asked for enough recipients in this minute."""
        if session is not None and seconds > self._config.idle_s:
            await self._leave(session)
            session = None
        await asyncio.sleep(seconds)
        return session

    async def _dial(self, deadline: float) -> Session:
        """A new session; that it was given is a reason to ask for more. Raises UnreachableError."""
        self._dialling += 1
        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(deadline):
                session = await self._dialler.dial(self._exchanges, self.operator, self._quirks)
        except TimeoutError as error:
            late = SessionError(Stage.CONNECT, Trouble.TIMEOUT, "no session in time")
            raise UnreachableError(probe_of(late)) from error
        finally:
            self._dialling -= 1
        self._open += 1
        self._pace.opened(asyncio.get_running_loop().time() - started, session.round_s)
        self._bearable.grow()
        self._hire()
        return session

    async def _ask(self, session: Session, jobs: list[Job], deadline: float) -> Session | None:
        """Ask for the jobs' addresses, queue again who got no answer, and learn."""
        this = Round(
            jobs, recipients=self._recipients, provider=self._profile.name, memory=self._memory, rng=self._random
        )
        this.fill(session)
        loop = asyncio.get_running_loop()
        look = loop.call_later(self._pace.patience_s, self._look_at, session, loop.time())
        try:
            async with asyncio.timeout_at(deadline):
                error = await session.ask(this.envelopes) if this.envelopes else None
        except TimeoutError:
            error = SessionError(Stage.RCPT, Trouble.TIMEOUT, "the time for this address is up")
        finally:
            look.cancel()
        this.read(session)
        if this.answered:
            self._dialler.log.answered(session.route, self.operator, this.answered)
        self._recipients = this.recipients
        word = self._ask_again(this.jobs, this.progress, probe_of(error, self._profile.name) if error else None)
        if error is not None and error.trouble is Trouble.OUT_OF_STEP:
            self._quirks.step_by_step = True
        elif this.progress:
            self._strikes = 0
            self._learn_pace(this, session)
        else:
            await self._slow_down(word or _NO_WORD)
        turned_away = word is not None and word.reading.subject is Subject.US
        return await self._keep(session, broken=error is not None, liked=this.progress and not turned_away)

    async def _keep(self, session: Session, *, broken: bool, liked: bool) -> Session | None:
        if broken:
            await self._drop(session)
            return None
        worn = session.asked >= self._profile.per_session or session.refused >= self._profile.refusals
        if worn or not liked:
            await self._leave(session)
            return None
        return session

    # Who is asked again

    def _ask_again(self, jobs: list[Job], progress: bool, left: Probe | None) -> Probe | None:
        """Queue again who has no answer yet, as long as another try may help; else the last word stands.

        Answers the last word that was heard on those without an answer.
        """
        word = None
        for job in jobs:
            remaining = []
            for ticket in job.tickets:
                if ticket.done:
                    continue
                word = ticket.last or left or _NO_WORD
                ticket.tries += not progress
                if self._is_worth_another(ticket, word, progress):
                    ticket.said, ticket.last = ticket.last or ticket.said, None
                    remaining.append(ticket)
                else:
                    ticket.give_up(word)
            if remaining:
                self._put(Job(job.hosts, remaining), first=True)
        return word

    def _is_worth_another(self, ticket: Ticket, word: Probe, progress: bool) -> bool:
        if ticket.accepted is None and word.reading.subject is Subject.US:
            route = word.session.route if word.session else ""
            return self._dialler.rest(route, self.operator, word.said)
        if word.reply is None and progress:
            return True
        return word.reading.subject is Subject.LOAD and ticket.tries < self._config.tries

    async def _not_reached(self, probe: Probe) -> None:
        """No host would have us: enough, where others of us are inside; later, if it was for the load; else that is
        the answer for all who wait."""
        inside = self._open + self._dialling
        if inside:
            self._bearable.turned_away(inside, asyncio.get_running_loop().time())
        elif probe.reading.subject is Subject.LOAD:
            self._ask_again(self._take(), False, probe)
            await self._slow_down(probe)
        else:
            self._give_up(probe)
            self._settle_queue(probe)

    # The pace

    def _learn_pace(self, this: Round, session: Session) -> None:
        """A flush was answered: ask for more at once, or for less where the host complains or suffers."""
        if this.envelopes:
            self._pace.answered(*session.timing)
        if this.complaint:
            self._bearable.halve()
        elif self._pace.is_straining:
            self._bearable.ease()
        else:
            self._bearable.grow()
        self._hire()

    def _look_at(self, session: Session, started: float) -> None:
        """A flush takes long: where that is because every reply does, more sessions help."""
        if session.heard:
            self._pace.dragging(session.heard, asyncio.get_running_loop().time() - started)
            self._hire()

    async def _slow_down(self, probe: Probe) -> None:
        """Half the sessions and a pause; after some rounds without any answer, the last word counts for all."""
        self._bearable.halve()
        self._strikes += 1
        wait_s = self._config.backoff_s * 2 ** (self._strikes - 1)
        if probe.session is not None and probe.reading.subject is Subject.LOAD:
            route = probe.session.route
            self._dialler.log.refused(route, self.operator, RouteState.BACKING_OFF, probe.said, wait_s)
        if self._strikes > _STRIKES:
            self._give_up(probe)
        elif self._queue:
            await asyncio.sleep(wait_s)

    def _give_up(self, probe: Probe) -> None:
        self._strikes = 0
        self._verdict_on_all = (asyncio.get_running_loop().time() + self._config.rest_s, probe)

    def _given_up(self) -> Probe | None:
        if self._verdict_on_all is None:
            return None
        until, probe = self._verdict_on_all
        if until > asyncio.get_running_loop().time():
            return probe
        self._verdict_on_all = None
        return None

    def _settle_queue(self, probe: Probe) -> None:
        _settle(self._queue, probe)
        self._queue.clear()
        self._queued = 0


async def _to_the_end(ending: Coroutine[Any, Any, None]) -> None:
    """End a session whatever happens meanwhile: its place is free only when it is gone."""
    task = asyncio.ensure_future(ending)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


def _settle(jobs: "list[Job] | deque[Job]", probe: Probe) -> None:
    for job in jobs:
        for ticket in job.tickets:
            ticket.give_up(probe)
