"""Sessions by MX set: pipelining, reuse, limits, and what happens when a server wants it otherwise."""

import asyncio
from dataclasses import replace

import pytest

from validation.engine import Category, Reason
from validation.engine.dns.resolver import Answer, Found, RecordType
from validation.engine.hosts.behaviour import ReplyPace
from validation.engine.limits.operators import SessionLimit
from validation.engine.tests.world import IMPATIENT, UNKNOWN_USER, Host, World, all_verdicts

NAMES = tuple(f"user{number}" for number in range(12))


def addresses(domain: str, names: tuple[str, ...] = NAMES) -> list[str]:
    return [f"{name}@{domain}" for name in names]


async def test_one_flush_for_all_recipients_of_a_domain(world: World) -> None:
    host = await world.domain("shop.com", Host(mailboxes=NAMES))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com"))
    assert {verdict.category for verdict in verdicts} == {Category.VALID}
    assert host.connections == 1
    assert [flush.split(b" ")[0] for flush in host.flushes[:2]] == [b"EHLO", b"MAIL"]
    assert host.flushes[1].count(b"\r\n") == len(NAMES) + 3
    assert host.recipients_asked == [*addresses("shop.com"), "random"]


async def test_one_session_for_all_domains_of_the_same_hosts(world: World) -> None:
    host = await world.host("mx.hoster.net", "11.0.0.1")
    domains = [f"shop{number}.com" for number in range(8)]
    for domain in domains:
        world.dns.mx(domain, "mx.hoster.net")
    verdicts = await all_verdicts(world.verifier(), [f"alice@{domain}" for domain in domains])
    assert {verdict.category for verdict in verdicts} == {Category.VALID}
    assert host.connections == 1
    assert world.dns.asked.count(("mx.hoster.net", "A")) == 1


async def test_a_session_is_kept_for_the_next_call(world: World) -> None:
    host = await world.domain("shop.com", Host(mailboxes=("alice", "bob")))
    verifier = world.verifier()
    for name in ("alice", "bob"):
        await verifier.verify(f"{name}@shop.com")
    assert host.connections == 1


async def test_step_by_step_without_pipelining(world: World) -> None:
    host = await world.domain("shop.com", Host(mailboxes=NAMES, extensions=()))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com"))
    assert {verdict.category for verdict in verdicts} == {Category.VALID}
    assert max(flush.count(b"\r\n") for flush in host.flushes) == 1


async def test_helo_where_ehlo_is_unknown(world: World) -> None:
    host = await world.domain("shop.com", Host(ehlo="502 5.5.1 not implemented"))
    assert (await world.verdict("alice@shop.com")).category == Category.VALID
    assert host.log[:2] == ["EHLO localhost", "HELO localhost"]


async def test_fewer_recipients_where_an_envelope_is_too_long(world: World) -> None:
    host = await world.domain("shop.com", Host(mailboxes=NAMES, recipients=3))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com"))
    assert {(verdict.category, verdict.is_catch_all) for verdict in verdicts} == {(Category.VALID, False)}
    assert host.connections == 1


async def test_one_recipient_per_transaction(world: World) -> None:
    await world.domain("shop.com", Host(mailboxes=NAMES, recipients=1))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com"))
    assert {(verdict.category, verdict.is_catch_all) for verdict in verdicts} == {(Category.VALID, False)}


async def test_two_recipients_per_connection(world: World) -> None:
    await world.domain("shop.com", Host(mailboxes=NAMES, session_recipients=2))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com"))
    assert {(verdict.category, verdict.is_catch_all) for verdict in verdicts} == {(Category.VALID, False)}


async def test_pipelining_that_is_offered_but_not_understood(world: World) -> None:
    host = await world.domain("shop.com", DeafHost(mailboxes=("alice", "bob")))
    verdicts = await all_verdicts(world.verifier(config=IMPATIENT), addresses("shop.com", ("alice", "bob")))
    assert {verdict.category for verdict in verdicts} == {Category.VALID}
    assert host.connections == 2


class DeafHost(Host):
    """Reads one command of each packet and drops the rest."""

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner = asyncio.StreamReader()
        talk = asyncio.ensure_future(super()._talk(inner, writer))
        while data := await reader.read(65536):
            inner.feed_data(data.partition(b"\r\n")[0] + b"\r\n")
        inner.feed_eof()
        await talk


async def test_a_server_that_refuses_pipelining(world: World) -> None:
    def mail(line: str) -> str:
        return "554 5.5.0 SMTP synchronization error" if len(host.flushes[-1].splitlines()) > 1 else "250 Ok"

    host = await world.domain("shop.com", Host(mail=mail))
    assert (await world.verdict("alice@shop.com")).category == Category.VALID


async def test_replies_that_name_another_recipient_are_not_believed(world: World) -> None:
    host = await world.domain("shop.com", LaggingHost(mailboxes=("alice", "carol")))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com", ("alice", "bob", "carol", "dave")))
    assert [verdict.category.value for verdict in verdicts] == ["valid", "invalid", "valid", "invalid"]
    assert host.connections == 2


class LaggingHost(Host):
    """Answers each recipient of a flush with what it knows of the one before."""

    before = ""

    def answer(self, address: str) -> str:
        if self.flushes[-1].count(b"\r\n") == 1:
            return super().answer(address)
        asked, self.before = self.before or address, address
        return super().answer(asked)


async def test_no_more_sessions_at_once_than_the_operator_bears(world: World) -> None:
    host = await world.host("mx.am0.yahoodns.net", "11.0.0.1", Host(accepts_all=True))
    domains = [f"shop{number}.com" for number in range(6)]
    for domain in domains:
        world.dns.mx(domain, "mx.am0.yahoodns.net")
    wanted = [f"user{number}@{domain}" for domain in domains for number in range(60)]
    verdicts = await all_verdicts(world.verifier(), wanted)
    assert {verdict.category for verdict in verdicts} == {Category.CATCH_ALL}
    assert host.most_open <= 3


@pytest.mark.parametrize("too_many", ["421 4.7.0 Too many connections", "554 5.7.1 No more than two of you"])
async def test_sessions_that_are_turned_away_while_others_are_inside(world: World, too_many: str) -> None:
    host = await world.domain("shop.com", Host(accepts_all=True, sessions=2, too_many=too_many))
    names = tuple(f"user{number}" for number in range(300))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com", names))
    assert {verdict.category for verdict in verdicts} == {Category.CATCH_ALL}
    assert host.most_open > 2


async def test_two_host_sets_of_one_operator_share_its_sessions(world: World) -> None:
    hosts = []
    for number in range(1, 9):
        name = f"shop{number}-com.mail.protection.outlook.com"
        world.dns.mx(f"shop{number}.com", name)
        hosts.append(await world.host(name, f"11.0.0.{number}"))
    verdicts = await all_verdicts(world.verifier(), [f"alice@shop{number}.com" for number in range(1, 9)])
    assert {verdict.category for verdict in verdicts} == {Category.VALID}
    assert sum(host.connections for host in hosts) == 8


async def test_a_session_ends_before_refusals_annoy_the_server(world: World) -> None:
    host = await world.domain("shop.com", Host(mailboxes=()))
    names = tuple(f"nobody{number}" for number in range(60))
    verifier = world.verifier()
    verdicts = await all_verdicts(verifier, addresses("shop.com", names))
    await verifier.aclose()
    assert {verdict.reason for verdict in verdicts} == {Reason.MAILBOX_NOT_FOUND}
    assert host.connections == host.quits == 3


def test_a_host_far_away_needs_few_sessions_and_a_slow_one_many() -> None:
    far, slow = ReplyPace(), ReplyPace()
    far.opened(0.15, 0.05)
    far.answered(27, 0.05, 0.05)
    slow.opened(0.15, 0.05)
    slow.answered(27, 0.05, 27 * 0.05)
    assert (far.portion(200, 10), far.useful_sessions(200)) == (25, 3)
    assert (slow.portion(200, 10), slow.useful_sessions(200)) == (20, 10)
    assert (slow.portion(40, 10), slow.useful_sessions(5)) == (4, 1)


def test_a_flush_that_drags_on_tells_the_pace_before_it_ends() -> None:
    pace = ReplyPace()
    pace.opened(0.1, 0.05)
    assert (pace.patience_s, pace.useful_sessions(100)) == (0.1, 2)
    pace.dragging(2, 0.15)
    assert pace.useful_sessions(100) == 5


def test_sessions_grow_by_one_and_shrink_by_half() -> None:
    limit = SessionLimit(2, 6, rest_s=15.0)
    for _ in range(9):
        limit.grow()
    assert limit.at(0.0) == 6
    limit.halve()
    assert limit.at(0.0) == 3
    limit.grow()
    assert limit.at(0.0) == 4
    limit.ease()
    assert limit.at(0.0) == 3


def test_who_was_turned_away_tries_again_after_a_while() -> None:
    limit = SessionLimit(5, 6, rest_s=15.0)
    limit.turned_away(2, now=100.0)
    limit.grow()
    assert [limit.at(now) for now in (100.0, 114.9, 115.0)] == [2, 2, 6]


async def test_a_busy_server_is_asked_again(world: World) -> None:
    turns = iter(["421 4.3.2 Too many connections, try later", *["250 Ok"] * 9])
    await world.domain("shop.com", Host(mail=lambda _: next(turns)))
    assert (await world.verdict("alice@shop.com")).category == Category.VALID


class FedUpHost(Host):
    """Hangs up without a word on everybody who comes back."""

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.connections == 1:
            await super()._talk(reader, writer)


async def test_what_a_host_said_counts_more_than_its_silence_later(world: World) -> None:
    host = await world.domain("shop.com", FedUpHost(special={"alice": "451 4.7.1 Slow down, you send too fast"}))
    verdict = await world.verdict("alice@shop.com")
    assert (verdict.category, verdict.reason) == (Category.UNKNOWN, Reason.RATE_LIMITED)
    assert host.connections > 1


async def test_a_silent_host_does_not_hold_the_others(world: World) -> None:
    await world.domain("slow.com", Host(raw=b""), ip="11.0.0.1")
    await world.domain("shop.com", ip="11.0.0.2")
    verifier = world.verifier(config=IMPATIENT)
    order = [index async for index, _ in verifier.verify_many(["alice@slow.com", "alice@shop.com"])]
    assert order == [1, 0]


async def test_the_deadline_of_a_call(world: World) -> None:
    await world.domain("slow.com", Host(raw=b""))
    verifier = world.verifier(config=replace(IMPATIENT, greeting_s=30.0, address_s=30.0))
    verdict = await verifier.verify("alice@slow.com", deadline_s=0.05)
    assert (verdict.category, verdict.reason) == (Category.UNKNOWN, Reason.TIMEOUT)


async def test_every_index_exactly_once(world: World) -> None:
    await world.domain("shop.com")
    wanted = ["alice@shop.com", "no address", "alice@shop.com", "ALICE@SHOP.COM", "alice@nowhere.com", ""]
    found = [index async for index, _ in world.verifier().verify_many(wanted)]
    assert sorted(found) == [0, 1, 2, 3, 4, 5]


async def test_the_same_address_twice_is_asked_for_once(world: World) -> None:
    host = await world.domain("shop.com")
    verdicts = await all_verdicts(world.verifier(), ["alice@shop.com", "alice@SHOP.com"])
    assert [verdict.email for verdict in verdicts] == ["alice@shop.com", "alice@SHOP.com"]
    assert host.recipients_asked == ["alice@shop.com", "random"]


async def test_a_caller_who_leaves_is_not_waited_for(world: World) -> None:
    await world.domain("shop.com", Host(mailboxes=NAMES))
    verifier = world.verifier()
    stream = verifier.verify_many([*addresses("shop.com"), "alice@silent.com"])
    await anext(stream)
    await stream.aclose()
    assert (await verifier.verify("user1@shop.com")).category == Category.VALID


async def test_a_session_in_its_first_round_is_ended_politely_when_the_verifier_closes(world: World) -> None:
    asked = asyncio.Event()

    def mail(line: str) -> str:
        asked.set()
        return ""

    host = await world.domain("slow.com", Host(mail=mail))
    verifier = world.verifier()
    call = asyncio.create_task(verifier.verify("alice@slow.com"))
    await asked.wait()
    await verifier.aclose()
    call.cancel()
    assert host.quits == 1


async def test_look_ups_end_with_the_verifier(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, ended = asyncio.Event(), asyncio.Event()

    async def lookup(name: str, kind: RecordType) -> Answer:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return Answer(Found.FAILED)

    monkeypatch.setattr(world.dns, "lookup", lookup)
    verifier = world.verifier()
    call = asyncio.create_task(verifier.verify("alice@slow.com"))
    await asked.wait()
    call.cancel()
    await verifier.aclose()
    assert ended.is_set()


async def test_many_calls_at_once(world: World) -> None:
    await world.domain("shop.com", Host(mailboxes=NAMES))
    verifier = world.verifier()
    verdicts = await asyncio.gather(*(verifier.verify(address) for address in addresses("shop.com")))
    assert {verdict.category for verdict in verdicts} == {Category.VALID}


@pytest.mark.parametrize("size", [1, 24, 25, 26, 51])
async def test_lists_around_the_size_of_a_flush(world: World, size: int) -> None:
    names = tuple(f"user{number}" for number in range(size))
    await world.domain("shop.com", Host(mailboxes=names[::2]))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com", names))
    expected = [Category.VALID if position % 2 == 0 else Category.INVALID for position in range(size)]
    assert [verdict.category for verdict in verdicts] == expected


async def test_an_unreachable_group_is_left_alone_for_a_while(world: World) -> None:
    world.dns.mx("shop.com", "mx.shop.com")
    world.dns.address("mx.shop.com", "11.0.0.9", kind=RecordType.A)
    verifier = world.verifier()
    await verifier.verify("alice@shop.com")
    verdict = await verifier.verify("bob@shop.com")
    assert verdict.reason == Reason.CONNECT_FAILED
    assert world.connector.dialled == ["11.0.0.9"]


async def test_the_transcript_shows_this_address_only(world: World) -> None:
    await world.domain("shop.com", Host(mailboxes=("alice", "bob"), others=UNKNOWN_USER))
    verdicts = await all_verdicts(world.verifier(), addresses("shop.com", ("alice", "bob")))
    transcript = "\n".join(verdicts[0].transcript)
    assert "C: RCPT TO:<alice@shop.com>\nS: 250 2.1.5 Ok" in transcript
    assert "bob" not in transcript
    assert len(verdicts[0].transcript) <= 40
