"""The scenario file: expanded as written, the same at each start, and honest about what to expect."""

import ipaddress
from pathlib import Path

import pytest

from emailcheck.sandbox.mailworld.scenario.expectations import expect_verdict
from emailcheck.sandbox.mailworld.scenario.loader import WORLD_FILE, load_world
from emailcheck.sandbox.mailworld.scenario.mailboxes import MailboxRules
from emailcheck.sandbox.mailworld.scenario.world import World

SPECIAL_USE = {"test", "invalid", "local", "localhost", "onion", "arpa", "example", "internal", "alt"}


def test_the_world_is_the_same_at_every_start(scenario: World) -> None:
    again = load_world()
    assert list(again.domains) == list(scenario.domains)
    assert again.domains == scenario.domains
    assert list(again.hosts_by_address) == list(scenario.hosts_by_address)


def test_families_are_spread_over_their_sets_of_hosts(scenario: World) -> None:
    members = [domain for domain in scenario.domains.values() if domain.group == "small-firms"]
    assert len(members) == 430
    assert len({domain.operator.key for domain in members if domain.operator}) == 44
    assert members[0].name == "amber-works-1.com"


def test_every_simulated_host_has_globally_routable_addresses_of_its_own(scenario: World) -> None:
    listed = [
        address for operator in scenario.operators.values() for host in operator.hosts for address in host.addresses
    ]
    assert len(listed) == len(set(listed)) == len(scenario.hosts_by_address)
    assert all(ipaddress.ip_address(address).is_global for address in listed)


def test_no_domain_has_a_special_use_name(scenario: World) -> None:
    assert {name.rpartition(".")[2] for name in scenario.domains} & SPECIAL_USE == set()


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        ('operator = "nobody-knows"', KeyError),
        ('dns = "sideways"', ValueError),
        ('colour = "green"', TypeError),
    ],
)
def test_a_mistake_in_the_file_is_an_error(tmp_path: Path, broken: str, error: type[Exception]) -> None:
    faulty = tmp_path / "world.toml"
    domain = f'\n[[domains]]\nname = "extra.com"\ngroup = "DNS"\nnote = ""\n{broken}\n'
    faulty.write_text(WORLD_FILE.read_text(encoding="utf-8") + domain, encoding="utf-8")
    with pytest.raises(error):
        load_world(faulty)


def test_an_operator_of_an_unknown_company_is_an_error(tmp_path: Path) -> None:
    faulty = tmp_path / "world.toml"
    text = WORLD_FILE.read_text(encoding="utf-8")
    faulty.write_text(text.replace("[companies.apple]", "[companies.pear]"), encoding="utf-8")
    with pytest.raises(KeyError, match="apple"):
        load_world(faulty)


def test_source_addresses_are_public_and_nobody_elses(scenario: World) -> None:
    addresses = [visitor.address for visitor in scenario.visitors]
    assert (scenario.visitor.key, scenario.visitor.name) == ("egress-1", "verifier.emailcheck.app")
    assert len(set(addresses)) == 12
    assert set(addresses) & set(scenario.hosts_by_address) == set()
    assert all(ipaddress.ip_address(address).is_global for address in addresses)


def test_a_domain_described_twice_is_an_error(tmp_path: Path) -> None:
    faulty = tmp_path / "world.toml"
    domain = '\n[[domains]]\nname = "Gmail.com"\ngroup = "DNS"\nnote = ""\n'
    faulty.write_text(WORLD_FILE.read_text(encoding="utf-8") + domain, encoding="utf-8")
    with pytest.raises(ValueError, match=r"Gmail\.com is described twice"):
        load_world(faulty)


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ("anna", True),
        ("anna.keller", True),
        ("a.keller", True),
        ("Anna_Keller-Voss42", True),
        ("anna.keller+news.2025", True),
        ("jürgen", True),
        ('"anna keller"', True),
        ("bcdfg", False),
        ("9f3ac1e07b", False),
        ("anna7keller", False),
        ("anna1234", False),
        ("abcdefghijklmno", False),
        ("anna..keller", False),
        ("+tag", False),
    ],
)
def test_what_looks_like_a_name(local: str, expected: bool) -> None:
    assert MailboxRules.looks_like_a_name(local) is expected


@pytest.mark.parametrize(
    ("address", "first", "later"),
    [
        ("anna.keller@gmail.com", "valid/mailbox_exists", "valid/mailbox_exists"),
        ("anna.keller@GMAIL.com", "valid/mailbox_exists", "valid/mailbox_exists"),
        ("gone-2@gmail.com", "invalid/mailbox_not_found", "invalid/mailbox_not_found"),
        ("fuller@gmail.com", "valid/mailbox_exists", "valid/mailbox_exists"),
        ("a1b2c3d4e5f6@gmail.com", "invalid/mailbox_not_found", "invalid/mailbox_not_found"),
        ("a1b2c3d4e5f6@velvetcircuit.com", "catch_all/accepts_all", "catch_all/accepts_all"),
        ("full.reed@velvetcircuit.com", "invalid/mailbox_full", "invalid/mailbox_full"),
        ("ida.holm@patientpine.org", "unknown/greylisted", "valid/mailbox_exists"),
        ("gone.holm@patientpine.org", "unknown/greylisted", "invalid/mailbox_not_found"),
        ("gone.cole@brickwallbank.com", "unknown/blocked", "unknown/blocked"),
        ("jürgen@bücherwurm-versand.de", "valid/mailbox_exists", "valid/mailbox_exists"),
        ("jürgen@xn--mnchner-laden-wob.com", "invalid/smtputf8_required", "invalid/smtputf8_required"),
        ("jane.porter@brandnewname.com", "valid/mailbox_exists", "valid/mailbox_exists"),
        ("anyone@movedaway.com", "unknown/blocked", "unknown/blocked"),
        ("anyone@nomailhere.org", "invalid/null_mx", "invalid/null_mx"),
        ("anyone@unheard-of.com", "unknown/dns_error", "unknown/dns_error"),
        ("gone@mailinator.com", "disposable/disposable_domain", "disposable/disposable_domain"),
        ("lena.moor@lightsout-cafe.com", "unknown/connect_failed", "unknown/connect_failed"),
    ],
)
def test_expected_verdicts(scenario: World, address: str, first: str, later: str) -> None:
    expected = expect_verdict(scenario, address)
    assert f"{expected.category}/{expected.reason}" == first
    assert "/".join(expected.later) == later
