"""What keys see of lists that are for their makers, owners and admins alone."""

from collections.abc import Callable
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
from billing.clients import services as clients
from conftest import client_with
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.results.models import Result
from validation.tests import stored
from validation.tests.team import add_member

LIVING = "ida.holm@harborquill.com"


@pytest.fixture
def org(alice: User) -> Organisation:
    return alice.own_organisation


@pytest.fixture
def maker(org: Organisation) -> User:
    return add_member(org, OrganisationRole.MEMBER, "maker")


@pytest.fixture
def batch(org: Organisation, maker: User) -> Batch:
    """A private list of the maker beside an open one."""
    stored.finished(org.contact, [("open@harborquill.com", "valid")], filename="open.csv")
    made = stored.finished(
        org.contact, [("hidden@harborquill.com", "valid"), ("b@x.org", "invalid")], filename="hidden.csv"
    )
    Batch.objects.filter(pk=made.pk).update(private=True, maker=maker)
    made.refresh_from_db()
    return made


def key_of(organisation: Organisation, maker: User) -> APIClient:
    return client_with(
        keys.create_key(organisation=organisation, maker=maker, name="Shop", scopes=[Scope.READ, Scope.WRITE])[1]
    )


def sees(client: APIClient, batch: Batch) -> bool:
    """Whether a client finds the list. All calls that read it, or its first result, and the history have to agree."""
    result = Result.objects.filter(batch=batch).order_by("position")[0]
    base = f"/api/validate/batch/{batch.public_id}"
    paths = [base, *(f"{base}/{part}" for part in ("status", "results", "export", "reach", "report.pdf"))]
    found = client.get(f"/api/validate/result/{result.pk}").status_code == 200
    assert [client.get(path).status_code for path in paths] == ([200] * 6 if found else [404] * 6)
    answer = client.get("/api/validate/batches").json()
    shown = [one["filename"] for one in answer["batches"]]
    counts = (answer["batches_total"], len(answer["validations"]), answer["total"])
    assert (shown, counts) == ((["hidden.csv", "open.csv"], (2, 3, 3)) if found else (["open.csv"], (1, 1, 1)))
    assert ("hidden@harborquill.com" in str(client.get("/api/validate/batches?search=hidden").json())) is found
    return found


@pytest.mark.spec("ORG-022")
@pytest.mark.parametrize("role", OrganisationRole)
def test_a_key_sees_private_lists_as_far_as_its_maker_leads(
    org: Organisation, batch: Batch, role: OrganisationRole
) -> None:
    client = key_of(org, add_member(org, role))
    assert sees(client, batch) is (role in (OrganisationRole.OWNER, OrganisationRole.ADMIN))


@pytest.mark.spec("ORG-022")
def test_a_key_sees_the_private_lists_of_its_maker(org: Organisation, maker: User, batch: Batch) -> None:
    client = key_of(org, maker)
    assert sees(client, batch)
    Membership.objects.filter(user=maker).delete()
    assert sees(client, batch)


@pytest.mark.spec("ORG-022")
def test_the_role_that_counts_is_that_of_now(org: Organisation, batch: Batch) -> None:
    person = add_member(org, OrganisationRole.ADMIN)
    client, mine = key_of(org, person), Membership.objects.filter(user=person, organisation=org)
    assert sees(client, batch)
    mine.update(role=OrganisationRole.DEVELOPER)
    assert not sees(client, batch)
    mine.update(role=OrganisationRole.OWNER)
    assert sees(client, batch)
    mine.delete()
    assert not sees(client, batch)


@pytest.mark.spec("ORG-022")
def test_a_key_without_a_maker_sees_no_private_list(org: Organisation, batch: Batch) -> None:
    person = add_member(org, OrganisationRole.ADMIN)
    client = key_of(org, person)
    person.delete()
    assert not sees(client, batch)
    Batch.objects.filter(pk=batch.pk).update(maker=None)
    assert not sees(client, batch)


@pytest.mark.spec("ORG-022", "ORG-032")
def test_keys_that_an_agency_made_see_all_lists_while_it_may_act(alice: User, bob: User) -> None:
    client = clients.make_client(agency=alice.own_organisation, name="Cedar Books")
    admin = add_member(alice.own_organisation, OrganisationRole.ADMIN)
    Membership.objects.create(organisation=client, user=bob, role=OrganisationRole.OWNER)
    batch = stored.finished(bob, [("open@harborquill.com", "valid")], filename="open.csv")
    Batch.objects.filter(pk=batch.pk).update(organisation=client, private=True)
    api = key_of(client, admin)
    path, roles = f"/api/validate/batch/{batch.public_id}", Membership.objects.filter(user=admin)
    assert api.get(path).status_code == 200
    roles.filter(organisation=alice.own_organisation).update(role=OrganisationRole.DEVELOPER)
    assert api.get(path).status_code == 404
    roles.filter(organisation=alice.own_organisation).update(role=OrganisationRole.OWNER)
    assert api.get(path).status_code == 200
    Organisation.objects.filter(pk=client.pk).update(agency_may_act=False)
    assert api.get(path).status_code == 404
    Organisation.objects.filter(pk=client.pk).update(agency_may_act=True)
    Membership.objects.create(organisation=client, user=admin, role=OrganisationRole.MEMBER)
    assert api.get(path).status_code == 404


@pytest.mark.spec("ORG-022")
def test_what_a_key_may_not_see_it_does_not_change(org: Organisation, batch: Batch) -> None:
    client, path = key_of(org, add_member(org, OrganisationRole.DEVELOPER)), f"/api/validate/batch/{batch.public_id}"
    changes = [client.delete(path), *(client.post(f"{path}/{what}") for what in ("cancel", "recheck", "check-in-full"))]
    assert [answer.status_code for answer in changes] == [404] * 4
    result = Result.objects.filter(batch=batch)[0]
    assert client.delete(f"/api/validate/result/{result.pk}").status_code == 404
    kept = Batch.objects.get(pk=batch.pk)
    assert (kept.deleted_at, kept.status, Result.objects.filter(batch=batch).count()) == (None, "completed", 2)


@pytest.mark.spec("ORG-022")
def test_whose_key_it_is_costs_no_query(world: Sandbox, org: Organisation, batch: Batch) -> None:
    makers = [add_member(org, role) for role in (OrganisationRole.ADMIN, OrganisationRole.DEVELOPER)]
    admin, developer = (key_of(org, maker) for maker in makers)
    path = f"/api/validate/batch/{Batch.objects.get(filename='open.csv').public_id}"
    assert len(queries_of(lambda: admin.get(path))) == len(queries_of(lambda: developer.get(path)))
    single = queries_of(lambda: developer.post("/api/validate/single", {"email": LIVING}, format="json"))
    assert [query for query in single if "accounts_membership" in query] == []


def queries_of(call: Callable[[], Any]) -> list[str]:
    """Those of a call, when it is made for the second time."""
    assert call().status_code == 200
    with CaptureQueriesContext(connection) as queries:
        assert call().status_code == 200
    return [query["sql"] for query in queries]
