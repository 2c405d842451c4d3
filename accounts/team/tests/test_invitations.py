"""Inviting somebody, and joining by the link."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.team import invitations
from accounts.team.models import Invitation
from accounts.tests.mailed import find_mailed_token, read_mails
from accounts.tests.team import add_member, roles_in
from accounts.users.models import User
from billing.ledger.models import CreditEntry
from conftest import client_of, make_user
from emailcheck.common.secrecy import hash_secret
from emailcheck.common.testing import run_sixteen

INVITATIONS = "/api/organisation/invitations"
BOB = {"email": "Bob@Birch.net", "role": "member"}


def said(answer: Any) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


def invite(api: APIClient, **changes: str) -> str:
    """Invite Bob; answers the token that was mailed."""
    assert api.post(INVITATIONS, BOB | changes, format="json").status_code == 201
    read_mails()
    return find_mailed_token("invitation")


def accept(api: APIClient, token: str) -> Any:
    return api.post(f"/api/invitations/{token}/accept")


@pytest.mark.spec("ORG-011")
def test_an_invitation_is_mailed_with_a_link_whose_hash_alone_is_stored(alice: User, alice_api: APIClient) -> None:
    read_mails()
    answer = alice_api.post(INVITATIONS, BOB, format="json")
    made = Invitation.objects.get()
    assert answer.status_code == 201
    assert answer.json() | {"created_at": "", "expires_at": ""} == {
        "id": made.public_id, "email": "bob@birch.net", "role": "member", "inviter": "Alice Alder",
        "created_at": "", "expires_at": "",
    }  # fmt: skip
    assert made.expires_at - made.created_at == timedelta(days=7)
    assert read_mails() == [("bob@birch.net", "Alice Alder invites you to Alice Alder")]
    token = find_mailed_token("invitation")
    assert (made.token_hash, token in mail.outbox[-1].body) == (hash_secret(token), True)
    assert "Checks and lists." in mail.outbox[-1].body


@pytest.mark.spec("ORG-011")
def test_the_invited_person_joins_and_keeps_their_own(alice: User, alice_api: APIClient, bob: User) -> None:
    granted = CreditEntry.objects.count()
    token, api = invite(alice_api), client_of(bob)
    shown = APIClient().get(f"/api/invitations/{token}").json()
    assert shown == {
        "organisation": "Alice Alder", "role": "member", "sentence": "Checks and lists.", "inviter": "Alice Alder",
        "email": "bob@birch.net", "state": "open",
    }  # fmt: skip
    joined = accept(api, token)
    assert (joined.status_code, joined.json()["id"], joined.json()["role"]) == (
        200, alice.own_organisation.public_id, "member",
    )  # fmt: skip
    account = api.get("/api/auth/me").json()
    assert account["organisation"]["id"] == alice.own_organisation.public_id
    assert [one["role"] for one in account["organisations"]] == ["owner", "member"]
    assert APIClient().get(f"/api/invitations/{token}").json()["state"] == "accepted"
    assert CreditEntry.objects.count() == granted
    line = Activity.objects.get(action="Joined by an invitation")
    assert (line.user, line.organisation, line.changes) == (bob, alice.own_organisation, {"role": [None, "member"]})
    assert accept(api, token).status_code == 200
    assert roles_in(alice.own_organisation) == {"alice@alder.com": "owner", "bob@birch.net": "member"}


@pytest.mark.spec("ORG-011")
def test_nobody_else_joins_by_it(alice: User, alice_api: APIClient, bob: User, sam: User) -> None:
    token = invite(alice_api)
    refused = (403, "OTHER_ADDRESS", "This invitation was sent to another address.")
    assert said(accept(client_of(sam), token)) == refused
    assert accept(APIClient(), token).status_code == 401
    assert accept(client_of(bob), "nonsense").status_code == 404
    User.objects.filter(pk=bob.pk).update(email_verified_at=None)
    assert said(accept(client_of(bob), token)) == refused
    assert roles_in(alice.own_organisation) == {"alice@alder.com": "owner"}
    assert Invitation.objects.get().accepted_at is None


@pytest.mark.spec("ORG-011")
def test_a_newcomer_registers_first_and_joins_then(alice: User, alice_api: APIClient) -> None:
    token = invite(alice_api, email="nora@nettle.org")
    nora = make_user("nora@nettle.org", "Nora Nettle")
    assert accept(client_of(nora), token).status_code == 200
    assert Organisation.objects.get(holder=nora) != alice.own_organisation
    assert roles_in(alice.own_organisation)["nora@nettle.org"] == "member"


@pytest.mark.spec("ORG-011", "ORG-012")
def test_a_link_works_for_seven_days(alice: User, alice_api: APIClient, bob: User) -> None:
    token = invite(alice_api)
    with time_machine.travel(timezone.now() + timedelta(days=7, seconds=1), tick=False):
        assert APIClient().get(f"/api/invitations/{token}").json()["state"] == "expired"
        assert said(accept(client_of(bob), token)) == (
            410, "INVITATION_ENDED", "This invitation has expired. Ask Alice Alder for a new one.",
        )  # fmt: skip
        assert alice_api.get("/api/organisation").status_code == 401
        assert client_of(alice).post(INVITATIONS, BOB, format="json").status_code == 201
    assert roles_in(alice.own_organisation) == {"alice@alder.com": "owner"}


@pytest.mark.spec("ORG-012")
def test_a_new_link_ends_the_old_one_and_revoking_ends_it_at_once(alice_api: APIClient, bob: User) -> None:
    first, api = invite(alice_api), client_of(bob)
    again = alice_api.post(f"{INVITATIONS}/{Invitation.objects.get().public_id}/resend")
    read_mails()
    second = find_mailed_token("invitation")
    assert (again.status_code, second == first) == (200, False)
    ended = (410, "INVITATION_ENDED", "This invitation has expired. Ask Alice Alder for a new one.")
    assert said(accept(api, first)) == ended
    assert alice_api.delete(f"{INVITATIONS}/{again.json()['id']}").status_code == 200
    assert alice_api.delete(f"{INVITATIONS}/{again.json()['id']}").status_code == 404
    assert said(accept(api, second)) == ended
    assert APIClient().get(f"/api/invitations/{second}").json()["state"] == "revoked"


@pytest.mark.spec("ORG-012")
def test_members_and_who_is_invited_are_not_invited_again(alice: User, alice_api: APIClient, bob: User) -> None:
    assert alice_api.post(INVITATIONS, BOB, format="json").status_code == 201
    twice = said(alice_api.post(INVITATIONS, BOB | {"email": "BOB@birch.net"}, format="json"))
    assert twice[:2] == (409, "ALREADY_INVITED")
    add_member(alice.own_organisation, bob, OrganisationRole.VIEWER)
    Invitation.objects.all().delete()
    member = said(alice_api.post(INVITATIONS, BOB, format="json"))
    assert member == (409, "ALREADY_MEMBER", "This person is a member already.")
    assert not Invitation.objects.exists()


@pytest.mark.spec("ORG-012")
def test_the_answer_does_not_tell_who_has_an_account(alice_api: APIClient, bob: User) -> None:
    known, unknown = (
        alice_api.post(INVITATIONS, {"email": email, "role": "viewer"}, format="json")
        for email in ("bob@birch.net", "nobody@birch.net")
    )
    same = {"id": "", "email": "", "created_at": "", "expires_at": ""}
    assert (known.status_code, known.json() | same) == (unknown.status_code, unknown.json() | same)


@pytest.mark.spec("ORG-012")
def test_an_admin_neither_invites_nor_makes_owners(alice: User, alice_api: APIClient, bob: User, sam: User) -> None:
    mine = alice.own_organisation
    add_member(mine, bob, OrganisationRole.ADMIN)
    other, api = add_member(mine, sam, OrganisationRole.VIEWER), client_of(bob)
    owners = alice_api.post(INVITATIONS, {"email": "ivo@ivy.net", "role": "owner"}, format="json").json()["id"]
    for answer in (
        api.post(INVITATIONS, {"email": "nora@nettle.org", "role": "owner"}, format="json"),
        api.put(f"/api/organisation/members/{other.pk}", {"role": "owner"}, format="json"),
        api.delete(f"/api/organisation/members/{Membership.objects.get(user=alice).pk}"),
        api.post(f"{INVITATIONS}/{owners}/resend"),
        api.delete(f"{INVITATIONS}/{owners}"),
    ):
        assert said(answer) == (403, "PERMISSION_DENIED", "Only an owner may make, change or remove owners.")
    assert roles_in(mine) == {"alice@alder.com": "owner", "bob@birch.net": "admin", "sam@emailcheck.app": "viewer"}
    assert Invitation.objects.get().state == "open"


@pytest.mark.spec("ORG-012")
def test_so_many_are_invited_and_belong_to_it(alice: User, alice_api: APIClient, bob: User, settings: Any) -> None:
    settings.ORGANISATION_INVITATIONS, settings.ORGANISATION_MEMBERS = 1, 2
    token = invite(alice_api)
    more = {"email": "nora@nettle.org", "role": "viewer"}
    assert said(alice_api.post(INVITATIONS, more, format="json"))[:2] == (400, "TOO_MANY_INVITATIONS")
    add_member(alice.own_organisation, make_user("ivo@ivy.net", "Ivo Ivy"), OrganisationRole.VIEWER)
    full = (409, "NO_SEAT", "Alice Alder has no free seat.")
    assert said(accept(client_of(bob), token)) == full
    Invitation.objects.update(revoked_at=timezone.now())
    assert said(alice_api.post(INVITATIONS, more, format="json")) == full
    assert Membership.objects.filter(organisation=alice.own_organisation).count() == 2


@pytest.mark.spec("ORG-012")
def test_mails_to_one_address_are_few(alice_api: APIClient) -> None:
    made = alice_api.post(INVITATIONS, BOB, format="json").json()["id"]
    answers = []
    for _ in range(5):
        answer = alice_api.post(f"{INVITATIONS}/{made}/resend")
        answers.append(answer.status_code)
        made = answer.json().get("id", made)
    assert answers == [200, 200, 200, 200, 429]
    assert Invitation.objects.filter(revoked_at=None).get().public_id == made


@pytest.mark.spec("ORG-012")
def test_an_organisation_mails_so_many_invitations_a_day(
    alice: User, alice_api: APIClient, bob: User, settings: Any
) -> None:
    settings.ORGANISATION_INVITATIONS_A_DAY = 3

    def invite_stranger(api: APIClient, number: int) -> Any:
        body = {"email": f"stranger{number}@birch.net", "role": "viewer"}
        return api.post(INVITATIONS, body, format="json")

    with time_machine.travel("2026-11-20 12:00:00+00:00", tick=False) as clock:
        api = client_of(alice)
        for number in range(2):
            made = invite_stranger(api, number)
            assert api.delete(f"{INVITATIONS}/{made.json()['id']}").status_code == 200
        clock.shift(60)
        last = invite_stranger(api, 2).json()["id"]
        read_mails()
        for refused in (invite_stranger(api, 3), api.post(f"{INVITATIONS}/{last}/resend")):
            assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMIT_EXCEEDED")
            assert refused["Retry-After"] == str(86_400 - 60)
        assert (read_mails(), Invitation.objects.get(revoked_at=None).public_id) == ([], last)
        assert invite_stranger(client_of(bob), 3).status_code == 201
        clock.shift(86_400 - 60)
        assert [invite_stranger(client_of(alice), number).status_code for number in (3, 4, 5)] == [201, 201, 429]


@pytest.mark.spec("ORG-012", "ORG-013")
def test_who_leaves_the_leaders_leaves_no_links_behind(alice: User, alice_api: APIClient, bob: User) -> None:
    member = add_member(alice.own_organisation, bob, OrganisationRole.ADMIN)
    token = invite(client_of(bob), email="nora@nettle.org")
    path = f"/api/organisation/members/{member.pk}"
    assert alice_api.put(path, {"role": "member"}, format="json").status_code == 200
    assert APIClient().get(f"/api/invitations/{token}").json()["state"] == "revoked"


@pytest.mark.spec("ORG-011")
@pytest.mark.django_db(transaction=True)
def test_sixteen_accepts_of_one_link_make_one_membership(alice: User, bob: User) -> None:
    owner = Membership.objects.get(user=alice)
    invitations.invite_person(organisation=alice.own_organisation, by=owner, email=bob.email, role="member")
    read_mails()
    token = find_mailed_token("invitation")
    joined = run_sixteen(lambda _: invitations.accept_invitation(token=token, user=bob).pk)
    assert len(set(joined)) == 1
    assert Membership.objects.filter(organisation=alice.own_organisation, user=bob).count() == 1
    assert Activity.objects.filter(action="Joined by an invitation").count() == 1
