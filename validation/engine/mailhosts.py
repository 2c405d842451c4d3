"""Which hosts take mail for a domain (RFC 5321 section 5.1, RFC 7505)."""

import random
from dataclasses import dataclass

from validation.engine.addresses import is_routable
from validation.engine.dns import Answer, Found, RecordType, Resolver
from validation.engine.vocabulary import Reason

_NO_HOSTS = frozenset({"", ".", "localhost", "localhost.localdomain"})


@dataclass(frozen=True, slots=True)
class MailHosts:
    """The hosts of a domain in preference order, or the reason why there is none to ask."""

    domain: str
    exchanges: tuple[tuple[int, str], ...]
    reason: Reason | None
    implicit: bool
    detail: str
    answer: Answer

    @property
    def names(self) -> tuple[str, ...]:
        """Host names, most preferred first."""
        return tuple(host for _, host in self.exchanges)


@dataclass(frozen=True, slots=True)
class HostAddresses:
    """Where a mail host can be reached. `failed` is set when asking failed, so an empty list proves nothing."""

    routable: tuple[str, ...]
    refused: tuple[str, ...]
    failed: bool
    time_ms: float
    expires_at: float


async def find_mail_hosts(resolver: Resolver, domain: str) -> MailHosts:
    """Ask for the MX records of a domain, and for its address where it has none."""
    answer = await resolver.lookup(domain, RecordType.MX)
    if answer.found is Found.RECORDS:
        return _explicit(domain, answer)
    if answer.found is Found.NO_NAME:
        return MailHosts(domain, (), Reason.NO_DOMAIN, False, "the domain does not exist", answer)
    if answer.found is Found.FAILED:
        return MailHosts(domain, (), Reason.DNS_ERROR, False, f"MX look-up failed: {answer.detail}", answer)
    return await _implicit(resolver, domain, answer)


def _explicit(domain: str, answer: Answer) -> MailHosts:
    if [host for _, host in answer.exchanges] == ["."]:
        return MailHosts(domain, (), Reason.NULL_MX, False, "the domain says that it takes no mail", answer)
    exchanges = tuple(pair for pair in answer.exchanges if pair[1] not in _NO_HOSTS)
    if not exchanges:
        return MailHosts(domain, (), Reason.BOGUS_MX, False, "the MX records name no real host", answer)
    detail = ", ".join(f"{preference} {host}" for preference, host in exchanges[:8])
    return MailHosts(domain, exchanges, None, False, detail, answer)


async def _implicit(resolver: Resolver, domain: str, mx: Answer) -> MailHosts:
    """RFC 5321 section 5.1: without MX records, the domain's own address is its mail host."""
    addresses = await find_addresses(resolver, domain)
    if addresses.routable or addresses.refused:
        return MailHosts(domain, ((0, domain),), None, True, "no MX record: the domain's own address counts", mx)
    if addresses.failed:
        return MailHosts(domain, (), Reason.DNS_ERROR, False, "no MX record, address look-up failed", mx)
    return MailHosts(domain, (), Reason.NO_MAIL_HOST, False, "neither MX nor address records", mx)


async def find_addresses(resolver: Resolver, host: str) -> HostAddresses:
    """Where a mail host lives: IPv4, and IPv6 where that gives nothing. What is not routable is never dialled."""
    routable: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    answers: list[Answer] = []
    for kind in (RecordType.A, RecordType.AAAA):
        answer = await resolver.lookup(host, kind)
        answers.append(answer)
        routable = tuple(address for address in answer.records if is_routable(address))
        refused += tuple(address for address in answer.records if not is_routable(address))
        if routable or answer.found is Found.NO_NAME:
            break
    return HostAddresses(
        routable,
        refused,
        failed=any(answer.found is Found.FAILED for answer in answers),
        time_ms=sum(answer.time_ms for answer in answers),
        expires_at=min(answer.expires_at for answer in answers),
    )


def dial_order(exchanges: tuple[tuple[int, str], ...], rng: random.Random) -> list[str]:
    """Hosts by preference, equal preferences shuffled to spread the load (RFC 5321 section 5.1)."""
    return [host for _, _, host in sorted((preference, rng.random(), host) for preference, host in exchanges)]
