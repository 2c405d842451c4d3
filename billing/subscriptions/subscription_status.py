"""How many accounts stand at once: a page of them takes as many queries as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, Sum
from django.utils import timezone

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger.models import CreditHold, CreditLot
from billing.subscriptions.entitlements import CurrentPlan, build_current_plan
from billing.subscriptions.models import Status, Subscription

# The subscription of the organisation that a person holds.
_OF_USER = "own_organisation__subscription"


@dataclass(frozen=True, slots=True)
class AccountFigures:
    """Plan, credits that can be spent and credits used in the credit month, as `plans.account_summary` has them."""

    plan: Plan
    credits: int
    monthly_usage: int


_NOTHING_HELD = AccountFigures(Plan.FREE, 0, 0)


def load_account_figures(organisations: Sequence[Organisation]) -> dict[int, AccountFigures]:
    """The figures of organisations by their id."""
    now = timezone.now()
    plans = _load_current_plans(organisations, now)
    credits, usage = _sum_credits(organisations, now), _sum_usage(plans)
    return {pk: AccountFigures(found.plan, credits.get(pk, 0), usage.get(pk, 0)) for pk, found in plans.items()}


def load_figures_of_users(users: Sequence[User]) -> dict[int, AccountFigures]:
    """The figures of the organisations that these persons hold, by the persons' id; Free and nothing without one."""
    held = {one.holder_id: one for one in Organisation.objects.filter(holder__in=[user.pk for user in users])}
    found = load_account_figures(list(held.values()))
    return {user.pk: found[held[user.pk].pk] if user.pk in held else _NOTHING_HELD for user in users}


def build_plan_filter(plan: str, *, now: datetime) -> Q:
    """The persons whose organisation has a plan now; a trial that is over counts as Free."""
    over = Q(**{f"{_OF_USER}__status": Status.TRIAL, f"{_OF_USER}__trial_ends_at__lte": now})
    if plan == Plan.FREE:
        return Q(**{f"{_OF_USER}__plan": plan}) | over
    running = ~Q(**{f"{_OF_USER}__status": Status.TRIAL}) | Q(**{f"{_OF_USER}__trial_ends_at__gt": now})
    return Q(running, **{f"{_OF_USER}__plan": plan})


def _load_current_plans(organisations: Sequence[Organisation], now: datetime) -> dict[int, CurrentPlan]:
    found = {
        one.organisation_id: one
        for one in Subscription.objects.filter(organisation__in=[organisation.pk for organisation in organisations])
    }
    return {
        organisation.pk: build_current_plan(
            found.get(organisation.pk) or Subscription(organisation_id=organisation.pk),
            signed_up_at=organisation.created_at,
            now=now,
        )
        for organisation in organisations
    }


def _sum_credits(organisations: Sequence[Organisation], now: datetime) -> dict[int, int]:
    lasting = Q(expires_at=None) | Q(expires_at__gt=now)
    lots = CreditLot.objects.filter(
        lasting, organisation__in=[organisation.pk for organisation in organisations], remaining__gt=0
    )
    return dict(lots.values("organisation_id").annotate(total=Sum("remaining")).values_list("organisation_id", "total"))


def _sum_usage(plans: dict[int, CurrentPlan]) -> dict[int, int]:
    """Each account has its own credit month."""
    months = Q(pk__in=[])
    for pk, found in plans.items():
        months |= Q(organisation_id=pk, closed_at__gte=found.used_since)
    holds = CreditHold.objects.filter(months).values("organisation_id").annotate(total=Sum("captured"))
    return dict(holds.values_list("organisation_id", "total"))
