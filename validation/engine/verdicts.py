"""From evidence to verdict. Pure: the same evidence always gives the same verdict."""

from dataclasses import dataclass

from validation.engine import evidence
from validation.engine.confidence import confidence, is_safe_to_send
from validation.engine.facts import DomainFacts
from validation.engine.probing import Probe, SessionFacts
from validation.engine.replies import Subject
from validation.engine.syntax import Address
from validation.engine.vocabulary import Category, Check, Flag, FollowUp, Reason, Verdict

TRANSCRIPT_LINES = 40
TRANSCRIPT_WIDTH = 200
GREYLIST_WAIT_S = 300.0  # what Postgrey asks for when a host names no time
TEMPORARY_WAIT_S = 900.0

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
    Reason.NOT_IN_PLAN: "The plan does not include the check that would decide.",
}
_RETRYABLE = {Reason.GREYLISTED: GREYLIST_WAIT_S, Reason.TEMPORARY: TEMPORARY_WAIT_S}
_INVALID_BY_PROBE = frozenset({Reason.SMTPUTF8_REQUIRED, Reason.BOGUS_MX})


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything a verdict rests on. `trap` is None where no list of traps is configured.

    `now` is the time of the verdict (epoch seconds), `decoy` the random recipient that was put off, `earlier` how the
    address was asked for before.
    """

    email: str
    address: Address
    domain: DomainFacts
    is_role: bool
    trap: bool | None
    probe: Probe | None
    duration_ms: float
    now: float = 0.0
    decoy: str = ""
    earlier: FollowUp | None = None


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


def of(findings: Findings) -> Verdict:
    """The verdict on an address."""
    address, domain, probe = findings.address, findings.domain, findings.probe
    category, reason = decide(domain, probe, trap=findings.trap)
    is_catch_all = _is_catch_all(probe)
    figure = confidence(
        category,
        reason,
        mailbox=address.local,
        is_role=findings.is_role,
        is_free=domain.lists.is_free,
        is_catch_all=is_catch_all,
    )
    return Verdict(
        email=findings.email,
        normalized=str(address),
        domain=address.domain,
        category=category,
        reason=reason,
        confidence=figure,
        safe_to_send=is_safe_to_send(category, figure),
        sentence=_sentence(reason, findings),
        syntax_valid=True,
        domain_valid=_domain_valid(domain, probe),
        smtp_valid=_smtp_valid(probe),
        is_disposable=domain.lists.is_burner,
        is_catch_all=is_catch_all,
        is_spam_trap=findings.trap,
        is_free=domain.lists.is_free,
        is_role=findings.is_role,
        flags=_flags(findings, reason),
        did_you_mean=_did_you_mean(findings),
        mx_hosts=domain.hosts.names,
        checks=_checks(findings),
        transcript=_transcript(findings),
        retry_after=_retry_after(reason, probe),
        follow_up=_follow_up(reason, findings),
        duration_ms=findings.duration_ms,
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
        return Category.UNKNOWN, domain.hosts.reason or Reason.NOT_PROBED
    reason = probe.reading.reason
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
    if domain.is_dead or (probe is not None and probe.reading.reason is Reason.BOGUS_MX):
        return False
    undecided = probe is not None and probe.reading.reason is Reason.DNS_ERROR
    return None if undecided or domain.is_undecided else True


def _smtp_valid(probe: Probe | None) -> bool | None:
    if probe is None:
        return None
    if probe.reading.reason is Reason.MAILBOX_EXISTS:
        return True
    return False if probe.reading.is_definite or probe.reading.reason is Reason.SMTPUTF8_REQUIRED else None


def _flags(findings: Findings, reason: Reason) -> tuple[Flag, ...]:
    address, lists = findings.address, findings.domain.lists
    flags = [
        flag
        for flag, is_set in (
            (Flag.ROLE, findings.is_role),
            (Flag.FREE, lists.is_free),
            (Flag.SUBADDRESSED, "+" in address.local),
            (Flag.INTERNATIONALISED, address.needs_smtputf8 or "xn--" in address.domain),
            (Flag.QUOTED, address.quoted),
            (Flag.FULL, reason is Reason.MAILBOX_FULL),
            (Flag.DISABLED, reason is Reason.MAILBOX_DISABLED),
        )
        if is_set
    ]
    return tuple(flags) if lists.listing is None else (lists.listing.kind, *flags)


def _did_you_mean(findings: Findings) -> str | None:
    """A likelier spelling, only where no mail server of the domain has answered: a working domain is no slip."""
    suggestion = findings.domain.lists.suggestion
    answered = findings.probe is not None and findings.probe.session is not None
    if suggestion is None or answered:
        return None
    return f"{findings.address.local}@{suggestion}"


def _sentence(reason: Reason, findings: Findings) -> str:
    probe, hosts = findings.probe, findings.domain.hosts
    host = f"A mail server of {hosts.domain}"
    if probe is not None and probe.session is not None:
        host = probe.session.host
    return _SENTENCES[reason].format(host=host, domain=hosts.domain)


def _checks(findings: Findings) -> tuple[Check, ...]:
    return evidence.of_address(
        findings.address,
        findings.domain,
        is_role=findings.is_role,
        trap=findings.trap,
        probe=findings.probe,
        asked_again=_asked_again(findings),
    )


def _asked_again(findings: Findings) -> str:
    """How the address was asked for a second time; "" where it was not."""
    earlier, probe = findings.earlier, findings.probe
    if earlier is None or probe is None:
        return ""
    same = probe.session is not None and probe.session.route == earlier.route
    where = "the same address" if same else "another address"
    return f"asked again after {findings.now - earlier.first_at:.0f} s from {where}"


def _retry_after(reason: Reason, probe: Probe | None) -> float | None:
    if probe is None or reason not in _RETRYABLE:
        return None
    return probe.reading.retry_after or _RETRYABLE[reason]


def _follow_up(reason: Reason, findings: Findings) -> FollowUp | None:
    """How to ask again, where the host has promised that waiting helps: by greylisting, or by naming a time."""
    probe, earlier = findings.probe, findings.earlier
    wait_s = _retry_after(reason, probe)
    if probe is None or wait_s is None or (reason is not Reason.GREYLISTED and probe.reading.retry_after is None):
        return None
    session = probe.session
    return FollowUp(
        route=session.route if session else "",
        sender=session.sender if session else "",
        decoy=findings.decoy,
        first_at=earlier.first_at if earlier else findings.now,
        tries=earlier.tries + 1 if earlier else 1,
        wait_s=wait_s,
    )


def _transcript(findings: Findings) -> tuple[str, ...]:
    probe = findings.probe
    if probe is None:
        return ()
    if probe.session is None:
        return tuple(f"-- {note}"[:TRANSCRIPT_WIDTH] for note in probe.attempts[:TRANSCRIPT_LINES])
    return (*probe.session.transcript, *_envelope_lines(findings.address, probe, probe.session))


def _envelope_lines(address: Address, probe: Probe, session: SessionFacts) -> list[str]:
    lines = []
    if probe.mail is not None:
        lines += [f"C: MAIL FROM:<{session.sender}>", f"S: {probe.mail}"]
    if probe.reply is not None and probe.reply is not probe.mail:
        lines += [f"C: RCPT TO:<{address}>", f"S: {probe.reply}"]
    if probe.random is not None and not probe.random.remembered:
        lines += [f"C: RCPT TO:<(random)@{address.domain}>", f"S: {probe.random.reply}"]
    return [line[:TRANSCRIPT_WIDTH] for line in lines]
