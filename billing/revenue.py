"""Revenue as staff see it, out of captured payments and what was given back of them; all sums in USD.

The formulas are in `docs/metrics.md`, which the page links to; change both together.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, DecimalField, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from billing.catalogue import LISTED, OFFERS
from billing.models import (
    Agreement,
    AgreementState,
    Cycle,
    Payment,
    PaymentKind,
    PaymentState,
    Plan,
    PurchaseState,
    Refund,
    RefundState,
    Status,
    Subscription,
)
from billing.staff_payments import since
from emailcheck.common.money import whole_cents

PACKS, QUOTES = "Credit packs", "Quotes"
RECENT = 10
YEAR = timedelta(days=365)
_NOTHING = Decimal(0)
# An account that was deleted is told by its agreement, and without one each payment is a customer of its own.
_NOBODY = Coalesce(F("agreement_id"), F("pk") * -1)
# One agreement charges, or another takes over from it at the billing date.
_CHARGES = Q(agreement__state=AgreementState.ACTIVE, agreement__wanted=AgreementState.ACTIVE, agreement__ended_at=None)
_IS_CHARGED = Q(agreement=None) | _CHARGES | Q(scheduled_agreement__isnull=False)
# A lower price that waits for the billing date is noted in the agreement already.
_CHARGES_ITS_PRICE = Q(agreement__isnull=False) & (Q(scheduled_plan="") | Q(scheduled_agreement__isnull=False))
# A payment has the plan that it is for; a pack has none, and quotes alone are paid for this one.
_NAMES = {"": PACKS, Plan.ENTERPRISE: QUOTES}


@dataclass(frozen=True, slots=True)
class Line:
    """What one plan, the packs or the quotes brought in a range, and what share of all in percent."""

    plan: str
    revenue: Decimal
    customers: int
    percentage: float


@dataclass(frozen=True, slots=True)
class Revenue:
    """USD, and percent; `lines` and `recent` are of the range, the rest as `docs/metrics.md` says."""

    total: Decimal
    monthly: Decimal
    yearly: Decimal
    churn_rate: float
    customer_value: Decimal
    lines: list[Line]
    recent: list[Payment]


def report(range: str) -> Revenue:
    """Revenue with the breakdown and the newest payments of a range."""
    begin, total = since(range), net()
    return Revenue(
        total=total,
        monthly=monthly(),
        yearly=net(timezone.now() - YEAR),
        churn_rate=churn_rate(begin),
        customer_value=customer_value(total),
        lines=lines(begin),
        recent=recent(begin),
    )


def net(begin: datetime | None = None) -> Decimal:
    """Captured since `begin`, or ever, less what was given back in the same time."""
    captured = Payment.objects.filter(captured_at__isnull=False)
    refunds = Refund.objects.filter(state=RefundState.DONE)
    if begin:
        captured, refunds = captured.filter(captured_at__gte=begin), refunds.filter(done_at__gte=begin)
    return _sum(captured) - _sum(refunds)


def monthly() -> Decimal:
    """What is billed for plans a month, a twelfth of a year's price where a year is billed.

    A plan is billed while it is active and paid for, its account may be used, and its agreement, if any, charges.
    """
    priced = _billed().annotate(price=Case(When(_CHARGES_ITS_PRICE, then="agreement__price"), default=_at_once()))
    rows = priced.order_by().values_list("plan", "cycle", "price").annotate(n=Count("pk"))
    return whole_cents(
        sum((_a_month(_price(plan, cycle, price), cycle) * n for plan, cycle, price, n in rows), _NOTHING)
    )


def churn_rate(begin: datetime | None) -> float:
    """Customers whose agreement ended since `begin` and who have none now, over those who had one then, in percent.

    Of all time: over all who ever had one.
    """
    made = Agreement.objects.exclude(purchase__state=PurchaseState.FAILED)
    staying = Agreement.objects.filter(ended_at=None, user__isnull=False).values("user_id")
    left = made.filter(ended_at__gte=begin) if begin else made.filter(ended_at__isnull=False)
    before = made.filter(Q(ended_at=None) | Q(ended_at__gte=begin), created_at__lt=begin) if begin else made
    base = _customers(before)
    return round(100 * _customers(left.exclude(user_id__in=staying)) / base, 1) if base else 0.0


def customer_value(total: Decimal) -> Decimal:
    """The total over the customers who paid and did not get all of it back."""
    kept = _kept(None)
    known = kept.filter(user__isnull=False).order_by().values("user").distinct().count()
    customers = known + sum(_nobodys(None).values())
    return whole_cents(total / customers) if customers else _NOTHING


def lines(begin: datetime | None) -> list[Line]:
    """What each plan, the packs and the quotes brought, the most first."""
    found = _kept(begin).order_by().values_list("plan")
    sums = list(found.annotate(amount_sum=Sum("amount"), known=Count("user_id", distinct=True)))
    total, gone = sum((amount for _, amount, _ in sums), _NOTHING), _nobodys(begin)
    made = [
        Line(_name(plan), amount, known + gone.get(plan, 0), round(float(100 * amount / total), 1) if total else 0.0)
        for plan, amount, known in sums
    ]
    return sorted(made, key=lambda line: (-line.revenue, line.plan))


def recent(begin: datetime | None) -> list[Payment]:
    """The newest payments that were captured and not given back."""
    return list(_kept(begin).select_related("user").order_by("-captured_at", "-pk")[:RECENT])


def line_of(payment: Payment) -> str:
    """The line of the breakdown that a payment belongs to."""
    return _name(payment.plan)


def _kept(begin: datetime | None) -> "QuerySet[Payment]":
    """What was captured since `begin`, or ever, and not given back."""
    found = Payment.objects.filter(state=PaymentState.COMPLETED)
    return found.filter(captured_at__gte=begin) if begin else found


def _nobodys(begin: datetime | None) -> dict[str, int]:
    """Customers by plan whose account was deleted."""
    found = _kept(begin).filter(user=None).order_by().values_list("plan")
    return dict(found.annotate(n=Count(_NOBODY, distinct=True)))


def _name(plan: str) -> str:
    return _NAMES.get(plan) or OFFERS[Plan(plan)].name


def _customers(agreements: "QuerySet[Agreement]") -> int:
    found: int = agreements.aggregate(n=Count(Coalesce(F("user_id"), F("pk") * -1), distinct=True))["n"]
    return found


def _billed() -> "QuerySet[Subscription]":
    """Plans that are charged again and again, or were paid for their whole time at once."""
    paid = Subscription.objects.filter(status=Status.ACTIVE, paid_until__isnull=False).exclude(plan=Plan.FREE)
    return paid.filter(_IS_CHARGED).exclude(user__in=User.objects.filter(is_active=False))


def _at_once() -> Case:
    """What was paid for a year by one order: a quote has no agreement then. None for a plan of a list price."""
    orders = Payment.objects.filter(user=OuterRef("user"), kind=PaymentKind.QUOTE, state=PaymentState.COMPLETED)
    paid = Subquery(orders.order_by("-captured_at").values("amount")[:1])
    return Case(When(plan__in=LISTED, then=None), default=paid, output_field=DecimalField())


def _price(plan: str, cycle: str, price: Decimal | None) -> Decimal:
    """The price that was agreed upon or paid; else that of the list."""
    if price is None and plan in LISTED:
        return OFFERS[Plan(plan)].price(Cycle(cycle))
    return price or _NOTHING


def _a_month(price: Decimal, cycle: str) -> Decimal:
    return price / Cycle(cycle or Cycle.MONTHLY).months


def _sum(found: "QuerySet[Any]") -> Decimal:
    return found.aggregate(sum=Sum("amount"))["sum"] or _NOTHING
