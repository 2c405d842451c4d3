"""The catalogue as tables that the landing page and the dashboard show."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import LISTED, OFFERS, PACKS, SAVING, Feature, Offer, Pack, compute_monthly_price

SALES_FROM = 50_000


def build_price_tables() -> dict[str, Any]:
    """Plans, packs and the comparison, ready to be shown: amounts are texts in USD."""
    listed = [OFFERS[plan] for plan in LISTED]
    return {
        "plans": [_present_plan(offer) for offer in listed],
        "packs": [_present_pack(pack) for pack in PACKS],
        "comparison": [{"name": name, "values": [value(offer) for offer in listed]} for name, value in _ROWS],
        "saving": SAVING,
        "sales_from": SALES_FROM,
        "sales_from_text": f"{SALES_FROM:,}",
    }


def format_dollars(amount: Decimal) -> str:
    """$1,484 or $0.0089."""
    return f"${amount:,f}"


def _present_plan(offer: Offer) -> dict[str, Any]:
    return {
        "id": offer.plan.value,
        "name": offer.name,
        "monthly": format_dollars(offer.price(Cycle.MONTHLY)),
        "yearly": format_dollars(offer.yearly) if offer.yearly else None,
        "yearly_per_month": format_dollars(compute_monthly_price(offer.yearly)) if offer.yearly else None,
        "limit": offer.limit,
        "limit_text": _format_limit(offer),
        "color": offer.color,
    }


def _present_pack(pack: Pack) -> dict[str, Any]:
    return {
        "id": pack.id,
        "credits": pack.credits,
        "credits_text": f"{pack.credits:,}",
        "price": format_dollars(pack.price),
        "per_credit": format_dollars(pack.price_per_credit),
        "best_value": pack.best_value,
    }


def _includes_feature(feature: Feature) -> Callable[[Offer], bool]:
    return lambda offer: feature in offer.features


def _format_limit(offer: Offer) -> str:
    return f"{offer.limit:,}"


def _describe_bulk(offer: Offer) -> str:
    return "Full" if offer.features else "Basic"


def _describe_analytics(offer: Offer) -> str:
    return "Advanced" if Feature.ADVANCED_ANALYTICS in offer.features else "Basic"


_ROWS: tuple[tuple[str, Callable[[Offer], str | bool]], ...] = (
    ("Validations per month", _format_limit),
    ("Real-time API", lambda offer: True),
    ("API requests per minute", lambda offer: f"{offer.per_minute:,}"),
    ("Bulk and CSV validation", _describe_bulk),
    ("Catch-all detection", _includes_feature(Feature.CATCH_ALL)),
    ("SMTP mailbox check", _includes_feature(Feature.SMTP)),
    ("Disposable detection", _includes_feature(Feature.DISPOSABLE)),
    ("Analytics", _describe_analytics),
    ("Webhooks and integrations", _includes_feature(Feature.WEBHOOKS)),
    ("Support", lambda offer: offer.support),
    ("99.9% uptime SLA", lambda offer: offer.plan is Plan.PRO),
)


Json = dict[str, Any]


def present_catalogue() -> Json:
    """What is sold at a list price."""
    offers = [OFFERS[plan] for plan in LISTED]
    return {
        "plans": [
            {
                "id": offer.plan,
                "name": offer.name,
                "monthlyPrice": offer.price(Cycle.MONTHLY),
                "yearlyPrice": offer.yearly or 0,
                "limit": offer.limit,
                "color": offer.color,
            }
            for offer in offers
        ],
        "packs": [{"id": pack.id, "credits": pack.credits, "price": pack.price} for pack in PACKS],
    }
