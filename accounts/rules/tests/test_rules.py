"""A second factor for all, and networks that people work from."""

from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.rules import services as rules
from accounts.rules.tests.members import join, refusal
from accounts.tests.mailed import read_mails
from accounts.tests.second_factor import enable_second_factor
from accounts.users.models import User
from conftest import browser_of, client_of, client_with
from emailcheck.common.testing import run_sixteen

RULES = "/api/organisation/rules"
NOON = "2026-11-20 12:00:00+00:00"
OFFICE = "203.0.113.0/24"


def put(api: APIClient, **values: Any) -> Any:
    return api.put(RULES, values, format="json")


def call_from(api: APIClient, address: str, path: str = RULES) -> Any:
    return api.get(path, REMOTE_ADDR=address)


def own(user: User) -> Organisation:
    return Organisation.objects.get(pk=user.pk)


@pytest.mark.spec("ORG-023")
def test_after_the_grace_a_member_without_a_second_factor_reaches_its_set_up_alone(alice: User, bob: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        enable_second_factor(alice)
        _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
        member = join(bob, alice.own_organisation)
        read_mails()
        answer = put(client_of(alice), second_factor=True, grace_days=3)
        assert (answer.status_code, answer.json()["second_factor_from"], answer.json()["missing"]) == (
            200, "2026-11-23T12:00:00Z", ["Bob Birch"],
        )  # fmt: skip
        assert read_mails()[-1:] == [("bob@birch.net", "Alice Alder requires two-factor sign-in")]
        clock.move_to("2026-11-23 11:59:59+00:00")
        assert client_of(bob).get("/api/credits", HTTP_X_ORGANISATION=own(alice).public_id).status_code == 200
        clock.move_to("2026-11-23 12:00:00+00:00")
        member = client_of(bob)
        assert refusal(member.get("/api/credits", HTTP_X_ORGANISATION=own(alice).public_id)) == (
            403, "MFA_SETUP_REQUIRED",
        )  # fmt: skip
        assert (member.get("/api/user/mfa").status_code, member.get("/api/auth/me").status_code) == (200, 200)
        assert member.get("/api/credits", HTTP_X_ORGANISATION=own(bob).public_id).status_code == 200
        assert client_with(text).get("/api/credits").status_code == 200
        enable_second_factor(bob)
        assert member.get("/api/credits", HTTP_X_ORGANISATION=own(alice).public_id).status_code == 200


@pytest.mark.spec("ORG-023")
def test_requiring_it_mails_those_who_lack_it_once(alice: User, bob: User) -> None:
    enable_second_factor(alice)
    join(bob, alice.own_organisation)
    read_mails()
    api = client_of(alice)
    first = put(api, second_factor=True, grace_days=14).json()["second_factor_from"]
    again = put(api, second_factor=True, grace_days=0).json()["second_factor_from"]
    mails = [to for to, subject in read_mails() if subject.endswith("requires two-factor sign-in")]
    assert (again, mails) == (first, ["bob@birch.net"])
    line = Activity.objects.get(action="Two-factor sign-in was required of all")
    assert (line.organisation, line.role, line.changes["second_factor_from"][0]) == (own(alice), "owner", None)
    assert put(api, second_factor=False).json()["second_factor_from"] is None
    assert put(api, second_factor=False).status_code == 200
    assert Activity.objects.filter(action="Two-factor sign-in was no longer required").count() == 1


@pytest.mark.spec("ORG-023")
def test_only_an_owner_who_has_one_can_require_it(alice: User, bob: User, sam: User) -> None:
    enable_second_factor(bob)
    admin = join(bob, alice.own_organisation, OrganisationRole.ADMIN)
    viewer = join(sam, alice.own_organisation, OrganisationRole.VIEWER)
    assert refusal(put(client_of(alice), second_factor=True)) == (400, "MFA_NOT_ACTIVE")
    assert refusal(put(admin, second_factor=True)) == (403, "PERMISSION_DENIED")
    assert refusal(put(viewer, networks=[])) == (403, "PERMISSION_DENIED")
    assert put(client_of(alice), second_factor=True, grace_days=15).status_code == 400
    noted = Activity.objects.filter(organisation=alice.pk, kind="settings").count()
    assert (own(alice).second_factor_from, noted) == (None, 0)
    assert (admin.get(RULES).json()["missing"], viewer.get(RULES).json()["missing"]) == (
        ["Alice Alder", "Sam Staff"],
        None,
    )


@pytest.mark.spec("ORG-023")
@pytest.mark.django_db(transaction=True)
def test_sixteen_owners_at_once_require_it_once(alice: User, bob: User) -> None:
    enable_second_factor(alice)
    join(bob, alice.own_organisation)
    read_mails()
    organisation = own(alice)

    def require(_: int) -> None:
        rules.require_second_factor(organisation=organisation, by=alice, grace_days=1)

    assert run_sixteen(require) == [None] * 16
    assert [to for to, subject in read_mails() if subject.endswith("two-factor sign-in")] == ["bob@birch.net"]


@pytest.mark.spec("TEA-001", "TEA-003")
def test_people_work_from_its_networks_alone_and_keys_go_on(alice: User, bob: User) -> None:
    member = join(bob, alice.own_organisation)
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    answer = client_of(alice).put(
        RULES, {"networks": ["203.0.113.9/24", "2001:db8::1"]}, format="json", REMOTE_ADDR="203.0.113.7"
    )
    assert (answer.json()["networks"], answer.json()["your_address"]) == ([OFFICE, "2001:db8::1"], "203.0.113.7")
    assert call_from(member, "203.0.113.200").status_code == 200
    assert call_from(member, "2001:db8::1").status_code == 200
    outside = call_from(member, "198.51.100.1")
    assert (*refusal(outside), outside.json()["detail"]) == (
        403,
        "IP_NOT_ALLOWED",
        "Alice Alder may be used from its own networks only, and 198.51.100.1 is not one of their addresses.",
    )
    assert call_from(member, "198.51.100.1", "/api/auth/me").status_code == 200
    mine = member.get(RULES, REMOTE_ADDR="198.51.100.1", HTTP_X_ORGANISATION=own(bob).public_id)
    assert (mine.status_code, mine.json()["networks"]) == (200, [])
    assert call_from(client_with(text), "198.51.100.1", "/api/credits").status_code == 200


@pytest.mark.spec("TEA-002", "TEA-003")
def test_whoever_sets_networks_cannot_lock_themselves_out(alice: User) -> None:
    api = client_of(alice)
    answer = api.put(RULES, {"networks": [OFFICE]}, format="json", REMOTE_ADDR="198.51.100.1")
    assert (*refusal(answer), own(alice).networks) == (400, "OWN_ADDRESS_OUTSIDE", [])
    assert answer.json()["detail"].startswith("Your own address 198.51.100.1 is in none of these.")
    assert put(api, networks=["office"]).status_code == 400
    for _ in range(2):
        api.put(RULES, {"networks": [OFFICE]}, format="json", REMOTE_ADDR="203.0.113.1")
    line = Activity.objects.get(action="Networks that people work from changed")
    assert line.changes == {"networks": [[], [OFFICE]]}
    assert (line.ip, own(alice).networks) == ("203.0.113.1", [OFFICE])
    api.put(RULES, {"networks": []}, format="json", REMOTE_ADDR="203.0.113.1")
    assert (own(alice).networks, call_from(api, "198.51.100.1").status_code) == ([], 200)


@pytest.mark.spec("TEA-004")
def test_a_page_brings_nothing_of_an_organisation_that_does_not_admit(alice: User, client: Any) -> None:
    client.post("/api/auth/login", {"email": alice.email, "password": "correct-horse-42"}, "application/json")
    Organisation.objects.filter(pk=alice.pk).update(networks=[OFFICE])
    for page in ("/dashboard?tab=validate", "/dashboard?tab=referrals", "/team"):
        assert client.get(page, REMOTE_ADDR="203.0.113.1").status_code == 200
        outside = client.get(page, REMOTE_ADDR="198.51.100.1")
        assert (outside.status_code, "known" in outside.context) == (403, False)
        assert "198.51.100.1 is not one of their addresses." in outside.content.decode()
        assert 'data-rights=""' in outside.content.decode()
    settings = client.get("/account-settings?tab=subscription", REMOTE_ADDR="198.51.100.1")
    assert (settings.status_code, settings.context["props"]["known"]) == (200, {})


@pytest.mark.spec("TEA-004", "ORG-023")
def test_a_page_of_a_closed_organisation_says_why_and_offers_the_others(alice: User, bob: User) -> None:
    join(bob, alice.own_organisation)
    User.objects.filter(pk=bob.pk).update(current_organisation=alice.own_organisation)
    browser = browser_of(bob)
    for change, sentence, way in (
        ({"second_factor_from": NOON}, "Alice Alder requires two-factor sign-in.", "/account-settings#second-factor"),
        ({"is_active": False}, "This organisation is suspended.", "/contact"),
    ):
        Organisation.objects.filter(pk=alice.pk).update(**change)
        page = browser.get("/dashboard")
        text = page.content.decode()
        assert (page.status_code, sentence in text, f'href="{way}"' in text) == (403, True, True)
        assert f'data-switch="{own(bob).public_id}"' in text


@pytest.mark.spec("TEA-006", "ORG-023", "ORG-035")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"networks": [OFFICE]}, "IP_NOT_ALLOWED"),
        ({"second_factor_from": NOON}, "MFA_SETUP_REQUIRED"),
        ({"is_active": False}, "ORGANISATION_SUSPENDED"),
    ],
)
def test_the_account_says_nothing_of_an_organisation_that_is_closed(
    alice: User, bob: User, change: dict[str, Any], code: str
) -> None:
    member = join(bob, alice.own_organisation)
    Organisation.objects.filter(pk=alice.pk).update(company="Alder Ltd", vat_id="DE123456789", **change)
    me = member.get("/api/auth/me").json()
    assert (me["organisation"]["closed"]["code"], me["organisation"]["rights"]) == (code, [])
    of_organisation = ("company", "address", "vat_id", "subscription_plan", "credits", "monthly_usage")
    assert {me[field] for field in of_organisation} == {None}
    profile = "/api/user/profile"
    answer = member.put(profile, {"name": "Bob B."}, format="json")
    assert (answer.status_code, answer.json()["name"], answer.json()["company"]) == (200, "Bob B.", None)
    guess = {"name": "Bob C.", "company": "Alder Ltd"}
    assert refusal(member.put(profile, guess, format="json")) == (403, code)
    assert (User.objects.get(pk=bob.pk).name, own(alice).company) == ("Bob B.", "Alder Ltd")
    login = {"email": "bob@birch.net", "password": "correct-horse-42"}
    User.objects.filter(pk=bob.pk).update(current_organisation=alice.own_organisation)
    signed_in = APIClient().post("/api/auth/login", login, format="json").json()["user"]
    assert (signed_in["organisation"]["closed"]["code"], signed_in["credits"]) == (code, None)
    Organisation.objects.filter(pk=alice.pk).update(networks=[], second_factor_from=None, is_active=True)
    assert member.get("/api/auth/me").json()["company"] == "Alder Ltd"


@pytest.mark.spec("TEA-005")
def test_networks_that_lock_owners_out_are_lifted_from_the_machine(alice: User) -> None:
    Organisation.objects.filter(pk=alice.pk).update(networks=[OFFICE])
    for _ in range(2):
        call_command("lift_networks", own(alice).public_id)
    line = Activity.objects.get(action="Networks that people work from changed")
    assert (own(alice).networks, line.role, line.changes) == ([], "", {"networks": [[OFFICE], []]})
    with pytest.raises(CommandError, match="no such organisation"):
        call_command("lift_networks", "org_nobody")


@pytest.mark.spec("ORG-023", "TEA-001")
def test_staff_views_are_not_asked(alice: User, sam: User) -> None:
    Organisation.objects.filter(pk=alice.pk).update(networks=[OFFICE], second_factor_from="2026-01-01T00:00:00Z")
    token = client_of(sam).post(
        f"/api/admin/users/{alice.pk}/view-as", {"reason": "Asked about a refusal"}, format="json"
    )
    assert token.status_code == 200
    assert client_with(token.json()["token"]).get("/api/credits").status_code == 200
