"""The mails about chosen plans."""

from billing.invoices.models import Invoice
from billing.invoices.wording import format_money
from crm.contracts.models import Contract
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_day
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.emails import QUOTES_PAGE

PROMISED_MINUTES = 10
_PAID_EXAMPLE = {
    "quote_id": "Q-20261120-7F3A9C",
    "amount": "$1,307.25",
    "period": "yearly",
    "minutes": 10,
    "link": mail.build_link(QUOTES_PAGE),
}


_ACTIVATED_EXAMPLE = _PAID_EXAMPLE | {
    "now": "292,500", "later": "", "begins": "20 November 2026", "ends": "20 November 2027", "paid": True
}  # fmt: skip
mail.register_mail("plan_request_received", example=_PAID_EXAMPLE)
mail.register_mail("plan_activated", example=_ACTIVATED_EXAMPLE)


def _build_invoice_context(invoice: Invoice) -> dict[str, str]:
    return {
        "invoice": invoice.number,
        "amount": format_money(invoice.total),
        "due": format_day(invoice.due_on) if invoice.due_on else "",
    }


def send_payment_received(request: PlanRequest) -> None:
    """What was paid, and that the plan follows within ten minutes."""
    quote = request.quote
    context = {
        "quote_id": quote.quote_id,
        "amount": f"${request.amount_paid:,.2f}",
        "period": request.selected_plan,
        "minutes": PROMISED_MINUTES,
        "link": mail.build_link(QUOTES_PAGE),
    }
    key = f"plan_request_received:{request.pk}"
    mail.send_mail(name="plan_request_received", to=quote.customer_email, context=context, key=key)


def send_plan_activated(
    request: PlanRequest, *, contract: Contract, now: int, later: int, invoice: Invoice | None
) -> None:
    """The plan is active: credits that are there `now`, and those that come `later` each month (0: none).

    `invoice` is the open one, when nothing was paid yet.
    """
    quote = request.quote
    context = {
        "quote_id": quote.quote_id,
        "period": request.selected_plan,
        "now": f"{now:,}",
        "later": f"{later:,}" if later else "",
        "begins": format_day(contract.starts_on),
        "ends": format_day(contract.ends_on),
        "paid": invoice is None,
        **(_build_invoice_context(invoice) if invoice else {}),
        "link": mail.build_link(QUOTES_PAGE),
    }
    key = f"plan_activated:{request.pk}"
    mail.send_mail(name="plan_activated", to=quote.customer_email, context=context, key=key)
