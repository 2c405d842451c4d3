"""Whatever happens to organisations and their people: every open account holds one of its own, and can go on."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.access.models import ApiKey
from accounts.activity.models import Activity
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.privacy import services as privacy
from accounts.signin.models import Purpose
from accounts.signin.one_time_tokens import create_token
from accounts.tests.mailed import post_auth
from accounts.tests.team import add_member
from accounts.users.models import User
from conftest import PASSWORD, client_of, make_user
from emailcheck.common import personal
from emailcheck.common.testing import drain_queue

ORGANISATION = "/api/organisation"
CONFIRMED = {"name": "Alice Alder", "password": PASSWORD}
NEW_PASSWORD = "another-horse-42"


def call_as(user: User, method: str, path: str, body: dict[str, Any] | None = None) -> None:
    """Call in the organisation that is Alice's at the start."""
    api = client_of(User.objects.get(pk=user.pk))
    answer = getattr(api, method)(f"{ORGANISATION}{path}", body, format="json")
    assert answer.status_code in (200, 201, 204), answer.json()


def accept_transfer(alice: User, bob: User) -> None:
    call_as(alice, "post", "/transfer", {"member_id": of(bob, alice), "password": PASSWORD})
    call_as(bob, "post", "/transfer/accept")


def delete_as_holder(alice: User, bob: User) -> None:
    call_as(alice, "delete", "", CONFIRMED)


def delete_as_other_owner(alice: User, bob: User) -> None:
    make_owner(alice, bob)
    call_as(bob, "delete", "", CONFIRMED)


def delete_and_be_cut_off(alice: User, bob: User) -> None:
    delete_as_holder(alice, bob)
    personal.delete_in_slices(ApiKey.objects.filter(organisation=alice.pk))


def delete_to_the_end(alice: User, bob: User) -> None:
    delete_as_holder(alice, bob)
    drain_queue()


def leave_as_holder(alice: User, bob: User) -> None:
    make_owner(alice, bob)
    call_as(alice, "post", "/leave")


def leave_as_member(alice: User, bob: User) -> None:
    call_as(bob, "post", "/leave")


def remove_the_holder(alice: User, bob: User) -> None:
    make_owner(alice, bob)
    call_as(bob, "delete", f"/members/{of(alice, alice)}")


def demote_the_holder(alice: User, bob: User) -> None:
    make_owner(alice, bob)
    call_as(bob, "put", f"/members/{of(alice, alice)}", {"role": "viewer"})


def leave_who_had_no_other(alice: User, bob: User) -> None:
    Organisation.objects.filter(holder=bob).update(holder=None)
    Membership.objects.filter(user=bob).exclude(organisation=alice.pk).delete()
    call_as(bob, "post", "/leave")


def suspend_and_readmit(alice: User, bob: User) -> None:
    staff = make_user("sam@emailcheck.app", "Sam Staff", role="admin")
    path = f"/api/admin/users/{alice.pk}"
    for body in ({"status": "suspended", "suspension_reason": "Abuse"}, {"status": "active"}):
        assert client_of(staff).put(path, body, format="json").status_code == 200


def close_the_holder(alice: User, bob: User) -> None:
    make_owner(alice, bob)
    privacy.close_account(user=alice)


def close_the_holder_to_the_end(alice: User, bob: User) -> None:
    close_the_holder(alice, bob)
    drain_queue()


def close_a_member(alice: User, bob: User) -> None:
    privacy.close_account(user=bob)
    drain_queue()


def of(user: User, owner: User) -> int:
    return Membership.objects.get(user=user, organisation=owner.pk).pk


def make_owner(alice: User, bob: User) -> None:
    Membership.objects.filter(user=bob, organisation=alice.pk).update(role=OrganisationRole.OWNER)


PATHS = (
    accept_transfer,
    delete_as_holder,
    delete_as_other_owner,
    delete_and_be_cut_off,
    delete_to_the_end,
    leave_as_holder,
    leave_as_member,
    leave_who_had_no_other,
    remove_the_holder,
    demote_the_holder,
    suspend_and_readmit,
    close_the_holder,
    close_the_holder_to_the_end,
    close_a_member,
)


@pytest.fixture
def both(alice: User, bob: User) -> tuple[User, User]:
    """Bob is a member of Alice's organisation too."""
    add_member(alice.own_organisation, bob, OrganisationRole.MEMBER)
    return alice, bob


@pytest.mark.spec("ORG-014", "ORG-034")
@pytest.mark.parametrize("happen", PATHS)
def test_every_open_account_owns_an_organisation_that_is_there(
    both: tuple[User, User], happen: Callable[[User, User], None]
) -> None:
    happen(*both)
    for user in User.objects.filter(deleted_at=None):
        own = Organisation.objects.get(holder=user)
        assert (own.deleted_at, own.is_active) == (None, True)
        assert Membership.objects.get(user=user, organisation=own).role == OrganisationRole.OWNER


@pytest.mark.spec("ORG-014", "ORG-034")
@pytest.mark.parametrize("happen", PATHS)
def test_what_concerns_a_person_alone_goes_on(
    both: tuple[User, User], happen: Callable[[User, User], None], client: Client
) -> None:
    happen(*both)
    for user in User.objects.filter(deleted_at=None, email__in=["alice@alder.com", "bob@birch.net"]):
        check_calls(user, client_of(user), client)


def check_calls(user: User, api: APIClient, stranger: Client) -> None:
    own = Organisation.objects.get(holder=user)
    assert api.get(ORGANISATION, HTTP_X_ORGANISATION=own.public_id).json()["id"] == own.public_id
    assert api.post("/api/feedback", {"context": "docs/keys", "rating": 4}, format="json").status_code == 200
    assert api.post("/api/feedback", {"context": "bat_none", "rating": 4}, format="json").status_code == 400
    exported = json.loads(api.get("/api/user/export-data").getvalue())["data"]
    assert own.public_id in [one["public_id"] for one in exported["organisation"]]
    assert Activity.objects.filter(organisation=own, user=user, action="Data exported").count() == 1
    token = create_token(user=user, purpose=Purpose.RESET)
    assert stranger.get(f"/api/auth/verify-reset-token/{token}").json()["valid"] is True
    answer = post_auth(stranger, "reset-password", token=token, password=NEW_PASSWORD)
    assert answer.status_code == 200
    assert post_auth(Client(), "login", email=user.email, password=NEW_PASSWORD).status_code == 200
