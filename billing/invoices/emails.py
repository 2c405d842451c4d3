"""The mails that carry invoices and credit notes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from billing.invoices import pdf
from billing.invoices.models import DocumentKind, Invoice
from billing.invoices.wording import determine_status, format_money
from emailcheck.common.outbound import mail
from emailcheck.common.outbound.mail import Attachment
from emailcheck.common.text.dates import format_day

INVOICES = "/account-settings?tab=subscription#invoices"
ARRIVES = "5 to 10 business days"
_LINK = {"link": mail.build_link(INVOICES)}
_EXAMPLE = _LINK | {"number": "INV-2030-000042", "total": "$59.00", "date": "31 January 2030"}
_CREDIT_NOTE = {"credit_note": "CN-2030-000007", "reason": "Not what was expected"}


def build_attachments(context: Mapping[str, Any]) -> list[Attachment]:
    """The document that the context names by `document_id`."""
    document = Invoice.objects.get(pk=context["document_id"])
    return [Attachment(document.file_name, pdf.render_pdf(document), "application/pdf")]


mail.register_mail(
    "invoice", example=_EXAMPLE | {"items": ["5,000 credits"], "status": "Paid", "due": ""}, attach=build_attachments
)
mail.register_mail("invoice_overdue", example=_EXAMPLE | {"due": "14 February 2030"}, attach=build_attachments)
mail.register_mail("credit_note", example=_EXAMPLE | _CREDIT_NOTE, attach=build_attachments)
mail.register_mail(
    "subscription_renewed",
    example=_EXAMPLE | {"plan": "Growth", "until": "28 February 2030", "credits": "10,000", "next": "28 February 2030"},
    attach=build_attachments,
)
mail.register_mail(
    "refund",
    example=_EXAMPLE | _CREDIT_NOTE | {"taken_back": "5,000", "ended": True, "arrives": ARRIVES},
    attach=build_attachments,
)


def send_document(*, document: Invoice, to: str, key: str = "") -> None:
    """Send an invoice or a credit note; of several with one `key` the first alone."""
    is_credit_note = document.kind == DocumentKind.CREDIT_NOTE
    context = _build_credit_note_context(document) if is_credit_note else _build_invoice_context(document)
    mail.send_mail(name=document.kind, to=to, context=context, key=key)


def send_overdue(*, document: Invoice, to: str) -> None:
    """Tell that an open invoice was due, once."""
    mail.send_mail(
        name="invoice_overdue",
        to=to,
        context=_build_invoice_context(document),
        key=f"invoice_overdue:{document.number}",
    )


def send_refund(*, document: Invoice, to: str, credits_taken: int, ended: bool) -> None:
    """Tell of a refund: its credit note, the credits it took back, whether the plan ended."""
    context = _build_credit_note_context(document) | {
        "taken_back": f"{credits_taken:,}" if credits_taken else "",
        "ended": ended,
        "arrives": ARRIVES,
    }
    mail.send_mail(name="refund", to=to, context=context, key=f"refund:{document.number}")


def send_renewed(
    *, document: Invoice, to: str, plan: str, until: datetime, credits: int, next_at: datetime | None
) -> None:
    """Tell that a plan was renewed, with the invoice; `credits` are those that came with it."""
    context = _build_invoice_context(document) | {
        "plan": plan,
        "until": format_day(until),
        "credits": f"{credits:,}" if credits else "",
        "next": format_day(next_at) if next_at else "",
    }
    mail.send_mail(name="subscription_renewed", to=to, context=context, key=f"invoice:{document.number}")


def _build_invoice_context(document: Invoice) -> dict[str, Any]:
    return _LINK | {
        "document_id": document.pk,
        "number": document.number,
        "total": format_money(document.total),
        "date": format_day(document.issued_at),
        "items": [line.description for line in document.lines.all()],
        "status": determine_status(document).label,
        "due": format_day(document.due_on) if document.due_on and not document.is_paid else "",
    }


def _build_credit_note_context(document: Invoice) -> dict[str, Any]:
    assert document.cancels is not None
    return _LINK | {
        "document_id": document.pk,
        "credit_note": document.number,
        "number": document.cancels.number,
        "total": format_money(-document.total),
        "date": format_day(document.issued_at),
        "reason": document.note,
    }
