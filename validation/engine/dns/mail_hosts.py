"""Which hosts take mail for a domain (RFC 5321 section 5.1, RFC 7505)."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from validation.engine.dns.resolver import Answer, Found, RecordType, Resolver
from validation.engine.egress.routable import is_routable
from validation.engine.vocabulary import Reason

MOST_HOSTS = 10
"""The most hosts of a domain that are looked up and dialled, so that one address never causes hundreds of queries."""
_NO_HOSTS = frozenset({"", ".", "localhost", "localhost.localdomain"})
_SHOWN = 8


Exchanges = tuple[tuple[int, str], ...]
"""Mail hosts with their preferences."""


@dataclass(frozen=True, slots=True)
class MailHosts:
    """The hosts of a domain in preference order, or the reason why none can be asked.

    `left_out` is how many further hosts the domain names. Where it is above 0, unreachable `exchanges` prove little.
    """

    domain: str
    exchanges: Exchanges
    reason: Reason | None
    detail: str
    answer: Answer
    left_out: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the hosts that are asked, most preferred first."""
        return tuple(host for _, host in self.exchanges)


@dataclass(frozen=True, slots=True)
class HostAddresses:
    """The addresses of a mail host. `failed` is set when a query failed: an empty list then proves nothing."""

    routable: tuple[str, ...]
    refused: tuple[str, ...]
    failed: bool


async def resolve_mail_hosts(resolver: Resolver, domain: str) -> MailHosts:
    """Ask for the MX records of a domain, and for its address where it has none."""
    answer = await resolver.lookup(domain, RecordType.MX)
    if answer.found is Found.RECORDS:
        return _list_mx_hosts(domain, answer)
    if answer.found is Found.NO_NAME:
        return MailHosts(domain, (), Reason.NO_DOMAIN, "the domain does not exist", answer)
    if answer.found is Found.FAILED:
        return MailHosts(domain, (), Reason.DNS_ERROR, f"MX look-up failed: {answer.detail}", answer)
    return await _resolve_implicit_host(resolver, domain, answer)


def _list_mx_hosts(domain: str, answer: Answer) -> MailHosts:
    if [host for _, host in answer.exchanges] == ["."]:
        return MailHosts(domain, (), Reason.NULL_MX, "the domain says that it takes no mail", answer)
    named = sorted({pair for pair in answer.exchanges if pair[1] not in _NO_HOSTS})
    if not named:
        return MailHosts(domain, (), Reason.BOGUS_MX, "the MX records name no real host", answer)
    exchanges, left_out = tuple(named[:MOST_HOSTS]), max(0, len(named) - MOST_HOSTS)
    return MailHosts(domain, exchanges, None, _format_hosts(named), answer, left_out)


def _format_hosts(named: Sequence[tuple[int, str]]) -> str:
    """The most preferred hosts, and how many there are, where not all are listed or asked."""
    some = ", ".join(f"{preference} {host}" for preference, host in named[:_SHOWN])
    if len(named) <= _SHOWN:
        return some
    limit_note = f", of which the first {MOST_HOSTS} are asked" if len(named) > MOST_HOSTS else ""
    return f"{len(named)} hosts{limit_note}: {some} and {len(named) - _SHOWN} more"


async def _resolve_implicit_host(resolver: Resolver, domain: str, mx: Answer) -> MailHosts:
    """RFC 5321 section 5.1: without MX records, the domain's own address is its mail host."""
    addresses = await resolve_addresses(resolver, domain)
    if addresses.routable or addresses.refused:
        return MailHosts(domain, ((0, domain),), None, "no MX record: the domain's own address counts", mx)
    if addresses.failed:
        return MailHosts(domain, (), Reason.DNS_ERROR, "no MX record, address look-up failed", mx)
    return MailHosts(domain, (), Reason.NO_MAIL_HOST, "neither MX nor address records", mx)


async def resolve_addresses(resolver: Resolver, host: str) -> HostAddresses:
    """The addresses of a mail host: IPv4, else IPv6. Addresses that are not routable are refused and never dialled."""
    routable: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    failed = False
    for kind in (RecordType.A, RecordType.AAAA):
        answer = await resolver.lookup(host, kind)
        failed = failed or answer.found is Found.FAILED
        routable = tuple(address for address in answer.records if is_routable(address))
        refused += tuple(address for address in answer.records if not is_routable(address))
        if routable or answer.found is Found.NO_NAME:
            break
    return HostAddresses(routable, refused, failed)


def order_hosts(exchanges: Exchanges, rng: random.Random) -> list[str]:
    """Hosts by preference, equal preferences shuffled to spread the load (RFC 5321 section 5.1)."""
    return [host for _, _, host in sorted((preference, rng.random(), host) for preference, host in exchanges)]
