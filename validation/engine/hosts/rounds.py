"""One flush over one session: which recipients go into which envelope, and what the replies mean.

The real recipients come first, the random one last. Tickets without an answer stay open, so that the group can try them
again.
"""

import random
from dataclasses import replace

from validation.engine.jobs import Portion, Ticket
from validation.engine.knowledge.domains import CatchAllCache, RandomOutcome, build_random_recipient
from validation.engine.probes.probe import Probe, SessionFacts
from validation.engine.replies.classifier import classify
from validation.engine.replies.readings import Reading, Subject
from validation.engine.smtp.reply_stream import Reply, clip_text
from validation.engine.smtp.session import Envelope, Session
from validation.engine.smtp.stages import Stage
from validation.engine.vocabulary import Reason

_CLOSING = 421
_NEEDS_UTF8 = Reading(Reason.SMTPUTF8_REQUIRED, Subject.DOMAIN, "EHLO")


class Round:
    """The envelopes of some portions, and their outcome.

    `progress`: some address got an answer. `complaint`: the host asks us to slow down. `recipients`: how many it
    accepts in one envelope, as far as known. `wanted` counts the recipients in the envelopes, random ones included,
    `answered` those with a reply of any kind.
    """

    def __init__(
        self,
        session: Session,
        portions: list[Portion],
        catch_all: CatchAllCache,
        rng: random.Random,
        *,
        most: int,
        provider: str,
    ) -> None:
        self.portions = portions
        self.wanted = 0
        self.answered = 0
        self._session = session
        self.envelopes: list[Envelope] = []
        self.recipients = most
        self.progress = False
        self.complaint = False
        self._provider = provider
        self._catch_all = catch_all
        self._random = rng
        self._sent: list[tuple[Portion, list[Ticket], bool]] = []
        self._build_envelopes()

    def _build_envelopes(self) -> None:
        """Build the envelopes for the session. The addresses in them no longer wait."""
        for portion in self.portions:
            known = self._catch_all.recall(portion.job.domain)
            if known is not None:
                _settle_accepted(portion, known)
            tickets = [ticket for ticket in portion.tickets if self._can_probe(ticket)]
            if any(not ticket.done for ticket in portion.tickets):
                self._build_portion_envelopes(portion, tickets, with_random=known is None)

    def read_replies(self) -> None:
        """Turn the replies into probes, and deliver the final ones."""
        facts = _build_session_facts(self._session)
        for envelope, (portion, tickets, with_random) in zip(self.envelopes, self._sent, strict=True):
            self.answered += len(envelope.replies)
            if envelope.mail is None:
                continue
            if envelope.mail.is_positive:
                self._read_recipients(envelope, portion, tickets, with_random, facts)
                continue
            reading = classify(envelope.mail, stage=Stage.MAIL, provider=self._provider)
            for ticket in tickets:
                ticket.last = Probe(reading, Stage.MAIL, envelope.mail, facts, envelope.mail)

    def _build_portion_envelopes(self, portion: Portion, tickets: list[Ticket], *, with_random: bool) -> None:
        """Build the envelopes of a portion. The random recipient gets one of its own where no other has space."""
        for start in range(0, len(tickets), self.recipients):
            part = tickets[start : start + self.recipients]
            is_last = start + self.recipients >= len(tickets)
            has_space = with_random and is_last and len(part) < self.recipients
            self._add_envelope(portion, part, with_random=has_space)
            with_random = with_random and not has_space
        if with_random:
            self._add_envelope(portion, [], with_random=True)

    def _add_envelope(self, portion: Portion, tickets: list[Ticket], *, with_random: bool) -> None:
        recipients: list[str] = [ticket.address for ticket in tickets]
        if with_random:
            domain = portion.job.domain
            recipients.append(
                self._catch_all.pending_probe_address(domain) or build_random_recipient(domain, self._random)
            )
        for ticket in tickets:
            ticket.is_waiting = False
        self.wanted += len(recipients)
        utf8 = any(ticket.address.needs_smtputf8 for ticket in tickets)
        self.envelopes.append(Envelope(recipients, smtputf8=utf8))
        self._sent.append((portion, tickets, with_random))

    def _can_probe(self, ticket: Ticket) -> bool:
        if ticket.done or ticket.accepted is not None:
            return False
        if ticket.address.needs_smtputf8 and "SMTPUTF8" not in self._session.extensions:
            ticket.deliver_probe(Probe(_NEEDS_UTF8, Stage.EHLO, session=_build_session_facts(self._session)))
            self.progress = True
            return False
        return True

    def _read_recipients(
        self, envelope: Envelope, portion: Portion, tickets: list[Ticket], with_random: bool, facts: SessionFacts
    ) -> None:
        outcome = self._catch_all.recall(portion.job.domain)
        if with_random and outcome is None and len(envelope.replies) == len(envelope.recipients):
            outcome = self._learn_catch_all(portion, envelope.recipients[-1], envelope.replies[-1])
        probes: dict[Reply, Probe] = {}  # the wire gives the same object for the same short line
        for position, (ticket, reply) in enumerate(zip(tickets, envelope.replies, strict=False)):
            probe = probes.get(reply)
            if probe is None:
                reading = classify(reply, provider=self._provider, recipient=ticket.address)
                probe = Probe(reading, Stage.RCPT, reply, facts, envelope.mail, outcome, time_ms=envelope.time_ms)
                probes[reply] = probe
            self._apply_reply(ticket, probe, reply, position)

    def _learn_catch_all(self, portion: Portion, probe_address: str, reply: Reply) -> RandomOutcome | None:
        """Learn from the reply to the random recipient.

        A reply about the load is not an answer: it is asked about again.
        """
        reading = classify(reply, provider=self._provider, recipient=probe_address)
        if reading.subject is Subject.LOAD:
            return None
        is_refused = reading.is_definite and reading.reason is not Reason.MAILBOX_FULL  # what is full is there
        accepted = True if reply.is_positive else False if is_refused else None
        outcome = self._catch_all.learn(
            portion.job.domain, probe_address, accepted=accepted, reply=clip_text(str(reply))
        )
        _settle_accepted(portion, outcome)
        self.progress |= reading.subject is not Subject.US
        return outcome

    def _apply_reply(self, ticket: Ticket, probe: Probe, reply: Reply, position: int) -> None:
        subject = probe.reading.subject
        if subject is Subject.LOAD:
            ticket.last = probe
            if reply.code == _CLOSING or reply.enhanced.startswith("4.7."):
                self.complaint = True
            elif position:
                self.recipients = min(self.recipients, position)
            return
        if subject is Subject.US:
            ticket.last = probe
            return
        self.progress = True
        if probe.reading.reason is Reason.MAILBOX_EXISTS and probe.random is None:
            ticket.accepted = probe
        else:
            ticket.deliver_probe(probe)


def _settle_accepted(portion: Portion, outcome: RandomOutcome) -> None:
    for ticket in portion.tickets:
        if ticket.accepted is not None:
            ticket.deliver_probe(replace(ticket.accepted, random=outcome))


def _build_session_facts(session: Session) -> SessionFacts:
    return SessionFacts(
        session.host,
        session.ip,
        session.route,
        session.greeting,
        session.tls,
        session.sender,
        session.time_ms,
        tuple(session.transcript),
    )
