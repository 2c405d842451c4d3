"""What is sold: plans, packs, prices, and what each plan includes. One table; everybody else reads it (PRC-033)."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import StrEnum
from types import MappingProxyType

from billing.catalogue.plans import Cycle, Plan


class Feature(StrEnum):
    """What some plans include and others do not."""

    CATCH_ALL = "catch_all"
    SMTP = "smtp"
    DISPOSABLE = "disposable"
    ADVANCED_ANALYTICS = "advanced_analytics"
    WEBHOOKS = "webhooks"
    INTEGRATIONS = "integrations"


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan: USD a month and USD billed for a year, credits a month, accent colour (#rrggbb), features.

    `monthly`, `yearly` and `limit` are None where they are agreed upon one by one; `per_minute` is how many API
    requests it may make a minute, None for any number; `providers` is how many outside providers may be used for
    it, in their order (ADM-603).
    """

    plan: Plan
    name: str
    monthly: Decimal | None
    yearly: Decimal | None
    limit: int | None
    color: str
    features: frozenset[Feature]
    support: str
    per_minute: int | None
    providers: int = 0

    @property
    def price_per_credit(self) -> Decimal | None:
        """USD a credit when billed monthly; none where the price is agreed upon one by one."""
        return self.monthly / self.limit if self.monthly is not None and self.limit else None

    def price(self, cycle: Cycle) -> Decimal:
        """What is charged for a cycle, in USD. Raises `ValueError` where the price is agreed upon one by one."""
        price = self.yearly if cycle == Cycle.YEARLY else self.monthly
        if price is None:
            raise ValueError(f"{self.plan} has no list price")
        return price


@dataclass(frozen=True, slots=True)
class Pack:
    """Credits bought once, in USD; they never expire."""

    id: str
    credits: int
    price: Decimal
    best_value: bool = False

    @property
    def price_per_credit(self) -> Decimal:
        """USD a credit, to two significant digits."""
        return Context(prec=2, rounding=ROUND_HALF_UP).divide(self.price, Decimal(self.credits))


_PAID = frozenset({Feature.CATCH_ALL, Feature.SMTP, Feature.DISPOSABLE})
_ALL = frozenset(Feature)
TRIAL_DAYS = 14
TRIAL_CREDITS = 100
TRIAL_PLAN = Plan.GROWTH
SAVING = "Save 17%"
BONUS_LASTS = timedelta(days=365)
REFERRAL_REWARD = 500  # credits to whoever brought a friend (REF-006)
REFERRAL_BONUS = 100  # credits to the friend

_USD = Decimal
OFFERS = MappingProxyType(
    {
        offer.plan: offer
        for offer in (
            Offer(Plan.FREE, "Free Trial", _USD(0), None, 100, "#64748b", frozenset(), "Community", 10),
            Offer(Plan.STARTER, "Starter", _USD(49), _USD(488), 5_000, "#2563eb", _PAID, "Email", 50, 1),
            Offer(Plan.GROWTH, "Growth", _USD(79), _USD(787), 10_000, "#0f766e", _ALL, "Priority", 100, 2),
            Offer(Plan.PRO, "Pro", _USD(149), _USD(1484), 20_000, "#7c3aed", _ALL, "Dedicated Manager", 200, 3),
            Offer(Plan.ENTERPRISE, "Enterprise", None, None, None, "#b45309", _ALL, "Dedicated Manager", None, 3),
            Offer(Plan.CUSTOM, "Custom", None, None, None, "#be185d", _ALL, "Dedicated Manager", 200, 3),
        )
    }
)
LISTED = (Plan.FREE, Plan.STARTER, Plan.GROWTH, Plan.PRO)
PACKS = (
    Pack("small", 5_000, _USD(59)),
    Pack("medium", 10_000, _USD(89), best_value=True),
    Pack("large", 25_000, _USD(179)),
)
_BY_NAME = {pack.id: pack for pack in PACKS} | dict(zip(("5k", "10k", "25k"), PACKS, strict=True))


def list_prices(cycle: Cycle) -> set[Decimal]:
    """What the plans cost that are sold at a list price."""
    return {OFFERS[plan].price(cycle) for plan in LISTED if plan != Plan.FREE}


def find_pack(name: str) -> Pack | None:
    """The pack of an id or of its alias (`5k`, `10k`, `25k`, PRC-026)."""
    return _BY_NAME.get(name)


def compute_monthly_price(yearly: Decimal) -> Decimal:
    """What a month costs when a year is billed, in whole USD: for display only (PRC-025)."""
    return (yearly / 12).quantize(Decimal(1), ROUND_HALF_UP)
