"""What the benchmarks of real operators rest on: the file of profiles, the limits, the addresses."""

from itertools import islice
from pathlib import Path

import pytest

from benchmarks.lists import life, operators, waiting
from benchmarks.lists.life import Numbers
from emailcheck.sandbox.mailworld.scenario.expectations import expect_verdict
from validation.engine.profiles import Profiles

PAIR = {
    "company": "yahoo",
    "recipients": 2_201,
    "most_in_60_s": 1_200,
    "most_in_1_s": 25,
    "peak": 3,
    "refused": {"sessions_at_once": 0, "recipients_per_minute": 2},
}


def test_a_file_of_profiles_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = life.times_the_rates(2)
    assert list(Profiles.read(life.write_profiles(made, tmp_path / "profiles.toml"))) == list(made)


def test_rates_are_doubled_and_nothing_else() -> None:
    shipped, doubled = Profiles.shipped().named("yahoo"), life.times_the_rates(2).named("yahoo")
    assert (doubled.per_minute, doubled.sessions, doubled.warm_up) == (2_400, shipped.sessions, ())


def test_the_companies_bear_what_the_profiles_say() -> None:
    numbers: Numbers = life.numbers_of(life.times_the_rates(2))
    assert set(numbers) == {"google", "microsoft", "yahoo", "apple", "gmx"}
    assert numbers["yahoo"] == {"sessions_at_once": 3, "recipients_per_minute": 2_400}


def test_yahoo_takes_longest_by_its_rate() -> None:
    allowed = life.allowed_s(life.real_rows(1), life.times_the_rates(2))
    assert max(allowed, key=lambda name: allowed[name]) == "yahoo"
    assert allowed["yahoo"] == pytest.approx(55.0)


def test_every_made_up_mailbox_exists_and_none_comes_twice() -> None:
    addresses = list(islice(waiting.mailboxes("yahoo.com"), 40_000))
    assert len(set(addresses)) == 40_000
    assert {expect_verdict(life.WORLD, address).later for address in addresses} == {("valid", "mailbox_exists")}


def test_waiting_rows_are_mixed_by_their_operators_rates() -> None:
    domains = [address.partition("@")[2] for address in waiting.mixed(1_300)]
    assert {domain: domains.count(domain) for domain in waiting.SHARES} == {
        domain: 100 * share for domain, share in waiting.SHARES.items()
    }


def test_what_the_operators_counted_is_held_against_their_limits(capsys: pytest.CaptureFixture[str]) -> None:
    doubled = life.times_the_rates(2)
    others = [PAIR | {"company": company} for company in ("google", "microsoft", "apple", "gmx")]
    operators.tell_limits("a run", [PAIR, *others], doubled)
    told = capsys.readouterr().out.splitlines()
    assert told[2].split("recipients, ")[1] == "most of one in 60 s  1,200 of 2,400, in 1 s 25, sessions 3 of 3"
    assert told[-1] == "  refused above limits: 10"
