"""Greylisting: asking again by the same triplet, and saying so."""

from dataclasses import replace

from validation.engine import Category, FollowUp, Outcome, Reason, Verdict
from validation.engine.tests.world import FakeConnector, Host, World, all_verdicts
from validation.engine.verifier import Verifier

GREYLISTED = "450 4.2.0 <{address}>: Recipient address rejected: Greylisted, please try again in 60 seconds"


def follow_up_of(verdict: Verdict) -> FollowUp:
    assert verdict.follow_up is not None
    return verdict.follow_up


async def again(verifier: Verifier, verdict: Verdict) -> Verdict:
    follow_ups = {0: follow_up_of(verdict)}
    answers = [pair async for pair in verifier.verify_many([verdict.email], follow_ups=follow_ups)]
    return answers[0][1]


def greylisting_of(verdict: Verdict) -> tuple[Outcome, str]:
    return next((check.outcome, check.detail) for check in verdict.checks if check.name == "greylisting")


async def test_a_greylisted_address_says_how_to_ask_again(world: World) -> None:
    await world.domain("grey.com", Host(mailboxes=(), others=GREYLISTED))
    verdict = await world.verdict("alice@grey.com")
    follow_up = follow_up_of(verdict)
    assert (verdict.category, verdict.reason, verdict.retry_after) == (Category.UNKNOWN, Reason.GREYLISTED, 60.0)
    assert replace(follow_up, decoy="") == FollowUp("direct", "", "", world.clock.now, 1, 60.0)
    assert follow_up.decoy.endswith("@grey.com")


async def test_the_same_triplet_is_asked_again_and_the_evidence_says_so(world: World) -> None:
    host = await world.domain("grey.com", Host(mailboxes=(), others=GREYLISTED))
    first = await world.verdict("alice@grey.com")
    asked = [line for line in host.log if line.startswith(("MAIL", "RCPT"))]
    host.log.clear()
    host.mailboxes, host.others = ("alice",), "550 5.1.1 User unknown"
    world.clock.now += 61
    second = await again(world.verifier(), first)
    assert [line for line in host.log if line.startswith(("MAIL", "RCPT"))] == asked
    assert (second.category, second.reason, second.is_catch_all) == (Category.VALID, Reason.MAILBOX_EXISTS, False)
    assert greylisting_of(second) == (Outcome.PASS, "asked again after 61 s from the same address, then accepted")
    assert second.follow_up is None


async def test_a_host_that_turns_us_away_again_is_asked_a_third_time(world: World) -> None:
    await world.domain("grey.com", Host(mailboxes=(), others=GREYLISTED))
    verifier = world.verifier()
    first = await verifier.verify("alice@grey.com")
    world.clock.now += 61
    second = await again(verifier, first)
    assert greylisting_of(second) == (
        Outcome.UNKNOWN,
        "asked again after 61 s from the same address, again asked to come back in 60 s",
    )
    assert (follow_up_of(second).tries, follow_up_of(second).first_at) == (2, world.clock.now - 61)
    assert follow_up_of(second).decoy == follow_up_of(first).decoy


async def test_it_goes_over_the_route_that_was_turned_away_and_by_the_same_sender(world: World) -> None:
    host = await world.domain("grey.com")
    routes = [FakeConnector(world, "one"), FakeConnector(world, "two")]
    follow_up = FollowUp("two", "probe@ours.net", "", world.clock.now, 1, 60.0)
    found = [pair async for pair in world.verifier(*routes).verify_many(["alice@grey.com"], follow_ups={0: follow_up})]
    assert [len(route.dialled) for route in routes] == [0, 1]
    assert "MAIL FROM:<probe@ours.net>" in host.log
    assert greylisting_of(found[0][1])[1] == "asked again after 0 s from the same address, then accepted"


async def test_a_route_that_is_gone_is_replaced_and_the_evidence_says_so(world: World) -> None:
    await world.domain("grey.com", Host(mailboxes=()))
    follow_up = FollowUp("gone", "", "", world.clock.now, 1, 60.0)
    found = [pair async for pair in world.verifier().verify_many(["alice@grey.com"], follow_ups={0: follow_up})]
    assert greylisting_of(found[0][1])[1] == "asked again after 0 s from another address, then answered"


async def test_rows_of_one_domain_share_one_envelope_when_asked_again(world: World) -> None:
    host = await world.domain("grey.com", Host(mailboxes=("alice", "bob")))
    follow_ups = {index: FollowUp("direct", "", "", world.clock.now + index, 1, 60.0) for index in range(2)}
    emails = ["alice@grey.com", "bob@grey.com"]
    found = [pair async for pair in world.verifier().verify_many(emails, follow_ups=follow_ups)]
    assert len(found) == 2
    assert [line.partition(":")[0] for line in host.log].count("MAIL FROM") == 1


async def test_a_problem_without_a_time_is_not_worth_waiting_for(world: World) -> None:
    special = {
        "flaky": "451 4.3.0 Temporary lookup failure",
        "busy": "451 4.3.0 Temporary problem, try again in 5 minutes",
        "gone": "550 5.1.1 User unknown",
    }
    await world.domain("shop.com", Host(special=special))
    verdicts = await all_verdicts(world.verifier(), ["flaky@shop.com", "busy@shop.com", "gone@shop.com"])
    assert [verdict.follow_up is not None for verdict in verdicts] == [False, True, False]
    assert follow_up_of(verdicts[1]).wait_s == 300.0
