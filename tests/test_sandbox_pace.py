"""The profiles that come with the simulated world keep within what it bears, and the world bears what life does."""

from dataclasses import replace

import pytest

from emailcheck.sandbox.mailworld.scenario.limits import LimitBook
from emailcheck.sandbox.mailworld.scenario.loader import WORLD_FILE, load_world
from emailcheck.sandbox.mailworld.scenario.world import World
from validation.engine.profiles import Profiles

QUICK = Profiles.read(WORLD_FILE.with_name("profiles.toml"))
SHIPPED = Profiles.shipped()


@pytest.fixture(scope="module")
def scenario() -> World:
    return load_world()


def test_the_sandbox_differs_from_the_shipped_profiles_in_pace_alone() -> None:
    slowed = [
        replace(profile, per_minute=SHIPPED.named(profile.name).per_minute, warm_up=SHIPPED.named(profile.name).warm_up)
        for profile in QUICK
    ]
    assert slowed == list(SHIPPED)
    assert [QUICK.named(name).per_minute for name in ("google", "microsoft", "yahoo", "apple", "gmx")] == [
        *(60_000, 60_000),
        *(24_000, 24_000, 24_000),
    ]


@pytest.mark.parametrize("company", ["google", "microsoft", "yahoo", "apple", "gmx"])
def test_the_pace_of_the_sandbox_keeps_within_what_its_world_bears(scenario: World, company: str) -> None:
    profile, limits = QUICK.named(company), LimitBook(scenario.limits, scenario.limits_factor).of(company)
    assert profile.sessions <= limits.sessions_at_once
    assert profile.per_minute <= limits.recipients_per_minute
    assert profile.per_session + profile.recipients <= limits.recipients_per_session
    assert profile.recipients <= limits.recipients_per_transaction


def test_the_limits_of_life_are_those_of_the_shipped_profiles(scenario: World) -> None:
    assert {
        company: (held.sessions_at_once, held.recipients_per_minute) for company, held in scenario.limits.items()
    } == {company: (SHIPPED.named(company).sessions, SHIPPED.named(company).per_minute) for company in scenario.limits}


@pytest.mark.parametrize("company", ["google", "microsoft", "yahoo", "apple", "gmx"])
def test_every_host_of_a_company_is_known_to_the_profiles_by_its_name(scenario: World, company: str) -> None:
    hosts = [
        host.name_for("tenant")
        for operator in scenario.operators.values()
        if operator.company == company
        for host in operator.hosts
    ]
    assert {SHIPPED.of_host(host).name for host in hosts} == {company}
