"""The mails about plans and credits."""

from datetime import datetime

from accounts.emails import in_words
from accounts.models import User
from billing.catalogue import REFERRAL_REWARD
from billing.models import Referral
from emailcheck.common import mail

PLANS = "/dashboard?tab=pricing"
ALERTS = "/account-settings?tab=subscription#usage-alerts"
FRIENDS = "/dashboard?tab=referrals"
_WHEN = "24 November 2026, 09:30 UTC"
_PLANS = {"link": mail.link(PLANS)}

mail.register("trial_ending", example=_PLANS | {"ends": _WHEN, "left": 40})
mail.register("trial_ended", example=_PLANS)
mail.register("quota_80", example=_PLANS | {"used": 8_000, "left": 2_000, "next": _WHEN})
mail.register("quota_reached", example=_PLANS | {"next": _WHEN})
mail.register("referral_converted", example={"reward": REFERRAL_REWARD, "balance": 1_240, "link": mail.link(FRIENDS)})
mail.register("low_balance", example={"balance": 480, "limit": 500, "link": mail.link(ALERTS)})


def send_trial_ending(*, user: User, ends_at: datetime, left: int) -> None:
    """Two days before; `left` are the trial credits that will lapse."""
    context = _PLANS | {"ends": in_words(ends_at), "left": left}
    mail.send(name="trial_ending", to=user.email, context=context, key=f"trial_ending:{user.pk}")


def send_trial_ended(*, user: User) -> None:
    mail.send(name="trial_ended", to=user.email, context=_PLANS, key=f"trial_ended:{user.pk}")


def send_quota_80(*, user: User, used: int, left: int, next_at: datetime) -> None:
    mail.send(name="quota_80", to=user.email, context=_PLANS | {"used": used, "left": left, "next": in_words(next_at)})


def send_quota_reached(*, user: User, next_at: datetime) -> None:
    mail.send(name="quota_reached", to=user.email, context=_PLANS | {"next": in_words(next_at)})


def send_low_balance(*, user: User, balance: int, limit: int) -> None:
    context = {"balance": balance, "limit": limit, "link": mail.link(ALERTS)}
    mail.send(name="low_balance", to=user.email, context=context)


def send_referral_converted(*, referral: Referral, balance: int) -> None:
    """To whoever brought the friend, who is not named."""
    context = {"reward": REFERRAL_REWARD, "balance": balance, "link": mail.link(FRIENDS)}
    key = f"referral_converted:{referral.pk}:{referral.payment_id}"
    mail.send(name="referral_converted", to=referral.referrer.email, context=context, key=key)
