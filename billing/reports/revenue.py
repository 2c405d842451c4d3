"""Revenue for staff, from captured payments and refunds; all sums in USD.

The formulas are in `docs/metrics.md`, which the page links to; change both together.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, DecimalField, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.organisations.models import Organisation
from accounts.users import ownership
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import LISTED, OFFERS
from billing.payments.models import (
    Agreement,
    AgreementState,
    Payment,
    PaymentKind,
    PaymentState,
    PurchaseState,
    Refund,
    RefundState,
)
from billing.reports.payment_list import find_range_start
from billing.subscriptions.models import Status, Subscription
from emailcheck.common.text.money import round_to_cents

PACKS, QUOTES = "Credit packs", "Quotes"
RECENT = 10
YEAR = timedelta(days=365)
_NOTHING = Decimal(0)
# A deleted account is identified by its agreement; without one each payment counts as a customer.
_DELETED_CUSTOMER = Coalesce(F("agreement_id"), F("pk") * -1)
# One agreement charges, or another takes over from it at the billing date.
_CHARGES = Q(
    agreement__state=AgreementState.ACTIVE, agreement__desired_state=AgreementState.ACTIVE, agreement__ended_at=None
)
_IS_CHARGED = Q(agreement=None) | _CHARGES | Q(scheduled_agreement__isnull=False)
# A lower price that waits for the billing date is noted in the agreement already.
_CHARGES_ITS_PRICE = Q(agreement__isnull=False) & (Q(scheduled_plan="") | Q(scheduled_agreement__isnull=False))
# A payment has the plan that it is for; a pack has none, and quotes alone are paid for this one.
_NAMES = {"": PACKS, Plan.ENTERPRISE: QUOTES}


@dataclass(frozen=True, slots=True)
class RevenueLine:
    """What one plan, the packs or the quotes brought in a range, and what share of all in percent."""

    plan: str
    revenue: Decimal
    customers: int
    percentage: float


@dataclass(frozen=True, slots=True)
class Revenue:
    """USD, and percent; `list_lines` and `list_recent_payments` are of the range; the rest: `docs/metrics.md`."""

    total: Decimal
    monthly: Decimal
    yearly: Decimal
    churn_rate: float
    customer_value: Decimal
    lines: list[RevenueLine]
    recent: list[Payment]


def build_report(range: str) -> Revenue:
    """Revenue with the breakdown and the newest payments of a range."""
    begin, total = find_range_start(range), compute_net_revenue()
    return Revenue(
        total=total,
        monthly=compute_monthly_revenue(),
        yearly=compute_net_revenue(timezone.now() - YEAR),
        churn_rate=compute_churn_rate(begin),
        customer_value=compute_customer_value(total),
        lines=list_lines(begin),
        recent=list_recent_payments(begin),
    )


def compute_net_revenue(begin: datetime | None = None) -> Decimal:
    """Captured since `begin`, or ever, less the refunds of the same time."""
    captured = Payment.objects.filter(captured_at__isnull=False)
    refunds = Refund.objects.filter(state=RefundState.DONE)
    if begin:
        captured, refunds = captured.filter(captured_at__gte=begin), refunds.filter(done_at__gte=begin)
    return _sum_amounts(captured) - _sum_amounts(refunds)


def compute_monthly_revenue() -> Decimal:
    """What is billed for plans a month, a twelfth of a year's price where a year is billed.

    A plan is billed while it is active and paid for, its account may be used, and its agreement, if any, charges.
    """
    priced = _filter_billed().annotate(
        price=Case(When(_CHARGES_ITS_PRICE, then="agreement__price"), default=_build_single_payment())
    )
    rows = priced.order_by().values_list("plan", "cycle", "price").annotate(n=Count("pk"))
    return round_to_cents(
        sum(
            (_to_monthly_price(_choose_price(plan, cycle, price), cycle) * n for plan, cycle, price, n in rows),
            _NOTHING,
        )
    )


def compute_churn_rate(begin: datetime | None) -> float:
    """Customers whose agreement ended since `begin` and who have none now, over those who had one then, in percent.

    Of all time: over all who ever had one.
    """
    made = Agreement.objects.exclude(purchase__state=PurchaseState.FAILED)
    staying = Agreement.objects.filter(ended_at=None, organisation__isnull=False).values("organisation_id")
    left = made.filter(ended_at__gte=begin) if begin else made.filter(ended_at__isnull=False)
    before = made.filter(Q(ended_at=None) | Q(ended_at__gte=begin), created_at__lt=begin) if begin else made
    base = _count_customers(before)
    return round(100 * _count_customers(left.exclude(organisation_id__in=staying)) / base, 1) if base else 0.0


def compute_customer_value(total: Decimal) -> Decimal:
    """The total over the customers who paid and did not get all of it back."""
    completed = _filter_completed(None)
    known = completed.filter(organisation__isnull=False).order_by().values("organisation").distinct().count()
    customers = known + sum(_count_deleted_customers(None).values())
    return round_to_cents(total / customers) if customers else _NOTHING


def list_lines(begin: datetime | None) -> list[RevenueLine]:
    """What each plan, the packs and the quotes brought, the most first."""
    found = _filter_completed(begin).order_by().values_list("plan")
    sums = list(found.annotate(amount_sum=Sum("amount"), known=Count("organisation_id", distinct=True)))
    total, gone = sum((amount for _, amount, _ in sums), _NOTHING), _count_deleted_customers(begin)
    made = [
        RevenueLine(
            _name_plan_line(plan),
            amount,
            known + gone.get(plan, 0),
            round(float(100 * amount / total), 1) if total else 0.0,
        )
        for plan, amount, known in sums
    ]
    return sorted(made, key=lambda line: (-line.revenue, line.plan))


def list_recent_payments(begin: datetime | None) -> list[Payment]:
    """The newest payments that were captured and not refunded."""
    found = _filter_completed(begin).select_related("organisation__holder").order_by("-captured_at", "-pk")
    rows = list(found[:RECENT])
    ownership.read_owners(row.organisation for row in rows)
    return rows


def name_line(payment: Payment) -> str:
    """The line of the breakdown that a payment belongs to."""
    return _name_plan_line(payment.plan)


def _filter_completed(begin: datetime | None) -> "QuerySet[Payment]":
    """Captured since `begin`, or ever, and not refunded."""
    found = Payment.objects.filter(state=PaymentState.COMPLETED)
    return found.filter(captured_at__gte=begin) if begin else found


def _count_deleted_customers(begin: datetime | None) -> dict[str, int]:
    """Customers by plan whose account was deleted."""
    found = _filter_completed(begin).filter(organisation=None).order_by().values_list("plan")
    return dict(found.annotate(n=Count(_DELETED_CUSTOMER, distinct=True)))


def _name_plan_line(plan: str) -> str:
    return _NAMES.get(plan) or OFFERS[Plan(plan)].name


def _count_customers(agreements: "QuerySet[Agreement]") -> int:
    found: int = agreements.aggregate(n=Count(Coalesce(F("organisation_id"), F("pk") * -1), distinct=True))["n"]
    return found


def _filter_billed() -> "QuerySet[Subscription]":
    """Plans that are charged again and again, or were paid for their whole time at once."""
    paid = Subscription.objects.filter(status=Status.ACTIVE, paid_until__isnull=False).exclude(plan=Plan.FREE)
    return paid.filter(_IS_CHARGED).exclude(organisation__in=Organisation.objects.filter(is_active=False))


def _build_single_payment() -> Case:
    """What was paid for a year by one order: a quote has no agreement then. None for a plan of a list price."""
    orders = Payment.objects.filter(
        organisation=OuterRef("organisation"), kind=PaymentKind.QUOTE, state=PaymentState.COMPLETED
    )
    paid = Subquery(orders.order_by("-captured_at").values("amount")[:1])
    return Case(When(plan__in=LISTED, then=None), default=paid, output_field=DecimalField())


def _choose_price(plan: str, cycle: str, price: Decimal | None) -> Decimal:
    """The price that was agreed upon or paid; else that of the list."""
    if price is None and plan in LISTED:
        return OFFERS[Plan(plan)].price(Cycle(cycle))
    return price or _NOTHING


def _to_monthly_price(price: Decimal, cycle: str) -> Decimal:
    return price / Cycle(cycle or Cycle.MONTHLY).months


def _sum_amounts(found: "QuerySet[Any]") -> Decimal:
    return found.aggregate(sum=Sum("amount"))["sum"] or _NOTHING
