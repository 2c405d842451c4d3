"""What staff see of the organisations of a person, and whose plan and credits they change."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.access.models import Scope
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from adminpanel.customers.organisations import HOLDS_NONE
from billing.ledger.models import CreditAccount
from billing.subscriptions.models import Subscription
from conftest import client_of, client_with, make_user
from validation.tests.team import client_in


def path_of(user: User) -> str:
    return f"/api/admin/users/{user.pk}"


def join(organisation: Organisation, user: User, role: OrganisationRole) -> None:
    Membership.objects.create(organisation=organisation, user=user, role=role)


def load(sam: User, user: User) -> dict[str, Any]:
    answer = client_of(sam).get(path_of(user))
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.spec("ORG-035")
def test_staff_see_the_organisations_and_roles_of_a_person(sam: User, alice: User, bob: User) -> None:
    Organisation.objects.filter(holder=bob).update(name="Birch works")
    join(bob.own_organisation, alice, OrganisationRole.VIEWER)
    found, work = load(sam, alice), Organisation.objects.get(holder=bob)
    own = {"id": alice.own_organisation.public_id, "name": "Alice Alder"}
    assert found["user"]["own_organisation"] == own
    nothing = {"subscription_plan": None, "credits": None, "monthly_usage": None}
    assert found["organisations"] == [
        own | {"role": "owner", "via": None, "subscription_plan": "growth", "credits": 100, "monthly_usage": 0},
        {"id": work.public_id, "name": "Birch works", "role": "viewer", "via": None} | nothing,
    ]  # fmt: skip
    listed = client_of(sam).get("/api/admin/users/authenticated").json()["users"]
    names = {row["email"]: row["own_organisation"]["name"] for row in listed}
    assert names == {
        "alice@alder.com": "Alice Alder", "bob@birch.net": "Birch works", "sam@emailcheck.app": "Sam Staff",
    }  # fmt: skip


@pytest.mark.spec("ORG-035")
def test_credits_and_plan_are_those_of_the_organisation_that_the_person_holds(
    sam: User, alice: User, bob: User
) -> None:
    join(bob.own_organisation, alice, OrganisationRole.OWNER)
    User.objects.filter(pk=alice.pk).update(current_organisation=bob.own_organisation)
    change = {"credits": 150, "credits_read": 100, "reason": "A gift", "plan": "pro"}
    answer = client_of(sam).put(path_of(alice), change, format="json")
    assert (answer.status_code, answer.json()["user"]["own_organisation"]["name"]) == (200, "Alice Alder")
    plans = dict(Subscription.objects.values_list("organisation__holder__name", "plan"))
    assert (plans["Alice Alder"], plans["Bob Birch"]) == ("pro", "growth")
    assert CreditAccount.objects.get(organisation=bob.own_organisation).balance == 100
    body = {"user_emails": ["alice@alder.com"], "credits": 5}
    preview = client_of(sam).post("/api/admin/credits/bulk-grant/preview", body, format="json").json()
    whose = {"email": "alice@alder.com", "name": "Alice Alder", "organisation": "Alice Alder"}
    assert preview["found"] == [whose | {"other_organisations": ["Bob Birch"]}]


@pytest.mark.spec("ORG-035")
def test_a_suspended_person_s_only_organisation_turns_its_other_members_away(sam: User, alice: User, bob: User) -> None:
    shared = make_user("rosa@team.org", "Rosa").own_organisation
    for role, user in ((OrganisationRole.OWNER, alice), (OrganisationRole.MEMBER, bob)):
        join(shared, user, role)
    join(alice.own_organisation, bob, OrganisationRole.MEMBER)
    key = client_with(keys.create_key(organisation=alice.own_organisation, maker=bob, name="K", scopes=[Scope.READ])[1])
    for _ in range(2):
        change = {"status": "suspended", "suspension_reason": "Abuse"}
        assert client_of(sam).put(path_of(alice), change, format="json").status_code == 200
    refused = client_in(alice.own_organisation, bob).get("/api/validate/batches")
    body = refused.json()
    assert (refused.status_code, body["code"]) == (403, "ORGANISATION_SUSPENDED")
    assert body["message"] == "This organisation is suspended."
    assert key.get("/api/validate/batches").status_code == 403
    assert client_in(shared, bob).get("/api/validate/batches").status_code == 200
    assert client_of(bob).get("/api/validate/batches").status_code == 200
    assert Organisation.objects.get(pk=shared.pk).is_active
    client_of(sam).put(path_of(alice), {"status": "active"}, format="json")
    assert client_in(alice.own_organisation, bob).get("/api/validate/batches").status_code == 200


@pytest.mark.spec("ORG-035")
def test_staff_never_become_members_by_what_they_do(sam: User, alice: User) -> None:
    before = list(Membership.objects.order_by("pk").values_list("user", "organisation", "role"))
    api = client_of(sam)
    api.get(path_of(alice))
    api.put(path_of(alice), {"plan": "pro"}, format="json")
    view = api.post(f"{path_of(alice)}/view-as", {"reason": "A question"}, format="json").json()["token"]
    assert client_with(view).get("/api/auth/me").json()["email"] == "alice@alder.com"
    grant = {"user_emails": ["alice@alder.com"], "credits": 5, "reason": "promotional"}
    assert api.post("/api/admin/credits/bulk-grant", grant, format="json").status_code == 200
    assert list(Membership.objects.order_by("pk").values_list("user", "organisation", "role")) == before


@pytest.mark.spec("ORG-035")
def test_who_holds_no_organisation_is_shown_and_changed_but_for_money(sam: User, alice: User, bob: User) -> None:
    Organisation.objects.filter(holder=alice).update(holder=None)
    join(bob.own_organisation, alice, OrganisationRole.MEMBER)
    found = load(sam, alice)
    assert (found["user"]["own_organisation"], found["user"]["credits"]) == (None, 0)
    assert (found["lots"], found["batches"]) == ([], [])
    api: APIClient = client_of(sam)
    for change in ({"credits": 5, "reason": "x"}, {"plan": "pro"}):
        refused = api.put(path_of(alice), change, format="json")
        assert (refused.status_code, refused.json()["message"]) == (400, HOLDS_NONE)
    assert api.get(f"{path_of(alice)}/ledger").status_code == 400
    change = {"status": "suspended", "suspension_reason": "Abuse"}
    assert api.put(path_of(alice), change, format="json").status_code == 200
    assert not User.objects.get(pk=alice.pk).is_active


@pytest.mark.spec("ORG-035")
def test_a_person_of_many_organisations_takes_as_many_queries_as_one_of_few(sam: User, alice: User) -> None:
    api, counts = client_of(sam), []
    for number in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert api.get(path_of(alice)).status_code == 200
        counts.append(len(queries))
        for more in range(5):
            other = make_user(f"a{number}{more}@oak.de", f"A {more}")
            join(other.own_organisation, alice, OrganisationRole.MEMBER)
    assert counts[0] == counts[1]
