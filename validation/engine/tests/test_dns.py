"""Questions to name servers by UDP and TCP, and what is remembered of the answers."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest

from validation.engine.dns.lookups import (
    MOST_HOSTS,
    CachingResolver,
    order_hosts,
    resolve_addresses,
    resolve_mail_hosts,
)
from validation.engine.dns.resolver import Answer, Found, RecordType, WireResolver, list_system_servers
from validation.engine.tests.world import NOW, FakeClock

Edit = Callable[[dns.message.Message], None]
ZONE = {
    ("shop.com.", "MX"): ["shop.com. 120 IN MX 20 B.shop.com.", "shop.com. 120 IN MX 10 a.shop.com."],
    ("null.com.", "MX"): ["null.com. 60 IN MX 0 ."],
    ("a.shop.com.", "A"): ["a.shop.com. 60 IN A 11.0.0.2", "a.shop.com. 60 IN A 11.0.0.1"],
    ("alias.com.", "MX"): ["alias.com. 30 IN CNAME shop.com.", "shop.com. 120 IN MX 10 a.shop.com."],
    ("half.com.", "MX"): ["half.com. 30 IN CNAME shop.com."],
    ("loop.com.", "MX"): ["loop.com. 30 IN CNAME loop.com."],
}


class NameServer(asyncio.DatagramProtocol):
    """Answers from a zone by UDP and TCP on one port; `edit` spoils the UDP answers."""

    def __init__(self, edit: Edit | None = None) -> None:
        self.edit = edit
        self.asked: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        response = self.answer(data, "udp")
        if self.edit is not None:
            self.edit(response)
        self.transport.sendto(response.to_wire(), addr)  # type: ignore[attr-defined]

    async def by_tcp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        data = await reader.readexactly(int.from_bytes(await reader.readexactly(2), "big"))
        wire = self.answer(data, "tcp").to_wire(max_size=65_535)
        writer.write(len(wire).to_bytes(2, "big") + wire)
        writer.close()

    def answer(self, data: bytes, way: str) -> dns.message.Message:
        query = dns.message.from_wire(data)
        question = query.question[0]
        kind = question.to_text().rsplit(" ", 1)[1]
        self.asked.append(f"{way} {question.name} {kind}")
        response = dns.message.make_response(query)
        for line in ZONE.get((str(question.name), kind), []):
            name, ttl, _, record, data_text = line.split(" ", 4)
            response.answer.append(dns.rrset.from_text(name, int(ttl), "IN", record, data_text))
        if not response.answer:
            if str(question.name).startswith("gone"):
                response.set_rcode(dns.rcode.NXDOMAIN)
            soa = "ns.shop.com. root.shop.com. 1 2 3 4 45"
            response.authority.append(dns.rrset.from_text("com.", 90, "IN", "SOA", soa))
        return response


class Servers:
    """Name servers of a test."""

    def __init__(self) -> None:
        self._closing: list[Callable[[], None]] = []

    async def start(self, edit: Edit | None = None) -> tuple[NameServer, tuple[str, int]]:
        """A name server at a port that was free for UDP and TCP alike."""
        loop = asyncio.get_running_loop()
        server = NameServer(edit)
        while True:
            tcp = await asyncio.start_server(server.by_tcp, "127.0.0.1", 0)
            self._closing.append(tcp.close)
            address: tuple[str, int] = tcp.sockets[0].getsockname()
            try:
                transport, _ = await loop.create_datagram_endpoint(lambda: server, local_addr=address)
            except OSError:
                continue
            self._closing.append(transport.close)
            return server, address

    def resolver(self, *addresses: tuple[str, int]) -> WireResolver:
        return WireResolver(addresses, clock=FakeClock(), rng=random.Random(1), attempt_s=0.5)

    def close(self) -> None:
        for close in self._closing:
            close()


@pytest.fixture
async def servers() -> AsyncIterator[Servers]:
    made = Servers()
    yield made
    made.close()


async def test_mx_records_with_their_time_to_live(servers: Servers) -> None:
    _, address = await servers.start()
    resolver = servers.resolver(address)
    answer = await resolver.lookup("shop.com", RecordType.MX)
    await resolver.aclose()
    assert answer.exchanges == ((10, "a.shop.com"), (20, "b.shop.com"))
    assert answer.expires_at == NOW + 120


async def test_the_kinds_of_answers(servers: Servers) -> None:
    _, address = await servers.start()
    resolver = servers.resolver(address)
    names = ["null.com", "alias.com", "half.com", "loop.com", "gone.com", "empty.com"]
    answers = {name: await resolver.lookup(name, RecordType.MX) for name in names}
    await resolver.aclose()
    assert answers["null.com"].exchanges == ((0, "."),)
    assert (answers["alias.com"].exchanges, answers["alias.com"].expires_at) == (((10, "a.shop.com"),), NOW + 30)
    assert answers["half.com"].exchanges == ((10, "a.shop.com"), (20, "b.shop.com"))
    assert answers["loop.com"].found == Found.FAILED
    assert (answers["gone.com"].found, answers["gone.com"].expires_at) == (Found.NO_NAME, NOW + 45)
    assert (answers["empty.com"].found, answers["empty.com"].expires_at) == (Found.NO_DATA, NOW + 45)


async def test_addresses(servers: Servers) -> None:
    _, address = await servers.start()
    resolver = servers.resolver(address)
    answer = await resolver.lookup("a.shop.com", RecordType.A)
    await resolver.aclose()
    assert answer.records == ("11.0.0.1", "11.0.0.2")


async def test_a_cut_answer_is_asked_for_by_tcp(servers: Servers) -> None:
    def cut(message: dns.message.Message) -> None:
        message.flags |= dns.flags.TC
        message.answer.clear()

    server, address = await servers.start(cut)
    resolver = servers.resolver(address)
    answer = await resolver.lookup("shop.com", RecordType.MX)
    await resolver.aclose()
    assert len(answer.exchanges) == 2
    assert server.asked == ["udp shop.com. MX", "tcp shop.com. MX"]


@pytest.mark.parametrize("rcode", [dns.rcode.SERVFAIL, dns.rcode.REFUSED])
async def test_the_next_server_where_one_fails(servers: Servers, rcode: dns.rcode.Rcode) -> None:
    _, bad = await servers.start(lambda message: message.set_rcode(rcode))
    _, good = await servers.start()
    resolver = servers.resolver(bad, good)
    answer = await resolver.lookup("shop.com", RecordType.MX)
    await resolver.aclose()
    assert answer.found == Found.RECORDS


async def test_a_failing_server_is_a_failure_not_an_absence(servers: Servers) -> None:
    _, bad = await servers.start(lambda message: message.set_rcode(dns.rcode.SERVFAIL))
    resolver = servers.resolver(bad)
    answer = await resolver.lookup("shop.com", RecordType.MX)
    await resolver.aclose()
    assert (answer.found, answer.detail) == (Found.FAILED, "SERVFAIL")


async def test_an_answer_to_another_question_is_not_taken(servers: Servers) -> None:
    def forge(message: dns.message.Message) -> None:
        message.question = [dns.rrset.from_text("evil.com.", 0, "IN", "MX")]

    _, bad = await servers.start(forge)
    resolver = servers.resolver(bad)
    answer = await resolver.lookup("shop.com", RecordType.MX)
    await resolver.aclose()
    assert (answer.found, answer.detail) == (Found.FAILED, "timeout")


def test_the_machine_has_resolvers() -> None:
    assert list_system_servers()


class Scripted:
    """A resolver that gives the answers it was given."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        self.asked += 1
        await asyncio.sleep(0)
        return self.answers.pop(0)


GOOD = Answer(Found.RECORDS, ("11.0.0.1",), (), NOW + 60)


async def test_an_answer_is_kept_while_it_lives() -> None:
    clock, inner = FakeClock(), Scripted(GOOD, Answer(Found.NO_NAME, expires_at=NOW + 200))
    cache = CachingResolver(inner, clock=clock)
    assert [await cache.lookup("a", RecordType.A) for _ in range(3)] == [GOOD] * 3
    assert inner.asked == 1
    clock.now += 61
    assert (await cache.lookup("a", RecordType.A)).found == Found.NO_NAME


async def test_a_negative_answer_is_kept_too() -> None:
    inner = Scripted(Answer(Found.NO_NAME, expires_at=NOW + 45))
    cache = CachingResolver(inner, clock=FakeClock())
    assert [(await cache.lookup("a", RecordType.MX)).found for _ in range(2)] == [Found.NO_NAME] * 2


async def test_a_failure_is_not_kept() -> None:
    inner = Scripted(Answer(Found.FAILED), GOOD)
    cache = CachingResolver(inner, clock=FakeClock())
    assert [(await cache.lookup("a", RecordType.A)).found for _ in range(2)] == [Found.FAILED, Found.RECORDS]


async def test_many_who_ask_at_once_share_one_question() -> None:
    inner = Scripted(GOOD)
    cache = CachingResolver(inner, clock=FakeClock())
    assert await asyncio.gather(*(cache.lookup("a", RecordType.A) for _ in range(50))) == [GOOD] * 50
    assert inner.asked == 1


async def test_one_who_leaves_does_not_take_the_answer_with_him() -> None:
    cache = CachingResolver(Scripted(GOOD), clock=FakeClock())
    leaver = asyncio.ensure_future(cache.lookup("a", RecordType.A))
    stayer = asyncio.ensure_future(cache.lookup("a", RecordType.A))
    await asyncio.sleep(0)
    leaver.cancel()
    assert await stayer == GOOD


async def test_stale_rather_than_nothing() -> None:
    clock, inner = FakeClock(), Scripted(GOOD, Answer(Found.FAILED), GOOD)
    cache = CachingResolver(inner, clock=clock)
    await cache.lookup("a", RecordType.A)
    clock.now += 61
    stale = await cache.lookup("a", RecordType.A)
    assert (stale.records, stale.stale) == (("11.0.0.1",), True)
    await cache.lookup("a", RecordType.A)
    assert inner.asked == 2


async def test_but_not_for_ever() -> None:
    clock, inner = FakeClock(), Scripted(GOOD, Answer(Found.FAILED))
    cache = CachingResolver(inner, clock=clock)
    await cache.lookup("a", RecordType.A)
    clock.now += 100_000
    assert (await cache.lookup("a", RecordType.A)).found == Found.FAILED


async def test_the_memory_is_bounded() -> None:
    inner = Scripted(*[GOOD] * 4)
    cache = CachingResolver(inner, clock=FakeClock(), size=2)
    for name in ("a", "b", "c", "a"):
        await cache.lookup(name, RecordType.A)
    assert inner.asked == 4


@pytest.mark.finding("A7")
async def test_a_domain_with_500_hosts_makes_no_more_questions_than_one_with_ten(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ten are chosen by preference; who reads the verdict learns how many there are."""

    def shorten(response: dns.message.Message) -> None:
        """What does not fit into a datagram is asked for by TCP."""
        if len(response.answer) > 1:
            response.answer.clear()
            response.flags |= dns.flags.TC

    records = [f"many.com. 60 IN MX {10 + number // 4} mx{number:03}.many.com." for number in range(500)]
    monkeypatch.setitem(ZONE, ("many.com.", "MX"), random.Random(7).sample(records, 500))
    server, address = await servers.start(shorten)
    asking = servers.resolver(address)
    resolver = CachingResolver(asking, clock=FakeClock())
    hosts = await resolve_mail_hosts(resolver, "many.com")
    for seed in range(5):  # another dial shuffles equal preferences, and asks for the same ten
        for host in order_hosts(hosts.exchanges, random.Random(seed)):
            await resolve_addresses(resolver, host)
    await asking.aclose()
    assert hosts.names == tuple(f"mx{number:03}.many.com" for number in range(10))
    assert (len(hosts.names), hosts.left_out) == (MOST_HOSTS, 490)
    assert hosts.detail.startswith("500 hosts, of which the first 10 are asked: 10 mx000.many.com, 10 mx001.many.com, ")
    assert hosts.detail.endswith(", 11 mx007.many.com and 492 more")
    assert server.asked[:2] == ["udp many.com. MX", "tcp many.com. MX"]
    assert len(server.asked) == 2 + 2 * MOST_HOSTS  # A, and AAAA where that gives nothing
