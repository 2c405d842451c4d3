"""The mails about quotes."""

from typing import Any

from billing.invoice_words import money
from billing.models import Invoice
from crm.models import Contract
from emailcheck.common import mail
from emailcheck.common.dates import on_day
from quotes.models import PlanRequest, Quote

PROMISED_MINUTES = 10
QUOTES = "/dashboard?tab=custom-packages"
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
    "link": mail.link(QUOTES),
}
_PAID = {
    "quote_id": "Q-20261120-7F3A9C",
    "amount": "$1,307.25",
    "period": "yearly",
    "minutes": 10,
    "link": mail.link(QUOTES),
}
_ACTIVE = _PAID | {
    "now": "292,500", "later": "", "begins": "20 November 2026", "ends": "20 November 2027", "paid": True
}  # fmt: skip
mail.register("plan_request_received", example=_PAID)
mail.register("plan_activated", example=_ACTIVE)
for _name in ("quote_sent", "quote_reminder_7", "quote_reminder_2"):
    mail.register(_name, example=_EXAMPLE)


def content(quote: Quote, *, message: str = "") -> dict[str, Any]:
    """What the mails about a quote tell; all of it from the stored row."""
    return {
        "quote_id": quote.quote_id,
        "name": quote.customer_name,
        "credits": f"{quote.credits_needed:,}",
        "monthly": f"${quote.monthly_price:,.2f}",
        "first_month": f"{quote.first_month:,}",
        "after": f"{quote.monthly_after:,}",
        "annual": f"${quote.annual_price:,.2f}",
        "yearly_credits": f"{quote.yearly_credits:,}",
        "savings": f"${quote.annual_savings:,.2f}",
        "expires": on_day(quote.expires_at),
        "message": message,
        "link": mail.link(QUOTES),
    }


def _open(invoice: Invoice) -> dict[str, str]:
    return {
        "invoice": invoice.number,
        "amount": money(invoice.total),
        "due": on_day(invoice.due_on) if invoice.due_on else "",
    }


def send_reminder(quote: Quote, *, days: int) -> None:
    """Seven or two days before the end, once each."""
    name = f"quote_reminder_{days}"
    mail.send(name=name, to=quote.customer_email, context=content(quote), key=f"{name}:{quote.pk}")


def send_quote(quote: Quote, *, to: str, message: str) -> None:
    """The offer itself, now. Raises `ProviderFailed` when the mail server does not take it."""
    mail.send_now(name="quote_sent", to=to, context=content(quote, message=message))


def send_payment_received(request: PlanRequest) -> None:
    """What was paid, and that the plan follows within ten minutes."""
    quote = request.quote
    context = {
        "quote_id": quote.quote_id,
        "amount": f"${request.amount_paid:,.2f}",
        "period": request.selected_plan,
        "minutes": PROMISED_MINUTES,
        "link": mail.link(QUOTES),
    }
    key = f"plan_request_received:{request.pk}"
    mail.send(name="plan_request_received", to=quote.customer_email, context=context, key=key)


def send_activated(request: PlanRequest, *, contract: Contract, now: int, later: int, invoice: Invoice | None) -> None:
    """The plan is active: credits that are there `now`, and those that come `later` each month (0: none).

    `invoice` is the open one, when nothing was paid yet.
    """
    quote = request.quote
    context = {
        "quote_id": quote.quote_id,
        "period": request.selected_plan,
        "now": f"{now:,}",
        "later": f"{later:,}" if later else "",
        "begins": on_day(contract.starts_on),
        "ends": on_day(contract.ends_on),
        "paid": invoice is None,
        **(_open(invoice) if invoice else {}),
        "link": mail.link(QUOTES),
    }
    key = f"plan_activated:{request.pk}"
    mail.send(name="plan_activated", to=quote.customer_email, context=context, key=key)
