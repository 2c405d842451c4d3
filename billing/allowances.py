"""What a plan includes, until the catalogue of plans says it (PRC-033)."""

from decimal import Decimal

from django.db.models import Sum
from django.utils import timezone

from billing.models import CreditLot, LotKind, Plan, Subscription

_MONTHLY = {Plan.FREE: 100, Plan.STARTER: 5_000, Plan.GROWTH: 10_000, Plan.PRO: 20_000}
_PRICES = {Plan.FREE: Decimal(0), Plan.STARTER: Decimal(49), Plan.GROWTH: Decimal(79), Plan.PRO: Decimal(149)}
_ADVANCED_ANALYTICS = {Plan.GROWTH, Plan.PRO, Plan.ENTERPRISE, Plan.CUSTOM}


def plan_of(user_id: int) -> str:
    """The plan of an account."""
    plan = Subscription.objects.filter(user_id=user_id).values_list("plan", flat=True).first()
    return plan or Plan.FREE


def monthly_limit(*, user_id: int, plan: str) -> int:
    """Credits that the plan gives a month; of plans agreed upon one by one, what was granted for this month."""
    if plan in _MONTHLY:
        return _MONTHLY[Plan(plan)]
    lots = CreditLot.objects.filter(user_id=user_id, kind=LotKind.PLAN, expires_at__gt=timezone.now())
    return lots.aggregate(total=Sum("granted"))["total"] or 0


def price_per_credit(plan: str) -> Decimal | None:
    """USD that a credit of the plan costs when billed monthly; none where the price is agreed upon one by one."""
    return _PRICES[Plan(plan)] / _MONTHLY[Plan(plan)] if plan in _PRICES else None


def has_advanced_analytics(user_id: int) -> bool:
    """Whether the plan includes advanced analytics: from Growth (VAL-020)."""
    return plan_of(user_id) in _ADVANCED_ANALYTICS
