"""Whether this machine can verify addresses at all: DNS answers, port 25 opens, we say who we are.

The question is put to the engine itself, by the ways and names that the settings give it: a well-known address at
several large operators. One operator that turns us away proves nothing; all of them out of reach do.
"""

from dataclasses import dataclass

from django.conf import settings

from validation.checker import Checker
from validation.engine import Outcome, Verdict

OPERATORS = ("gmail.com", "outlook.com", "yahoo.com")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it is as it should be, what was seen, and what to do about it."""

    name: str
    ok: bool
    seen: str
    advice: str = ""


def look(checker: Checker) -> list[Finding]:
    """Everything that was looked at, in order."""
    verdicts = [checker.check(f"postmaster@{operator}") for operator in OPERATORS]
    dns = [_outcome(verdict, "domain") is Outcome.PASS for verdict in verdicts]
    port = [_outcome(verdict, "smtp_connection") is Outcome.PASS for verdict in verdicts]
    return [_dns(dns), _port_25(any(dns), port), _identity()]


def _dns(answered: list[bool]) -> Finding:
    servers = ", ".join(f"{host}:{number}" for host, number in settings.VERIFIER_DNS) or "the machine's own resolver"
    seen = f"{sum(answered)} of {len(answered)} well-known domains answered by {servers}"
    advice = "Give VERIFIER_DNS a resolver that answers for the whole internet."
    return Finding("DNS", all(answered), seen, "" if all(answered) else advice)


def _port_25(has_dns: bool, opened: list[bool]) -> Finding:
    way = ", ".join(route.rpartition("@")[2] for route in settings.VERIFIER_ROUTES)
    name = f"Port {settings.VERIFIER_SMTP_PORT}"
    if any(opened):
        return Finding(name, True, f"open by {way}: {sum(opened)} of {len(opened)} operators greeted us")
    if not has_dns:
        return Finding(name, False, "not tried, because DNS does not answer")
    advice = (
        "Most providers close it until they are asked. Have it opened, or set VERIFIER_ROUTES to a source address or "
        "SOCKS5 proxy from which it is open. Until then mailboxes cannot be checked and are reported unknown."
    )
    return Finding(name, False, f"closed by {way}: none of {len(opened)} operators could be reached", advice)


def _identity() -> Finding:
    seen = f"HELO {settings.VERIFIER_HELO}, MAIL FROM <{settings.VERIFIER_MAIL_FROM}>"
    return Finding("Identity", bool(settings.VERIFIER_HELO), seen)


def _outcome(verdict: Verdict, name: str) -> Outcome:
    return next(check.outcome for check in verdict.checks if check.name == name)
