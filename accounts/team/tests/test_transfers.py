"""Handing an organisation over."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.team import transfers
from accounts.team.models import OwnershipTransfer
from accounts.tests.mailed import read_mails
from accounts.tests.team import add_member, roles_in
from accounts.users.models import User
from billing.ledger.models import CreditAccount
from conftest import PASSWORD, client_of
from emailcheck.common.testing import run_sixteen

TRANSFER = "/api/organisation/transfer"
BEFORE = {"alice@alder.com": "owner", "bob@birch.net": "member"}


def said(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def member(alice: User, bob: User) -> Membership:
    return add_member(alice.own_organisation, bob, OrganisationRole.MEMBER)


def offer(api: APIClient, member: Membership, password: str = PASSWORD) -> Any:
    return api.post(TRANSFER, {"member_id": member.pk, "password": password}, format="json")


@pytest.mark.spec("ORG-015")
def test_an_offer_changes_nothing_and_is_mailed_to_both(member: Membership, alice_api: APIClient, bob: User) -> None:
    read_mails()
    answer = offer(alice_api, member)
    made = OwnershipTransfer.objects.get()
    assert answer.status_code == 201
    assert answer.json() | {"expires_at": ""} == {
        "to": "Bob Birch", "to_email": "bob@birch.net", "expires_at": "", "for_you": False,
    }  # fmt: skip
    assert made.expires_at - made.created_at == timedelta(days=7)
    subject = "Ownership of Alice Alder is offered"
    assert read_mails() == [("alice@alder.com", subject), ("bob@birch.net", subject)]
    assert roles_in(member.organisation) == BEFORE
    assert client_of(bob).get("/api/organisation").json()["transfer"]["for_you"] is True
    assert said(offer(alice_api, member)) == (409, "TRANSFER_OPEN")


@pytest.mark.spec("ORG-015")
def test_it_passes_when_the_receiver_accepts(
    member: Membership, alice: User, alice_api: APIClient, bob: User, sam: User
) -> None:
    mine, api = member.organisation, client_of(bob)
    balance = CreditAccount.objects.get(organisation=mine).balance
    add_member(mine, sam, OrganisationRole.ADMIN)
    offer(alice_api, member)
    read_mails()
    for other in (alice_api, client_of(sam)):
        assert said(other.post(f"{TRANSFER}/accept")) == (404, "NOT_FOUND")
    assert api.post(f"{TRANSFER}/accept").status_code == 200
    assert roles_in(mine) == {"alice@alder.com": "admin", "bob@birch.net": "owner", "sam@emailcheck.app": "admin"}
    subject = "Ownership of Alice Alder has passed to Bob Birch"
    assert read_mails() == [("alice@alder.com", subject), ("bob@birch.net", subject)]
    assert CreditAccount.objects.get(organisation=mine).balance == balance
    assert Organisation.objects.get(pk=mine.pk).contact == bob
    assert Organisation.objects.get(holder=alice).pk != mine.pk
    line = Activity.objects.get(action="Ownership accepted")
    assert (line.user, line.role, line.changes) == (
        bob, "member",
        {
            f"role of user:{bob.pk}": ["member", "owner"],
            f"role of user:{alice.pk}": ["owner", "admin"],
        },
    )  # fmt: skip
    assert said(api.post(f"{TRANSFER}/accept")) == (404, "NOT_FOUND")


@pytest.mark.spec("ORG-015")
@pytest.mark.parametrize("given", [{}, {"password": ""}, {"password": "wrong-horse-42"}, {"code": "123456"}])
def test_it_needs_password_or_code(member: Membership, alice_api: APIClient, given: dict[str, str]) -> None:
    answer = alice_api.post(TRANSFER, {"member_id": member.pk} | given, format="json")
    assert said(answer) == (400, "INVALID_CREDENTIALS")
    assert not OwnershipTransfer.objects.exists()


@pytest.mark.spec("ORG-015")
def test_a_fresh_sign_in_with_google_stands_for_them(member: Membership, alice: User, alice_api: APIClient) -> None:
    SocialAccount.objects.create(user=alice, provider="google", uid="1")
    SignIn.objects.filter(user=alice).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    assert said(offer(alice_api, member, "")) == (403, "REAUTH_REQUIRED")
    SignIn.objects.filter(user=alice).update(confirmed_at=timezone.now())
    assert offer(alice_api, member, "").status_code == 201


@pytest.mark.spec("ORG-015")
def test_it_goes_to_another_member_by_an_owner(member: Membership, alice: User, bob: User, sam: User) -> None:
    own, stranger = Membership.objects.get(user=alice), Membership.objects.get(user=sam)
    assert said(offer(client_of(alice), own)) == (400, "VALIDATION_ERROR")
    assert said(offer(client_of(alice), stranger)) == (404, "NOT_FOUND")
    Membership.objects.filter(pk=member.pk).update(role=OrganisationRole.ADMIN)
    assert said(offer(client_of(bob), member)) == (403, "PERMISSION_DENIED")
    assert said(client_of(bob).delete(TRANSFER)) == (403, "PERMISSION_DENIED")
    assert not OwnershipTransfer.objects.exists()


@pytest.mark.spec("ORG-015")
def test_it_ends_by_itself_by_declining_and_by_withdrawing(
    member: Membership, alice: User, alice_api: APIClient, bob: User
) -> None:
    api = client_of(bob)
    offer(alice_api, member)
    assert api.post(f"{TRANSFER}/decline").status_code == 200
    offer(alice_api, member)
    assert alice_api.delete(TRANSFER).status_code == 200
    assert said(alice_api.delete(TRANSFER)) == (404, "NOT_FOUND")
    offer(alice_api, member)
    with time_machine.travel(timezone.now() + timedelta(days=7, seconds=1), tick=False):
        assert said(client_of(bob).post(f"{TRANSFER}/accept")) == (404, "NOT_FOUND")
        assert client_of(alice).get("/api/organisation").json()["transfer"] is None
        assert offer(client_of(alice), member).status_code == 201
    assert roles_in(member.organisation) == BEFORE


@pytest.mark.spec("ORG-015")
def test_it_ends_with_the_membership_of_either(member: Membership, alice_api: APIClient, bob: User) -> None:
    offer(alice_api, member)
    assert client_of(bob).post("/api/organisation/leave").status_code == 200
    assert OwnershipTransfer.objects.exclude(ended_at=None).count() == 1
    assert alice_api.get("/api/organisation").json()["transfer"] is None


@pytest.mark.spec("ORG-015")
@pytest.mark.django_db(transaction=True)
def test_of_sixteen_accepts_one_is_the_first(member: Membership, alice: User, bob: User) -> None:
    transfers.offer_organisation(organisation=member.organisation, giver=alice, member_id=member.pk)
    done = run_sixteen(lambda _: transfers.accept_transfer(organisation=member.organisation, receiver=bob).role)
    assert sorted(done) == ["NOT_FOUND"] * 15 + ["owner"]
    assert roles_in(member.organisation) == {"alice@alder.com": "admin", "bob@birch.net": "owner"}
    assert Organisation.objects.filter(holder=alice).count() == 1
