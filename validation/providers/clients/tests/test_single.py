"""Single checks and balances at the played services."""

import json

import pytest

from validation.engine import Category, Flag, Reason
from validation.providers.clients.tests.conftest import NAMES, Played


def test_what_the_services_say_of_hosts_that_tell_us_nothing(played: Played) -> None:
    """They come from other networks; a host that is down is down for them too."""
    said = {
        address: [str(played[name].check(address, timeout=20).reason) for name in NAMES]
        for address in ("anna.keller@brickwallbank.com", "gone.pine@patientpine.org", "lena.moor@lightsout-cafe.com")
    }
    assert said == {
        "anna.keller@brickwallbank.com": [Reason.MAILBOX_EXISTS] * 3,
        "gone.pine@patientpine.org": [Reason.MAILBOX_NOT_FOUND] * 3,
        "lena.moor@lightsout-cafe.com": [Reason.CONNECT_FAILED] * 3,
    }


def test_what_the_services_say_of_a_host_that_accepts_every_name(played: Played) -> None:
    """ZeroBounce knows who was written to, ZeroBounce and Kickbox who bounced, NeverBounce neither."""
    said = {
        local: [played[name].check(f"{local}@velvetcircuit.com", timeout=20).category for name in NAMES]
        for local in ("anna.keller", "gone.keller", "anna")
    }
    assert said == {
        "anna.keller": ["valid", "catch_all", "catch_all"],
        "gone.keller": ["invalid", "catch_all", "invalid"],
        "anna": ["catch_all", "catch_all", "catch_all"],
    }
    assert played["zerobounce"].check("anna.keller@velvetcircuit.com", timeout=20).is_catch_all is True


@pytest.mark.parametrize("name", NAMES)
def test_credits_fall_with_each_answer(name: str, played: Played) -> None:
    adapter = played[name]
    assert adapter.balance() == 10_000
    opinion = adapter.check("info@lanternoak.org", timeout=20)
    assert (opinion.provider, opinion.address) == (name, "info@lanternoak.org")
    assert opinion.flags == {Flag.ROLE}
    assert adapter.balance() == 9_999
    assert opinion.charged is {"zerobounce": True, "neverbounce": True, "kickbox": None}[name]
    assert 0 < opinion.took < 5


def test_zerobounce_does_not_charge_for_what_it_cannot_tell(played: Played) -> None:
    opinion = played["zerobounce"].check("lena.moor@lightsout-cafe.com", timeout=20)
    assert (opinion.category, opinion.charged) == (Category.UNKNOWN, False)
    assert played["zerobounce"].balance() == 10_000


@pytest.mark.parametrize("address", ["anna+a&b=c%2@lanternoak.org", "änna@lanternoak.org", '"anna b"@lanternoak.org'])
def test_addresses_arrive_as_they_are(address: str, played: Played) -> None:
    raw = json.loads(played["zerobounce"].check(address, timeout=20).raw)
    assert raw["address"] == address
    assert json.loads(played["kickbox"].check(address, timeout=20).raw)["email"] == address
    played["neverbounce"].check(address, timeout=20)
    assert played.accounts["neverbounce"].looked_up_addresses[-1] == address


def test_an_account_that_is_billed_by_use_has_no_balance(played: Played) -> None:
    played.trouble("neverbounce", "metered")
    assert played["neverbounce"].balance() is None
    assert played["neverbounce"].check("anna@lanternoak.org", timeout=20).charged is None


def test_suggestions(played: Played) -> None:
    said = [played[name].check("anna@gmaio.com", timeout=20).did_you_mean for name in NAMES]
    assert said == ["anna@gmail.com"] * 3
