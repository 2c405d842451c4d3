"""Deleting an organisation, and what becomes of organisations when an account is deleted."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import ApiKey, SignIn
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.privacy import services as privacy
from accounts.team import deletion
from accounts.tests.mailed import find_mailed_token, read_mails
from accounts.tests.team import add_member, roles_in
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditEntry
from billing.provider_sync import agreements
from conftest import PASSWORD, client_of, client_with
from emailcheck.common import personal
from emailcheck.common.errors import BadInput
from emailcheck.common.testing import drain_queue, run_sixteen
from tests.world import Sandbox
from validation.webhooks import services as webhooks
from validation.webhooks.models import Webhook

ORGANISATION = "/api/organisation"
CONFIRMED = {"name": "Alice Alder", "password": PASSWORD}


def said(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def full(world: Sandbox, alice: User, bob: User) -> Organisation:
    """Alice's organisation with a key, a webhook and Bob."""
    mine = alice.own_organisation
    keys.create_key(organisation=mine, maker=alice, name="Shop")
    webhooks.create_endpoint(organisation=mine, url="https://inbox.hookbarn.com/a", events=["batch.completed"])
    add_member(mine, bob, OrganisationRole.DEVELOPER)
    return mine


@pytest.mark.spec("ORG-034")
def test_it_goes_with_all_that_it_owns(full: Organisation, alice: User, alice_api: APIClient, bob: User) -> None:
    alice_api.post(f"{ORGANISATION}/invitations", {"email": "ivo@ivy.net", "role": "viewer"}, format="json")
    read_mails()
    token = find_mailed_token("invitation")
    text = keys.create_key(organisation=full, maker=alice, name="Till")[1]
    mail.outbox.clear()
    assert alice_api.delete(ORGANISATION, CONFIRMED, format="json").status_code == 200
    assert client_with(text).get("/api/auth/me").json()["code"] == "INVALID_API_KEY"
    named = {"X-Organisation": full.public_id}
    assert [said(api.get(ORGANISATION, headers=named)) for api in (alice_api, client_of(bob))] == [
        (404, "NOT_FOUND"), (404, "NOT_FOUND"),
    ]  # fmt: skip
    assert APIClient().get(f"/api/invitations/{token}").json()["state"] == "revoked"
    ran = drain_queue()
    assert {deletion.ERASE, agreements.END_UNWANTED} <= set(ran)
    assert sorted(sent.to[0] for sent in mail.outbox if sent.subject == "Alice Alder was deleted") == [
        "alice@alder.com", "bob@birch.net",
    ]  # fmt: skip
    assert "100 unspent credits lapsed." in mail.outbox[-1].body
    assert not Organisation.objects.filter(pk=full.pk).exists()
    assert [rows.objects.filter(organisation=full.pk).exists() for rows in (ApiKey, Webhook, CreditEntry)] == [
        False
    ] * 3
    assert ledger.reconcile_ledger() == []
    assert Activity.objects.get(action="Organisation deleted").user == alice


@pytest.mark.spec("ORG-034", "ORG-014")
def test_its_people_go_on_in_their_own(full: Organisation, alice: User, alice_api: APIClient, bob: User) -> None:
    assert alice_api.delete(ORGANISATION, CONFIRMED, format="json").status_code == 200
    drain_queue()
    new = Organisation.objects.get(holder=alice)
    assert alice_api.get(ORGANISATION).json()["id"] == new.public_id
    assert CreditAccount.objects.get(organisation=new).balance == 0
    assert client_of(bob).get(ORGANISATION).json()["id"] == bob.own_organisation.public_id
    assert CreditAccount.objects.get(organisation=bob.own_organisation).balance == 100


@pytest.mark.spec("ORG-034")
@pytest.mark.parametrize(
    "wish",
    [
        {"name": "Alice Alder"}, {"name": "Alice Alder", "password": "wrong-horse-42"}, {"password": PASSWORD},
        {"name": "alice alder", "password": PASSWORD},
    ],
)  # fmt: skip
def test_without_name_and_password_nothing_happens(
    full: Organisation, alice_api: APIClient, bob: User, wish: dict[str, str]
) -> None:
    assert alice_api.delete(ORGANISATION, wish, format="json").status_code == 400
    Membership.objects.filter(user=bob, organisation=full).update(role=OrganisationRole.ADMIN)
    assert said(client_of(bob).delete(ORGANISATION, CONFIRMED, format="json")) == (403, "PERMISSION_DENIED")
    full.refresh_from_db()
    assert (full.deleted_at, full.is_active, ApiKey.objects.live().count()) == (None, True, 1)


@pytest.mark.spec("ORG-034")
def test_a_fresh_sign_in_with_google_stands_for_the_password(alice: User, alice_api: APIClient) -> None:
    SocialAccount.objects.create(user=alice, provider="google", uid="1")
    SignIn.objects.filter(user=alice).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    wish = {"name": "Alice Alder"}
    assert said(alice_api.delete(ORGANISATION, wish, format="json")) == (403, "REAUTH_REQUIRED")
    SignIn.objects.filter(user=alice).update(confirmed_at=timezone.now())
    assert alice_api.delete(ORGANISATION, wish, format="json").status_code == 200


@pytest.mark.spec("ORG-034")
def test_an_account_does_not_go_before_its_organisation(full: Organisation, alice: User, alice_api: APIClient) -> None:
    wish = {"email": "alice@alder.com", "password": PASSWORD}
    answer = alice_api.delete("/api/user", wish, format="json")
    assert said(answer) == (400, "LAST_OWNER")
    assert answer.json()["details"] == {"organisation": full.public_id, "ways": ["transfer", "delete"]}
    alice.refresh_from_db()
    assert (alice.deleted_at, ApiKey.objects.live().count()) == (None, 1)
    assert alice_api.get("/api/auth/me").status_code == 200
    assert alice_api.delete(ORGANISATION, CONFIRMED, format="json").status_code == 200
    assert alice_api.delete("/api/user", wish, format="json").status_code == 200
    drain_queue()
    assert not User.objects.filter(pk=alice.pk).exists()


@pytest.mark.spec("ORG-034")
def test_a_deleted_account_leaves_others_organisations_as_they_are(full: Organisation, alice: User, bob: User) -> None:
    key = keys.create_key(organisation=full, maker=bob, name="Of Bob")[0]
    privacy.close_account(user=bob)
    assert roles_in(full) == {"alice@alder.com": "owner"}
    drain_queue()
    assert not User.objects.filter(pk=bob.pk).exists()
    assert Organisation.objects.get() == full
    key.refresh_from_db()
    assert (key.maker, key.revoked_at) == (None, None)
    listed = client_of(alice).get("/api/user/api-keys").json()["keys"]
    assert [(one["maker"], one["maker_has_left"]) for one in listed] == [(None, True), ("Alice Alder", False)]


@pytest.mark.spec("ORG-034")
def test_the_own_organisation_stays_with_its_other_owner(full: Organisation, alice: User, bob: User) -> None:
    Membership.objects.filter(user=bob, organisation=full).update(role=OrganisationRole.OWNER)
    privacy.close_account(user=alice)
    drain_queue()
    full.refresh_from_db()
    assert (full.holder, full.deleted_at, full.is_active, full.title) == (None, None, True, "Bob Birch")
    assert roles_in(full) == {"bob@birch.net": "owner"}
    assert CreditAccount.objects.get(organisation=full).balance == 100
    assert ApiKey.objects.live().count() == 1
    assert not User.objects.filter(pk=alice.pk).exists()


@pytest.mark.spec("ORG-034")
def test_what_was_cut_off_goes_on(full: Organisation, alice_api: APIClient) -> None:
    assert alice_api.delete(ORGANISATION, CONFIRMED, format="json").status_code == 200
    personal.delete_in_slices(ApiKey.objects.filter(organisation=full))
    with time_machine.travel(timezone.now() + timedelta(minutes=11), tick=False):
        deletion.resume_erasing()
    assert drain_queue().count(deletion.ERASE) == 2
    assert not Organisation.objects.filter(pk=full.pk).exists()


@pytest.mark.spec("ORG-034")
def test_only_an_owners_export_has_the_data_of_the_organisation(full: Organisation, alice: User, bob: User) -> None:
    exports = [json.loads("".join(personal.export_person(user.pk, timezone.now())))["data"] for user in (alice, bob)]
    assert [[one["name"] for one in data["api_keys"]] for data in exports] == [["Shop"], []]
    assert [[one["role"] for one in data["memberships"]] for data in exports] == [["owner"], ["owner", "developer"]]
    Membership.objects.filter(user=bob, organisation=full).update(role=OrganisationRole.OWNER)
    again = json.loads("".join(personal.export_person(bob.pk, timezone.now())))["data"]
    assert [one["name"] for one in again["api_keys"]] == ["Shop"]


@pytest.mark.spec("ORG-034")
@pytest.mark.django_db(transaction=True)
def test_of_sixteen_deletions_one_is_the_first(full: Organisation, alice: User) -> None:
    drain_queue()
    mail.outbox.clear()
    sign_in = SignIn(user=alice)
    done = run_sixteen(
        lambda _: deletion.delete_organisation(organisation=full, user=alice, sign_in=sign_in, **CONFIRMED)
    )
    assert sorted(map(str, done)) == ["NOT_FOUND"] * 15 + ["None"]
    assert drain_queue().count(deletion.ERASE) == 1
    assert [sent.subject for sent in mail.outbox] == ["Alice Alder was deleted"] * 2
    assert Organisation.objects.filter(holder=alice).count() == 1


@pytest.mark.spec("ORG-034")
def test_staff_meet_the_same_refusal(full: Organisation, alice: User) -> None:
    with pytest.raises(BadInput) as refused:
        privacy.close_account(user=alice)
    assert refused.value.code == "LAST_OWNER"
    alice.refresh_from_db()
    assert alice.deleted_at is None
