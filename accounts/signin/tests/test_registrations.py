"""Several registrations of one address: each link confirms what was given with it."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts import tasks
from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.signin import services as signin
from accounts.signin.models import OneTimeToken, Purpose
from accounts.signin.sessions import start_sign_in
from accounts.team import invitations, members, transfers
from accounts.tests.mailed import find_mailed_token, post_auth, read_mails
from accounts.tests.team import add_member, roles_in
from accounts.users.models import User
from conftest import PASSWORD

ADDRESS = "carol@cedar.org"
THIEF = "mallory-pass-1"


def register_address(client: Client, password: str, name: str = "Carol Cedar") -> str:
    """Register Carol's address; the token of the link that was mailed."""
    assert post_auth(client, "register", email=ADDRESS, password=password, name=name).status_code == 200
    assert read_mails()[-1] == (ADDRESS, "Confirm your e-mail address")
    return find_mailed_token("verify-email")


def open_link(token: str) -> Any:
    return Client().get("/api/auth/verify-email", {"token": token})


def logged_in(password: str) -> int:
    return int(post_auth(Client(), "login", email=ADDRESS, password=password).status_code)


@pytest.mark.finding("C2")
@pytest.mark.spec("AUTH-012")
@pytest.mark.parametrize("mine_first", [True, False])
def test_a_link_confirms_the_password_that_was_given_with_it(db: None, client: Client, mine_first: bool) -> None:
    order = [(PASSWORD, "Carol Cedar"), (THIEF, "Mallory")]
    links = {
        password: register_address(client, password, name) for password, name in (order if mine_first else order[::-1])
    }
    assert open_link(links[PASSWORD]).json()["already_verified"] is False
    assert open_link(links[THIEF]).json()["already_verified"] is True
    assert (logged_in(PASSWORD), logged_in(THIEF), User.objects.get().name) == (200, 401, "Carol Cedar")


@pytest.mark.finding("C2")
def test_a_later_registration_changes_nothing_of_the_account(db: None, client: Client) -> None:
    first = register_address(client, PASSWORD)
    before = User.objects.values().get()
    register_address(client, THIEF, "Mallory")
    assert User.objects.values().get() == before
    assert OneTimeToken.objects.filter(purpose=Purpose.VERIFY, ended_at=None).count() == 2
    assert open_link(first).status_code == 200


@pytest.mark.finding("C2")
def test_what_somebody_else_made_of_the_account_ends(db: None, client: Client, settings: Any) -> None:
    """Where addresses need not be confirmed, whoever registered first works on."""
    settings.REQUIRE_EMAIL_VERIFICATION = False
    token = post_auth(client, "register", email=ADDRESS, password=THIEF, name="Mallory").json()["token"]
    _, text = keys.create_key(
        organisation=User.objects.get().own_organisation, maker=User.objects.get(), name="Back door"
    )
    read_mails()
    assert open_link(register_address(Client(), PASSWORD)).status_code == 200
    for credential in (token, text):
        me = Client().get("/api/auth/me", headers={"Authorization": f"Bearer {credential}"})
        assert me.status_code == 401
    assert client.post("/api/auth/refresh").status_code == 401
    assert (logged_in(THIEF), logged_in(PASSWORD)) == (401, 200)


@pytest.mark.finding("C2")
def test_whoever_confirms_what_he_registered_keeps_his_session_and_keys(
    db: None, client: Client, settings: Any
) -> None:
    settings.REQUIRE_EMAIL_VERIFICATION = False
    post_auth(client, "register", email=ADDRESS, password=PASSWORD, name="Carol")
    key, _ = keys.create_key(organisation=User.objects.get().own_organisation, maker=User.objects.get(), name="Shop")
    post_auth(client, "resend-verification", email=ADDRESS)
    assert (ADDRESS, "Your new confirmation link") in read_mails()
    assert open_link(find_mailed_token("verify-email")).status_code == 200
    key.refresh_from_db()
    assert (key.revoked_at, SignIn.objects.get().ended_at) == (None, None)


@pytest.mark.finding("C2")
@pytest.mark.spec("AUTH-050")
def test_a_new_link_for_an_address_registered_twice_asks_for_a_password(db: None, client: Client) -> None:
    """Otherwise whoever asks for a new link would choose whose password it confirms."""
    links = [register_address(client, THIEF, "Mallory"), register_address(client, PASSWORD)]
    for _ in range(2):
        post_auth(client, "resend-verification", email=ADDRESS)
        assert read_mails() == [(ADDRESS, "Confirm your address and choose a password")]
    assert [open_link(link).status_code for link in links] == [400, 400]
    assert not User.objects.get().email_verified
    chosen = post_auth(client, "reset-password", token=find_mailed_token("reset-password"), password="fresh-horse-43")
    assert chosen.status_code == 200
    assert [logged_in(word) for word in (THIEF, PASSWORD, "fresh-horse-43")] == [401, 401, 200]


@pytest.mark.finding("C2")
def test_that_it_was_registered_twice_is_not_forgotten(db: None, client: Client) -> None:
    register_address(client, THIEF, "Mallory")
    register_address(client, PASSWORD)
    OneTimeToken.objects.update(expires_at=timezone.now() - timedelta(days=40))
    tasks.delete_old_rows()
    post_auth(client, "resend-verification", email=ADDRESS)
    assert read_mails() == [(ADDRESS, "Confirm your address and choose a password")]


@pytest.mark.finding("C2")
def test_a_reset_of_an_account_that_nobody_confirmed_leaves_others_nothing(db: None, client: Client) -> None:
    thief = signin.register_account(email=ADDRESS, password=THIEF, name="Mallory")
    sign_in = start_sign_in(user=thief, device="test")
    key, _ = keys.create_key(organisation=thief.own_organisation, maker=thief, name="Back door")
    link = register_address(client, THIEF, "Mallory")
    post_auth(client, "forgot-password", email=ADDRESS)
    read_mails()
    chosen = post_auth(client, "reset-password", token=find_mailed_token("reset-password"), password=PASSWORD)
    assert chosen.status_code == 200
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert SignIn.objects.get(pk=sign_in.sign_in_id).ended_at is not None
    assert open_link(link).json()["already_verified"] is True
    assert (logged_in(THIEF), logged_in(PASSWORD)) == (401, 200)


@pytest.mark.finding("C2")
@pytest.mark.spec("ORG-011", "ORG-013")
@pytest.mark.parametrize("way", ["reset", "link"])
def test_nobody_whom_a_stranger_let_in_stays(db: None, client: Client, settings: Any, bob: User, way: str) -> None:
    settings.REQUIRE_EMAIL_VERIFICATION = False
    post_auth(client, "register", email=ADDRESS, password=THIEF, name="Mallory")
    owner = User.objects.get(email=ADDRESS)
    mine, by = owner.own_organisation, Membership.objects.get(user=owner)
    add_member(mine, bob, OrganisationRole.OWNER)
    Organisation.objects.filter(holder=bob).delete()
    waiting = invitations.invite_person(organisation=mine, by=by, email="ivo@ivy.net", role="owner")
    offered = transfers.offer_organisation(
        organisation=mine, giver=owner, member_id=Membership.objects.get(user=bob, organisation=mine).pk
    )
    Organisation.objects.filter(pk=mine.pk).update(networks=["203.0.113.0/24"])
    read_mails()
    if way == "link":
        assert open_link(register_address(Client(), PASSWORD)).status_code == 200
    else:
        post_auth(Client(), "forgot-password", email=ADDRESS)
        read_mails()
        token = find_mailed_token("reset-password")
        assert post_auth(Client(), "reset-password", token=token, password=PASSWORD).status_code == 200
    assert roles_in(mine) == {ADDRESS: "owner"}
    waiting.refresh_from_db()
    offered.refresh_from_db()
    mine.refresh_from_db()
    assert (waiting.state, offered.ended_at is None, mine.networks, mine.holder) == ("revoked", False, [], owner)
    assert roles_in(Organisation.objects.get(holder=bob)) == {"bob@birch.net": "owner"}
    line = Activity.objects.get(action="Member removed, because the owner of the address took the account over")
    assert (line.organisation, line.changes) == (mine, {"role": ["owner", None]})
    assert (logged_in(THIEF), logged_in(PASSWORD)) == (401, 200)


@pytest.mark.finding("C2")
@pytest.mark.spec("ORG-013")
def test_the_owner_of_the_address_works_in_no_organisation_of_a_stranger(
    db: None, client: Client, settings: Any, bob: User
) -> None:
    settings.REQUIRE_EMAIL_VERIFICATION = False
    post_auth(client, "register", email=ADDRESS, password=THIEF, name="Mallory")
    owner = User.objects.get(email=ADDRESS)
    theirs = owner.own_organisation
    by = add_member(theirs, bob, OrganisationRole.OWNER)
    User.objects.filter(pk=owner.pk).update(current_organisation=theirs)
    mine = Membership.objects.get(user=owner)
    members.change_role(organisation=theirs, by=by, member_id=mine.pk, role="member")
    assert open_link(register_address(Client(), PASSWORD)).status_code == 200
    assert roles_in(theirs) == {"bob@birch.net": "owner"}
    signed_in = post_auth(Client(), "login", email=ADDRESS, password=PASSWORD).json()["user"]
    assert signed_in["organisation"]["id"] == Organisation.objects.get(holder=owner).public_id
    assert signed_in["organisation"]["id"] != theirs.public_id


@pytest.mark.finding("C2")
def test_the_mail_says_when_its_password_was_given(db: None, client: Client, time_machine: Any) -> None:
    time_machine.move_to("2026-03-01 09:30:00+00:00", tick=False)
    register_address(client, PASSWORD)
    assert "1 March 2026, 09:30 UTC" in str(mail.outbox[-1].body)
