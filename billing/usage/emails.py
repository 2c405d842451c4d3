"""The mails about credits that run out."""

from datetime import datetime

from accounts.organisations.models import Organisation
from billing.subscriptions.emails import PLANS
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_moment

ALERTS = "/account-settings?tab=subscription#usage-alerts"
_WHEN = "24 November 2026, 09:30 UTC"
_PLANS = {"link": mail.build_link(PLANS)}

mail.register_mail("quota_80", example=_PLANS | {"used": 8_000, "left": 2_000, "next": _WHEN})
mail.register_mail("quota_reached", example=_PLANS | {"next": _WHEN})
mail.register_mail("too_few_credits", example=_PLANS | {"needed": 101, "balance": 100, "held": 0, "next": _WHEN})
mail.register_mail("low_balance", example={"balance": 480, "limit": 500, "link": mail.build_link(ALERTS)})


def send_quota_80(*, organisation: Organisation, used: int, left: int, next_at: datetime) -> None:
    mail.send_mail(
        name="quota_80",
        to=organisation.contact.email,
        context=_PLANS | {"used": used, "left": left, "next": format_moment(next_at)},
    )


def send_quota_reached(*, organisation: Organisation, next_at: datetime) -> None:
    mail.send_mail(
        name="quota_reached", to=organisation.contact.email, context=_PLANS | {"next": format_moment(next_at)}
    )


def send_low_balance(*, organisation: Organisation, balance: int, limit: int) -> None:
    context = {"balance": balance, "limit": limit, "link": mail.build_link(ALERTS)}
    mail.send_mail(name="low_balance", to=organisation.contact.email, context=context)


def send_too_few_credits(
    *, organisation: Organisation, needed: int, balance: int, held: int, next_at: datetime
) -> None:
    """`held` credits are set aside for lists that run."""
    context = _PLANS | {"needed": needed, "balance": balance, "held": held, "next": format_moment(next_at)}
    mail.send_mail(name="too_few_credits", to=organisation.contact.email, context=context)
