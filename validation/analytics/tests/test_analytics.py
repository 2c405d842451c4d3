"""The figures of the dashboard and the analytics."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions.models import Subscription
from billing.tests.paid import captured
from conftest import client_of
from emailcheck.common.text import check_costs
from validation.analytics import serializers as shapes
from validation.daily import buckets
from validation.results.models import Category
from validation.results.storage import tally_rows
from validation.tests.stored import counted, finished, row, single

pytestmark = pytest.mark.postgres

DASHBOARD, USAGE, ADVANCED = "/api/analytics/dashboard", "/api/analytics/usage", "/api/analytics/advanced"
EACH = ("valid", "invalid", "unknown", "catch_all", "disposable", "spam_trap")


def on_plan(user: User, plan: Plan) -> None:
    Subscription.objects.filter(organisation=user.own_organisation).update(plan=plan, custom_monthly_credits=600)


def charge(user: User, amount: int) -> None:
    """Credits spent now."""
    held = ledger.open_hold(organisation_id=user.pk, amount=amount, reason="Test", key=f"charge:{user.pk}:{amount}")
    ledger.close_hold(hold=held, captured=amount)


@pytest.mark.spec("DASH-006", "DASH-007", "DASH-022")
def test_the_dashboard_tells_what_was_checked(alice: User, alice_api: APIClient, bob: User) -> None:
    finished(alice, [("a@b.com", "valid"), ("c@b.com", "catch_all"), ("d@b.com", "spam_trap")])
    single(alice, "e@b.com", "valid")
    single(alice, "f@b.com", "unknown")
    single(alice, "g@b.com", "invalid")
    single(bob, "h@b.com")
    body = alice_api.get(DASHBOARD).json()
    assert sorted(body) == sorted(shapes.OverviewSerializer().fields)
    assert (body["total_validations"], body["success_rate"]) == (6, 33.3)
    assert body["category_breakdown"] == {
        "valid": 2, "invalid": 1, "unknown": 1, "catch_all": 1, "disposable": 0, "spam_trap": 1,
    }  # fmt: skip
    assert [row["email"] for row in body["recent_validations"]] == [
        "g@b.com", "f@b.com", "e@b.com", "d@b.com", "c@b.com",
    ]  # fmt: skip
    assert (body["current_plan"], body["subscription_plan"], body["credits"]) == ("growth", "growth", 100)


@pytest.mark.spec("DASH-022")
def test_nothing_checked_is_a_rate_of_nought(alice: User, alice_api: APIClient) -> None:
    body = alice_api.get(DASHBOARD).json()
    assert (body["total_validations"], body["success_rate"], body["recent_validations"]) == (0, 0.0, [])


@pytest.mark.spec("DASH-024")
@pytest.mark.parametrize(
    ("plan", "charged", "limit", "percentage"),
    [("free", 40, 100, 40.0), ("free", 250, 100, 100.0), ("starter", 1, 5_000, 0.0), ("growth", 2_500, 10_000, 25.0),
     ("pro", 20_001, 20_000, 100.0), ("enterprise", 300, 600, 50.0)],
)  # fmt: skip
def test_usage_is_measured_against_the_allowance(
    alice: User, alice_api: APIClient, plan: str, charged: int, limit: int, percentage: float
) -> None:
    on_plan(alice, Plan(plan))
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=30_000, reason="Test", key="pack")
    soon = datetime.now(UTC) + timedelta(days=3)
    ledger.grant_credits(
        organisation_id=alice.pk, kind=LotKind.PLAN, amount=600, reason="Test", key="plan", expires_at=soon
    )
    charge(alice, charged)
    body = alice_api.get(DASHBOARD).json()
    assert (body["monthly_usage"], body["monthly_limit"], body["usage_percentage"]) == (charged, limit, percentage)
    assert body["credits"] == 30_700 - charged


@pytest.mark.spec("ADM-129", "ADM-126")
def test_each_category_is_in_one_bucket_of_the_range_and_one_of_the_day() -> None:
    assert set(EACH) == set(Category.values)
    buckets_of = {
        category: (_one(buckets.bucket_range(counts)), _one(buckets.bucket_day(counts)))
        for category in EACH
        for counts in [tally_rows([row("a@b.com", category)])]
    }
    assert buckets_of == {
        "valid": ("valid", "valid"),
        "invalid": ("invalid", "invalid"),
        "spam_trap": ("invalid", "invalid"),
        "disposable": ("disposable", "invalid"),
        "unknown": ("risky", "unknown"),
        "catch_all": ("risky", "unknown"),
    }
    assert buckets.accuracy(tally_rows([row("a@b.com", category) for category in EACH])) == 83.3
    assert buckets.accuracy(tally_rows([])) is None


def _one(found: dict[str, int]) -> str:
    [(name, number)] = [item for item in found.items() if item[1]]
    assert number == 1
    return name


@pytest.mark.spec("DASH-013", "DASH-020")
def test_usage_gives_every_day_of_the_last_thirty(alice: User, alice_api: APIClient) -> None:
    now = datetime.now(UTC)
    counted(alice, now, *EACH)
    counted(alice, now - timedelta(days=29), "valid", "valid")
    counted(alice, now - timedelta(days=30), "valid")
    body = alice_api.get(USAGE, {"range": "30d"}).json()
    assert sorted(body) == sorted(shapes.UsageSerializer().fields)
    assert (body["total"], len(body["dailyUsage"])) == (8, 30)
    assert body["validationBreakdown"] == {"valid": 3, "invalid": 2, "risky": 2, "disposable": 1}
    first, *between, last = body["dailyUsage"]
    assert first == {"date": f"{now - timedelta(days=29):%Y-%m-%d}", "validations": 2, "valid": 2, "invalid": 0,
                     "unknown": 0, "categories": {**dict.fromkeys(EACH, 0), "valid": 2}}  # fmt: skip
    assert last == {"date": f"{now:%Y-%m-%d}", "validations": 6, "valid": 1, "invalid": 3, "unknown": 2,
                    "categories": dict.fromkeys(EACH, 1)}  # fmt: skip
    assert {day["validations"] for day in between} == {0}


@pytest.mark.spec("DASH-013", "ADM-113")
def test_a_range_stands_beside_the_one_before_and_says_since_when_it_counts(
    alice: User, alice_api: APIClient, bob: User, sam: User
) -> None:
    on_plan(alice, Plan.GROWTH)
    now = datetime.now(UTC)
    untouched = alice_api.get(USAGE, {"range": "30d"}).json()
    assert (untouched["firstDay"], {day["validations"] for day in untouched["previousUsage"]}) == (None, {0})
    counted(alice, now - timedelta(days=7), "valid", "unknown", "valid", "valid")
    counted(alice, now - timedelta(days=13), "valid")
    counted(alice, now - timedelta(days=14), "valid")
    counted(bob, now - timedelta(days=20), "valid")
    patterns = alice_api.get(ADVANCED, {"range": "7d"}).json()["usagePatterns"]
    first, *between, last = patterns["previousUsage"]
    assert first == {"date": f"{now - timedelta(days=13):%Y-%m-%d}", "validations": 1, "accuracy": 100.0}
    assert last == {"date": f"{now - timedelta(days=7):%Y-%m-%d}", "validations": 4, "accuracy": 75.0}
    assert [(day["validations"], day["accuracy"]) for day in between] == [(0, None)] * 5
    assert patterns["firstDay"] == f"{now - timedelta(days=14):%Y-%m-%d}"
    of_all = client_of(sam).get(ADVANCED, {"range": "7d"}).json()["usagePatterns"]
    assert of_all["firstDay"] == f"{now - timedelta(days=20):%Y-%m-%d}"


@pytest.mark.spec("DASH-020")
@pytest.mark.parametrize("plan", ["free", "starter"])
def test_below_growth_the_advanced_part_is_refused(alice: User, alice_api: APIClient, plan: str) -> None:
    on_plan(alice, Plan(plan))
    asked: list[tuple[str, dict[str, str]]] = [
        (ADVANCED, {"range": "30d"}), (ADVANCED, {"range": "30d", "scope": "all"}), (USAGE, {"range": "7d"}),
        (USAGE, {"range": "1y"}),
    ]  # fmt: skip
    for path, query in asked:
        answer = alice_api.get(path, query)
        assert (answer.status_code, answer.json()["code"]) == (403, "PLAN_REQUIRED")
        assert answer.json()["detail"] == "Advanced analytics are available from the Growth plan."
    assert alice_api.get(USAGE, {"range": "30d"}).status_code == 200


@pytest.mark.spec("DASH-020")
@pytest.mark.parametrize("plan", ["growth", "pro", "enterprise", "custom"])
@pytest.mark.parametrize("query", [{}, {"scope": "all"}, {"scope": "me"}])
def test_from_growth_on_it_holds_ones_own_figures(
    alice: User, alice_api: APIClient, bob: User, plan: str, query: dict[str, str]
) -> None:
    on_plan(alice, Plan(plan))
    finished(alice, [("a@b.com", "valid"), ("c@b.com", "disposable"), ("d@b.com", "unknown")])
    single(alice, "e@b.com", "invalid", took_ms=30)
    single(alice, "f@b.com", "valid", took_ms=45)
    single(bob, "h@b.com")
    body = alice_api.get(ADVANCED, {"range": "7d", **query}).json()
    prices = {"growth": 0.0079, "pro": 0.00745}
    assert sorted(body) == sorted(shapes.AdvancedSerializer().fields)
    assert body["overview"] == {
        "totalValidations": 5, "successRate": 40.0, "creditsUsed": 4, "creditsRemaining": 100,
        "avgResponseTime": 37.5, "costSavings": 0.1,
        "roiPercentage": {"growth": 333.3, "pro": 333.3}.get(plan),
        "accuracyRate": 80.0, "satisfactionScore": None, "satisfactionRatings": None,
    }  # fmt: skip
    assert body["costAnalysis"] == {
        "creditsUsed": 4, "costPerValidation": prices.get(plan), "totalCost": 0.03 if plan in prices else None,
    }  # fmt: skip
    days = body["usagePatterns"]["dailyUsage"]
    assert (len(days), days[0]["accuracy"], days[-1]["accuracy"]) == (7, None, 80.0)
    today = f"{datetime.now(UTC):%-d %B %Y}"
    assert body["insights"] == [
        "40.0% of the addresses are safe to send to.",
        "40.0% would have bounced or done harm: 2 in all.",
        f"The busiest day was {today} with 5.",
        f"1 could not be decided. {check_costs.FULL}",
    ]


@pytest.mark.spec("DASH-020")
def test_staff_see_everybody_or_themselves(alice: User, sam: User) -> None:
    single(alice, "a@b.com")
    single(sam, "b@b.com", "invalid")
    api = client_of(sam)

    def total(**query: str) -> Any:
        return api.get(ADVANCED, {"range": "90d", **query}).json()["overview"]["totalValidations"]

    assert (total(), total(scope="all"), total(scope="me")) == (2, 2, 1)


@pytest.mark.spec("ADM-113", "ADM-128", "ADM-129")
def test_the_figures_of_all_accounts_follow_their_sources(alice: User, bob: User, sam: User) -> None:
    def figures() -> Any:
        return client_of(sam).get(ADVANCED, {"range": "7d"}).json()

    empty = figures()
    assert (empty["insights"], empty["costAnalysis"]["costPerValidation"], empty["overview"]["accuracyRate"]) == (
        [], None, None,
    )  # fmt: skip
    finished(alice, [("a@b.com", "valid"), ("c@b.com", "disposable"), ("d@b.com", "unknown"), ("e@b.com", "catch_all")])
    single(bob, "f@b.com", "spam_trap", took_ms=30)
    captured(bob, amount="59.00")
    found = figures()
    assert found["validationBreakdown"] == {"valid": 1, "invalid": 1, "risky": 2, "disposable": 1}
    assert found["usagePatterns"]["dailyUsage"][-1] == {
        "date": f"{datetime.now(UTC):%Y-%m-%d}", "validations": 5, "valid": 1, "invalid": 2, "unknown": 2,
        "accuracy": 80.0, "categories": {**dict.fromkeys(EACH, 1), "invalid": 0},
    }  # fmt: skip
    assert found["overview"] == {
        "totalValidations": 5, "successRate": 20.0, "creditsUsed": 4, "creditsRemaining": 300,
        "avgResponseTime": 30.0, "costSavings": 0.1, "roiPercentage": 0.2, "accuracyRate": 80.0,
        "satisfactionScore": None, "satisfactionRatings": 0,
    }  # fmt: skip
    assert found["costAnalysis"] == {"creditsUsed": 4, "costPerValidation": 14.75, "totalCost": 59.0}


@pytest.mark.spec("ADM-112")
@pytest.mark.parametrize("name", ["", "1d", "30D", "365d", "all"])
@pytest.mark.parametrize("path", [USAGE, ADVANCED])
def test_another_range_is_refused(alice: User, alice_api: APIClient, path: str, name: str) -> None:
    on_plan(alice, Plan.GROWTH)
    answer = alice_api.get(path, {"range": name})
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_RANGE")
    assert answer.json()["detail"] == "Invalid range"


@pytest.mark.spec("ADM-112")
@pytest.mark.parametrize(("name", "length"), [("7d", 7), ("30d", 30), ("90d", 90), ("1y", 365)])
def test_a_range_costs_the_same_however_long(
    alice: User, alice_api: APIClient, django_assert_num_queries: DjangoAssertNumQueries, name: str, length: int
) -> None:
    on_plan(alice, Plan.GROWTH)
    for back in range(0, length, 20):
        counted(alice, datetime.now(UTC) - timedelta(days=back), "valid")
    alice_api.get("/api/credits")  # notes that she is there
    with django_assert_num_queries(9):
        body = alice_api.get(ADVANCED, {"range": name, "_t": "1"}).json()
    assert len(body["usagePatterns"]["dailyUsage"]) == length
    assert body["overview"]["totalValidations"] == len(range(0, length, 20))
