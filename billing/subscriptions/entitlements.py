"""Which plan an account has, what that includes, and what it has used: reading only."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, Sum
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS, TRIAL_CREDITS, Feature, Offer
from billing.ledger.balances import list_spendable_lots
from billing.ledger.credit_months import Month, month_at
from billing.ledger.models import FULL_CHECK_KINDS, CreditAccount, CreditHold, CreditLot, LotKind
from billing.subscriptions.models import Status, Subscription
from emailcheck.common.storage.prepared_reads import OneRow

_of_account = OneRow(Subscription, "organisation_id")
_cached_subscription = Subscription._meta.get_field("organisation").remote_field
_AVERAGE_MONTH = timedelta(days=365) / 12
TEST_CREDITS = 100_000
"""What every account can spend in test mode, and never does."""


@dataclass(frozen=True, slots=True)
class CurrentPlan:
    """The current subscription of an account; a trial past its end does not count, ended or not."""

    subscription: Subscription
    on_trial: bool
    plan: Plan
    month: Month

    @property
    def offer(self) -> Offer:
        return OFFERS[self.plan]

    @property
    def is_given(self) -> bool:
        """Whether the plan is unpaid and has no end."""
        return self.plan != Plan.FREE and self.subscription.paid_until is None

    @property
    def status(self) -> Status:
        over = self.subscription.status == Status.TRIAL and not self.on_trial
        return Status.ACTIVE if over else Status(self.subscription.status)

    @property
    def limit(self) -> int:
        """Credits that the plan gives a month; a trial gives its own (PRC-027)."""
        return TRIAL_CREDITS if self.on_trial else count_allowance(self.subscription)

    @property
    def used_since(self) -> datetime:
        """From when on charges count as this month's: the first one begins with the plan, even where its billing dates
        have a later hour."""
        begun = self.subscription.period_starts_at
        is_first = self.month.starts_at == self.subscription.started_at
        return min(self.month.starts_at, begun) if begun and is_first else self.month.starts_at


def load_current_plan(organisation: Organisation, *, now: datetime | None = None) -> CurrentPlan:
    """The plan of the account at `now`."""
    now = now or timezone.now()
    return build_current_plan(_load_subscription(organisation), signed_up_at=organisation.created_at, now=now)


def _load_subscription(organisation: Organisation) -> Subscription:
    return _of_account.read(organisation.pk) or Subscription(organisation_id=organisation.pk)


def build_current_plan(found: Subscription, *, signed_up_at: datetime, now: datetime) -> CurrentPlan:
    """As `load_current_plan`, of a subscription that was read already."""
    plan, on_trial = _choose_plan(found, now)
    anchor = signed_up_at if found.status == Status.TRIAL or plan == Plan.FREE else found.started_at
    return CurrentPlan(found, on_trial, plan, month_at(anchor, now))


def _choose_plan(found: Subscription, now: datetime) -> tuple[Plan, bool]:
    """The plan that counts, and whether as a trial."""
    is_trial = found.status == Status.TRIAL
    on_trial = is_trial and found.trial_ends_at is not None and now < found.trial_ends_at
    return Plan.FREE if is_trial and not on_trial else Plan(found.plan), on_trial


def count_allowance(found: Subscription) -> int:
    """Credits that come every month: of the plan that a trial lies over, or as agreed upon."""
    plan = Plan.FREE if found.status == Status.TRIAL else Plan(found.plan)
    return OFFERS[plan].limit or found.custom_monthly_credits or 0


def count_monthly_credits(now: CurrentPlan) -> int:
    """Credits that the plan gives a month; of those that came for longer at once, as of a year, a month's share."""
    if now.limit or now.offer.limit is not None:
        return now.limit
    of_plan = CreditLot.objects.filter(organisation_id=now.subscription.organisation_id, kind=LotKind.PLAN)
    running = of_plan.filter(expires_at__gt=timezone.now()).values_list("granted", "created_at", "expires_at")
    return sum(_to_monthly_credits(granted, ends - begins) for granted, begins, ends in running if ends)


def _to_monthly_credits(credits: int, lasting: timedelta) -> int:
    return credits // max(1, round(lasting / _AVERAGE_MONTH))


def find_rate_limit(organisation: Organisation) -> int | None:
    """How many API requests the plan of an account includes a minute; None for any number (LIM-018)."""
    if _cached_subscription.get_cached_value(organisation, default=None) is None:
        _cached_subscription.set_cached_value(organisation, _load_subscription(organisation))
    return _load_offer(organisation).per_minute


def _load_offer(organisation: Organisation) -> Offer:
    """What the plan includes; a call with a key already loaded it with the plan that admitted it."""
    known = _cached_subscription.get_cached_value(organisation, default=None)
    found = known if isinstance(known, Subscription) else _load_subscription(organisation)
    return OFFERS[_choose_plan(found, timezone.now())[0]]


def has_feature(organisation: Organisation, feature: Feature) -> bool:
    """The answer at every gate (VAL-020, VAL-021, DASH-013, DASH-020, DOC-054)."""
    return feature in list_features(organisation)


def list_features(organisation: Organisation) -> frozenset[Feature]:
    """All that an account may use: its plan's; with pack or transferred credits left at least Starter's (VAL-021)."""
    features = _load_offer(organisation).features
    starter = OFFERS[Plan.STARTER].features
    if (
        starter <= features
        or not list_spendable_lots(organisation_id=organisation.pk).filter(kind__in=FULL_CHECK_KINDS).exists()
    ):
        return features
    return features | starter


def has_full_checks(organisation: Organisation) -> bool:
    """Whether the plan, a trial or pack credits include every check, without welcome credits (VAL-021)."""
    return organisation.in_test_mode or OFFERS[Plan.STARTER].features <= list_features(organisation)


def count_pack_credits(organisation: Organisation) -> int:
    """Credits that were bought, or came from the agency, and can be spent."""
    bought = list_spendable_lots(organisation_id=organisation.pk).filter(kind__in=FULL_CHECK_KINDS)
    return bought.aggregate(total=Sum("remaining"))["total"] or 0


def count_monthly_usage(organisation: Organisation, *, now: CurrentPlan | None = None) -> int:
    """Credits charged in the credit month, from all lots (DASH-024)."""
    holds = CreditHold.objects.filter(
        organisation_id=organisation.pk, closed_at__gte=(now or load_current_plan(organisation)).used_since
    )
    return holds.aggregate(total=Sum("captured"))["total"] or 0


def compute_usage_percentage(used: int, limit: int) -> float:
    """How much of the month's allowance is used, in percent with one decimal; stops at 100 (DASH-024)."""
    return min(100.0, round(100 * used / limit, 1)) if limit else 0.0


def build_account_summary(organisation: Organisation) -> dict[str, Any]:
    """Plan, spendable credits (without what has expired), held credits and this month's usage of an account."""
    now = load_current_plan(organisation)
    if organisation.in_test_mode:
        return _build_test_summary(now)
    pack = Q(kind=LotKind.PACK)
    totals = list_spendable_lots(organisation_id=organisation.pk).aggregate(
        all=Sum("remaining"), pack=Sum("remaining", filter=pack)
    )
    held = CreditAccount.objects.filter(organisation_id=organisation.pk).values_list("held", flat=True).first()
    total, packs = totals["all"] or 0, totals["pack"] or 0
    return {
        "subscription_plan": now.plan.value,
        "credits": total,
        "plan_credits": total - packs,
        "pack_credits": packs,
        "held": held or 0,
        "monthly_usage": count_monthly_usage(organisation, now=now),
        "monthly_limit": count_monthly_credits(now),
        "resets_at": _find_reset(now.subscription),
    }


def _build_test_summary(now: CurrentPlan) -> dict[str, Any]:
    """What every account has in test mode, where nothing is spent."""
    used = {"pack_credits": 0, "held": 0, "monthly_usage": 0, "monthly_limit": now.limit, "resets_at": None}
    return {"subscription_plan": now.plan.value, "credits": TEST_CREDITS, "plan_credits": TEST_CREDITS, **used}


def _find_reset(found: Subscription) -> datetime | None:
    """When credits come again: none at the end of a cancelled plan, none to spend while paused, none until paid for."""
    ends = found.cancel_at if found.status == Status.CANCELLED else None
    if found.status in {Status.PAUSED, Status.PAST_DUE} or (ends and found.renews_at and found.renews_at >= ends):
        return None
    return found.renews_at
