"""The sentence of a verdict: what the mail hosts said, in words for a customer."""

import math

from validation.engine.probes.probe import Probe
from validation.engine.profiles import format_operator_title
from validation.engine.verdict.evidence import DomainFacts
from validation.engine.vocabulary import Reason, Wait, WaitCause

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
