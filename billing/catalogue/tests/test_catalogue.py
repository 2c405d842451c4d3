"""The one table of what is sold."""

from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from billing.catalogue import price_list, price_tables
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS, Feature, Offer

GATED = {Feature.CATCH_ALL, Feature.SMTP, Feature.DISPOSABLE}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(("free", "Free Trial", 0, 0, 100), marks=pytest.mark.spec("PRC-001")),
        pytest.param(("starter", "Starter", 49, 488, 5_000), marks=pytest.mark.spec("PRC-002")),
        pytest.param(("growth", "Growth", 79, 787, 10_000), marks=pytest.mark.spec("PRC-003")),
        pytest.param(("pro", "Pro", 149, 1_484, 20_000), marks=pytest.mark.spec("PRC-004")),
    ],
    ids=lambda plan: plan[0],
)
def test_a_plan_is_served(anonymous_api: APIClient, plan: tuple[str, str, int, int, int]) -> None:
    plans = {one["id"]: one for one in anonymous_api.get("/api/plans").json()["plans"]}
    assert tuple(plans[plan[0]][name] for name in ("id", "name", "monthlyPrice", "yearlyPrice", "limit")) == plan


@pytest.mark.django_db
@pytest.mark.spec("PRC-020")
def test_the_catalogue_is_served(anonymous_api: APIClient) -> None:
    answer = anonymous_api.get("/api/plans").json()
    assert [plan["id"] for plan in answer["plans"]] == ["free", "starter", "growth", "pro"]
    assert answer["packs"] == [
        {"id": "small", "credits": 5_000, "price": 59},
        {"id": "medium", "credits": 10_000, "price": 89},
        {"id": "large", "credits": 25_000, "price": 179},
    ]
    assert {frozenset(plan) for plan in answer["plans"]} == {
        frozenset({"id", "name", "monthlyPrice", "yearlyPrice", "limit", "color"})
    }


@pytest.mark.spec("PRC-024", "PRC-025", "PRC-006")
@pytest.mark.parametrize(("plan", "shown"), [(Plan.STARTER, 41), (Plan.GROWTH, 66), (Plan.PRO, 124)])
def test_a_year_costs_83_percent_and_its_month_is_only_shown(plan: Plan, shown: int) -> None:
    offer = OFFERS[plan]
    yearly = offer.price(Cycle.YEARLY)
    assert yearly == (offer.price(Cycle.MONTHLY) * 12 * Decimal("0.83")).quantize(Decimal(1))
    assert price_list.compute_monthly_price(yearly) == shown
    assert price_tables.build_price_tables()["saving"] == "Save 17%"


@pytest.mark.spec("PRC-005", "PRC-019", "LIM-005")
def test_enterprise_and_custom_have_no_list_price() -> None:
    assert [plan.value for plan in OFFERS] == ["free", "starter", "growth", "pro", "enterprise", "custom"]
    assert [plan.value for plan in price_list.LISTED] == ["free", "starter", "growth", "pro"]
    with pytest.raises(ValueError, match="enterprise has no list price"):
        OFFERS[Plan.ENTERPRISE].price(Cycle.MONTHLY)


@pytest.mark.spec("PRC-007", "PRC-008", "PRC-009")
def test_packs_by_id_and_by_alias() -> None:
    assert [str(pack.price_per_credit) for pack in price_list.PACKS] == ["0.012", "0.0089", "0.0072"]
    assert [pack.id for pack in price_list.PACKS if pack.best_value] == ["medium"]
    assert [price_list.find_pack(name) for name in ("5k", "10k", "25k")] == list(price_list.PACKS)
    assert [price_list.find_pack(name) for name in ("small", "medium", "large")] == list(price_list.PACKS)
    assert price_list.find_pack("50k") is None


@pytest.mark.spec("VAL-020", "DASH-013", "DOC-054")
def test_what_each_plan_includes() -> None:
    included = {plan: offer.features for plan, offer in OFFERS.items()}
    everything = frozenset(Feature)
    assert included == {
        Plan.FREE: frozenset(),
        Plan.STARTER: GATED,
        Plan.GROWTH: everything,
        Plan.PRO: everything,
        Plan.ENTERPRISE: everything,
        Plan.CUSTOM: everything,
    }
    assert [OFFERS[plan].per_minute for plan in (*price_list.LISTED, Plan.ENTERPRISE)] == [10, 50, 100, 200, None]


@pytest.mark.spec("PRC-010", "PRC-030")
def test_the_comparison() -> None:
    assert {row["name"]: row["values"] for row in price_tables.build_price_tables()["comparison"]} == {
        "Validations per month": ["100", "5,000", "10,000", "20,000"],
        "Real-time API": [True, True, True, True],
        "API requests per minute": ["10", "50", "100", "200"],
        "Bulk and CSV validation": ["Basic", "Full", "Full", "Full"],
        "Catch-all detection": [False, True, True, True],
        "SMTP mailbox check": [False, True, True, True],
        "Disposable detection": [False, True, True, True],
        "Analytics": ["Basic", "Basic", "Advanced", "Advanced"],
        "Webhooks and integrations": [False, False, True, True],
        "Support": ["Community", "Email", "Priority", "Dedicated Manager"],
        "99.9% uptime SLA": [False, False, False, True],
    }


def luminance(color: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.spec("PRC-031")
@pytest.mark.parametrize("offer", OFFERS.values(), ids=lambda offer: offer.plan)
def test_every_plan_has_a_colour_that_can_be_seen(offer: Offer) -> None:
    """As text on white, and as a mark on black."""
    own = luminance(offer.color) + 0.05
    assert 1.05 / own >= 4.5
    assert own / 0.05 >= 3
    assert len({other.color for other in OFFERS.values()}) == len(OFFERS)
