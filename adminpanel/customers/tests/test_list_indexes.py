"""The filters of the list of accounts do not read all organisations and subscriptions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from conftest import client_of

LIST = "/api/admin/users/authenticated"


@pytest.fixture
def many(alice: User) -> None:
    """Alice on Growth, in an organisation with a name, among many, most on Free, whose organisations have none."""
    Organisation.objects.filter(pk=alice.own_organisation.pk).update(company="Alder & Ash")
    people = User.objects.bulk_create(User(email=f"user{n}@oak.de", name=f"User {n}") for n in range(2_000))
    others = Organisation.objects.bulk_create(Organisation(holder=one) for one in people)
    owners = zip(others, people, strict=True)
    Membership.objects.bulk_create(
        Membership(organisation=one, user=user, role=OrganisationRole.OWNER) for one, user in owners
    )
    plans = [Plan.STARTER, Plan.PRO, Plan.ENTERPRISE, Plan.CUSTOM] + [Plan.FREE] * (len(others) - 4)
    pairs = zip(others, plans, strict=True)
    Subscription.objects.bulk_create(Subscription(organisation=one, plan=plan) for one, plan in pairs)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@pytest.mark.spec("ADM-204", "ADM-205")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="the plans of SQLite")
@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    ("query", "found", "index"),
    [
        ({"search": "alder & ash"}, ["Alice Alder"], "accounts_organisation USING INDEX organisation_named"),
        (
            {"plan": "growth"},
            ["Sam Staff", "Alice Alder"],
            "billing_subscription USING INDEX subscription_plan (plan=?)",
        ),
    ],
)
def test_a_filter_looks_into_an_index(sam: User, query: dict[str, str], found: list[str], index: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        answer = client_of(sam).get(LIST, query)
    assert [user["name"] for user in answer.json()["users"]] == found
    with connection.cursor() as cursor:
        plans = [cursor.execute(f"EXPLAIN QUERY PLAN {one['sql']}").fetchall() for one in asked]
    steps = [step[3] for plan in plans for step in plan]
    table = index.partition(" ")[0]
    assert any(index in step for step in steps), steps
    assert f"SCAN {table}" not in steps
