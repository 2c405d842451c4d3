"""Limits of ours: standing in line is not failing, and every pair of egress address and operator has its own."""

import random
from collections.abc import Sequence

import pytest

from validation.engine import EngineConfig, Reason, Verdict
from validation.engine.calls import ENDLESS, Patience
from validation.engine.egress import Egress
from validation.engine.knowledge import Knowledge
from validation.engine.limits import Lane
from validation.engine.profiles import Profile, Profiles
from validation.engine.tests import virtual
from validation.engine.tests.virtual import LoopClock, TalkingConnector
from validation.engine.tests.world import FakeClock, FakeResolver
from validation.engine.verifier import Verifier

YAHOO = Profile("yahoo", (".yahoodns.net",), 3, 1, 5, 20, 5, 1200, 0, 15.0, (0.1, 0.2, 0.5, 1.0))
LONG = Patience(Lane.LONG, 10.0)
KNOWLEDGE = Knowledge()


def exists(address: str) -> str:
    return "250 Ok" if address.startswith("user") else "550 5.1.1 User unknown"


def yahoo_verifier(*worlds: TalkingConnector, profile: Profile = YAHOO, egress: Sequence[str] = ()) -> Verifier:
    dns = FakeResolver(FakeClock())
    dns.mx("yahoo.com", "mta5.am0.yahoodns.net")
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


async def checked(verifier: Verifier, wanted: Sequence[str], patience: Patience = ENDLESS) -> list[Verdict]:
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
