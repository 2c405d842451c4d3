"""Limits of ours: standing in line is not failing, and every pair of egress address and operator has its own."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from validation.engine import Category, EngineConfig, Reason, Verdict, WaitCause
from validation.engine.egress.addresses import Egress, EgressState
from validation.engine.jobs import ENDLESS_PATIENCE, Patience
from validation.engine.knowledge.domains import DomainLists
from validation.engine.limits.shared_limits import DAY_S, Lane, SharedLimits
from validation.engine.limits.warm_up import compute_warm_share
from validation.engine.profiles import Profile, Profiles
from validation.engine.tests import virtual
from validation.engine.tests.virtual import LoopClock, TalkingConnector
from validation.engine.tests.world import FakeClock, FakeResolver
from validation.engine.verifier import Verifier

YAHOO = Profile("yahoo", (".yahoodns.net",), 3, 1, 5, 20, 5, 1200, 0, 15.0, (0.1, 0.2, 0.5, 1.0))
LONG = Patience(Lane.LONG, 10.0)
KNOWLEDGE = DomainLists()


def exists(address: str) -> str:
    return "250 Ok" if address.startswith("user") else "550 5.1.1 User unknown"


def yahoo_verifier(*worlds: TalkingConnector, profile: Profile = YAHOO, shared: SharedLimits | None = None) -> Verifier:
    dns = FakeResolver(FakeClock())
    dns.mx("yahoo.com", "mta5.am0.yahoodns.net")
    dns.mx("moved.com", "mta5.am0.yahoodns.net")
    dns.mx("shop.com", "mx.shop.com")
    for number, host in enumerate(("mta5.am0.yahoodns.net", "mx.shop.com"), 1):
        dns.address(host, f"11.0.0.{number}")
    return Verifier(
        EngineConfig(helo="verifier.net", profiles=Profiles([profile])),
        resolver=dns,
        egresses=[Egress.by(world) for world in worlds],
        knowledge=KNOWLEDGE,
        clock=LoopClock(),
        rng=random.Random(7),
        shared=shared,
    )


def addresses(count: int, domain: str = "yahoo.com", first: int = 0) -> list[str]:
    return [f"user{number}@{domain}" for number in range(first, first + count)]


async def all_of(
    verifier: Verifier, wanted: Sequence[str], patience: Patience, deadline_s: float | None = None
) -> list[Verdict]:
    found: dict[int, Verdict] = {}
    async for index, verdict in verifier.verify_many(wanted, patience=patience, deadline_s=deadline_s):
        found[index] = verdict
    return [found[index] for index in range(len(wanted))]


async def checked(verifier: Verifier, wanted: Sequence[str], patience: Patience = ENDLESS_PATIENCE) -> list[Verdict]:
    try:
        return await all_of(verifier, wanted, patience)
    finally:
        await verifier.aclose()


@pytest.mark.finding("A1")
def test_the_rate_is_even_and_no_minute_holds_more_than_its_limit() -> None:
    world = TalkingConnector(exists)
    verdicts, seconds = virtual.run(checked(yahoo_verifier(world), addresses(3000)))
    assert {verdict.reason for verdict in verdicts} == {Reason.MAILBOX_EXISTS}
    assert len(world.asked) == 3001
    assert world.most_in(60.0) <= 1200
    assert world.most_in(1.0) <= 20 + 5
    assert 150.0 <= seconds <= 150.0 * 1.15
    assert world.most_open <= 3


@pytest.mark.finding("A2")
def test_each_egress_address_has_limits_of_its_own_and_work_is_spread() -> None:
    worlds = [TalkingConnector(exists, f"egress {number}") for number in range(10)]
    verdicts, seconds = virtual.run(checked(yahoo_verifier(*worlds), addresses(3000)))
    assert {verdict.reason for verdict in verdicts} == {Reason.MAILBOX_EXISTS}
    assert seconds <= 150.0 / 8
    assert max(world.most_open for world in worlds) <= 3
    assert min(len(world.asked) for world in worlds) >= 200
    assert max(world.most_in(1.0) for world in worlds) <= 20 + 5


@pytest.mark.finding("A1")
def test_who_would_stand_in_line_too_long_is_handed_back_at_once_and_nothing_is_called_a_timeout() -> None:
    world = TalkingConnector(exists)
    verifier = yahoo_verifier(world)

    async def first_look() -> tuple[list[Verdict], float]:
        started, early = asyncio.get_running_loop().time(), 0.0
        found = []
        async for _, verdict in verifier.verify_many(addresses(3000), patience=LONG, deadline_s=60.0):
            found.append(verdict)
            if verdict.wait is not None:
                early = asyncio.get_running_loop().time() - started
        await verifier.aclose()
        return found, early

    (verdicts, handed_back_after), seconds = virtual.run(first_look())
    by_reason = {
        reason: [one for one in verdicts if one.reason is reason] for reason in {one.reason for one in verdicts}
    }
    assert set(by_reason) == {Reason.MAILBOX_EXISTS, Reason.NOT_ASKED}
    assert 150 <= len(by_reason[Reason.MAILBOX_EXISTS]) <= 210
    assert handed_back_after <= 2.5
    assert seconds <= 14.0
    waiting = by_reason[Reason.NOT_ASKED][0]
    assert waiting.wait is not None
    assert (waiting.wait.operator, waiting.wait.cause) == ("yahoo", WaitCause.RATE)
    assert waiting.wait.per_s == pytest.approx(1180 / 61)
    assert waiting.retry_after == waiting.wait.seconds
    assert {one.wait.seconds for one in by_reason[Reason.NOT_ASKED] if one.wait} == {LONG.seconds}
    assert waiting.sentence.startswith("We have reached our own limit at Yahoo; ask again in ")
    assert (waiting.category, waiting.smtp_valid, waiting.transcript) == (Category.UNKNOWN, None, ())


@pytest.mark.finding("A1")
def test_a_single_check_passes_a_long_list_by() -> None:
    world = TalkingConnector(exists)
    verifier = yahoo_verifier(world)

    async def beside() -> tuple[Verdict, float]:
        listed = asyncio.create_task(all_of(verifier, addresses(5000), Patience(Lane.LONG)))
        await asyncio.sleep(30.0)
        started = asyncio.get_running_loop().time()
        verdict = await verifier.verify("userx@yahoo.com", patience=Patience(Lane.SHORT, 8.0))
        took = asyncio.get_running_loop().time() - started
        listed.cancel()
        await asyncio.gather(listed, return_exceptions=True)
        await verifier.aclose()
        return verdict, took

    (verdict, took), _ = virtual.run(beside())
    assert verdict.reason is Reason.MAILBOX_EXISTS
    assert took <= 3.0
    assert world.most_in(1.0) <= 20 + 2 * 5


@pytest.mark.finding("A1")
def test_where_even_the_short_lane_is_used_up_the_answer_is_that_nobody_was_asked() -> None:
    world = TalkingConnector(exists)
    verifier = yahoo_verifier(world)
    verdicts, seconds = virtual.run(checked(verifier, addresses(1000), Patience(Lane.SHORT, 8.0)))
    asked = [one for one in verdicts if one.reason is Reason.MAILBOX_EXISTS]
    unasked = [one for one in verdicts if one.reason is Reason.NOT_ASKED]
    assert len(asked) + len(unasked) == 1000
    assert 100 <= len(asked) <= 200
    assert seconds <= 11.0
    assert min(one.retry_after or 0.0 for one in unasked) >= 1.0


@pytest.mark.finding("A1")
def test_a_host_without_a_profile_that_is_slow_lets_those_in_line_wait() -> None:
    world = TalkingConnector(exists, delay_s=6.0)
    verifier = yahoo_verifier(world)

    async def for_a_while() -> list[Verdict]:
        found = await all_of(verifier, addresses(2000, "shop.com"), LONG, deadline_s=60.0)
        await verifier.aclose()
        return found

    verdicts, _ = virtual.run(for_a_while())
    reasons = {one.reason for one in verdicts}
    assert reasons == {Reason.MAILBOX_EXISTS, Reason.NOT_ASKED}
    waiting = next(one for one in verdicts if one.reason is Reason.NOT_ASKED)
    assert waiting.wait is not None
    assert (waiting.wait.operator, waiting.wait.cause) == ("", WaitCause.SESSION)
    assert "the mail servers of shop.com" in waiting.sentence


@pytest.mark.spec("SCA-011")
def test_an_address_that_is_turned_away_rests_there_and_the_others_go_on() -> None:
    def refuse(address: str) -> str:
        return "554 5.7.1 Service unavailable; client host blocked"

    blocked, good = TalkingConnector(refuse, "egress 1"), TalkingConnector(exists, "egress 2")
    verdicts, _ = virtual.run(checked(yahoo_verifier(blocked, good), addresses(300)))
    assert {one.reason for one in verdicts} == {Reason.MAILBOX_EXISTS}
    assert blocked.connections <= 3
    assert len(good.asked) >= 300


@pytest.mark.spec("SCA-011")
def test_where_all_are_turned_away_the_words_of_the_operator_are_the_answer_and_the_rest_doubles() -> None:
    world = TalkingConnector(lambda _: "554 5.7.1 Service unavailable; client host blocked")
    verifier = yahoo_verifier(world)

    async def three_times() -> tuple[list[Verdict], list[int]]:
        connections, verdicts = [], []
        for pause in (0.0, 16.0, 16.0, 16.0):
            await asyncio.sleep(pause)
            verdicts += await all_of(verifier, addresses(30), LONG)
            connections.append(world.connections)
        await verifier.aclose()
        return verdicts, connections

    (verdicts, connections), _ = virtual.run(three_times())
    assert {one.reason for one in verdicts} == {Reason.BLOCKED}
    assert connections == [1, 2, 2, 3]
    second_hand = [one for one in verdicts if "before we could ask" in one.sentence]
    assert second_hand


@pytest.mark.finding("A1")
def test_a_list_waits_while_the_operator_wants_us_to_slow_down() -> None:
    said = "421 4.7.0 [TSS04] Messages from 11.53.0.25 temporarily deferred due to unexpected volume or user complaints"
    world = TalkingConnector(lambda _: said)
    verdicts, seconds = virtual.run(checked(yahoo_verifier(world), addresses(200), LONG))
    assert {one.reason for one in verdicts} == {Reason.NOT_ASKED}
    waiting = [one for one in verdicts if one.wait is not None and one.wait.cause is WaitCause.EGRESS]
    assert len(waiting) >= 150
    assert waiting[0].sentence == "The addresses from which we ask Yahoo are resting; ask again in 15 s."
    assert seconds <= 15.0


@pytest.mark.spec("SCA-013")
def test_an_address_that_rests_by_hand_fails_no_row_of_a_list() -> None:
    worlds = [TalkingConnector(exists, f"egress {number}") for number in (1, 2)]
    verifier = yahoo_verifier(*worlds)

    async def rested() -> tuple[list[Verdict], list[Verdict], int]:
        listed = asyncio.create_task(all_of(verifier, addresses(600), Patience(Lane.LONG)))
        await asyncio.sleep(3.0)
        verifier.groups.set_egress({"egress 1": EgressState(rests=True)})
        await asyncio.sleep(2.0)
        asked = len(worlds[0].asked)
        found = await listed
        after = len(worlds[0].asked) - asked
        verifier.groups.set_egress({world.key: EgressState(rests=True) for world in worlds})
        nowhere = await all_of(verifier, addresses(20, first=9000), LONG)
        await verifier.aclose()
        return found, nowhere, after

    (found, nowhere, after), _ = virtual.run(rested())
    assert {one.reason for one in found} == {Reason.MAILBOX_EXISTS}
    assert after == 0
    assert {(one.reason, one.wait.cause if one.wait else None) for one in nowhere} == {
        (Reason.NOT_ASKED, WaitCause.EGRESS)
    }


@pytest.mark.spec("SCA-013")
def test_a_new_address_warms_up_beside_a_warm_one() -> None:
    warm, fresh = TalkingConnector(exists, "egress 1"), TalkingConnector(exists, "egress 2")
    verifier = yahoo_verifier(warm, fresh)

    async def first_day() -> None:
        verifier.groups.set_egress({"egress 2": EgressState(warms_since=0.0)})
        await all_of(verifier, addresses(1800), Patience(Lane.LONG))
        await verifier.aclose()

    virtual.run(first_day())
    assert fresh.most_in(60.0) <= 120
    assert fresh.most_open == 1
    assert len(warm.asked) >= 1500
    shares = [compute_warm_share(YAHOO, 0.0, day * DAY_S) for day in range(5)]
    assert shares == [0.1, 0.2, 0.5, 1.0, 1.0]
    assert compute_warm_share(YAHOO, None, 0.0) == compute_warm_share(replace(YAHOO, warm_up=()), 0.0, 0.0) == 1.0


@pytest.mark.spec("SCA-012")
def test_other_limits_are_taken_over_while_a_list_runs() -> None:
    world = TalkingConnector(exists)
    verifier = yahoo_verifier(world)

    async def changed() -> float:
        listed = asyncio.create_task(all_of(verifier, addresses(3000), Patience(Lane.LONG)))
        await asyncio.sleep(20.0)
        verifier.groups.set_profiles(Profiles([replace(YAHOO, per_minute=6000)]))
        await listed
        await verifier.aclose()
        return asyncio.get_running_loop().time()

    seconds, _ = virtual.run(changed())
    assert seconds <= 60.0


@pytest.mark.finding("A3")
def test_the_engine_says_for_whom_rows_waited_and_for_how_long() -> None:
    world = TalkingConnector(exists)
    verifier = yahoo_verifier(world)

    async def run() -> Sequence[object]:
        await all_of(verifier, [*addresses(1200), *addresses(50, "shop.com")], ENDLESS_PATIENCE)
        reports = verifier.groups.waits()
        await verifier.aclose()
        return [(one.operator, one.title, one.cause, one.rows) for one in reports] + [
            50.0 <= one.seconds <= 66.0 for one in reports
        ]

    said, _ = virtual.run(run())
    assert said == [("yahoo", "Yahoo", WaitCause.RATE, 0), True]


@pytest.mark.finding("A1")
def test_who_was_asked_for_and_had_no_answer_is_a_timeout_and_not_asked_again_for_ever() -> None:
    world = TalkingConnector(lambda address: "250 Ok" if address != "user3@shop.com" else "")
    verifier = yahoo_verifier(world)

    async def silent_for_one() -> list[Verdict]:
        found = await all_of(verifier, addresses(6, "shop.com"), LONG, deadline_s=10.0)
        await verifier.aclose()
        return found

    verdicts, _ = virtual.run(silent_for_one())
    assert Reason.NOT_ASKED not in {one.reason for one in verdicts}
    assert Reason.TIMEOUT in {one.reason for one in verdicts}


@pytest.mark.finding("A1")
def test_a_domain_that_moved_away_does_not_make_the_operator_rest() -> None:
    refused = "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain"
    world = TalkingConnector(lambda address: refused if address.endswith("moved.com") else exists(address))
    verifier = yahoo_verifier(world)
    wanted = [*addresses(60, "moved.com"), *addresses(60, "yahoo.com")]
    verdicts, _ = virtual.run(checked(verifier, wanted, Patience(Lane.LONG)))
    assert {one.reason for one in verdicts[60:]} == {Reason.MAILBOX_EXISTS}
    assert {(one.reason, one.sentence) for one in verdicts[:60]} == {
        (Reason.BLOCKED, "mta5.am0.yahoodns.net refuses to talk to us about this mailbox.")
    }


@pytest.mark.finding("A1")
def test_rows_without_haste_go_on_when_the_rest_of_their_operator_ends() -> None:
    turns = iter(["421 4.7.0 Too many connections, try again later"] * 60)
    world = TalkingConnector(lambda address: next(turns, "") or exists(address))
    verdicts, seconds = virtual.run(checked(yahoo_verifier(world), addresses(100), ENDLESS_PATIENCE))
    assert {one.reason for one in verdicts} <= {Reason.MAILBOX_EXISTS, Reason.RATE_LIMITED}
    assert len([one for one in verdicts if one.reason is Reason.MAILBOX_EXISTS]) >= 70
    assert 15.0 <= seconds <= 120.0
