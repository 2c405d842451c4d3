"""Plans that staff make and assign."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.db import connection
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditLot
from billing.subscriptions.models import Subscription
from conftest import client_of, make_user
from quotes.custom_plans import services as custom_plans
from quotes.custom_plans.models import CustomPlan

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
PLAN = {
    "name": "Agency",
    "description": "For agencies",
    "monthlyPrice": "199.99",
    "yearlyPrice": "1999.00",
    "credits": 40_000,
    "features": ["Bulk Validation", "SLA Guarantee"],
    "customFeatures": " Own domain, , Bulk Validation,Reports ",
    "targetCustomer": "Agencies",
}
PATH = "/api/admin/custom-plans"


@pytest.fixture
def sam_api(sam: User) -> APIClient:
    return client_of(sam)


def made(api: APIClient, **fields: Any) -> Any:
    answer = api.post(PATH, {**PLAN, **fields}, format="json")
    assert answer.status_code == 201, answer.json()
    return answer.json()["plan"]


@pytest.mark.spec("ADM-506", "ADM-507", "ADM-513")
def test_a_plan_is_made_and_listed(sam_api: APIClient) -> None:
    answer = sam_api.post(PATH, PLAN, format="json").json()
    (seen,) = sam_api.get(PATH).json()["plans"]
    assert (answer["success"], answer["message"], answer["plan"]) == (True, "Custom plan created successfully!", seen)
    assert seen.pop("createdAt")
    assert seen == {
        "id": CustomPlan.objects.get().pk,
        "name": "Agency",
        "description": "For agencies",
        "monthlyPrice": 199.99,
        "yearlyPrice": 1999.0,
        "credits": 40_000,
        "features": ["Bulk Validation", "SLA Guarantee", "Own domain", "Reports"],
        "targetCustomer": "Agencies",
        "isActive": True,
    }


@pytest.mark.spec("ADM-504", "ADM-505", "LIM-031")
@pytest.mark.parametrize(
    "fields",
    [
        {"name": " "},
        {"targetCustomer": ""},
        {"monthlyPrice": -0.01},
        {"yearlyPrice": "1.001"},
        {"monthlyPrice": None},
        {"credits": -1},
        {"credits": 1.5},
        {"features": ["Free lunch"]},
        {"customFeatures": {"a": 1}},
        {"customFeatures": [1]},
    ],
)
def test_a_plan_that_cannot_be_is_not_made(sam_api: APIClient, fields: dict[str, Any]) -> None:
    answer = sam_api.post(PATH, {**PLAN, **fields}, format="json")
    assert (answer.status_code, CustomPlan.objects.count()) == (400, 0)


@pytest.mark.spec("ADM-511")
def test_a_plan_is_edited_and_cloned(sam_api: APIClient) -> None:
    plan = made(sam_api)
    changes = {"isActive": False, "credits": 1, "customFeatures": ["Own domain"]}
    edited = sam_api.put(f"{PATH}/{plan['id']}", changes, format="json").json()["plan"]
    assert edited == {**plan, "isActive": False, "credits": 1, "features": ["Own domain"]}
    copy = sam_api.post(f"{PATH}/{plan['id']}/clone").json()["plan"]
    named = sam_api.post(f"{PATH}/{plan['id']}/clone", {"name": "Agency 2"}, format="json").json()["plan"]
    assert (copy["name"], copy["isActive"], copy["credits"], named["name"]) == ("Agency (Copy)", True, 1, "Agency 2")
    assert CustomPlan.objects.count() == 3
    unknown = sam_api.put(f"{PATH}/99999", {}, format="json")
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "Plan not found")


@pytest.mark.spec("ADM-514", "ORG-024")
def test_an_active_plan_is_assigned_and_later_edits_do_not_reach_it(sam: User, sam_api: APIClient) -> None:
    plan, erin = made(sam_api), make_user("erin@elm.org", "Erin", plan=Plan.FREE)
    body = {"user_id": erin.pk, "billing_cycle": "yearly", "reason": "Agreed by phone"}
    answer = sam_api.post(f"{PATH}/{plan['id']}/assign", body, format="json")
    assert answer.json() == {"success": True, "message": "Plan assigned to erin@elm.org"}
    sam_api.put(f"{PATH}/{plan['id']}", {"credits": 5}, format="json")
    standing = Subscription.objects.get(organisation=erin.own_organisation)
    assert (standing.plan, standing.cycle, standing.custom_monthly_credits) == ("custom", "yearly", 40_000)
    assert CreditLot.objects.filter(organisation=erin.own_organisation, granted=40_000, kind="plan").count() == 1
    line = Activity.objects.get(organisation=erin.own_organisation, action="Plan Agency assigned")
    assert (line.staff_id, line.changes["reason"]) == (sam.pk, "Agreed by phone")
    assert (line.changes["plan"], line.changes["credits"]) == (["Free Trial", "Custom"], [100, 40_100])
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-514")
def test_what_cannot_be_assigned_is_not(alice: User, sam_api: APIClient) -> None:
    active, inactive = made(sam_api), made(sam_api, isActive=False)
    body = {"user_id": alice.pk, "billing_cycle": "monthly", "reason": "Agreed by phone"}

    def refusal(plan: Any, **fields: Any) -> tuple[int, str]:
        answer = sam_api.post(f"{PATH}/{plan['id']}/assign", {**body, **fields}, format="json")
        return answer.status_code, answer.json()["detail"]

    assert refusal(inactive) == (400, "Inactive plans cannot be assigned")
    assert refusal({"id": 99_999}) == (404, "Plan not found")
    assert refusal(active, user_id=99_999) == (404, "User not found")
    assert refusal(active, user_id=None, email="nobody@elm.org") == (404, "User not found")
    for named in ({"user_id": None}, {"email": alice.email}, {"billing_cycle": "weekly"}, {"reason": ""}):
        assert refusal(active, **named)[0] == 400
    assert Subscription.objects.get(organisation=alice.own_organisation).plan == "growth"


@pytest.mark.spec("ADM-514")
def test_a_plan_that_is_assigned_twice_brings_its_credits_once(sam_api: APIClient) -> None:
    plan, erin = made(sam_api), make_user("erin@elm.org", "Erin", plan=Plan.FREE)
    body = {"email": "Erin@ELM.org", "billing_cycle": "monthly", "reason": "Agreed by phone"}
    for _ in range(2):
        answer = sam_api.post(f"{PATH}/{plan['id']}/assign", body, format="json")
        assert answer.json() == {"success": True, "message": "Plan assigned to erin@elm.org"}
    assert CreditLot.objects.filter(organisation=erin.own_organisation, granted=40_000, kind="plan").count() == 1
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-514")
def test_going_to_and_fro_between_custom_plans_earns_nothing(sam: User, sam_api: APIClient) -> None:
    small, large = made(sam_api)["id"], made(sam_api, credits=60_000)["id"]
    erin = make_user("erin@elm.org", "Erin", plan=Plan.FREE)
    with time_machine.travel("2030-01-31T12:00:00Z", tick=False):
        for plan in (small, large, small, large):
            custom_plans.assign_plan(staff=sam, plan_id=plan, user_id=erin.pk, cycle=Cycle.MONTHLY, reason="Agreed")
    granted = (
        CreditLot.objects.filter(organisation=erin.own_organisation, kind="plan")
        .order_by("pk")
        .values_list("granted", flat=True)
    )
    assert (list(granted), Subscription.objects.get(organisation=erin.own_organisation).custom_monthly_credits) == (
        [40_000, 20_000],
        60_000,
    )
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-514")
def test_of_sixteen_assignments_at_once_one_brings_credits(sam: User, sam_api: APIClient) -> None:
    plan, erin = made(sam_api), make_user("erin@elm.org", "Erin", plan=Plan.FREE)

    def once(_: int) -> str:
        try:
            reached = custom_plans.assign_plan(
                staff=sam, plan_id=plan["id"], user_id=erin.pk, cycle=Cycle.MONTHLY, reason="Agreed"
            )
            return reached.contact.email
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(once, range(16))) == {"erin@elm.org"}
    assert CreditLot.objects.filter(organisation=erin.own_organisation, granted=40_000, kind="plan").count() == 1
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-514", "ORG-035")
def test_a_plan_is_assigned_to_the_organisation_that_is_named_if_the_person_owns_it(
    alice: User, bob: User, sam_api: APIClient
) -> None:
    plan = made(sam_api)
    Organisation.objects.filter(holder=alice).update(name="Alder works", holder=None)
    works = Membership.objects.get(user=alice).organisation
    Membership.objects.filter(user=alice).update(user=bob)  # Bob's now, who holds one of his own
    Membership.objects.create(organisation=works, user=alice, role=OrganisationRole.ADMIN)
    body = {"billing_cycle": "monthly", "reason": "Agreed by phone", "organisation": works.public_id}

    def assign(**fields: Any) -> tuple[int, str]:
        answer = sam_api.post(f"{PATH}/{plan['id']}/assign", body | fields, format="json")
        return answer.status_code, answer.json().get("detail") or answer.json()["message"]

    def plans() -> dict[str, str]:
        return dict(Subscription.objects.values_list("organisation__public_id", "plan"))

    before = plans()
    not_owned = (404, "This person owns no organisation with this id")
    assert assign(user_id=alice.pk) == assign(user_id=bob.pk, organisation="org_unknown") == not_owned
    assert assign(email=alice.email) == not_owned
    assert plans() == before
    for whose in ({"user_id": bob.pk}, {"email": "BOB@birch.net"}):
        assert assign(**whose) == (200, "Plan assigned to Alder works")
    assert plans() == before | {works.public_id: "custom"}
    assert CreditLot.objects.filter(organisation=works, granted=40_000, kind="plan").count() == 1
    assert not Activity.objects.filter(organisation=bob.own_organisation, action="Plan Agency assigned").exists()
    assert Activity.objects.filter(organisation=works, action="Plan Agency assigned").count() == 2
    assert assign(user_id=bob.pk, organisation="") == (200, "Plan assigned to bob@birch.net")
    assert plans()[bob.own_organisation.public_id] == "custom"
