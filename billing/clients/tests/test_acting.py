"""What owners and admins of an agency may do in a client, and what ends with it."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.privacy import services as privacy
from accounts.team import invitations, members
from accounts.team.models import Invitation, InvitationState
from accounts.tests.mailed import find_mailed_token, read_mails
from accounts.tests.team import roles_in
from accounts.users.models import User
from billing.clients import services as clients
from billing.clients.tests.agencies import client_in, join, make_client
from conftest import client_of, make_user
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.django_db
TEAM = "/api/organisation"
OFFICE = "203.0.113.0/24"
OWNERS_ONLY = (403, "Only an owner may make, change or remove owners.")


@pytest.fixture
def carol(db: None) -> User:
    return make_user("carol@cedar.org", "Carol Cedar")


def said(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["detail"]


def give(api: APIClient, member: Membership, role: str) -> Any:
    return api.put(f"{TEAM}/members/{member.pk}", {"role": role}, format="json")


def invite(api: APIClient, email: str, role: str) -> Any:
    return api.post(f"{TEAM}/invitations", {"email": email, "role": role}, format="json")


def invite_carol(api: APIClient, role: str = "owner") -> str:
    """Answers the token that was mailed."""
    assert invite(api, "carol@cedar.org", role).status_code == 201
    read_mails()
    return find_mailed_token("invitation")


def accept(user: User, token: str) -> int:
    return int(client_of(user).post(f"/api/invitations/{token}/accept").status_code)


@pytest.mark.spec("ORG-032", "ORG-004")
def test_an_owner_of_the_agency_is_a_plain_admin_where_a_client_has_an_owner(
    alice: User, bob: User, carol: User
) -> None:
    client = make_client(alice)
    owner, member = join(bob, client, "owner"), join(carol, client, "member")
    api = client_in(alice, client)
    answers = [
        give(api, member, "owner"),
        give(api, owner, "viewer"),
        api.delete(f"{TEAM}/members/{owner.pk}"),
        invite(api, "ivo@ivy.net", "owner"),
    ]
    assert [said(answer) for answer in answers] == [OWNERS_ONLY] * 4
    assert roles_in(client) == {"bob@birch.net": "owner", "carol@cedar.org": "member"}
    assert not Invitation.objects.exists()
    roles = {one["role"]: one["may_give"] for one in api.get(f"{TEAM}/members").json()["roles"]}
    assert (roles["owner"], roles["admin"]) == (False, True)
    assert give(api, member, "admin").status_code == 200
    assert client_in(bob, client).post(f"{TEAM}/agency/end").status_code == 200


@pytest.mark.spec("ORG-032")
def test_the_agency_names_the_first_owner(alice: User, bob: User, carol: User) -> None:
    client = make_client(alice)
    first, second = join(bob, client, "viewer"), join(carol, client, "viewer")
    join(make_user("ivo@ivy.net", "Ivo Ivy"), alice.own_organisation, "admin")
    admin = client_in(User.objects.get(email="ivo@ivy.net"), client)
    assert said(give(admin, first, "owner")) == OWNERS_ONLY
    api = client_in(alice, client)
    assert [give(api, one, "owner").status_code for one in (first, second)] == [200, 403]
    assert roles_in(client) == {"bob@birch.net": "owner", "carol@cedar.org": "viewer"}


@pytest.mark.spec("ORG-032", "ORG-012")
def test_of_two_who_are_invited_to_own_a_client_the_first_does(alice: User, bob: User, carol: User) -> None:
    client = make_client(alice)
    api = client_in(alice, client)
    of_carol = invite_carol(api)
    assert invite(api, "bob@birch.net", "owner").status_code == 201
    read_mails()
    assert accept(bob, find_mailed_token("invitation")) == 200
    assert accept(carol, of_carol) == 410
    assert roles_in(client) == {"bob@birch.net": "owner"}


@pytest.mark.spec("ORG-032", "ORG-012")
def test_what_the_agency_offered_ends_with_its_access(alice: User, bob: User, carol: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    token = invite_carol(client_in(alice, client), "admin")
    assert invite(client_in(bob, client), "nora@nettle.org", "viewer").status_code == 201
    assert client_in(bob, client).post(f"{TEAM}/agency/end").status_code == 200
    assert accept(carol, token) == 410
    assert roles_in(client) == {"bob@birch.net": "owner"}
    states = {one.email: one.state for one in Invitation.objects.all()}
    assert states == {"carol@cedar.org": "revoked", "nora@nettle.org": "open"}


@pytest.mark.spec("ORG-032", "ORG-012")
@pytest.mark.parametrize("way", ["demoted", "removed", "left", "deleted"])
def test_who_leads_the_agency_no_longer_leaves_no_links_in_its_clients(
    alice: User, bob: User, carol: User, way: str
) -> None:
    clients_of_it = [make_client(alice, name) for name in ("One", "Two")]
    member = join(bob, alice.own_organisation, "admin")
    tokens = [invite_carol(client_in(bob, client), "admin") for client in clients_of_it]
    assert invite(client_in(alice, clients_of_it[0]), "nora@nettle.org", "viewer").status_code == 201
    if way == "demoted":
        assert give(client_of(alice), member, "member").status_code == 200
    elif way == "removed":
        assert client_of(alice).delete(f"{TEAM}/members/{member.pk}").status_code == 200
    elif way == "left":
        assert client_in(bob, alice.own_organisation).post(f"{TEAM}/leave").status_code == 200
    else:
        privacy.close_account(user=bob)
    assert [accept(carol, token) for token in tokens] == [410, 410]
    assert not Membership.objects.filter(organisation__in=clients_of_it).exists()
    assert Invitation.objects.get(email="nora@nettle.org").state == "open"


@pytest.mark.spec("ORG-032", "ORG-012")
@pytest.mark.django_db(transaction=True)
def test_a_link_that_is_accepted_as_it_ends_is_one_or_the_other(alice: User, bob: User, carol: User) -> None:
    client, agency = make_client(alice), alice.own_organisation
    member, by = join(bob, agency, "admin"), Membership.objects.get(user=alice)
    token = invite_carol(client_in(bob, client), "viewer")

    def call(number: int) -> str:
        if number % 2:
            return members.change_role(organisation=agency, by=by, member_id=member.pk, role="viewer").role
        return invitations.accept_invitation(token=token, user=carol).role

    answers = run_sixteen(call)
    made = Invitation.objects.get()
    assert (made.accepted_at is None) is not (made.revoked_at is None)
    joined = made.state == InvitationState.ACCEPTED
    assert roles_in(client) == ({"carol@cedar.org": "viewer"} if joined else {})
    assert answers.count("INVITATION_ENDED") == (0 if joined else 8)


@pytest.mark.spec("ORG-013", "ORG-032")
def test_who_made_a_key_for_the_agency_is_there_while_it_acts(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    keys.create_key(organisation=client, maker=alice, name="Shop")
    member = join(make_user("ivo@ivy.net", "Ivo Ivy"), alice.own_organisation, "admin")
    keys.create_key(organisation=client, maker=member.user, name="Till")
    keys.create_key(organisation=client, maker=bob, name="Own")

    def gone() -> dict[str, bool]:
        listed = client_in(bob, client).get("/api/user/api-keys").json()["keys"]
        return {one["name"]: one["maker_has_left"] for one in listed}

    assert gone() == {"Shop": False, "Till": False, "Own": False}
    assert give(client_of(alice), member, "developer").status_code == 200
    assert gone() == {"Shop": False, "Till": True, "Own": False}
    clients.end_agency_access(organisation=client)
    assert gone() == {"Shop": True, "Till": True, "Own": False}


@pytest.mark.spec("TEA-007", "ORG-032")
def test_nobody_sets_the_networks_of_a_client_for_its_agency(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    for networks in ([OFFICE], []):
        answer = client_in(alice, client).put(
            f"{TEAM}/rules", {"networks": networks}, format="json", REMOTE_ADDR="203.0.113.7"
        )
        assert said(answer) == (403, "Your role (admin) does not allow this. Ask an owner or admin of Cedar Books.")
    client.refresh_from_db()
    assert (client.networks, Activity.objects.filter(action="Networks that people work from changed").count()) == (
        [],
        0,
    )
    assert client_in(alice, client).get(f"{TEAM}/rules").json()["may_set_networks"] is False
    assert client_in(bob, client).get(f"{TEAM}/rules").json()["may_set_networks"] is True


@pytest.mark.spec("TEA-007", "ORG-032")
def test_the_owner_of_a_client_ends_the_access_from_anywhere(alice: User, bob: User, carol: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    join(carol, client, "admin")
    Organisation.objects.filter(pk=client.pk).update(networks=[OFFICE], second_factor_from="2026-01-01T00:00:00Z")
    path = f"{TEAM}/agency/end"
    assert client_in(carol, client).post(path, REMOTE_ADDR="198.51.100.1").status_code == 403
    assert client_in(bob, client).get("/api/credits", REMOTE_ADDR="198.51.100.1").status_code == 403
    Organisation.objects.filter(pk=client.pk).update(is_active=False)
    suspended = client_in(bob, client).post(path, REMOTE_ADDR="198.51.100.1")
    assert (suspended.status_code, suspended.json()["code"]) == (403, "ORGANISATION_SUSPENDED")
    client.refresh_from_db()
    assert client.agency_may_act
    Organisation.objects.filter(pk=client.pk).update(is_active=True)
    assert client_in(bob, client).post(path, REMOTE_ADDR="198.51.100.1").status_code == 200
    client.refresh_from_db()
    assert (client.agency_may_act, client.networks) == (False, [OFFICE])
