"""The list of accounts, and one of them."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.privacy import services as privacy
from accounts.signin import services as signin
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.models import Status, Subscription
from conftest import PASSWORD, client_of, make_user

pytestmark = pytest.mark.postgres

LIST = "/api/admin/users/authenticated"


def names(sam: User, **query: Any) -> list[str]:
    answer = client_of(sam).get(LIST, query)
    assert answer.status_code == 200, answer.json()
    return [user["name"] for user in answer.json()["users"]]


@pytest.mark.spec("ADM-201", "ADM-203", "ADM-227")
def test_each_account_has_its_figures(sam: User, alice: User) -> None:
    unverified = signin.register_account(email="una@umber.org", password=PASSWORD, name="Una Umber")
    hold = ledger.open_hold(organisation_id=alice.pk, amount=30, reason="A list", key="list:1")
    ledger.close_hold(hold=hold, captured=20)
    answer = client_of(sam).get(LIST).json()
    assert (answer["total"], answer["page"]) == (3, 1)
    found = {user["id"]: user for user in answer["users"]}
    own = {"id": alice.own_organisation.public_id, "name": "Alice Alder"}
    created_at = found[alice.pk].pop("created_at")
    assert created_at == f"{alice.created_at:%Y-%m-%dT%H:%M:%SZ}"
    assert found[alice.pk] == {
        "id": alice.pk, "name": "Alice Alder", "email": "alice@alder.com", "role": "user", "status": "active",
        "subscription_plan": "growth", "credits": 80, "monthly_usage": 20, "is_protected": False,
        "is_colleague": False, "email_verified": True,
        "own_organisation": own,
        "owned_organisations": [own | {"subscription_plan": "growth", "credits": 80, "monthly_usage": 20}],
    }  # fmt: skip
    assert (found[sam.pk]["role"], found[sam.pk]["is_colleague"]) == ("admin", True)
    assert found[unverified.pk]["email_verified"] is False
    assert (found[unverified.pk]["subscription_plan"], found[unverified.pk]["credits"]) == ("free", 0)


@pytest.mark.spec("ADM-204", "ADM-013", "ADM-221")
@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", ["Änne Ölmann", "Bob Birch", "Alice Alder", "Sam Staff"]), ("ALDER", ["Alice Alder"]),
        ("e al", ["Alice Alder"]), ("BIRCH.net", ["Bob Birch"]), (" bob ", ["Bob Birch"]), ("100%", []), ("_", []),
        ("änne", ["Änne Ölmann"]), ("ÖLM", ["Änne Ölmann"]), ("nobody", []),
    ],
)  # fmt: skip
def test_a_part_of_name_or_address_finds_accounts(
    sam: User, alice: User, bob: User, search: str, found: list[str]
) -> None:
    make_user("oelmann@oak.de", "Änne Ölmann")
    assert names(sam, search=search) == found
    assert client_of(sam).get(LIST, {"search": search}).json()["total"] == len(found)


@pytest.mark.spec("ADM-205", "ADM-223", "ADM-221")
def test_plans_are_told_apart_as_they_count_now(sam: User, alice: User) -> None:
    people = {plan: make_user(f"{plan}@oak.de", plan.title(), plan=plan) for plan in Plan}
    over = make_user("over@oak.de", "Trial over", plan=Plan.FREE)
    on = make_user("on@oak.de", "Trial on", plan=Plan.FREE)
    for user in (over, on):
        start_trial(organisation=user.own_organisation)
    Subscription.objects.filter(organisation=over.own_organisation).update(
        trial_ends_at=timezone.now() - timedelta(minutes=1)
    )
    assert names(sam, plan="free") == ["Trial over", "Free"]
    trial_plan = Subscription.objects.get(organisation=on.own_organisation).plan
    for plan in ("starter", "growth", "pro", "enterprise", "custom"):
        found = names(sam, plan=plan)
        assert people[Plan(plan)].name in found
        assert ("Trial on" in found) == (plan == trial_plan)
        listed = client_of(sam).get(LIST, {"plan": plan}).json()["users"]
        assert {user["subscription_plan"] for user in listed} == {plan}
    assert client_of(sam).get(LIST, {"plan": "gold"}).status_code == 400
    assert client_of(sam).get(LIST).json()["total"] == 10


@pytest.mark.spec("ADM-221")
def test_lists_are_sorted_and_paged_on_the_server(sam: User) -> None:
    people = [make_user(f"p{number}@oak.de", name) for number, name in enumerate(("cleo", "Ada", "Bea"))]
    for number, user in enumerate(people):
        ledger.grant_credits(
            organisation_id=user.pk, kind=LotKind.PACK, amount=number + 1, reason="Test", key=f"more:{user.pk}"
        )
    assert names(sam, sort="name") == ["Ada", "Bea", "cleo", "Sam Staff"]
    assert names(sam, sort="-name") == ["Sam Staff", "cleo", "Bea", "Ada"]
    assert names(sam, sort="created_at") == ["Sam Staff", "cleo", "Ada", "Bea"]
    assert names(sam, sort="credits") == ["Sam Staff", "cleo", "Ada", "Bea"]
    assert names(sam, sort="-credits") == ["Bea", "Ada", "cleo", "Sam Staff"]
    pages = [names(sam, sort="name", page=page, page_size=3) for page in (1, 2, 3)]
    assert pages == [["Ada", "Bea", "cleo"], ["Sam Staff"], []]
    totals = [client_of(sam).get(LIST, {"page": page, "page_size": 3}).json()["total"] for page in (1, 2, 3)]
    assert totals == [4, 4, 4]
    for wrong in ({"page": 0}, {"page_size": 201}, {"sort": "password"}):
        assert client_of(sam).get(LIST, wrong).status_code == 400


@pytest.mark.spec("ADM-221")
def test_a_page_of_many_takes_as_many_queries_as_one_of_few(sam: User, alice: User) -> None:
    api = client_of(sam)
    counts = []
    for number in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert api.get(LIST, {"search": "a", "plan": "growth", "sort": "-credits"}).status_code == 200
        counts.append(len(queries))
        for more in range(8):
            make_user(f"a{number}{more}@oak.de", f"A {more}")
    assert counts[0] == counts[1]


@pytest.mark.spec("ADM-203", "ADM-226")
def test_closed_accounts_are_not_listed(sam: User, alice: User) -> None:
    privacy.close_account(user=alice)
    assert names(sam) == ["Sam Staff"]
    assert client_of(sam).get(f"/api/admin/users/{alice.pk}").json()["detail"] == "User not found"


@pytest.mark.spec("ADM-203", "ADM-219")
def test_one_account_with_what_hangs_on_it(sam: User, alice: User, settings: Any) -> None:
    settings.PROTECTED_ADMIN_EMAILS = ("alice@alder.com",)
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=5, reason="Test", key="pack")
    client_of(alice)
    found = client_of(sam).get(f"/api/admin/users/{alice.pk}").json()
    assert (found["user"]["credits"], found["user"]["is_protected"], found["user"]["mfa"]) == (105, True, False)
    assert [(lot["kind"], lot["remaining"]) for lot in found["lots"]] == [("plan", 100), ("pack", 5)]
    assert found["lots"][1]["expires_at"] is None
    assert [set(session) for session in found["sessions"]] == [{"device", "last_used_at"}]
    assert (found["payments"], found["batches"]) == ([], [])
    assert Subscription.objects.get(organisation=alice.own_organisation).status == Status.ACTIVE
