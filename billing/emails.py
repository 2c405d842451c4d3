"""The mails about plans and credits."""

from datetime import datetime

from accounts.emails import in_words
from accounts.models import User
from billing.catalogue import OFFERS, REFERRAL_REWARD
from billing.models import Agreement, Pause, Payment, PaymentKind, Plan, Referral, Subscription
from billing.payment_words import NOT_MADE
from billing.pricing import dollars
from emailcheck.common import mail
from emailcheck.common.dates import on_day

PLANS = "/dashboard?tab=pricing"
ALERTS = "/account-settings?tab=subscription#usage-alerts"
FRIENDS = "/dashboard?tab=referrals"
MANAGE = "/account-settings?tab=subscription"
_WHEN = "24 November 2026, 09:30 UTC"
_PLANS = {"link": mail.link(PLANS)}

mail.register("trial_ending", example=_PLANS | {"ends": _WHEN, "left": 40})
mail.register("trial_ended", example=_PLANS)
mail.register("quota_80", example=_PLANS | {"used": 8_000, "left": 2_000, "next": _WHEN})
mail.register("quota_reached", example=_PLANS | {"next": _WHEN})
mail.register("too_few_credits", example=_PLANS | {"needed": 101, "balance": 100, "held": 0, "next": _WHEN})
mail.register("referral_converted", example={"reward": REFERRAL_REWARD, "balance": 1_240, "link": mail.link(FRIENDS)})
mail.register("low_balance", example={"balance": 480, "limit": 500, "link": mail.link(ALERTS)})
_MANAGE = {"link": mail.link(MANAGE)}
_FAILED = _MANAGE | {"plan": "Growth", "amount": "$79", "retry": "5 March 2027"}
mail.register("payment_failed_1", example=_FAILED)
mail.register("payment_failed_2", example=_FAILED)
mail.register(
    "subscription_paused",
    example=_MANAGE | {"until": "28 April 2027", "frozen": 4_200, "billing": "The next charge is on 12 May 2027."},
)
mail.register("subscription_resumed", example=_MANAGE | {"plan": "Growth", "credits": 4_200, "next": "12 May 2027"})
mail.register("subscription_cancelled", example=_MANAGE | {"plan": "Growth", "ends": "12 May 2027"})

_PAYMENT = _MANAGE | {"amount": "$59.00", "what": "5,000 credits"}
mail.register("payment_completed", example=_PAYMENT | {"brought": "5,000 credits were added to your account."})
mail.register("payment_not_made", example=_PAYMENT | {"not_made": NOT_MADE, "again": True})


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


def send_too_few_credits(*, user: User, needed: int, balance: int, held: int, next_at: datetime) -> None:
    """`held` credits are set aside for lists that run."""
    context = _PLANS | {"needed": needed, "balance": balance, "held": held, "next": in_words(next_at)}
    mail.send(name="too_few_credits", to=user.email, context=context)


def send_referral_converted(*, referral: Referral, balance: int) -> None:
    """To whoever brought the friend, who is not named."""
    context = {"reward": REFERRAL_REWARD, "balance": balance, "link": mail.link(FRIENDS)}
    key = f"referral_converted:{referral.pk}:{referral.payment_id}"
    mail.send(name="referral_converted", to=referral.referrer.email, context=context, key=key)


def send_payment_failed(
    *, user: User, subscription: Subscription, agreement: Agreement, attempt: int, retry_at: datetime | None
) -> None:
    """`attempt` 1 or 2, once each for a renewal that fails."""
    since = subscription.past_due_at
    context = _MANAGE | {
        "plan": OFFERS[Plan(subscription.plan)].name,
        "amount": dollars(agreement.price),
        "retry": on_day(retry_at) if retry_at else "",
    }
    name = f"payment_failed_{attempt}"
    mail.send(name=name, to=user.email, context=context, key=f"{name}:{agreement.pk}:{since and since.timestamp()}")


def send_paused(*, user: User, pause: Pause, until: datetime, frozen: int, billing: str) -> None:
    """`frozen` plan credits; `billing` says what becomes of the charges."""
    context = _MANAGE | {"until": on_day(until), "frozen": frozen, "billing": billing}
    mail.send(name="subscription_paused", to=user.email, context=context, key=f"subscription_paused:{pause.pk}")


def send_resumed(*, user: User, pause: Pause, plan: str, credits: int, next_at: datetime | None) -> None:
    context = _MANAGE | {
        "plan": OFFERS[Plan(plan)].name,
        "credits": credits,
        "next": on_day(next_at) if next_at else "",
    }
    mail.send(name="subscription_resumed", to=user.email, context=context, key=f"subscription_resumed:{pause.pk}")


def send_cancelled(*, user: User, subscription: Subscription, ends_at: datetime) -> None:
    context = _MANAGE | {"plan": OFFERS[Plan(subscription.plan)].name, "ends": on_day(ends_at)}
    key = f"subscription_cancelled:{user.pk}:{ends_at.timestamp()}"
    mail.send(name="subscription_cancelled", to=user.email, context=context, key=key)


def send_payment_completed(*, user: User, payment: Payment, brought: str) -> None:
    """A payment that PayPal had held back has come; `brought` says what for. Its invoice is a mail of its own."""
    context = _of_payment(payment) | {"brought": brought}
    mail.send(name="payment_completed", to=user.email, context=context, key=f"payment_completed:{payment.pk}")


def send_payment_not_made(*, user: User, payment: Payment) -> None:
    """A payment that PayPal had held back came to nothing."""
    context = _of_payment(payment) | {"not_made": NOT_MADE, "again": payment.kind != PaymentKind.RENEWAL}
    mail.send(name="payment_not_made", to=user.email, context=context, key=f"payment_not_made:{payment.pk}")


def _of_payment(payment: Payment) -> dict[str, str]:
    return _MANAGE | {"amount": dollars(payment.amount), "what": payment.description}
