"""Tests whether this machine can verify addresses, and whether mail operators trust its identity.

The engine itself probes a well-known address at several large operators, from each egress address, by the routes and
names in the settings. One rejecting operator proves nothing; all of them out of reach do. Their reply to EHLO contains
the address that they see, and the other tests are about that address; without one, about the route's source address. A
test without a result is neither good nor bad.
"""

import asyncio
import re
import secrets
from dataclasses import dataclass, replace

from django.conf import settings

from validation.engine import Category, Outcome, Verdict
from validation.engine.egress.addresses import Egress, build_egress
from validation.engine.egress.routable import is_ip_address, is_routable
from validation.engine.verifier import Verifier
from validation.verifier.checker import engine_config, shared_limits
from validation.verifier.dns_reputation import ReputationResolver

OPERATORS = ("gmail.com", "outlook.com", "yahoo.com")
BLOCK_LIST = "zen.spamhaus.org"
_PATIENCE_S = 60.0
_LITERAL = re.compile(r"\[(?:IPv6:)?([0-9A-Fa-f:.]+)\]")
_PORT_ADVICE = (
    "Most providers close it until they are asked. Have it opened, or set VERIFIER_ROUTES to a source address or "
    "SOCKS5 proxy from which it is open. Until then mailboxes cannot be checked and are reported unknown."
)
_NO_DNS = "not tried, because DNS does not answer"
_NO_EGRESS = "not looked at, because no operator told the address that we come from"


@dataclass(frozen=True, slots=True)
class Finding:
    """One test: its result (None: not known), what was seen, and what to do about it.

    `egress`: the tested egress address; "" for all of them.
    """

    name: str
    ok: bool | None
    seen: str
    advice: str = ""
    egress: str = ""


@dataclass(frozen=True, slots=True)
class _Visit:
    """The results from one egress address: the verdicts, and the addresses that operators saw."""

    route: str
    egress: Egress
    verdicts: list[Verdict]

    @property
    def helo(self) -> str:
        return self.egress.helo or settings.VERIFIER_HELO

    @property
    def helo_setting(self) -> str:
        """The setting of its HELO name."""
        return "the ;helo= of this route" if self.egress.helo else "VERIFIER_HELO"

    @property
    def addresses(self) -> list[str]:
        seen = sorted({address for verdict in self.verdicts for address in _list_seen_addresses(verdict)})
        return seen or [self.egress.key] * is_routable(self.egress.key)


def run_selfcheck() -> list[Finding]:
    """All tests: those for all egress addresses, then those for each."""
    well_known = [f"postmaster@{operator}" for operator in OPERATORS]
    visits = [
        _Visit(route, build_egress(route, number), asyncio.run(_verify_over_route(route, well_known)))
        for number, route in enumerate(settings.VERIFIER_ROUTES, 1)
    ]
    names = ReputationResolver(settings.VERIFIER_DNS)
    has_dns = any(_has_passed(verdict, "domain") for visit in visits for verdict in visit.verdicts)
    resolver = _check_resolver(names) if has_dns else Finding("Resolver", None, _NO_DNS)
    found = [_check_dns(visits[0].verdicts), resolver, _check_sender()]
    return found + [one for visit in visits for one in _check_egress(names, visit, has_dns)]


def _check_egress(names: ReputationResolver, visit: _Visit, has_dns: bool) -> list[Finding]:
    """The tests of one egress address."""
    found = [
        _check_port(visit, has_dns),
        _check_helo(names, visit),
        _check_reverse_dns(names, visit),
        _check_names_agree(names, visit),
    ]
    found += [_check_own_hosts(names, visit.addresses), _check_block_list(names, visit.addresses)]
    return [replace(one, egress=_title_of(visit)) for one in found]


def _title_of(visit: _Visit) -> str:
    """The configured route, without password and HELO name."""
    return _strip_password(visit.route.partition(";")[0])


async def _verify_over_route(route: str, addresses: list[str]) -> list[Verdict]:
    """The verdicts on some addresses over one route."""
    shared = shared_limits()
    verifier = Verifier.build(replace(engine_config(), routes=(route,)), shared=shared)
    try:
        found = dict([pair async for pair in verifier.verify_many(addresses, deadline_s=_PATIENCE_S)])
    finally:
        await verifier.aclose()
        await asyncio.sleep(0.01)  # the loop's turns in which closed connections let go of their sockets
    return [found[index] for index in range(len(addresses))]


def _has_passed(verdict: Verdict, name: str) -> bool:
    return any(check.name == name and check.outcome is Outcome.PASS for check in verdict.checks)


def _list_seen_addresses(verdict: Verdict) -> list[str]:
    """The bracketed addresses in a host's reply to EHLO: ours, as the host sees it."""
    lines = list(verdict.transcript)
    after = next((number for number, line in enumerate(lines) if line.startswith("C: EHLO")), len(lines))
    answer = next((line for line in lines[after + 1 :] if line.startswith("S: 250")), "")
    return [found for found in _LITERAL.findall(answer) if is_ip_address(found)]


def _check_dns(verdicts: list[Verdict]) -> Finding:
    answered = [_has_passed(verdict, "domain") for verdict in verdicts]
    servers = ", ".join(f"{host}:{number}" for host, number in settings.VERIFIER_DNS) or "the machine's own resolver"
    seen = f"{sum(answered)} of {len(answered)} well-known domains answered by {servers}"
    advice = "Give VERIFIER_DNS a resolver that answers for the whole internet."
    return Finding("DNS", all(answered), seen, "" if all(answered) else advice)


def _check_resolver(names: ReputationResolver) -> Finding:
    """Test the resolver: one that invents addresses for missing names would make every lapsed domain look alive."""
    asked = {name: names.addresses(name) for name in (f"{secrets.token_hex(12)}.{zone}" for zone in ("com", "invalid"))}
    lies = [f"{name} is {found[0]}" for name, found in asked.items() if found]
    if lies:
        advice = "Give VERIFIER_DNS a resolver that does not redirect: your own, or one that validates DNSSEC."
        return Finding("Resolver", False, f"it answers for names that do not exist: {', '.join(lies)}", advice)
    return Finding("Resolver", True, "names that do not exist have no address")


def _check_port(visit: _Visit, has_dns: bool) -> Finding:
    name, route = f"Port {settings.VERIFIER_SMTP_PORT}", _title_of(visit)
    opened = [_has_passed(verdict, "smtp_connection") for verdict in visit.verdicts]
    if any(opened):
        return Finding(name, True, f"open by {route}: {sum(opened)} of {len(opened)} operators greeted us")
    if not has_dns:
        return Finding(name, False, _NO_DNS)
    return Finding(name, False, f"closed by {route}: none of {len(opened)} operators could be reached", _PORT_ADVICE)


def _strip_password(route: str) -> str:
    scheme, separator, rest = route.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}"


def _check_helo(names: ReputationResolver, visit: _Visit) -> Finding:
    helo, egress = visit.helo, visit.addresses
    if not egress:
        return Finding("HELO", None, f"{helo}: {_NO_EGRESS}")
    found = names.addresses(helo)
    missing = [address for address in egress if address not in found]
    if not missing:
        return Finding("HELO", True, f"{helo} is {', '.join(egress)}, the address that operators see")
    seen = f"{helo} is {', '.join(found) or 'not in the DNS'}, but operators see us come from {', '.join(missing)}"
    advice = f"Give {helo} an address record with {', '.join(missing)}, or change {visit.helo_setting}."
    return Finding("HELO", False, seen, advice)


def _check_reverse_dns(names: ReputationResolver, visit: _Visit) -> Finding:
    """Test forward-confirmed reverse DNS: the reverse name leads back to the address."""
    if not visit.addresses:
        return Finding("Reverse DNS", None, _NO_EGRESS)
    pointers = {address: names.pointers(address) for address in visit.addresses}
    lost = [
        address
        for address, found in pointers.items()
        if not any(address in names.addresses(pointer) for pointer in found)
    ]
    pointer_text = "; ".join(
        f"{address} is {', '.join(found) or 'without a pointer'}" for address, found in pointers.items()
    )
    if not lost:
        return Finding("Reverse DNS", True, f"{pointer_text}, and back")
    advice = f"Ask whoever gave you {', '.join(lost)} to set its PTR record to {visit.helo}."
    return Finding("Reverse DNS", False, f"{pointer_text}, which does not lead back", advice)


def _check_names_agree(names: ReputationResolver, visit: _Visit) -> Finding:
    helo = visit.helo.lower()
    if not visit.addresses:
        return Finding("Names agree", None, _NO_EGRESS)
    others = [address for address in visit.addresses if helo not in names.pointers(address)]
    if not others:
        return Finding("Names agree", True, f"HELO and reverse DNS both say {helo}")
    advice = f"Set the PTR record of {', '.join(others)} to {helo}, or {visit.helo_setting} to what the pointer says."
    return Finding("Names agree", False, f"the pointer of {', '.join(others)} does not say {helo}", advice)


def _check_sender() -> Finding:
    """Test our sender's mailbox: it has to accept mail, because some operators call back."""
    if not settings.VERIFIER_MAIL_FROM:
        return Finding(
            "Sender", None, "the null sender is used", "Set VERIFIER_MAIL_FROM to a mailbox that somebody reads."
        )
    (verdict,) = asyncio.run(_verify_over_route(settings.VERIFIER_ROUTES[0], [settings.VERIFIER_MAIL_FROM]))
    seen = f"<{settings.VERIFIER_MAIL_FROM}>: {verdict.sentence}"
    if verdict.category in (Category.VALID, Category.CATCH_ALL):
        return Finding("Sender", True, seen)
    if verdict.category is Category.UNKNOWN:
        return Finding("Sender", None, seen)
    return Finding("Sender", False, seen, "Make it a mailbox that takes mail, or change VERIFIER_MAIL_FROM.")


def _check_own_hosts(names: ReputationResolver, egress: list[str]) -> Finding:
    """Warn when the egress address is also a mail host of ours: probing puts its reputation at risk."""
    domain = settings.VERIFIER_MAIL_FROM.rpartition("@")[2]
    if not egress or not domain:
        return Finding("Own mail hosts", None, _NO_EGRESS if domain else "the null sender has none")
    hosts = names.mail_hosts(domain)
    shared = [host for host in hosts if any(address in egress for address in names.addresses(host))]
    if not shared:
        return Finding("Own mail hosts", True, f"the {len(hosts)} mail hosts of {domain} have other addresses than we")
    advice = "Probe from an address of its own, so that a block never reaches your mail: see VERIFIER_ROUTES."
    return Finding("Own mail hosts", False, f"{', '.join(shared)} has the address that we probe from", advice)


def _check_block_list(names: ReputationResolver, egress: list[str]) -> Finding:
    """Test a block list. A hint only: the list does not answer queries of large public resolvers."""
    if not egress:
        return Finding("Block list", None, _NO_EGRESS)
    answers = {address: names.listed(address, BLOCK_LIST) for address in egress}
    listed = [address for address, answer in answers.items() if answer]
    if listed:
        advice = "Look it up at https://check.spamhaus.org and have it taken off; until then many operators refuse us."
        return Finding("Block list", False, f"{', '.join(listed)} is on {BLOCK_LIST}", advice)
    if None in answers.values():
        return Finding("Block list", None, f"{BLOCK_LIST} gives this resolver no answer")
    return Finding("Block list", True, f"{', '.join(egress)} is not on {BLOCK_LIST}")
