"""The mails that carry invoices and credit notes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from billing import invoice_pdf
from billing.invoice_words import money, status_of
from billing.models import DocumentKind, Invoice
from emailcheck.common import mail
from emailcheck.common.dates import on_day
from emailcheck.common.mail import File

INVOICES = "/account-settings?tab=subscription#invoices"
ARRIVES = "5 to 10 business days"
_LINK = {"link": mail.link(INVOICES)}
_EXAMPLE = _LINK | {"number": "INV-2030-000042", "total": "$59.00", "date": "31 January 2030"}
_CREDIT_NOTE = {"credit_note": "CN-2030-000007", "reason": "Not what was expected"}


def files(context: Mapping[str, Any]) -> list[File]:
    """The document that the context names by `document_id`."""
    document = Invoice.objects.get(pk=context["document_id"])
    return [File(f"{document.number}.pdf", invoice_pdf.render(document), "application/pdf")]


mail.register("invoice", example=_EXAMPLE | {"items": ["5,000 credits"], "status": "Paid", "due": ""}, attach=files)
mail.register("invoice_overdue", example=_EXAMPLE | {"due": "14 February 2030"}, attach=files)
mail.register("credit_note", example=_EXAMPLE | _CREDIT_NOTE, attach=files)
mail.register(
    "subscription_renewed",
    example=_EXAMPLE | {"plan": "Growth", "until": "28 February 2030", "credits": "10,000", "next": "28 February 2030"},
    attach=files,
)
mail.register(
    "refund", example=_EXAMPLE | _CREDIT_NOTE | {"taken_back": "5,000", "ended": True, "arrives": ARRIVES}, attach=files
)


def send(*, document: Invoice, to: str, key: str = "") -> None:
    """Send an invoice or a credit note; of several with one `key` the first alone."""
    is_credit_note = document.kind == DocumentKind.CREDIT_NOTE
    context = _of_credit_note(document) if is_credit_note else _of_invoice(document)
    mail.send(name=document.kind, to=to, context=context, key=key)


def send_overdue(*, document: Invoice, to: str) -> None:
    """Tell that an open invoice was due, once."""
    mail.send(name="invoice_overdue", to=to, context=_of_invoice(document), key=f"invoice_overdue:{document.number}")


def send_refund(*, document: Invoice, to: str, taken_back: int, ended: bool) -> None:
    """Tell of a refund: its credit note, the credits it took back, whether the plan ended."""
    context = _of_credit_note(document) | {
        "taken_back": f"{taken_back:,}" if taken_back else "",
        "ended": ended,
        "arrives": ARRIVES,
    }
    mail.send(name="refund", to=to, context=context, key=f"refund:{document.number}")


def send_renewed(
    *, document: Invoice, to: str, plan: str, until: datetime, credits: int, next_at: datetime | None
) -> None:
    """Tell that a plan was renewed, with the invoice; `credits` are those that came with it."""
    context = _of_invoice(document) | {
        "plan": plan,
        "until": on_day(until),
        "credits": f"{credits:,}" if credits else "",
        "next": on_day(next_at) if next_at else "",
    }
    mail.send(name="subscription_renewed", to=to, context=context, key=f"invoice:{document.number}")


def _of_invoice(document: Invoice) -> dict[str, Any]:
    return _LINK | {
        "document_id": document.pk,
        "number": document.number,
        "total": money(document.total),
        "date": on_day(document.issued_at),
        "items": [line.description for line in document.lines.all()],
        "status": status_of(document).label,
        "due": on_day(document.due_on) if document.due_on and not document.is_paid else "",
    }


def _of_credit_note(document: Invoice) -> dict[str, Any]:
    assert document.cancels is not None
    return _LINK | {
        "document_id": document.pk,
        "credit_note": document.number,
        "number": document.cancels.number,
        "total": money(-document.total),
        "date": on_day(document.issued_at),
        "reason": document.note,
    }
