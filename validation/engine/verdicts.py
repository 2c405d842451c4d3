"""From evidence to verdict. Pure: the same evidence always gives the same verdict."""

import math
from dataclasses import dataclass

from validation.engine import evidence
from validation.engine.confidence import confidence, decided_confidence, is_safe_to_send
from validation.engine.facts import DomainFacts
from validation.engine.probing import Probe
from validation.engine.profiles import title_of
from validation.engine.replies import Subject
from validation.engine.syntax import Address
from validation.engine.vocabulary import Category, Check, Flag, FollowUp, Reason, Verdict, Wait, WaitCause
from validation.engine.wire import clipped

TRANSCRIPT_LINES = 40
GREYLIST_WAIT_S = 300.0  # what Postgrey asks for when a host names no time
TEMPORARY_WAIT_S = 900.0
_GROUNDS_KEPT = 64

_SENTENCES = {
    Reason.MAILBOX_EXISTS: "{host} accepts mail for this mailbox.",
    Reason.SYNTAX: "{detail}",
    Reason.NO_DOMAIN: "The domain {domain} does not exist.",
    Reason.NO_MAIL_HOST: "The domain {domain} has no mail server.",
    Reason.NULL_MX: "The domain {domain} declares that it takes no mail.",
    Reason.BOGUS_MX: "The mail servers named by {domain} cannot exist on the public internet.",
    Reason.MAILBOX_NOT_FOUND: "{host} says that this mailbox does not exist.",
    Reason.MAILBOX_DISABLED: "{host} says that this mailbox is disabled.",
    Reason.MAILBOX_FULL: "{host} says that this mailbox is full.",
    Reason.DOMAIN_NOT_HOSTED: "{host} says that it takes no mail for {domain}.",
    Reason.SMTPUTF8_REQUIRED: "{host} cannot take mail for an address with international characters.",
    Reason.ACCEPTS_ALL: "{host} accepts mail for every name at {domain}, so this mailbox cannot be confirmed.",
    Reason.DISPOSABLE_DOMAIN: "{domain} gives out throw-away mailboxes.",
    Reason.KNOWN_TRAP: "This address is on the configured list of spam traps.",
    Reason.DNS_ERROR: "The domain {domain} could not be looked up just now.",
    Reason.CONNECT_FAILED: "No mail server of {domain} could be reached.",
    Reason.TIMEOUT: "The mail servers of {domain} did not answer in time.",
    Reason.GREYLISTED: "{host} asks unknown senders to come back later.",
    Reason.BLOCKED: "{host} refuses to talk to us about this mailbox.",
    Reason.RATE_LIMITED: "{host} takes no more questions for the moment.",
    Reason.TEMPORARY: "{host} has a temporary problem.",
    Reason.PROTOCOL_ERROR: "{host} gave an answer that cannot be understood.",
    Reason.NOT_PROBED: "The mail servers of {domain} were not asked.",
    Reason.NOT_ASKED: "We have reached our own limit at {operator}; ask again in {seconds}.",
    Reason.NOT_IN_PLAN: "{domain} takes mail; your plan does not include asking its mail servers about the mailbox.",
}
_TURNED_AWAY = "{host} has turned us away before we could ask about this mailbox."
_EGRESS_RESTS = "The addresses from which we ask {operator} are resting; ask again in {seconds}."
_RETRYABLE = {Reason.GREYLISTED: GREYLIST_WAIT_S, Reason.TEMPORARY: TEMPORARY_WAIT_S}
_FLAG_OF_REASON = {Reason.MAILBOX_FULL: Flag.FULL, Reason.MAILBOX_DISABLED: Flag.DISABLED}
_INVALID_BY_PROBE = frozenset({Reason.SMTPUTF8_REQUIRED, Reason.BOGUS_MX})


@dataclass(frozen=True, slots=True)
class Again:
    """How an address is asked for again: `now` is the time of the verdict (epoch seconds), `decoy` the random recipient
    that was put off, `earlier` how the address was asked for before."""

    now: float
    decoy: str
    earlier: FollowUp | None


@dataclass(slots=True)
class Ground:
    """What all addresses of one domain that got the same answer share.

    `figure` is None where the confidence depends on the address; `checks` are those of an address without any
    peculiarity. `opening` and `closing` are the transcript around the
    address's own line, which `names_recipient` says to be there.
    """

    probe: Probe | None
    category: Category
    reason: Reason
    figure: float | None
    is_catch_all: bool | None
    domain_valid: bool | None
    smtp_valid: bool | None
    sentence: str
    suggestion: str | None
    flags: tuple[Flag, ...]
    retry_after: float | None
    checks: tuple[Check, ...]
    opening: tuple[str, ...]
    names_recipient: bool
    closing: tuple[str, ...]


def of_bad_syntax(email: str, why: str, duration_ms: float) -> Verdict:
    """The verdict on a text that is no address."""
    return Verdict(
        email=email,
        normalized=None,
        domain=None,
        category=Category.INVALID,
        reason=Reason.SYNTAX,
        confidence=0.0,
        safe_to_send=False,
        sentence=why,
        syntax_valid=False,
        domain_valid=None,
        smtp_valid=None,
        is_disposable=None,
        is_catch_all=None,
        is_spam_trap=None,
        is_free=False,
        is_role=False,
        flags=(),
        did_you_mean=None,
        mx_hosts=(),
        checks=evidence.of_bad_syntax(why),
        transcript=(),
        retry_after=None,
        follow_up=None,
        duration_ms=duration_ms,
    )


class DomainVerdicts:
    """Makes the verdicts on the addresses of one domain.

    Most of a verdict is the same for every address with the same answer, so it is worked out once an answer: that is
    11 of the 17 microseconds which a verdict takes when it is made alone.
    """

    def __init__(self, facts: DomainFacts) -> None:
        self.facts = facts
        self._lists = facts.lists
        self._is_burner = facts.lists.is_burner
        self._is_international = "xn--" in facts.hosts.domain
        self._names = facts.hosts.names
        self._grounds: dict[int, Ground] = {}

    def of(
        self,
        email: str,
        address: Address,
        probe: Probe | None,
        *,
        is_role: bool,
        trap: bool | None,
        again: Again | None,
        duration_ms: float,
    ) -> Verdict:
        """The verdict on an address written as `email`. `again` is given where another try may matter."""
        lists, shared = self._lists, self._ground(probe, trap=trap, again=again)
        figure = shared.figure
        if figure is None or is_role:
            figure = confidence(
                shared.category,
                shared.reason,
                mailbox=address.local,
                is_role=is_role,
                is_free=lists.is_free,
                is_catch_all=shared.is_catch_all,
            )
        is_plain = not (is_role or self._is_international or "+" in address or address[0] == '"') and address.isascii()
        own = (clipped(f"C: RCPT TO:<{address}>"),) if shared.names_recipient else ()
        return Verdict(
            email=email,
            normalized=str(address),
            domain=self.facts.hosts.domain,
            category=shared.category,
            reason=shared.reason,
            confidence=figure,
            safe_to_send=is_safe_to_send(shared.category, figure),
            sentence=shared.sentence,
            syntax_valid=True,
            domain_valid=shared.domain_valid,
            smtp_valid=shared.smtp_valid,
            is_disposable=self._is_burner,
            is_catch_all=shared.is_catch_all,
            is_spam_trap=trap,
            is_free=lists.is_free,
            is_role=is_role,
            flags=shared.flags if is_plain else _flags(address, is_role, shared.flags),
            did_you_mean=f"{address.local}@{shared.suggestion}" if shared.suggestion else None,
            mx_hosts=self._names,
            checks=shared.checks if is_plain else evidence.with_form(shared.checks, address, is_role=is_role),
            transcript=shared.opening + own + shared.closing,
            retry_after=shared.retry_after,
            follow_up=_follow_up(shared, again) if again is not None else None,
            duration_ms=duration_ms,
            wait=probe.wait if probe is not None else None,
        )

    def _ground(self, probe: Probe | None, *, trap: bool | None, again: Again | None) -> Ground:
        known = self._grounds.get(id(probe))
        if known is not None and not trap and (again is None or again.earlier is None):
            return known
        made = ground(self.facts, probe, trap=trap, again=again)
        if not trap and (again is None or again.earlier is None):
            if len(self._grounds) >= _GROUNDS_KEPT:
                self._grounds.clear()
            self._grounds[id(probe)] = made
        return made


def ground(facts: DomainFacts, probe: Probe | None, *, trap: bool | None, again: Again | None) -> Ground:
    """What follows from the facts on a domain and the answer of its hosts."""
    category, reason = decide(facts, probe, trap=trap)
    is_catch_all = _is_catch_all(probe)
    opening, names_recipient, closing = _transcript(facts.hosts.domain, probe)
    return Ground(
        probe=probe,
        category=category,
        reason=reason,
        figure=decided_confidence(category, is_catch_all=is_catch_all),
        is_catch_all=is_catch_all,
        domain_valid=_domain_valid(facts, probe),
        smtp_valid=_smtp_valid(probe),
        sentence=_sentence(reason, facts, probe),
        suggestion=_suggestion(facts, probe),
        flags=_flags_of_ground(facts, reason),
        retry_after=_retry_after(reason, probe),
        checks=evidence.of_plain_address(facts, probe, trap=trap, asked_again=_asked_again(probe, again)),
        opening=opening,
        names_recipient=names_recipient,
        closing=closing,
    )


def decide(domain: DomainFacts, probe: Probe | None, *, trap: bool | None) -> tuple[Category, Reason]:
    """The category and its reason. A failure of ours or of the path is never invalid."""
    if trap:
        return Category.SPAM_TRAP, Reason.KNOWN_TRAP
    if domain.hosts.reason is not None and domain.is_dead:
        return Category.INVALID, domain.hosts.reason
    if domain.lists.is_burner:
        return Category.DISPOSABLE, Reason.DISPOSABLE_DOMAIN
    if probe is None:
        not_asked = Reason.NOT_PROBED if domain.asks_mail_hosts else Reason.NOT_IN_PLAN
        return Category.UNKNOWN, domain.hosts.reason or not_asked
    return _decide_by_probe(domain, probe)


def _decide_by_probe(domain: DomainFacts, probe: Probe) -> tuple[Category, Reason]:
    reason = probe.reading.reason
    if reason is Reason.BOGUS_MX and domain.hosts.left_out:  # one of those that were not looked up may be real
        return Category.UNKNOWN, Reason.NOT_PROBED
    if reason is Reason.MAILBOX_EXISTS:
        if _is_catch_all(probe):
            return Category.CATCH_ALL, Reason.ACCEPTS_ALL
        return Category.VALID, reason
    if probe.reading.is_definite or reason in _INVALID_BY_PROBE:
        return Category.INVALID, reason
    return Category.UNKNOWN, reason


def _is_catch_all(probe: Probe | None) -> bool | None:
    """Only two acceptances make a catch-all: a mailbox that exists but is busy was not accepted."""
    if probe is None:
        return None
    if probe.reading.reason is Reason.MAILBOX_EXISTS:
        accepted = probe.reply is not None and probe.reply.is_positive
        return probe.random.accepted if accepted and probe.random is not None else None
    return False if probe.reading.is_definite and probe.reading.subject is Subject.MAILBOX else None


def _domain_valid(domain: DomainFacts, probe: Probe | None) -> bool | None:
    if domain.is_dead or (
        probe is not None and decide(domain, probe, trap=None) == (Category.INVALID, Reason.BOGUS_MX)
    ):
        return False
    undecided = probe is not None and probe.reading.reason is Reason.DNS_ERROR
    return None if undecided or domain.is_undecided else True


def _smtp_valid(probe: Probe | None) -> bool | None:
    if probe is None:
        return None
    if probe.reading.reason is Reason.MAILBOX_EXISTS:
        return True
    return False if probe.reading.is_definite or probe.reading.reason is Reason.SMTPUTF8_REQUIRED else None


def _flags_of_ground(facts: DomainFacts, reason: Reason) -> tuple[Flag, ...]:
    flags = [facts.lists.listing.kind] if facts.lists.listing else []
    flags += [Flag.FREE] if facts.lists.is_free else []
    flags += [_FLAG_OF_REASON[reason]] if reason in _FLAG_OF_REASON else []
    return tuple(flags)


def _flags(address: Address, is_role: bool, shared: tuple[Flag, ...]) -> tuple[Flag, ...]:
    own = (
        (Flag.ROLE, is_role),
        (Flag.SUBADDRESSED, "+" in address),
        (Flag.INTERNATIONALISED, address.needs_smtputf8 or "xn--" in address),
        (Flag.QUOTED, address.quoted),
    )
    return (*shared, *(flag for flag, is_set in own if is_set))


def _suggestion(facts: DomainFacts, probe: Probe | None) -> str | None:
    """A likelier domain, only where no mail server of the domain has answered: a working domain is no slip."""
    has_answered = probe is not None and (probe.session is not None or probe.reply is not None)
    return None if has_answered else facts.lists.suggestion


def _sentence(reason: Reason, facts: DomainFacts, probe: Probe | None) -> str:
    domain = facts.hosts.domain
    host = probe.session.host if probe is not None and probe.session is not None else f"A mail server of {domain}"
    if probe is None:
        return _SENTENCES[reason].format(host=host, domain=domain)
    if probe.wait is not None:
        return _sentence_of_wait(probe.wait, domain)
    return (_TURNED_AWAY if probe.at_second_hand else _SENTENCES[reason]).format(host=host, domain=domain)


def _sentence_of_wait(wait: Wait, domain: str) -> str:
    """Why nobody was asked: it is our doing, and the sentence says so."""
    operator = title_of(wait.operator) if wait.operator else f"the mail servers of {domain}"
    operator = "the domain name system" if wait.cause is WaitCause.LOOKUP else operator
    text = _EGRESS_RESTS if wait.cause is WaitCause.EGRESS else _SENTENCES[Reason.NOT_ASKED]
    said = text.format(operator=operator, seconds=_in_words(wait.seconds))
    return said[0].upper() + said[1:]


def _in_words(seconds: float) -> str:
    """A wait, rounded up.

    >>> _in_words(11.2), _in_words(150)
    ('12 s', '3 min')
    """
    if seconds < 100:
        return f"{max(1, math.ceil(seconds))} s"
    if seconds < 6_000:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 3_600)} h"


def _asked_again(probe: Probe | None, again: Again | None) -> str:
    """How an address was asked for a second time; "" where it was not."""
    if again is None or again.earlier is None or probe is None:
        return ""
    same = probe.session is not None and probe.session.route == again.earlier.route
    where = "the same address" if same else "another address"
    return f"asked again after {again.now - again.earlier.first_at:.0f} s from {where}"


def _follow_up(shared: Ground, again: Again) -> FollowUp | None:
    """How to ask again, where the host has promised that waiting helps: by greylisting, or by naming a time."""
    probe, wait_s = shared.probe, shared.retry_after
    if probe is not None and probe.wait is not None:
        return again.earlier
    if probe is None or wait_s is None:
        return None
    if shared.reason is not Reason.GREYLISTED and probe.reading.retry_after is None:
        return None
    session, earlier = probe.session, again.earlier
    return FollowUp(
        route=session.route if session else "",
        sender=session.sender if session else "",
        decoy=again.decoy,
        first_at=earlier.first_at if earlier else again.now,
        tries=earlier.tries + 1 if earlier else 1,
        wait_s=wait_s,
    )


def may_be_asked_again(probe: Probe | None) -> bool:
    """Whether asking again later may decide."""
    return probe is not None and probe.reading.reason in _RETRYABLE


def _retry_after(reason: Reason, probe: Probe | None) -> float | None:
    if probe is not None and probe.wait is not None:
        return probe.wait.seconds
    if probe is None or reason not in _RETRYABLE:
        return None
    return probe.reading.retry_after or _RETRYABLE[reason]


def _transcript(domain: str, probe: Probe | None) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    """The transcript before the address is named, whether it is, and the transcript after it."""
    if probe is None:
        return (), False, ()
    session, mail, reply = probe.session, probe.mail, probe.reply
    if session is None:
        return tuple(clipped(f"-- {note}") for note in probe.attempts[:TRANSCRIPT_LINES]), False, ()
    opening = session.transcript
    if mail is not None:
        opening += (clipped(f"C: MAIL FROM:<{session.sender}>"), clipped(f"S: {mail}"))
    if reply is None or reply is mail:
        return opening, False, ()
    closing: tuple[str, ...] = (clipped(f"S: {reply}"),)
    if probe.random is not None and not probe.random.remembered:
        closing += (clipped(f"C: RCPT TO:<(random)@{domain}>"), clipped(f"S: {probe.random.reply}"))
    return opening, True, closing
