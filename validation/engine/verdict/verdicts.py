"""From evidence to verdict, and how to ask again. Pure: the same evidence always gives the same verdict.

Confidence says how probable it is that a message to an address is delivered, from 0 to 1.

0 means that delivery is impossible or must not be tried, 1 that it is certain, which nobody can know before sending:
the best evidence gives 0.97. Above 0.6 an address counts as safe to send to even where its mailbox was not confirmed.

An accepted mailbox starts at 0.97 where a random recipient of its domain was refused, at 0.80 where that is not known.
What is invalid, or a known spam trap, is exactly 0. Everything else starts by its reason:

| reason              | what is known                                              | starts at |
|---------------------|------------------------------------------------------------|-----------|
| `accepts_all`       | the host accepts every name                                | 0.55      |
| `greylisted`        | the host asks to come back: nothing is known of the mailbox | 0.45      |
| `rate_limited`      | the host takes no more questions for now                   | 0.45      |
| `temporary`         | the host has trouble of its own                            | 0.45      |
| `blocked`           | the host refuses us and never looked at the mailbox        | 0.45      |
| `not_probed`        | the host was not asked                                     | 0.40      |
| `not_in_plan`       | the host was not asked                                     | 0.40      |
| `test_address`      | nobody was asked: its verdicts are made up, in test mode   | 0.40      |
| `not_asked`         | stands in line for a limit of ours                         | 0.40      |
| `timeout`           | the host did not answer in time                            | 0.35      |
| `protocol_error`    | the host gave answers that cannot be understood            | 0.30      |
| `mailbox_full`      | full for now                                               | 0.25      |
| `dns_error`         | the domain could not be looked up                          | 0.25      |
| `connect_failed`    | no host could be reached                                   | 0.20      |
| `disposable_domain` | a throw-away mailbox                                       | 0.10      |

Where the mailbox is undecided (catch-all and unknown), a name-like local part adds 0.08 and a large mailbox provider
0.05, and a role account takes 0.05 away. An accepted role account loses 0.02. The steps are judgement, no measured
frequencies, and chosen so that nothing undecided gets above 0.6 but a catch-all mailbox with a person's name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from validation.engine.probes.probe import Probe
from validation.engine.repair import read_addresses
from validation.engine.replies.readings import Subject
from validation.engine.smtp.reply_stream import clip_text
from validation.engine.syntax import Address
from validation.engine.verdict import evidence
from validation.engine.verdict.evidence import DomainFacts
from validation.engine.vocabulary import Category, Check, Flag, FollowUp, Reason, Verdict

SAFE_ABOVE = 0.6

_VALID = 0.97
_VALID_UNDECIDED = 0.80
_BY_REASON: Mapping[Reason, float] = {
    Reason.ACCEPTS_ALL: 0.55,
    Reason.GREYLISTED: 0.45,
    Reason.RATE_LIMITED: 0.45,
    Reason.TEMPORARY: 0.45,
    Reason.BLOCKED: 0.45,
    Reason.NOT_PROBED: 0.40,
    Reason.NOT_IN_PLAN: 0.40,
    Reason.TEST_ADDRESS: 0.40,
    Reason.NOT_ASKED: 0.40,
    Reason.TIMEOUT: 0.35,
    Reason.PROTOCOL_ERROR: 0.30,
    Reason.MAILBOX_FULL: 0.25,
    Reason.DNS_ERROR: 0.25,
    Reason.CONNECT_FAILED: 0.20,
    Reason.DISPOSABLE_DOMAIN: 0.10,
}
_NAME_LIKE = re.compile(r"[a-z]{2,}(?:[._-][a-z]{2,})+|[a-z][._-]?[a-z]{3,}", re.IGNORECASE)
_UNDECIDED = frozenset({Category.CATCH_ALL, Category.UNKNOWN})


def compute_confidence(
    category: Category, reason: Reason, *, mailbox: str, is_role: bool, is_free: bool, is_catch_all: bool | None
) -> float:
    """The probability of safe delivery, rounded to two decimals. A definite invalid is exactly 0."""
    if category in (Category.INVALID, Category.SPAM_TRAP):
        return 0.0
    if category is Category.VALID:
        base = _VALID if is_catch_all is False else _VALID_UNDECIDED
        return round(base - 0.02 * is_role, 2)
    base = _BY_REASON.get(reason, 0.30)
    if category in _UNDECIDED:
        base += 0.05 * is_free - 0.05 * is_role
        base += 0.08 * (not is_role and _NAME_LIKE.fullmatch(mailbox) is not None)
    return round(base, 2)


def compute_decided_confidence(category: Category, *, is_catch_all: bool | None) -> float | None:
    """The confidence for an address that is no role account; None where it depends on the address."""
    if category in _UNDECIDED or category is Category.DISPOSABLE:
        return None
    return compute_confidence(
        category, Reason.NOT_PROBED, mailbox="", is_role=False, is_free=False, is_catch_all=is_catch_all
    )


def is_safe_to_send(category: Category, confidence: float) -> bool:
    """Valid, or undecided with a confidence above 0.6."""
    return category is Category.VALID or (category in _UNDECIDED and confidence > SAFE_ABOVE)


_SHARED_VERDICTS_CACHED = 64

_FLAG_OF_REASON = {Reason.MAILBOX_FULL: Flag.FULL, Reason.MAILBOX_DISABLED: Flag.DISABLED}
_INVALID_BY_PROBE = frozenset({Reason.SMTPUTF8_REQUIRED, Reason.BOGUS_MX})

GREYLIST_WAIT_S = 300.0  # what Postgrey asks for when a host names no time
TEMPORARY_WAIT_S = 900.0
_RETRYABLE = {Reason.GREYLISTED: GREYLIST_WAIT_S, Reason.TEMPORARY: TEMPORARY_WAIT_S}


def is_undecided(verdict: Verdict) -> bool:
    """Whether an address was left undecided. What the plan leaves so (VAL-021) is not, nor are test addresses."""
    return verdict.category in _UNDECIDED and verdict.reason not in (Reason.NOT_IN_PLAN, Reason.TEST_ADDRESS)


@dataclass(frozen=True, slots=True)
class RetryContext:
    """How an address is asked for again.

    `now` is the time of the verdict in epoch seconds. `probe_address` is the catch-all probe without a decided answer.
    `earlier` is the follow-up that the address came with.
    """

    now: float
    probe_address: str
    earlier: FollowUp | None


@dataclass(slots=True)
class SharedVerdict:
    """The part of a verdict shared by all addresses of a domain with the same answer.

    `confidence` is None where it depends on the address. `checks` are those of a plain address. `opening` and `closing`
    are the transcript around the address's own line, which exists where `names_recipient`.
    """

    probe: Probe | None
    category: Category
    reason: Reason
    confidence: float | None
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


def build_bad_syntax_verdict(email: str, why: str, duration_ms: float) -> Verdict:
    """The verdict on a text that is no address."""
    return Verdict(
        email=email,
        category=Category.INVALID,
        reason=Reason.SYNTAX,
        sentence=why,
        syntax_valid=False,
        did_you_mean=_find_only_address(email),
        checks=evidence.build_bad_syntax_checks(why),
        duration_ms=duration_ms,
    )


def _find_only_address(text: str) -> str | None:
    """The address that a text holds beside other things; None where it holds several."""
    reading = read_addresses(text)
    return reading.addresses[0] if reading.found == 1 else None


class DomainVerdicts:
    """Makes the verdicts on the addresses of one domain.

    Most of a verdict is the same for all addresses with the same answer and is computed once per answer. That saves 11
    of the 17 microseconds of a verdict.
    """

    def __init__(self, facts: DomainFacts) -> None:
        self.facts = facts
        self._lists = facts.lists
        self._is_disposable = facts.lists.is_disposable_domain
        self._is_international = "xn--" in facts.hosts.domain
        self._names = facts.hosts.names
        self._grounds: dict[int, SharedVerdict] = {}

    def of(
        self,
        email: str,
        address: Address,
        probe: Probe | None,
        *,
        is_role: bool,
        trap: bool | None,
        again: RetryContext | None,
        duration_ms: float,
    ) -> Verdict:
        """The verdict on an address written as `email`. `again` is given where another attempt may matter."""
        lists, shared = self._lists, self._ground(probe, trap=trap, again=again)
        if (confidence := shared.confidence) is None or is_role:
            confidence = compute_confidence(
                shared.category,
                shared.reason,
                mailbox=address.local,
                is_role=is_role,
                is_free=lists.is_free,
                is_catch_all=shared.is_catch_all,
            )
        is_plain = not (is_role or self._is_international or "+" in address or address[0] == '"') and address.isascii()
        own = (clip_text(f"C: RCPT TO:<{address}>"),) if shared.names_recipient else ()
        return Verdict(
            email=email,
            normalized=str(address),
            domain=self.facts.hosts.domain,
            category=shared.category,
            reason=shared.reason,
            confidence=confidence,
            safe_to_send=is_safe_to_send(shared.category, confidence),
            sentence=shared.sentence,
            syntax_valid=True,
            domain_valid=shared.domain_valid,
            smtp_valid=shared.smtp_valid,
            is_disposable=self._is_disposable,
            is_catch_all=shared.is_catch_all,
            is_spam_trap=trap,
            is_free=lists.is_free,
            is_role=is_role,
            flags=shared.flags if is_plain else _list_flags(address, is_role, shared.flags),
            did_you_mean=f"{address.local}@{shared.suggestion}" if shared.suggestion else None,
            mx_hosts=self._names,
            checks=shared.checks if is_plain else evidence.replace_form_checks(shared.checks, address, is_role=is_role),
            transcript=shared.opening + own + shared.closing,
            retry_after=shared.retry_after,
            follow_up=_build_follow_up(shared, again) if again is not None else None,
            duration_ms=duration_ms,
            wait=probe.wait if probe is not None else None,
        )

    def _ground(self, probe: Probe | None, *, trap: bool | None, again: RetryContext | None) -> SharedVerdict:
        known = self._grounds.get(id(probe))
        if known is not None and not trap and (again is None or again.earlier is None):
            return known
        made = build_shared_verdict(self.facts, probe, trap=trap, again=again)
        if not trap and (again is None or again.earlier is None):
            if len(self._grounds) >= _SHARED_VERDICTS_CACHED:
                self._grounds.clear()
            self._grounds[id(probe)] = made
        return made


def build_shared_verdict(
    facts: DomainFacts, probe: Probe | None, *, trap: bool | None, again: RetryContext | None
) -> SharedVerdict:
    """What follows from the facts on a domain and the answer of its hosts."""
    category, reason = decide_category(facts, probe, trap=trap)
    is_catch_all = _is_catch_all(probe)
    opening, names_recipient, closing = evidence.build_transcript(facts.hosts.domain, probe)
    return SharedVerdict(
        probe=probe,
        category=category,
        reason=reason,
        confidence=compute_decided_confidence(category, is_catch_all=is_catch_all),
        is_catch_all=is_catch_all,
        domain_valid=_is_domain_valid(facts, probe),
        smtp_valid=_is_smtp_valid(probe),
        sentence=evidence.build_sentence(reason, facts, probe),
        suggestion=_suggest_domain(facts, probe),
        flags=_list_shared_flags(facts, reason),
        retry_after=_compute_retry_wait(reason, probe),
        checks=evidence.build_plain_checks(facts, probe, trap=trap, second_probe=_describe_follow_up(probe, again)),
        opening=opening,
        names_recipient=names_recipient,
        closing=closing,
    )


def decide_category(domain: DomainFacts, probe: Probe | None, *, trap: bool | None) -> tuple[Category, Reason]:
    """The category and its reason. A failure of ours or of the path is never invalid."""
    if trap:
        return Category.SPAM_TRAP, Reason.KNOWN_TRAP
    if domain.hosts.reason is not None and domain.is_dead:
        return Category.INVALID, domain.hosts.reason
    if domain.lists.is_disposable_domain:
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
    """Whether the domain accepts every name.

    A mailbox that exists but is busy was not accepted, so it proves nothing.
    """
    if probe is None:
        return None
    if probe.reading.reason is Reason.MAILBOX_EXISTS:
        accepted = probe.reply is not None and probe.reply.is_positive
        return probe.random.accepted if accepted and probe.random is not None else None
    return False if probe.reading.is_definite and probe.reading.subject is Subject.MAILBOX else None


def _is_domain_valid(domain: DomainFacts, probe: Probe | None) -> bool | None:
    if domain.is_dead or (
        probe is not None and decide_category(domain, probe, trap=None) == (Category.INVALID, Reason.BOGUS_MX)
    ):
        return False
    undecided = probe is not None and probe.reading.reason is Reason.DNS_ERROR
    return None if undecided or domain.is_undecided else True


def _is_smtp_valid(probe: Probe | None) -> bool | None:
    if probe is None:
        return None
    if probe.reading.reason is Reason.MAILBOX_EXISTS:
        return True
    return False if probe.reading.is_definite or probe.reading.reason is Reason.SMTPUTF8_REQUIRED else None


def _list_shared_flags(facts: DomainFacts, reason: Reason) -> tuple[Flag, ...]:
    flags = [facts.lists.listing.kind] if facts.lists.listing else []
    flags += [Flag.FREE] if facts.lists.is_free else []
    flags += [_FLAG_OF_REASON[reason]] if reason in _FLAG_OF_REASON else []
    return tuple(flags)


def _list_flags(address: Address, is_role: bool, shared: tuple[Flag, ...]) -> tuple[Flag, ...]:
    own = (
        (Flag.ROLE, is_role),
        (Flag.SUBADDRESSED, "+" in address),
        (Flag.INTERNATIONALISED, address.needs_smtputf8 or "xn--" in address),
        (Flag.QUOTED, address.quoted),
    )
    return (*shared, *(flag for flag, is_set in own if is_set))


def _suggest_domain(facts: DomainFacts, probe: Probe | None) -> str | None:
    """A likelier domain, only where no mail server of this one has answered: a working domain is not a typing error."""
    has_answered = probe is not None and (probe.session is not None or probe.reply is not None)
    return None if has_answered else facts.lists.suggestion


def _describe_follow_up(probe: Probe | None, again: RetryContext | None) -> str:
    """A text on the second attempt; "" where there was none."""
    if again is None or again.earlier is None or probe is None:
        return ""
    same = probe.session is not None and probe.session.route == again.earlier.route
    where = "the same address" if same else "another address"
    return f"asked again after {again.now - again.earlier.first_at:.0f} s from {where}"


def _build_follow_up(shared: SharedVerdict, again: RetryContext) -> FollowUp | None:
    """How to ask again, where the host said that waiting helps: by greylisting, or by naming a time."""
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
        decoy=again.probe_address,
        first_at=earlier.first_at if earlier else again.now,
        tries=earlier.tries + 1 if earlier else 1,
        wait_s=wait_s,
    )


def can_be_retried(probe: Probe | None) -> bool:
    """Whether asking again later may decide."""
    return probe is not None and probe.reading.reason in _RETRYABLE


def _compute_retry_wait(reason: Reason, probe: Probe | None) -> float | None:
    if probe is not None and probe.wait is not None:
        return probe.wait.seconds
    if probe is None or reason not in _RETRYABLE:
        return None
    return probe.reading.retry_after or _RETRYABLE[reason]
