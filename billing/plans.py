"""Which plan an account has, what that includes, and what it has used: reading only."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q, Sum
from django.utils import timezone

from accounts.models import User
from billing.catalogue import OFFERS, TRIAL_CREDITS, Feature, Offer
from billing.models import CreditAccount, CreditHold, CreditLot, LotKind, Plan, Status, Subscription
from billing.months import Month, month_at
from billing.services import spendable_lots
from emailcheck.common.prepared import OneRow

_of_account = OneRow(Subscription, "user_id")
_read_before = Subscription._meta.get_field("user").remote_field
_AVERAGE_MONTH = timedelta(days=365) / 12
TEST_CREDITS = 100_000
"""What every account can spend in test mode, and never does."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The subscription of an account as it counts now; a trial that is over counts no more, ended or not."""

    subscription: Subscription
    on_trial: bool
    plan: Plan
    month: Month

    @property
    def offer(self) -> Offer:
        return OFFERS[self.plan]

    @property
    def is_given(self) -> bool:
        """Whether nobody pays for the plan, and it has no end."""
        return self.plan != Plan.FREE and self.subscription.paid_until is None

    @property
    def status(self) -> Status:
        over = self.subscription.status == Status.TRIAL and not self.on_trial
        return Status.ACTIVE if over else Status(self.subscription.status)

    @property
    def limit(self) -> int:
        """Credits that the plan gives a month; a trial gives its own (PRC-027)."""
        return TRIAL_CREDITS if self.on_trial else allowance(self.subscription)

    @property
    def used_since(self) -> datetime:
        """From when on charges count as this month's: the first one begins with the plan, even where its billing dates
        have a later hour."""
        begun = self.subscription.period_starts_at
        is_first = self.month.starts_at == self.subscription.started_at
        return min(self.month.starts_at, begun) if begun and is_first else self.month.starts_at


def standing(user: User, *, now: datetime | None = None) -> Standing:
    """How the account stands at `now`."""
    now = now or timezone.now()
    return standing_of(_subscription(user), signed_up_at=user.created_at, now=now)


def _subscription(user: User) -> Subscription:
    return _of_account.read(user.pk) or Subscription(user_id=user.pk)


def standing_of(found: Subscription, *, signed_up_at: datetime, now: datetime) -> Standing:
    """As `standing`, of a subscription that was read already."""
    plan, on_trial = _plan_at(found, now)
    anchor = signed_up_at if found.status == Status.TRIAL or plan == Plan.FREE else found.started_at
    return Standing(found, on_trial, plan, month_at(anchor, now))


def _plan_at(found: Subscription, now: datetime) -> tuple[Plan, bool]:
    """The plan that counts, and whether as a trial."""
    is_trial = found.status == Status.TRIAL
    on_trial = is_trial and found.trial_ends_at is not None and now < found.trial_ends_at
    return Plan.FREE if is_trial and not on_trial else Plan(found.plan), on_trial


def allowance(found: Subscription) -> int:
    """Credits that come every month: of the plan that a trial lies over, or as agreed upon."""
    plan = Plan.FREE if found.status == Status.TRIAL else Plan(found.plan)
    return OFFERS[plan].limit or found.agreed_limit or 0


def monthly_credits(now: Standing) -> int:
    """Credits that the plan gives a month; of those that came for longer at once, as of a year, a month's share."""
    if now.limit or now.offer.limit is not None:
        return now.limit
    of_plan = CreditLot.objects.filter(user_id=now.subscription.user_id, kind=LotKind.PLAN)
    running = of_plan.filter(expires_at__gt=timezone.now()).values_list("granted", "created_at", "expires_at")
    return sum(_a_month(granted, ends - begins) for granted, begins, ends in running if ends)


def _a_month(credits: int, lasting: timedelta) -> int:
    return credits // max(1, round(lasting / _AVERAGE_MONTH))


def requests_per_minute(user: AbstractBaseUser) -> int | None:
    """How many API requests the plan of an account includes a minute; None for any number (LIM-018)."""
    assert isinstance(user, User)
    if _read_before.get_cached_value(user, default=None) is None:
        _read_before.set_cached_value(user, _subscription(user))
    return _offer(user).per_minute


def _offer(user: User) -> Offer:
    """What the plan includes; a call with a key, which was let in by its plan, is not asked for it twice."""
    known = _read_before.get_cached_value(user, default=None)
    found = known if isinstance(known, Subscription) else _subscription(user)
    return OFFERS[_plan_at(found, timezone.now())[0]]


def plan_allows(user: User, feature: Feature) -> bool:
    """The answer at every gate (VAL-020, VAL-021, DASH-013, DASH-020, DOC-054)."""
    return feature in features_of(user)


def features_of(user: User) -> frozenset[Feature]:
    """All that an account may use: its plan's; with pack credits left at least Starter's (VAL-021)."""
    features = _offer(user).features
    starter = OFFERS[Plan.STARTER].features
    if starter <= features or not spendable_lots(user_id=user.pk).filter(kind=LotKind.PACK).exists():
        return features
    return features | starter


def has_full_checks(user: User) -> bool:
    """Whether the plan, a trial or pack credits bring every check, whatever is left of the welcome (VAL-021)."""
    return user.in_test_mode or OFFERS[Plan.STARTER].features <= features_of(user)


def pack_credits(user: User) -> int:
    """Credits that were bought and can be spent."""
    bought = spendable_lots(user_id=user.pk).filter(kind=LotKind.PACK)
    return bought.aggregate(total=Sum("remaining"))["total"] or 0


def monthly_usage(user: User, *, now: Standing | None = None) -> int:
    """Credits charged in the credit month, from all lots (DASH-024)."""
    holds = CreditHold.objects.filter(user_id=user.pk, settled_at__gte=(now or standing(user)).used_since)
    return holds.aggregate(total=Sum("captured"))["total"] or 0


def usage_percentage(used: int, limit: int) -> float:
    """How much of the month's allowance is used, in percent with one decimal; stops at 100 (DASH-024)."""
    return min(100.0, round(100 * used / limit, 1)) if limit else 0.0


def account_summary(user: AbstractBaseUser) -> dict[str, Any]:
    """Plan, spendable credits (without what has expired), held credits and this month's usage of an account."""
    assert isinstance(user, User)
    now = standing(user)
    if user.in_test_mode:
        return _test_summary(now)
    pack = Q(kind=LotKind.PACK)
    totals = spendable_lots(user_id=user.pk).aggregate(all=Sum("remaining"), pack=Sum("remaining", filter=pack))
    held = CreditAccount.objects.filter(user_id=user.pk).values_list("held", flat=True).first()
    total, packs = totals["all"] or 0, totals["pack"] or 0
    return {
        "subscription_plan": now.plan.value,
        "credits": total,
        "plan_credits": total - packs,
        "pack_credits": packs,
        "held": held or 0,
        "monthly_usage": monthly_usage(user, now=now),
        "monthly_limit": now.limit,
        "resets_at": _resets_at(now.subscription),
    }


def _test_summary(now: Standing) -> dict[str, Any]:
    """What every account has in test mode, where nothing is spent."""
    used = {"pack_credits": 0, "held": 0, "monthly_usage": 0, "monthly_limit": now.limit, "resets_at": None}
    return {"subscription_plan": now.plan.value, "credits": TEST_CREDITS, "plan_credits": TEST_CREDITS, **used}


def _resets_at(found: Subscription) -> datetime | None:
    """When credits come again: none at the end of a cancelled plan, none to spend while paused, none until paid for."""
    ends = found.cancel_at if found.status == Status.CANCELLED else None
    if found.status in {Status.PAUSED, Status.PAST_DUE} or (ends and found.renews_at and found.renews_at >= ends):
        return None
    return found.renews_at
