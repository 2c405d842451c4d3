"""IPv4 addresses that a socket for both kinds writes as IPv6."""

from ipaddress import ip_network
from typing import Any

import pytest

from accounts.keys import services as keys
from accounts.organisations.models import Organisation
from accounts.users.models import User
from conftest import client_of, client_with
from emailcheck.common.ip_addresses import unmap_address, unmap_network
from emailcheck.env import Env

RULES, MAPPED, OFFICE = "/api/organisation/rules", "::ffff:203.0.113.7", "203.0.113.0/24"


@pytest.mark.spec("TEA-001")
@pytest.mark.parametrize("networks", [[OFFICE], ["::ffff:203.0.113.0/120"], ["203.0.113.7"], [MAPPED]])
@pytest.mark.parametrize("address", ["203.0.113.7", MAPPED, "::FFFF:CB00:7107"])
def test_a_network_takes_both_spellings_of_an_address(alice: User, networks: list[str], address: str) -> None:
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", allowed_ips=networks)
    Organisation.objects.filter(pk=alice.pk).update(networks=networks)
    for api in (client_of(alice), client_with(text)):
        assert api.get("/api/credits", REMOTE_ADDR=address).status_code == 200
        refused = api.get("/api/credits", REMOTE_ADDR="::ffff:198.51.100.7")
        assert (refused.status_code, refused.json()["code"]) == (403, "IP_NOT_ALLOWED")


@pytest.mark.spec("TEA-001", "TEA-002")
def test_networks_are_kept_and_addresses_shown_in_one_spelling(alice: User) -> None:
    wanted = {"networks": ["::ffff:203.0.113.9/120", "::ffff:198.51.100.7", "2001:db8::/32", OFFICE]}
    answer = client_of(alice).put(RULES, wanted, format="json", REMOTE_ADDR=MAPPED)
    assert (answer.status_code, answer.json()["your_address"]) == (200, "203.0.113.7")
    kept = [OFFICE, "198.51.100.7", "2001:db8::/32"]
    assert Organisation.objects.get(pk=alice.pk).networks == answer.json()["networks"] == kept


def test_proxies_are_known_by_either_spelling(alice: User, settings: Any) -> None:
    Organisation.objects.filter(pk=alice.pk).update(networks=[OFFICE])
    api = client_of(alice)
    for trusted in ("10.0.0.0/8", "::ffff:10.0.0.0/104"):
        settings.TRUSTED_PROXIES = Env({"TRUSTED": trusted}).networks("TRUSTED")
        for forwarded, status in ((MAPPED, 200), ("203.0.113.7, ::ffff:10.0.0.2", 200), ("198.51.100.7", 403)):
            headers = {"X-Forwarded-For": forwarded}
            answer = api.get("/api/credits", REMOTE_ADDR="::ffff:10.0.0.1", headers=headers)
            assert answer.status_code == status


def test_other_addresses_stay_what_they_are() -> None:
    assert [unmap_address(text) for text in (" 2001:db8::1", "203.0.113.7")] == ["2001:db8::1", "203.0.113.7"]
    assert [str(unmap_network(ip_network(text))) for text in ("::/0", "::ffff:0:0/96", "2001:db8::/32", OFFICE)] == [
        "::/0", "0.0.0.0/0", "2001:db8::/32", OFFICE,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="unknown"):
        unmap_address("unknown")
