"""Probing by MX set: the queue of everything that is served by the same hosts, and the sessions that work it off."""

import asyncio
import logging
import math
import random
from collections import deque
from dataclasses import replace

from validation.engine.config import EngineConfig
from validation.engine.dialling import Dialler, Quirks, UnreachableError, probe_of
from validation.engine.gate import SessionGate
from validation.engine.probing import (
    CatchAllMemory,
    Job,
    Probe,
    RandomOutcome,
    SessionFacts,
    Ticket,
    random_recipient,
)
from validation.engine.profiles import Profile
from validation.engine.replies import Reading, Subject, read_reply
from validation.engine.smtp import Envelope, Session, SessionError, Stage, Trouble
from validation.engine.vocabulary import Reason
from validation.engine.wire import Reply

_log = logging.getLogger(__name__)

_FLUSH_RECIPIENTS = 25
_RECIPIENTS_PER_WORKER = 20
_STRIKES = 3
_NO_WORD = Probe(Reading(Reason.TEMPORARY, Subject.LOAD, "connection"), Stage.RCPT, detail="the session ended early")
_OUR_FAULT = Probe(Reading(Reason.TEMPORARY, Subject.MOMENT, "engine"), Stage.CONNECT, detail="a fault of our own")
_NEEDS_UTF8 = Reading(Reason.SMTPUTF8_REQUIRED, Subject.DOMAIN, "EHLO")


class _Round:
    """One flush to one session: jobs, the envelopes made of them, and who stands where in them."""

    def __init__(self, jobs: list[Job]) -> None:
        self.jobs = jobs
        self.envelopes: list[Envelope] = []
        self.asked: list[tuple[Job, list[Ticket], bool]] = []
        self.progress = False
        self.turned_away = False
        self.last: Probe | None = None

    def add(self, job: Job, tickets: list[Ticket], extra: str | None) -> None:
        """One envelope: the real recipients, and a random one behind them."""
        recipients = [str(ticket.address) for ticket in tickets]
        utf8 = any(ticket.address.needs_smtputf8 for ticket in tickets)
        self.envelopes.append(Envelope([*recipients, extra] if extra else recipients, smtputf8=utf8))
        self.asked.append((job, tickets, extra is not None))


class HostGroup:
    """All work for one set of mail hosts. Workers come with the work and go when it stays away."""

    def __init__(
        self,
        exchanges: tuple[tuple[int, str], ...],
        profile: Profile,
        config: EngineConfig,
        dialler: Dialler,
        gate: SessionGate,
        memory: CatchAllMemory,
        rng: random.Random,
    ) -> None:
        self.operator = profile.name or exchanges[0][1]
        self._exchanges = exchanges
        self._profile = profile
        self._config = config
        self._dialler = dialler
        self._gate = gate
        self._memory = memory
        self._random = rng
        self._queue: deque[Job] = deque()
        self._queued = 0
        self._workers: set[asyncio.Task[None]] = set()
        self._working = 0  # workers that will look at the queue again
        self._wake: list[asyncio.Future[None]] = []
        self._quirks = Quirks(step_by_step=not profile.pipelining)
        self._recipients = profile.recipients
        self._sessions = float(profile.first_sessions)
        self._strikes = 0
        self._verdict_on_all: tuple[float, Probe] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is queued and nobody is working."""
        return not self._queue and not self._workers

    def submit(self, job: Job) -> None:
        """Queue the addresses of one domain, in portions that fit an envelope."""
        size = max(1, self._recipients - 1)
        for start in range(0, len(job.tickets), size):
            self._put(Job(job.hosts, job.tickets[start : start + size]))
        self._hire()

    async def aclose(self) -> None:
        """End the workers; what is queued stays unanswered."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def _put(self, job: Job, *, first: bool = False) -> None:
        (self._queue.appendleft if first else self._queue.append)(job)
        self._queued += len(job.tickets)

    def _hire(self) -> None:
        while self._wake:
            waiting = self._wake.pop()
            if not waiting.done():
                waiting.set_result(None)
        wanted = min(int(self._sessions), math.ceil(self._queued / _RECIPIENTS_PER_WORKER))
        while self._working < wanted:
            self._working += 1
            worker = asyncio.get_running_loop().create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    def _take(self) -> list[Job]:
        """Jobs for one flush, those already answered left out."""
        jobs: list[Job] = []
        count = 0
        while self._queue and (not jobs or count + len(self._queue[0].tickets) <= _FLUSH_RECIPIENTS):
            job = self._queue.popleft()
            self._queued -= len(job.tickets)
            job.tickets = [ticket for ticket in job.tickets if not ticket.done]
            if job.tickets:
                jobs.append(job)
                count += len(job.tickets)
        return jobs

    async def _work(self) -> None:
        """Work the queue off over one place at the operator, then wait a little for more."""
        session: Session | None = None
        await self._gate.enter(self.operator, self._profile.sessions)
        try:
            while True:
                jobs = self._take()
                if jobs:
                    session = await self._serve_safely(session, jobs)
                elif session is None or not await self._wait_for_work():
                    break
        finally:
            self._working -= 1
            if session is not None:
                await self._leave(session)
            self._gate.leave(self.operator)

    async def _wait_for_work(self) -> bool:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wake.append(work)
        await self._gate.idle(self.operator, work, self._config.idle_s)
        if work in self._wake:
            self._wake.remove(work)
        return bool(self._queue)

    async def _leave(self, session: Session) -> None:
        await asyncio.shield(session.quit())

    async def _serve_safely(self, session: Session | None, jobs: list[Job]) -> Session | None:
        """A fault of our own must not leave anybody without an answer."""
        try:
            return await self._serve(session, jobs)
        except Exception:
            _log.exception("probing failed")
            _settle_all(jobs, _OUR_FAULT)
            if session is not None:
                session.drop()
            return None

    async def _serve(self, session: Session | None, jobs: list[Job]) -> Session | None:
        """Ask for the jobs' addresses. Answers the session when it is good for more."""
        given_up = self._given_up()
        if given_up is not None:
            _settle_all(jobs, given_up)
            return session
        this = _Round(jobs)
        try:
            async with asyncio.timeout(self._config.address_s):
                if session is None:
                    session = await self._dialler.dial(self._exchanges, self.operator, self._quirks)
                self._fill(session, this)
                error = await session.ask(this.envelopes) if this.envelopes else None
        except UnreachableError as unreachable:
            await self._not_reached(jobs, unreachable.probe)
            return None
        except TimeoutError:
            error = SessionError(Stage.RCPT, Trouble.TIMEOUT, "the time for this address is up")
        if session is None:
            _settle_all(jobs, probe_of(SessionError(Stage.CONNECT, Trouble.TIMEOUT, "no session in time")))
            return None
        return await self._digest(session, this, error)

    async def _digest(self, session: Session, this: _Round, error: SessionError | None) -> Session | None:
        """Read what came, queue again what is open, and learn. Answers the session when it is good for more."""
        facts = SessionFacts.of(session)
        for envelope, (job, tickets, extra) in zip(this.envelopes, this.asked, strict=True):
            self._read(envelope, job, tickets, extra, facts, this)
        left = probe_of(error, self._profile.name) if error is not None else None
        for job in this.jobs:
            self._again(job, this, left)
        if error is not None and error.trouble is Trouble.OUT_OF_STEP:
            self._quirks.step_by_step = True
        elif this.progress:
            self._strikes = 0
            self._sessions = min(self._sessions + 1, float(self._profile.sessions))
            self._hire()
        else:
            await self._slow_down(this.last or _NO_WORD)
        return await self._keep(session, this, broken=error is not None)

    async def _keep(self, session: Session, this: _Round, *, broken: bool) -> Session | None:
        if broken:
            session.drop()
            return None
        worn = session.asked >= self._profile.per_session or session.refused >= self._profile.refusals
        if worn or this.turned_away or not this.progress:
            await self._leave(session)
            return None
        return session

    def _fill(self, session: Session, this: _Round) -> None:
        """Make the envelopes: for each job first who is really asked for, then the random recipient."""
        for job in this.jobs:
            domain = job.hosts.domain
            known = self._memory.recall(domain)
            if known is not None:
                _answer_accepted(job, known)
            tickets = [ticket for ticket in job.tickets if self._can_be_asked(ticket, session, this)]
            if all(ticket.done for ticket in job.tickets):
                continue
            extra = None if known else random_recipient(domain, self._random)
            step = self._recipients
            for start in range(0, len(tickets), step):
                part = tickets[start : start + step]
                last = start + step >= len(tickets) and len(part) < step
                this.add(job, part, extra if last else None)
                extra = None if last else extra
            if extra:
                this.add(job, [], extra)

    def _can_be_asked(self, ticket: Ticket, session: Session, this: _Round) -> bool:
        if ticket.done or ticket.accepted is not None:
            return False
        if ticket.address.needs_smtputf8 and "SMTPUTF8" not in session.extensions:
            ticket.settle(Probe(_NEEDS_UTF8, Stage.EHLO, session=SessionFacts.of(session)))
            this.progress = True
            return False
        return True

    def _read(
        self,
        envelope: Envelope,
        job: Job,
        tickets: list[Ticket],
        extra: bool,
        facts: SessionFacts,
        this: _Round,
    ) -> None:
        """Turn the replies of one envelope into probes."""
        if envelope.mail is None:
            return
        if not envelope.mail.is_positive:
            reading = read_reply(Stage.MAIL, envelope.mail, self._profile.name)
            for ticket in tickets:
                ticket.last = Probe(reading, Stage.MAIL, envelope.mail, facts, envelope.mail)
            return
        outcome = self._memory.recall(job.hosts.domain)
        if extra and outcome is None and len(envelope.replies) == len(envelope.recipients):
            outcome = self._learn(job, envelope.replies[-1], this)
        for position, (ticket, reply) in enumerate(zip(tickets, envelope.replies, strict=False)):
            reading = read_reply(Stage.RCPT, reply, self._profile.name)
            probe = Probe(reading, Stage.RCPT, reply, facts, envelope.mail, outcome, time_ms=envelope.time_ms)
            self._take_answer(ticket, probe, position, this)

    def _learn(self, job: Job, reply: Reply, this: _Round) -> RandomOutcome | None:
        """The random recipient's answer, unless it was about the load: then it is asked for again."""
        if read_reply(Stage.RCPT, reply, self._profile.name).subject is Subject.LOAD:
            return None
        outcome = self._memory.learn(job.hosts.domain, reply, self._profile.name)
        _answer_accepted(job, outcome)
        this.progress = True
        return outcome

    def _take_answer(self, ticket: Ticket, probe: Probe, position: int, this: _Round) -> None:
        subject = probe.reading.subject
        if subject is Subject.LOAD:
            ticket.last = probe
            if position and probe.reply is not None and probe.reply.code != 421:
                self._recipients = min(self._recipients, position)
            return
        this.progress = True
        if subject is Subject.US:
            ticket.last = probe
        elif probe.reading.reason is Reason.MAILBOX_EXISTS and probe.random is None:
            ticket.accepted = probe
        else:
            ticket.settle(probe)

    def _again(self, job: Job, this: _Round, left: Probe | None) -> None:
        """Queue again who has no answer yet, as long as another try may help; else the last word stands."""
        remaining = []
        for ticket in job.tickets:
            if ticket.done:
                continue
            last = ticket.last or left or _NO_WORD
            ticket.tries += not this.progress
            this.last = last
            if self._is_worth_another(ticket, last, this):
                ticket.last = None
                remaining.append(ticket)
            else:
                ticket.settle(ticket.accepted or last)
        if remaining:
            self._put(Job(job.hosts, remaining), first=True)

    def _is_worth_another(self, ticket: Ticket, last: Probe, this: _Round) -> bool:
        if ticket.accepted is None and last.reading.subject is Subject.US:
            this.turned_away = True
            route = last.session.route if last.session else ""
            return self._dialler.rest(route, self.operator)
        if last.reply is None and this.progress:
            return True
        return last.reading.subject is Subject.LOAD and ticket.tries < self._config.tries

    async def _not_reached(self, jobs: list[Job], probe: Probe) -> None:
        """No host would have us: later, if it was for the load; else that is the answer for all who wait."""
        if probe.reading.subject is not Subject.LOAD:
            _settle_all(jobs, probe)
            self._verdict_on_all = (asyncio.get_running_loop().time() + self._config.rest_s, probe)
            return
        this = _Round(jobs)
        for job in jobs:
            self._again(job, this, probe)
        await self._slow_down(probe)

    async def _slow_down(self, probe: Probe) -> None:
        """Half the sessions and a pause; after some rounds without any answer, the last word counts for all."""
        self._sessions = max(1.0, self._sessions / 2)
        self._strikes += 1
        if self._strikes > _STRIKES:
            self._strikes = 0
            self._verdict_on_all = (asyncio.get_running_loop().time() + self._config.rest_s, probe)
        elif self._queue:
            await asyncio.sleep(self._config.backoff_s * 2 ** (self._strikes - 1))

    def _given_up(self) -> Probe | None:
        if self._verdict_on_all is None:
            return None
        until, probe = self._verdict_on_all
        if until > asyncio.get_running_loop().time():
            return probe
        self._verdict_on_all = None
        return None


def _answer_accepted(job: Job, outcome: RandomOutcome) -> None:
    for ticket in job.tickets:
        if ticket.accepted is not None:
            ticket.settle(replace(ticket.accepted, random=outcome))


def _settle_all(jobs: list[Job], probe: Probe) -> None:
    for job in jobs:
        for ticket in job.tickets:
            ticket.settle(ticket.accepted or probe)
