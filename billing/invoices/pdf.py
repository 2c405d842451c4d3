"""An invoice or a credit note as a PDF, from its frozen rows alone: the same document gives the same bytes.

A4, one column; a long list of items goes on over pages that repeat its head.
"""

from collections.abc import Sequence
from io import BytesIO
from threading import Lock
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table

from billing.invoices import pdf_fonts
from billing.invoices.models import DocumentKind, Invoice, InvoiceLine
from billing.invoices.pdf_fonts import BOLD, MONO, REGULAR, build_code, build_markup, to_plain_text
from billing.invoices.wording import format_money
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_day

# Those of the app on light paper.
_INK, _MUTED, _RULE = HexColor("#17161a"), HexColor("#605d56"), HexColor("#dcd8cd")
_SIDE, _TOP, _BOTTOM = 20 * mm, 20 * mm, 26 * mm
_FRAME = 6  # what reportlab leaves free inside of the margins
_WIDTH = A4[0] - 2 * _SIDE
_TEXT = ParagraphStyle("text", fontName=REGULAR, fontSize=9.5, leading=14, textColor=_INK)
_SMALL = ParagraphStyle("small", _TEXT, fontSize=8, leading=11.5, textColor=_MUTED)
_NUMBER = ParagraphStyle("number", _TEXT, alignment=TA_RIGHT)
_TITLE = ParagraphStyle("title", _TEXT, fontName=BOLD, fontSize=20, leading=26)
_FIGURE = ParagraphStyle("figure", _NUMBER, fontName=BOLD, fontSize=28, leading=34)
_WHERE = "/account-settings?tab=subscription"
_LATIN_NOTE = "Some names are written in Latin letters because this document has no fonts for their script."
# reportlab reads the glyphs of a font, which all documents share, at one position that it keeps in the font.
_writing = Lock()
_COLUMNS = (_WIDTH - 78 * mm, 16 * mm, 31 * mm, 31 * mm)


def render_pdf(document: Invoice) -> bytes:
    """The file. Quick (some ten milliseconds), so it is made anew for each download, one at a time in a process."""
    with _writing:
        pdf_fonts.register_fonts()
        buffer = BytesIO()
        pages = _write_pdf(document, buffer, 1)
        if pages > 1:  # which is known only now, and stands in every foot
            buffer = BytesIO()
            _write_pdf(document, buffer, pages)
        return buffer.getvalue()


def _write_pdf(document: Invoice, buffer: BytesIO, pages: int) -> int:
    """Write the file, with `pages` as their number in the foot; answers how many there are."""
    paper = SimpleDocTemplate(
        buffer,
        pagesize=A4,
        leftMargin=_SIDE - _FRAME,
        rightMargin=_SIDE - _FRAME,
        topMargin=_TOP,
        bottomMargin=_BOTTOM,
        title=f"{_name_document(document)} {document.number}",
        author=to_plain_text(str(document.seller["company"])),
        subject=f"{_name_document(document)} of {format_day(document.issued_at)}",
        creator=str(document.seller["name"]),
        lang="en",
        invariant=1,
    )
    seller = to_plain_text(f"{document.seller['company']} · {document.seller['address']}")

    def foot(canvas: Canvas, _: SimpleDocTemplate) -> None:
        _draw_foot(canvas, seller, f"{document.number} · Page {canvas.getPageNumber()} of {pages}")

    paper.build(_build_story(document), onFirstPage=foot, onLaterPages=foot)
    return paper.page


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
    seller = build_markup(str(document.seller["name"]))
    mark = '<font color="#605d56">‹</font>✓<font color="#605d56">›</font>'
    brand = f'<font name="{BOLD}" size="14">{mark} {seller}</font>'
    title = Paragraph(_name_document(document), _TITLE)
    facts = [
        ("Number", build_code(document.number)),
        ("Date", format_day(document.issued_at)),
        *_list_more_facts(document),
    ]
    label = ParagraphStyle("label", _TEXT, textColor=_MUTED)
    rows = [[Paragraph(name, label), Paragraph(value, _TEXT)] for name, value in facts]
    table = Table(rows, colWidths=(26 * mm, 54 * mm), hAlign="LEFT", style=_TIGHT)
    left = [Paragraph(brand, _TEXT), Spacer(1, 9 * mm), title, Spacer(1, 2 * mm), _build_stamp(document)]
    return Table([[left, table]], colWidths=(_WIDTH - 80 * mm, 80 * mm), style=_TIGHT)


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
        bought = _build_party(
            "Bill to", [*filter(None, names), *_split_address(buyer), buyer["email"]], buyer["vat_id"]
        )
    else:
        bought = _build_party("Bill to", ["Name and address are not kept any more."], "")
    return Table([[sold, bought]], colWidths=(_WIDTH - 80 * mm, 80 * mm), style=_TIGHT)


def _split_address(party: dict[str, Any]) -> list[str]:
    return [part.strip() for part in str(party["address"]).replace("\n", ",").split(",") if part.strip()]


def _build_party(role: str, lines: Sequence[str], vat_id: str) -> list[Flowable]:
    first, *rest = lines
    printed = [*rest, f"VAT ID {vat_id}"] if vat_id else rest
    return [
        Paragraph(role, _SMALL),
        Paragraph(f'<font name="{BOLD}">{build_markup(first)}</font>', _TEXT),
        *(Paragraph(build_markup(line), _TEXT) for line in printed),
    ]


def _build_items_table(lines: Sequence[InvoiceLine], currency: str) -> Table:
    right = ParagraphStyle("right", _SMALL, alignment=TA_RIGHT)
    names = [("Description", _SMALL), ("Quantity", right), ("Unit price", right), (f"Amount ({currency})", right)]
    head = [Paragraph(name, style) for name, style in names]
    rows = [
        [
            Paragraph(build_markup(line.description), _TEXT),
            Paragraph(f"{line.quantity:,}", _NUMBER),
            Paragraph(format_money(line.unit_price, currency), _NUMBER),
            Paragraph(format_money(line.net, currency), _NUMBER),
        ]
        for line in lines
    ]
    return Table([head, *rows], colWidths=_COLUMNS, repeatRows=1, style=_RULED)


def _build_totals(document: Invoice) -> Table:
    label = ParagraphStyle("label", _TEXT, textColor=_MUTED)
    strong = ParagraphStyle("strong", _TEXT, fontName=BOLD)
    sums = [("Subtotal", document.net, label, _NUMBER)] if document.tax_rate else []
    if document.tax_rate:
        sums.append((f"VAT {document.tax_rate.normalize():f}%", document.tax, label, _NUMBER))
    sums.append(("Total", document.total, strong, _FIGURE))
    rows = [
        ["", Paragraph(name, left), Paragraph(format_money(amount, document.currency), right)]
        for name, amount, left, right in sums
    ]
    style = [
        *_PADDED,
        ("VALIGN", (0, -1), (-1, -1), "BOTTOM"),
        ("LINEABOVE", (1, -1), (-1, -1), 0.5, _RULE),
        ("BOTTOMPADDING", (1, -1), (1, -1), 11),
    ]
    return Table(rows, colWidths=(_WIDTH - 100 * mm, 22 * mm, 78 * mm), style=style)


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
    return [Paragraph(note, _SMALL) for note in notes]


def _build_stamp(document: Invoice) -> Table:
    """Says in a frame whether it is paid, or that its money went back."""
    if document.kind == DocumentKind.CREDIT_NOTE:
        word = "REFUNDED"
    else:
        word = "PAID" if document.is_paid else "PAYMENT PENDING"
    style: list[Any] = [
        ("FONT", (0, 0), (-1, -1), BOLD, 9.5),
        ("TEXTCOLOR", (0, 0), (-1, -1), _INK),
        ("BOX", (0, 0), (-1, -1), 1, _INK),
        ("LEFTPADDING", (0, 0), (-1, -1), 3 * mm),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3 * mm),
    ]
    return Table([[word]], hAlign="LEFT", cornerRadii=[1 * mm] * 4, style=style)


def _draw_foot(canvas: Canvas, left: str, right: str) -> None:
    canvas.setStrokeColor(_RULE)
    canvas.setLineWidth(0.6)
    canvas.line(_SIDE, 18 * mm, A4[0] - _SIDE, 18 * mm)
    canvas.setFillColor(_MUTED)
    canvas.setFont(MONO, 7.5)
    canvas.drawRightString(A4[0] - _SIDE, 13 * mm, right)
    room = _WIDTH - canvas.stringWidth(right, MONO, 7.5) - 6 * mm
    canvas.setFont(REGULAR, 7.5)
    while canvas.stringWidth(left, REGULAR, 7.5) > room:
        left = left.rstrip("…")[:-1] + "…"
    canvas.drawString(_SIDE, 13 * mm, left)


_TIGHT: list[Any] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 0),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
]
_PADDED: list[Any] = [*_TIGHT, ("TOPPADDING", (0, 0), (-1, -1), 5), ("BOTTOMPADDING", (0, 0), (-1, -1), 5)]
_RULED: list[Any] = [*_PADDED, ("LINEBELOW", (0, 0), (-1, 0), 0.75, _INK), ("LINEBELOW", (0, 1), (-1, -1), 0.5, _RULE)]
