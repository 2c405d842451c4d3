"""The mails about quotes."""

from typing import Any

from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_day
from quotes.quotes.models import Quote

QUOTES_PAGE = "/dashboard?tab=custom-packages"
_EXAMPLE: dict[str, Any] = {
    "quote_id": "Q-20261120-7F3A9C",
    "name": "Erin Elm",
    "credits": "250,000",
    "monthly": "$131.25",
    "first_month": "20,842",
    "after": "20,833",
    "annual": "$1,307.25",
    "yearly_credits": "292,500",
    "savings": "$267.75",
    "expires": "20 December 2026",
    "message": "",
    "link": mail.build_link(QUOTES_PAGE),
}
for _name in ("quote_sent", "quote_reminder_7", "quote_reminder_2"):
    mail.register_mail(_name, example=_EXAMPLE)


def build_context(quote: Quote, *, message: str = "") -> dict[str, Any]:
    """The context of the mails about a quote, all of it from the stored row."""
    return {
        "quote_id": quote.quote_id,
        "name": quote.customer_name,
        "credits": f"{quote.credits_needed:,}",
        "monthly": f"${quote.monthly_price:,.2f}",
        "first_month": f"{quote.first_month_credits:,}",
        "after": f"{quote.later_month_credits:,}",
        "annual": f"${quote.annual_price:,.2f}",
        "yearly_credits": f"{quote.yearly_credits:,}",
        "savings": f"${quote.annual_savings:,.2f}",
        "expires": format_day(quote.expires_at),
        "message": message,
        "link": mail.build_link(QUOTES_PAGE),
    }


def send_reminder(quote: Quote, *, days: int) -> None:
    """Seven or two days before the end, once each."""
    name = f"quote_reminder_{days}"
    mail.send_mail(name=name, to=quote.customer_email, context=build_context(quote), key=f"{name}:{quote.pk}")


def send_quote(quote: Quote, *, to: str, message: str) -> None:
    """The offer itself, now. Raises `ProviderFailed` when the mail server does not take it."""
    mail.send_mail_now(name="quote_sent", to=to, context=build_context(quote, message=message))
