"""How many accounts stand at once: a page of them takes as many queries as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, Sum
from django.utils import timezone

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger.models import CreditHold, CreditLot
from billing.subscriptions.entitlements import CurrentPlan, build_current_plan
from billing.subscriptions.models import Status, Subscription


@dataclass(frozen=True, slots=True)
class AccountFigures:
    """Plan, credits that can be spent and credits used in the credit month, as `plans.account_summary` has them."""

    plan: Plan
    credits: int
    monthly_usage: int


def load_account_figures(users: Sequence[User]) -> dict[int, AccountFigures]:
    """The figures of accounts by their id."""
    now = timezone.now()
    plans = _load_current_plans(users, now)
    credits, usage = _sum_credits(users, now), _sum_usage(plans)
    return {pk: AccountFigures(found.plan, credits.get(pk, 0), usage.get(pk, 0)) for pk, found in plans.items()}


def build_plan_filter(plan: str, *, now: datetime) -> Q:
    """The accounts that have a plan now; a trial that is over counts as Free."""
    over = Q(subscription__status=Status.TRIAL, subscription__trial_ends_at__lte=now)
    if plan == Plan.FREE:
        return Q(subscription__plan=plan) | over
    running = ~Q(subscription__status=Status.TRIAL) | Q(subscription__trial_ends_at__gt=now)
    return Q(running, subscription__plan=plan)


def _load_current_plans(users: Sequence[User], now: datetime) -> dict[int, CurrentPlan]:
    found = {one.user_id: one for one in Subscription.objects.filter(user__in=[user.pk for user in users])}
    return {
        user.pk: build_current_plan(
            found.get(user.pk) or Subscription(user_id=user.pk), signed_up_at=user.created_at, now=now
        )
        for user in users
    }


def _sum_credits(users: Sequence[User], now: datetime) -> dict[int, int]:
    lasting = Q(expires_at=None) | Q(expires_at__gt=now)
    lots = CreditLot.objects.filter(lasting, user__in=[user.pk for user in users], remaining__gt=0)
    return dict(lots.values("user_id").annotate(total=Sum("remaining")).values_list("user_id", "total"))


def _sum_usage(plans: dict[int, CurrentPlan]) -> dict[int, int]:
    """Each account has its own credit month."""
    months = Q(pk__in=[])
    for pk, found in plans.items():
        months |= Q(user_id=pk, closed_at__gte=found.used_since)
    holds = CreditHold.objects.filter(months).values("user_id").annotate(total=Sum("captured"))
    return dict(holds.values_list("user_id", "total"))
