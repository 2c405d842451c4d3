"""An invoice or a credit note as a PDF, from its frozen rows alone: the same document gives the same bytes.

A4, one column; a long list of items goes on over pages that repeat its head.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table

from billing.invoices.models import DocumentKind, Invoice, InvoiceLine
from billing.invoices.wording import format_money
from emailcheck.common.outbound import mail
from emailcheck.common.pdf import paper, pdf_fonts
from emailcheck.common.pdf.paper import (
    BOTTOM,
    FRAME,
    INK,
    MUTED,
    NUMBER,
    PADDED,
    RULE,
    RULED,
    SIDE,
    SMALL,
    TEXT,
    TIGHT,
    TITLE,
    TOP,
    WIDTH,
)
from emailcheck.common.pdf.pdf_fonts import BOLD, build_code, build_markup, to_plain_text
from emailcheck.common.text.dates import format_day

_FIGURE = ParagraphStyle("figure", NUMBER, fontName=BOLD, fontSize=28, leading=34)
_WHERE = "/account-settings?tab=subscription"
_LATIN_NOTE = "Some names are written in Latin letters because this document has no fonts for their script."
_COLUMNS = (WIDTH - 78 * mm, 16 * mm, 31 * mm, 31 * mm)


def render_pdf(document: Invoice) -> bytes:
    """The file. Quick (some ten milliseconds), so it is made anew for each download, one at a time in a process."""
    with paper.writing:
        pdf_fonts.register_fonts()
        buffer = BytesIO()
        pages = _write_pdf(document, buffer, 1)
        if pages > 1:  # which is known only now, and stands in every foot
            buffer = BytesIO()
            _write_pdf(document, buffer, pages)
        return buffer.getvalue()


def _write_pdf(document: Invoice, buffer: BytesIO, pages: int) -> int:
    """Write the file, with `pages` as their number in the foot; answers how many there are."""
    file = SimpleDocTemplate(
        buffer,
        pagesize=A4,
        leftMargin=SIDE - FRAME,
        rightMargin=SIDE - FRAME,
        topMargin=TOP,
        bottomMargin=BOTTOM,
        title=f"{_name_document(document)} {document.number}",
        author=to_plain_text(str(document.seller["company"])),
        subject=f"{_name_document(document)} of {format_day(document.issued_at)}",
        creator=str(document.seller["name"]),
        lang="en",
        invariant=1,
    )
    seller = to_plain_text(f"{document.seller['company']} · {document.seller['address']}")

    def foot(canvas: Canvas, _: SimpleDocTemplate) -> None:
        paper.draw_foot(canvas, seller, f"{document.number} · Page {canvas.getPageNumber()} of {pages}")

    file.build(_build_story(document), onFirstPage=foot, onLaterPages=foot)
    return file.page


def _name_document(document: Invoice) -> str:
    return "Credit note" if document.kind == DocumentKind.CREDIT_NOTE else "Invoice"


def _build_story(document: Invoice) -> list[Flowable]:
    lines = list(document.lines.all())
    return [
        _build_head(document),
        Spacer(1, 10 * mm),
        _build_parties(document),
        Spacer(1, 9 * mm),
        _build_items_table(lines, document.currency),
        KeepTogether([_build_totals(document), Spacer(1, 8 * mm), *_build_notes(document, lines)]),
    ]


def _build_head(document: Invoice) -> Table:
    """The wordmark and the stamp; below, what this is, its number and its dates."""
    brand = paper.build_brand(str(document.seller["name"]))
    title = Paragraph(_name_document(document), TITLE)
    facts = [
        ("Number", build_code(document.number)),
        ("Date", format_day(document.issued_at)),
        *_list_more_facts(document),
    ]
    label = ParagraphStyle("label", TEXT, textColor=MUTED)
    rows = [[Paragraph(name, label), Paragraph(value, TEXT)] for name, value in facts]
    table = Table(rows, colWidths=(26 * mm, 54 * mm), hAlign="LEFT", style=TIGHT)
    left = [Paragraph(brand, TEXT), Spacer(1, 9 * mm), title, Spacer(1, 2 * mm), _build_stamp(document)]
    return Table([[left, table]], colWidths=(WIDTH - 80 * mm, 80 * mm), style=TIGHT)


def _list_more_facts(document: Invoice) -> list[tuple[str, str]]:
    """Names and values as markup."""
    if document.cancels is not None:
        first = document.cancels
        return [
            ("Cancels", f"{build_code(first.number)} of {format_day(first.issued_at)}"),
            ("Refunded by", build_markup(document.paid_with)),
        ]
    due = [("Due on", format_day(document.due_on))] if document.due_on else []
    return [*due, *_list_payment_facts(document)]


def _list_payment_facts(document: Invoice) -> list[tuple[str, str]]:
    payment = document.payment
    if payment is not None:
        paid_at = payment.captured_at or payment.created_at
        paid = [("Paid on", format_day(paid_at)), ("Paid with", build_markup(document.paid_with))]
        return [*paid, ("Transaction", build_code(payment.provider_id))]
    if document.settled_at is None:
        return []
    return [("Paid on", format_day(document.settled_at)), ("Paid with", build_markup(document.paid_with))]


def _build_parties(document: Invoice) -> Table:
    seller, buyer = document.seller, document.buyer
    sold = _build_party("From", [seller["company"], *_split_address(seller), seller["email"]], seller["vat_id"])
    if buyer:
        names = [buyer["company"], buyer["name"]]
        order = [f"Purchase order: {buyer['purchase_order']}"] if buyer.get("purchase_order") else []
        lines = [*filter(None, names), *_split_address(buyer), buyer["email"]]
        bought = _build_party("Bill to", lines, buyer["vat_id"], order)
    else:
        bought = _build_party("Bill to", ["Name and address are not kept any more."], "")
    return Table([[sold, bought]], colWidths=(WIDTH - 80 * mm, 80 * mm), style=TIGHT)


def _split_address(party: dict[str, Any]) -> list[str]:
    return [part.strip() for part in str(party["address"]).replace("\n", ",").split(",") if part.strip()]


def _build_party(role: str, lines: Sequence[str], vat_id: str, more: Sequence[str] = ()) -> list[Flowable]:
    first, *rest = lines
    printed = [*rest, *([f"VAT ID {vat_id}"] if vat_id else []), *more]
    return [
        Paragraph(role, SMALL),
        Paragraph(f'<font name="{BOLD}">{build_markup(first)}</font>', TEXT),
        *(Paragraph(build_markup(line), TEXT) for line in printed),
    ]


def _build_items_table(lines: Sequence[InvoiceLine], currency: str) -> Table:
    right = ParagraphStyle("right", SMALL, alignment=TA_RIGHT)
    names = [("Description", SMALL), ("Quantity", right), ("Unit price", right), (f"Amount ({currency})", right)]
    head = [Paragraph(name, style) for name, style in names]
    rows = [
        [
            Paragraph(build_markup(line.description), TEXT),
            Paragraph(f"{line.quantity:,}", NUMBER),
            Paragraph(format_money(line.unit_price, currency), NUMBER),
            Paragraph(format_money(line.net, currency), NUMBER),
        ]
        for line in lines
    ]
    return Table([head, *rows], colWidths=_COLUMNS, repeatRows=1, style=RULED)


def _build_totals(document: Invoice) -> Table:
    label = ParagraphStyle("label", TEXT, textColor=MUTED)
    strong = ParagraphStyle("strong", TEXT, fontName=BOLD)
    sums = [("Subtotal", document.net, label, NUMBER)] if document.tax_rate else []
    if document.tax_rate:
        sums.append((f"VAT {document.tax_rate.normalize():f}%", document.tax, label, NUMBER))
    sums.append(("Total", document.total, strong, _FIGURE))
    rows = [
        ["", Paragraph(name, left), Paragraph(format_money(amount, document.currency), right)]
        for name, amount, left, right in sums
    ]
    style = [
        *PADDED,
        ("VALIGN", (0, -1), (-1, -1), "BOTTOM"),
        ("LINEABOVE", (1, -1), (-1, -1), 0.5, RULE),
        ("BOTTOMPADDING", (1, -1), (1, -1), 11),
    ]
    return Table(rows, colWidths=(WIDTH - 100 * mm, 22 * mm, 78 * mm), style=style)


def _build_notes(document: Invoice, lines: Sequence[InvoiceLine]) -> list[Flowable]:
    notes = []
    if document.note:
        notes.append(f"Reason: {build_markup(document.note)}")
    if document.tax_rate:
        notes.append("Prices include value added tax.")
    if document.due_on and not document.is_paid:
        notes.append(
            f"Please pay by {format_day(document.due_on)}, with PayPal, at {build_markup(mail.build_link(_WHERE))}."
        )
    texts = [*document.seller.values(), *document.buyer.values(), document.note, *(line.description for line in lines)]
    if any(pdf_fonts.needs_latin_letters(str(text)) for text in texts):
        notes.append(_LATIN_NOTE)
    return [Paragraph(note, SMALL) for note in notes]


def _build_stamp(document: Invoice) -> Table:
    """Says in a frame whether it is paid, or that its money went back."""
    if document.kind == DocumentKind.CREDIT_NOTE:
        word = "REFUNDED"
    else:
        word = "PAID" if document.is_paid else "PAYMENT PENDING"
    style: list[Any] = [
        ("FONT", (0, 0), (-1, -1), BOLD, 9.5),
        ("TEXTCOLOR", (0, 0), (-1, -1), INK),
        ("BOX", (0, 0), (-1, -1), 1, INK),
        ("LEFTPADDING", (0, 0), (-1, -1), 3 * mm),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3 * mm),
    ]
    return Table([[word]], hAlign="LEFT", cornerRadii=[1 * mm] * 4, style=style)
