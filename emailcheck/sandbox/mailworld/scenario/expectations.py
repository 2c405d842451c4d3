"""The right verdict for an address of the simulated world.

Computed from the scenario, never from the servers or the product, so that page, sample lists and tests can compare with
it.
"""

from typing import NamedTuple

from emailcheck.sandbox.mailworld.scenario.mailboxes import State
from emailcheck.sandbox.mailworld.scenario.world import Dns, Domain, Greeting, Operator, Recipient, Sender, World


class Expected(NamedTuple):
    """Category and reason; `later` is the verdict once greylisting was waited out, else the same."""

    category: str
    reason: str
    later: tuple[str, str]


_DNS = {
    Dns.NULL_MX: ("invalid", "null_mx"),
    Dns.NO_MAIL: ("invalid", "no_mail_host"),
    Dns.BOGUS: ("invalid", "bogus_mx"),
    Dns.NXDOMAIN: ("invalid", "no_domain"),
    Dns.SERVFAIL: ("unknown", "dns_error"),
    Dns.TIMEOUT: ("unknown", "dns_error"),
}
_GREETING = {
    Greeting.BLOCKED: ("unknown", "blocked"),
    Greeting.BUSY: ("unknown", "rate_limited"),
    Greeting.GARBAGE: ("unknown", "protocol_error"),
    Greeting.FLOOD: ("unknown", "protocol_error"),
    Greeting.SILENT: ("unknown", "timeout"),
    Greeting.DROP: ("unknown", "connect_failed"),
}
_SENDER = {Sender.BLOCKED: ("unknown", "blocked"), Sender.TEMPORARY: ("unknown", "temporary")}
_RECIPIENT = {
    Recipient.BLOCKED: ("unknown", "blocked"),
    Recipient.RATE_LIMITED: ("unknown", "rate_limited"),
    Recipient.GARBAGE: ("unknown", "protocol_error"),
    Recipient.DROP: ("unknown", "connect_failed"),
}
# The verdict for each mailbox state at a truthful host.
VERDICT_ON = {
    State.ACCEPTED: ("valid", "mailbox_exists"),
    State.MISSING: ("invalid", "mailbox_not_found"),
    State.FULL: ("invalid", "mailbox_full"),
    State.OVERFLOW: ("unknown", "mailbox_full"),
    State.DISABLED: ("invalid", "mailbox_disabled"),
    State.BUSY: ("valid", "mailbox_exists"),
    State.TEMPORARY: ("unknown", "temporary"),
    State.GUARDED: ("unknown", "blocked"),
}
_OUTSIDE = ("unknown", "dns_error")
_DISPOSABLE = ("disposable", "disposable_domain")


def decide_mailbox_state(world: World, operator: Operator, local: str) -> State:
    """The state of a mailbox at an operator, read from its local part."""
    named = world.mailboxes.named_state(local)
    if operator.accepts_all:
        return State.ACCEPTED if named in {None, State.MISSING} else named
    if named is not None:
        return named
    return State.ACCEPTED if world.mailboxes.looks_like_a_name(local) else operator.unlikely


def expect_verdict(world: World, address: str) -> Expected:
    """The verdict on a syntactically possible address, given with the domain in U-labels or A-labels."""
    local, _, name = address.rpartition("@")
    domain = world.domain_of(name)
    if domain is None:
        return Expected(*_OUTSIDE, _OUTSIDE)
    if domain.kind == "disposable":
        return Expected(*_DISPOSABLE, _DISPOSABLE)
    target = world.mail_domain(domain)
    if target.operator is None:
        verdict = _DNS[target.dns]
        return Expected(*verdict, verdict)
    final = _expect_smtp_verdict(world, target, target.operator, local)
    first = ("unknown", "greylisted") if target.operator.greylisting else final
    return Expected(*first, final)


def _expect_smtp_verdict(world: World, domain: Domain, operator: Operator, local: str) -> tuple[str, str]:
    """The verdict from the SMTP dialogue, stage by stage."""
    if not operator.reachable:
        return "unknown", "connect_failed"
    early = _GREETING.get(operator.greeting) or _SENDER.get(operator.sender)
    if early:
        return early
    if not local.isascii() and not operator.smtputf8:
        return "invalid", "smtputf8_required"
    refused = _RECIPIENT.get(operator.recipient)
    if refused:
        return refused
    if not domain.hosted:
        return "unknown", "blocked"
    state = decide_mailbox_state(world, operator, local)
    if state is State.ACCEPTED and operator.accepts_all:
        return "catch_all", "accepts_all"
    return VERDICT_ON[state]
