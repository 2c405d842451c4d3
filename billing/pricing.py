"""The catalogue as tables that the landing page and the dashboard show."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from billing.catalogue import LISTED, OFFERS, PACKS, SAVING, Feature, Offer, Pack, per_month
from billing.models import Cycle, Plan

SALES_FROM = 50_000


def tables() -> dict[str, Any]:
    """Plans, packs and the comparison, ready to be shown: amounts are texts in USD."""
    listed = [OFFERS[plan] for plan in LISTED]
    return {
        "plans": [_plan(offer) for offer in listed],
        "packs": [_pack(pack) for pack in PACKS],
        "comparison": [{"name": name, "values": [value(offer) for offer in listed]} for name, value in _ROWS],
        "saving": SAVING,
        "sales_from": SALES_FROM,
        "sales_from_text": f"{SALES_FROM:,}",
    }


def dollars(amount: Decimal) -> str:
    """$1,484 or $0.0089."""
    return f"${amount:,f}"


def _plan(offer: Offer) -> dict[str, Any]:
    return {
        "id": offer.plan.value,
        "name": offer.name,
        "monthly": dollars(offer.price(Cycle.MONTHLY)),
        "yearly": dollars(offer.yearly) if offer.yearly else None,
        "yearly_per_month": dollars(per_month(offer.yearly)) if offer.yearly else None,
        "limit": offer.limit,
        "limit_text": _limit(offer),
        "color": offer.color,
    }


def _pack(pack: Pack) -> dict[str, Any]:
    return {
        "id": pack.id,
        "credits": pack.credits,
        "credits_text": f"{pack.credits:,}",
        "price": dollars(pack.price),
        "per_credit": dollars(pack.price_per_credit),
        "best_value": pack.best_value,
    }


def _includes(feature: Feature) -> Callable[[Offer], bool]:
    return lambda offer: feature in offer.features


def _limit(offer: Offer) -> str:
    return f"{offer.limit:,}"


def _bulk(offer: Offer) -> str:
    return "Full" if offer.features else "Basic"


def _analytics(offer: Offer) -> str:
    return "Advanced" if Feature.ADVANCED_ANALYTICS in offer.features else "Basic"


_ROWS: tuple[tuple[str, Callable[[Offer], str | bool]], ...] = (
    ("Validations per month", _limit),
    ("Real-time API", lambda offer: True),
    ("API requests per minute", lambda offer: f"{offer.per_minute:,}"),
    ("Bulk and CSV validation", _bulk),
    ("Catch-all detection", _includes(Feature.CATCH_ALL)),
    ("SMTP mailbox check", _includes(Feature.SMTP)),
    ("Disposable detection", _includes(Feature.DISPOSABLE)),
    ("Analytics", _analytics),
    ("Webhooks and integrations", _includes(Feature.WEBHOOKS)),
    ("Support", lambda offer: offer.support),
    ("99.9% uptime SLA", lambda offer: offer.plan is Plan.PRO),
)
