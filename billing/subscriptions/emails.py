"""The mails about a plan: its trial, failed renewals, pauses, its end."""

from datetime import datetime

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS
from billing.catalogue.price_tables import format_dollars
from billing.payments.models import Agreement
from billing.subscriptions.models import Pause, Subscription
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_day, format_moment

PLANS = "/dashboard?tab=pricing"
_WHEN = "24 November 2026, 09:30 UTC"
_MANAGE = {"link": mail.build_link("/account-settings?tab=subscription")}
_PLANS = {"link": mail.build_link(PLANS)}

mail.register_mail("trial_ending", example=_PLANS | {"ends": _WHEN, "left": 40})
mail.register_mail("trial_ended", example=_PLANS)
_FAILED = _MANAGE | {"plan": "Growth", "amount": "$79", "retry": "5 March 2027"}
mail.register_mail("payment_failed_1", example=_FAILED)
mail.register_mail("payment_failed_2", example=_FAILED)
mail.register_mail(
    "subscription_paused",
    example=_MANAGE | {"until": "28 April 2027", "frozen": 4_200, "billing": "The next charge is on 12 May 2027."},
)
mail.register_mail(
    "subscription_resumed", example=_MANAGE | {"plan": "Growth", "credits": 4_200, "next": "12 May 2027"}
)
mail.register_mail("subscription_cancelled", example=_MANAGE | {"plan": "Growth", "ends": "12 May 2027"})


def send_trial_ending(*, organisation: Organisation, ends_at: datetime, left: int) -> None:
    """Two days before; `left` are the trial credits that will lapse."""
    context = _PLANS | {"ends": format_moment(ends_at), "left": left}
    mail.send_mail(
        name="trial_ending", to=organisation.contact.email, context=context, key=f"trial_ending:{organisation.pk}"
    )


def send_trial_ended(*, organisation: Organisation) -> None:
    mail.send_mail(
        name="trial_ended", to=organisation.contact.email, context=_PLANS, key=f"trial_ended:{organisation.pk}"
    )


def send_payment_failed(
    *,
    organisation: Organisation,
    subscription: Subscription,
    agreement: Agreement,
    attempt: int,
    retry_at: datetime | None,
) -> None:
    """`attempt` 1 or 2, once each for a renewal that fails."""
    since = subscription.past_due_at
    context = _MANAGE | {
        "plan": OFFERS[Plan(subscription.plan)].name,
        "amount": format_dollars(agreement.price),
        "retry": format_day(retry_at) if retry_at else "",
    }
    name = f"payment_failed_{attempt}"
    mail.send_mail(
        name=name,
        to=organisation.contact.email,
        context=context,
        key=f"{name}:{agreement.pk}:{since and since.timestamp()}",
    )


def send_paused(*, organisation: Organisation, pause: Pause, until: datetime, frozen: int, billing: str) -> None:
    """`frozen` plan credits; `billing` says what becomes of the charges."""
    context = _MANAGE | {"until": format_day(until), "frozen": frozen, "billing": billing}
    mail.send_mail(
        name="subscription_paused",
        to=organisation.contact.email,
        context=context,
        key=f"subscription_paused:{pause.pk}",
    )


def send_resumed(
    *, organisation: Organisation, pause: Pause, plan: str, credits: int, next_at: datetime | None
) -> None:
    context = _MANAGE | {
        "plan": OFFERS[Plan(plan)].name,
        "credits": credits,
        "next": format_day(next_at) if next_at else "",
    }
    mail.send_mail(
        name="subscription_resumed",
        to=organisation.contact.email,
        context=context,
        key=f"subscription_resumed:{pause.pk}",
    )


def send_cancelled(*, organisation: Organisation, subscription: Subscription, ends_at: datetime) -> None:
    context = _MANAGE | {"plan": OFFERS[Plan(subscription.plan)].name, "ends": format_day(ends_at)}
    key = f"subscription_cancelled:{organisation.pk}:{ends_at.timestamp()}"
    mail.send_mail(name="subscription_cancelled", to=organisation.contact.email, context=context, key=key)
