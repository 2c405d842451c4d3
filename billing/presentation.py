"""Plans and subscriptions as the API answers them."""

from typing import Any

from accounts.models import User
from billing import plans
from billing.catalogue import LISTED, OFFERS, PACKS, TRIAL_CREDITS, TRIAL_DAYS
from billing.models import Cycle, Subscription, TrialStatus

Json = dict[str, Any]


def catalogue() -> Json:
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


def subscription(user: User) -> Json:
    """The plan of an account and what it has used (SUB-001)."""
    now = plans.standing(user)
    found, summary = now.subscription, plans.account_summary(user)
    return {
        **{name: summary[name] for name in ("credits", "plan_credits", "pack_credits", "monthly_usage")},
        "subscription_plan": now.plan,
        "subscription_status": now.status,
        "monthly_limit": now.limit,
        "payment_method": None,
        "last_payment_date": found.last_payment_at,
        "next_billing_date": found.paid_until,
        "billing_cycle": found.cycle or None,
        "trial_status": _trial_status(now),
        "trial_ends_at": found.trial_ends_at,
        "can_pause": False,
        "cancel_at": None,
        "scheduled_plan": None,
        "scheduled_cycle": None,
        "scheduled_at": None,
    }


def trial_started(found: Subscription, *, credits: int) -> Json:
    """The answer to a trial that has begun."""
    return {
        "message": f"Your {TRIAL_DAYS}-day free trial has started. {TRIAL_CREDITS} credits were added.",
        "trial_ends_at": found.trial_ends_at,
        "credits": credits,
    }


def _trial_status(now: plans.Standing) -> str | None:
    stored = now.subscription.trial_status
    over = stored == TrialStatus.ACTIVE and not now.on_trial
    return TrialStatus.EXPIRED if over else stored or None
