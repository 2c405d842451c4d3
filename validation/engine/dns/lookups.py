"""Look-ups of a domain: which hosts take mail for it (RFC 5321 section 5.1, RFC 7505), by answers that are cached.

The cache has real times to live, sends one query at a time for a question, and gives stale data rather than none:
RFC 2308 (negative caching) and RFC 8767 (serving stale data when no server can be reached).
"""

import asyncio
import random
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from validation.engine.clock import Clock
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


STALE_FOR = 86_400.0
STALE_TTL = 30.0  # RFC 8767 section 5: how long a stale answer counts before the next attempt

_Key = tuple[str, RecordType]


@dataclass(slots=True)
class _Entry:
    """An answer, until when it is fresh, and until when it may be served stale."""

    answer: Answer
    counts_until: float
    useful_until: float


class CachingResolver:
    """A resolver that caches recent answers. Callers with the same question at once share one query."""

    def __init__(self, inner: Resolver, *, clock: Clock, size: int = 100_000) -> None:
        self._inner = inner
        self._clock = clock
        self._size = size
        self._known: OrderedDict[_Key, _Entry] = OrderedDict()
        self._asking: dict[_Key, asyncio.Task[Answer]] = {}

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        """The records of `kind` at `name`, from the cache while they live."""
        key = (name, kind)
        answer = self._recall(key)
        if answer is not None:
            return answer
        asking = self._asking.get(key)
        if asking is None:
            asking = self._asking[key] = asyncio.get_running_loop().create_task(self._query(key))
        return await asyncio.shield(asking)

    async def aclose(self) -> None:
        """Cancel the queries under way; they outlive their callers."""
        asking = list(self._asking.values())
        for question in asking:
            question.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    def _recall(self, key: _Key) -> Answer | None:
        entry = self._known.get(key)
        if entry is None or entry.counts_until <= self._clock.time():
            return None
        self._known.move_to_end(key)  # the last to be forgotten
        return entry.answer

    async def _query(self, key: _Key) -> Answer:
        """Query on behalf of all waiting callers, even if the first of them leaves."""
        try:
            return self._store(key, await self._inner.lookup(*key))
        finally:
            del self._asking[key]

    def _store(self, key: _Key, answer: Answer) -> Answer:
        """Store an answer. After a failed query the last answer stays fresh a little longer."""
        now = self._clock.time()
        if answer.found is not Found.FAILED:
            self._known[key] = _Entry(answer, answer.expires_at, answer.expires_at + STALE_FOR)
            self._known.move_to_end(key)
            if len(self._known) > self._size:
                self._known.popitem(last=False)
            return answer
        entry = self._known.get(key)
        if entry is None or entry.useful_until < now:
            return answer
        entry.answer = replace(entry.answer, stale=True, time_ms=answer.time_ms)
        entry.counts_until = now + STALE_TTL
        return entry.answer
