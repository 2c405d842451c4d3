"""Members: seen, given another role, removed, gone; and working in one of several organisations."""

from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.core import mail
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.team import deletion, invitations, members, transfers
from accounts.tests.mailed import read_mails
from accounts.tests.team import add_member, roles_in
from accounts.users.models import User
from billing.ledger.models import CreditAccount, CreditEntry
from billing.subscriptions.members import set_member_cap
from billing.subscriptions.models import Subscription
from conftest import PASSWORD, client_of, client_with
from emailcheck.common import registry
from emailcheck.common.errors import NotFound, Refused
from emailcheck.common.testing import run_sixteen

ORGANISATION = "/api/organisation"
MEMBERS = "/api/organisation/members"
LEAVE = "/api/organisation/leave"


def said(answer: Any) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


def path_of(member: Membership) -> str:
    return f"{MEMBERS}/{member.pk}"


@pytest.mark.spec("ORG-003")
def test_everybody_sees_name_seats_and_what_they_may(alice: User, alice_api: APIClient, bob: User) -> None:
    mine = alice.own_organisation
    answer = alice_api.get(ORGANISATION).json()
    assert answer == {
        "id": mine.public_id, "name": "Alice Alder", "role": "owner",
        "rights": ["look", "read", "check", "change_lists", "develop", "pay", "manage", "own"], "alone": True,
        "seats": {"used": 1, "most": 100}, "invitations": {"open": 0, "most": 50}, "transfer": None, "agency": None,
    }  # fmt: skip
    alice_api.post(f"{ORGANISATION}/invitations", {"email": "ivo@ivy.net", "role": "viewer"}, format="json")
    add_member(mine, bob, OrganisationRole.BILLING)
    seen = client_of(bob).get(ORGANISATION).json()
    assert (seen["role"], seen["rights"], seen["alone"]) == ("billing", ["look", "pay"], False)
    assert (seen["seats"]["used"], seen["invitations"]["open"]) == (2, 1)


@pytest.mark.spec("ORG-003")
def test_the_list_says_more_to_whoever_manages_it(
    alice: User, alice_api: APIClient, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry.above, "count_member_credits", lambda organisation: {bob.pk: 7})
    member = add_member(alice.own_organisation, bob, OrganisationRole.VIEWER)
    alice_api.post(f"{ORGANISATION}/invitations", {"email": "ivo@ivy.net", "role": "viewer"}, format="json")
    full, less = alice_api.get(MEMBERS).json(), client_of(bob).get(MEMBERS).json()
    assert full["members"][1] == {
        "id": member.pk, "name": "Bob Birch", "email": "bob@birch.net", "role": "viewer", "last_active_at": None,
        "credits_this_month": 7, "monthly_cap": None, "has_second_factor": False, "is_you": False,
    }  # fmt: skip
    assert [one["email"] for one in full["invitations"]] == ["ivo@ivy.net"]
    assert [role["may_give"] for role in full["roles"]] == [True] * 6
    assert (less["invitations"], [one["has_second_factor"] for one in less["members"]]) == ([], [None, None])
    assert [one["is_you"] for one in less["members"]] == [False, True]
    assert full["members"][0]["last_active_at"] is not None
    assert less["roles"][5] == {
        "role": "billing", "name": "Billing", "may_give": False,
        "sentence": "Plan, packs, payments, invoices, statement and quotes; no address and no result.",
    }  # fmt: skip


@pytest.mark.spec("ORG-003")
def test_keys_are_refused(alice: User) -> None:
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1])
    for answer in (api.get(ORGANISATION), api.get(MEMBERS), api.post(LEAVE)):
        assert said(answer)[:2] == (403, "PERMISSION_DENIED")


@pytest.mark.spec("ORG-003")
def test_presence_is_noted_once_a_minute(alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        api = client_of(alice)
        for seconds, noted in ((0, "12:00:00"), (59, "12:00:00"), (60, "12:01:00")):
            clock.move_to(f"2026-03-01 12:{seconds // 60:02}:{seconds % 60:02}+00:00")
            api.get(ORGANISATION)
            at = Membership.objects.get().last_active_at
            assert at is not None
            assert f"{at:%H:%M:%S}" == noted


@pytest.mark.spec("ORG-003")
def test_leaders_rename_it(alice: User, alice_api: APIClient, bob: User) -> None:
    add_member(alice.own_organisation, bob, OrganisationRole.DEVELOPER)
    renamed = alice_api.put(ORGANISATION, {"name": "Alder & Ash"}, format="json")
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Alder & Ash")
    assert said(client_of(bob).put(ORGANISATION, {"name": "Mine"}, format="json")) == (
        403, "PERMISSION_DENIED", "Your role (developer) does not allow this. Ask an owner or admin of Alder & Ash.",
    )  # fmt: skip
    assert alice_api.put(ORGANISATION, {"name": " "}, format="json").status_code == 400
    assert Organisation.objects.get(holder=alice).name == "Alder & Ash"


@pytest.mark.spec("ORG-013")
def test_a_role_is_changed_mailed_and_noted(alice: User, alice_api: APIClient, bob: User) -> None:
    member, api = add_member(alice.own_organisation, bob, OrganisationRole.VIEWER), client_of(bob)
    read_mails()
    assert api.post("/api/user/api-keys", {"name": "Shop"}, format="json").status_code == 403
    for _ in range(2):
        assert alice_api.put(path_of(member), {"role": "developer"}, format="json").status_code == 200
    assert api.post("/api/user/api-keys", {"name": "Shop"}, format="json").status_code == 201
    assert read_mails()[0] == ("bob@birch.net", "Your role in Alice Alder has changed")
    assert "Before: Viewer\nNow: Developer\n" in mail.outbox[0].body
    line = Activity.objects.get(action="Role of a member changed")
    assert (line.user, line.role, line.organisation) == (alice, "owner", alice.own_organisation)
    assert (line.target, line.changes) == (f"user:{bob.pk}", {"role": ["viewer", "developer"]})


@pytest.mark.spec("ORG-013")
def test_who_is_removed_finds_nothing_there_and_goes_on_at_home(alice: User, alice_api: APIClient, bob: User) -> None:
    mine, api = alice.own_organisation, client_of(bob)
    member = add_member(mine, bob, OrganisationRole.DEVELOPER)
    key, text = keys.create_key(organisation=mine, maker=bob, name="Shop")
    read_mails()
    assert alice_api.delete(path_of(member)).status_code == 200
    assert read_mails() == [("bob@birch.net", "You no longer belong to Alice Alder")]
    assert said(api.get(ORGANISATION, headers={"X-Organisation": mine.public_id}))[:2] == (404, "NOT_FOUND")
    assert api.get(ORGANISATION).json()["id"] == bob.own_organisation.public_id
    assert client_with(text).get("/api/auth/me").json()["organisation"]["id"] == mine.public_id
    listed = alice_api.get("/api/user/api-keys").json()["keys"]
    assert [(one["id"], one["maker"], one["maker_has_left"]) for one in listed] == [(key.pk, "Bob Birch", True)]
    assert alice_api.delete(f"/api/user/api-keys/{key.pk}").status_code == 200
    line = Activity.objects.get(action="Member removed")
    assert (line.user, line.target, line.changes) == (alice, f"user:{bob.pk}", {"role": ["developer", None]})
    assert alice_api.delete(path_of(member)).status_code == 404


@pytest.mark.spec("ORG-013")
def test_members_of_others_are_not_found(alice_api: APIClient, bob: User) -> None:
    member = Membership.objects.get(user=bob)
    for answer in (
        alice_api.put(path_of(member), {"role": "viewer"}, format="json"),
        alice_api.delete(path_of(member)),
    ):
        assert said(answer) == (404, "NOT_FOUND", "Member not found")
    assert roles_in(bob.own_organisation) == {"bob@birch.net": "owner"}


@pytest.mark.spec("ORG-013", "ORG-014")
def test_the_last_owner_stays(alice: User, alice_api: APIClient, bob: User) -> None:
    add_member(alice.own_organisation, bob, OrganisationRole.ADMIN)
    mine = Membership.objects.get(user=alice)
    for answer in (
        alice_api.put(path_of(mine), {"role": "admin"}, format="json"),
        alice_api.delete(path_of(mine)),
        alice_api.post(LEAVE),
    ):
        assert said(answer) == (
            400, "LAST_OWNER",
            "Alice Alder has no other owner. Transfer it to another member first, or delete it.",
        )  # fmt: skip
        assert answer.json()["details"] == {
            "organisation": alice.own_organisation.public_id, "ways": ["transfer", "delete"],
        }  # fmt: skip
    assert roles_in(alice.own_organisation) == {"alice@alder.com": "owner", "bob@birch.net": "admin"}


@pytest.mark.spec("ORG-014")
def test_whoever_is_not_the_last_owner_leaves(alice: User, bob: User) -> None:
    add_member(alice.own_organisation, bob, OrganisationRole.BILLING)
    api = client_of(bob)
    assert api.post(LEAVE).status_code == 200
    assert api.get(ORGANISATION).json()["id"] == bob.own_organisation.public_id
    assert roles_in(alice.own_organisation) == {"alice@alder.com": "owner"}
    assert said(api.post(LEAVE))[:2] == (400, "LAST_OWNER")
    line = Activity.objects.get(action="Left the organisation")
    assert (line.user, line.role, line.organisation) == (bob, "billing", alice.own_organisation)


@pytest.mark.spec("ORG-014")
def test_who_leaves_the_only_one_gets_an_empty_one(alice: User, bob: User) -> None:
    left = alice.own_organisation
    add_member(left, bob, OrganisationRole.OWNER)
    entries = CreditEntry.objects.count()
    assert client_of(alice).post(LEAVE).status_code == 200
    new = Organisation.objects.get(holder=alice)
    left.refresh_from_db()
    assert (new.pk == left.pk, left.holder, left.title, left.contact) == (False, None, "Alice Alder", bob)
    assert roles_in(new) == {"alice@alder.com": "owner"}
    assert (Subscription.objects.get(organisation=new).plan, CreditEntry.objects.count()) == ("free", entries)
    assert CreditAccount.objects.get(organisation=new).balance == 0
    api = client_of(alice)
    assert api.get("/api/auth/me").json()["credits"] == 0
    assert api.post("/api/trial/start", {}, format="json").status_code == 400


@pytest.mark.spec("ORG-014")
def test_who_belonged_to_one_alone_gets_an_empty_one(alice: User, bob: User) -> None:
    Organisation.objects.filter(holder=bob).delete()
    add_member(alice.own_organisation, bob, OrganisationRole.MEMBER)
    api = client_of(bob)
    assert api.post(LEAVE).status_code == 200
    here = api.get(ORGANISATION).json()
    assert (here["name"], here["role"], here["seats"]["used"]) == ("Bob Birch", "owner", 1)
    assert CreditAccount.objects.get(organisation__holder=bob).balance == 0


@pytest.mark.spec("ORG-014")
def test_the_holder_is_an_owner_who_holds_no_other(alice: User, bob: User, sam: User) -> None:
    mine = alice.own_organisation
    add_member(mine, bob, OrganisationRole.OWNER)
    add_member(mine, sam, OrganisationRole.OWNER)
    Organisation.objects.filter(holder=sam).update(holder=None)
    assert client_of(alice).post(LEAVE).status_code == 200
    assert Organisation.objects.get(pk=mine.pk).holder == sam


@pytest.mark.spec("ORG-025")
def test_a_call_works_in_the_named_organisation_else_in_the_last_one(alice: User, bob: User, sam: User) -> None:
    theirs, own, api = alice.own_organisation, bob.own_organisation, client_of(bob)
    Membership.objects.create(organisation=theirs, user=bob, role=OrganisationRole.VIEWER)

    def here(**headers: str) -> str:
        return str(api.get(ORGANISATION, headers=headers).json()["id"])

    assert here() == own.public_id
    assert here(**{"X-Organisation": theirs.public_id}) == theirs.public_id
    assert here() == own.public_id
    switched = api.post(f"{ORGANISATION}/switch", {"organisation": theirs.public_id}, format="json")
    assert (switched.status_code, switched.json()) == (
        200,
        {"id": theirs.public_id, "name": "Alice Alder", "role": "viewer", "via": None, "rights": ["look", "read"],
         "closed": None},
    )  # fmt: skip
    assert here() == theirs.public_id
    assert here(**{"X-Organisation": own.public_id}) == own.public_id
    for foreign in (sam.own_organisation.public_id, "org_unknown"):
        refused = (404, "NOT_FOUND", "Organisation not found")
        assert said(api.post(f"{ORGANISATION}/switch", {"organisation": foreign}, format="json")) == refused
        assert said(api.get(ORGANISATION, headers={"X-Organisation": foreign})) == refused
    assert here() == theirs.public_id


@pytest.mark.spec("ORG-025")
def test_nobody_switches_to_a_suspended_one(alice: User, bob: User) -> None:
    Membership.objects.create(organisation=alice.own_organisation, user=bob, role=OrganisationRole.VIEWER)
    Organisation.objects.filter(holder=alice).update(is_active=False)
    wish = {"organisation": alice.own_organisation.public_id}
    assert said(client_of(bob).post(f"{ORGANISATION}/switch", wish, format="json")) == (
        403, "ORGANISATION_SUSPENDED", "This organisation is suspended.",
    )  # fmt: skip
    bob.refresh_from_db()
    assert bob.current_organisation is None


@pytest.mark.spec("ORG-013")
@pytest.mark.django_db(transaction=True)
def test_sixteen_demotions_of_two_owners_leave_one(alice: User, bob: User) -> None:
    mine = alice.own_organisation
    both = [Membership.objects.get(user=alice), add_member(mine, bob, OrganisationRole.OWNER)]
    done = run_sixteen(
        lambda number: (
            members.change_role(
                organisation=mine, by=both[number % 2], member_id=both[1 - number % 2].pk, role=OrganisationRole.MEMBER
            ).role
        )
    )
    assert sorted(roles_in(mine).values()) == ["member", "owner"]
    assert Activity.objects.filter(action="Role of a member changed").count() == 1
    # Who was demoted first may demote nobody any more.
    assert (done.count("PERMISSION_DENIED"), done.count("member")) == (8, 8)


@pytest.mark.spec("ORG-005", "ORG-013", "ORG-015")
def test_who_lost_the_role_during_the_call_changes_nothing(alice: User, bob: User, sam: User) -> None:
    mine = alice.own_organisation
    by, other = add_member(mine, bob, OrganisationRole.OWNER), add_member(mine, sam, OrganisationRole.VIEWER)
    read_mails()
    Membership.objects.filter(pk=by.pk).update(role=OrganisationRole.MEMBER)
    sign_in = SignIn(user=bob)
    calls: list[Callable[[], Any]] = [
        lambda: members.change_role(organisation=mine, by=by, member_id=other.pk, role="admin"),
        lambda: members.remove_member(organisation=mine, by=by, member_id=other.pk),
        lambda: invitations.invite_person(organisation=mine, by=by, email="ivo@ivy.net", role="viewer"),
        lambda: transfers.offer_organisation(organisation=mine, giver=bob, member_id=other.pk),
        lambda: deletion.delete_organisation(
            organisation=mine, user=bob, sign_in=sign_in, name=mine.title, password=PASSWORD
        ),
        lambda: set_member_cap(organisation=mine, by=by, member_id=other.pk, monthly_cap=5),
    ]
    for call in calls:
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.detail == "Your role (member) does not allow this. Ask an owner or admin of Alice Alder."
    by.delete()
    with pytest.raises(NotFound):
        members.remove_member(organisation=mine, by=Membership(user=bob, organisation=mine), member_id=other.pk)
    assert roles_in(mine) == {"alice@alder.com": "owner", "sam@emailcheck.app": "viewer"}
    other.refresh_from_db()
    mine.refresh_from_db()
    assert (other.monthly_cap, mine.deleted_at, read_mails()) == (None, None, [])
