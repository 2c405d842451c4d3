"""The report of a list on one A4 page."""

from collections.abc import Sequence
from io import BytesIO

from django.conf import settings
from reportlab.graphics.shapes import Drawing, Rect
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Image, KeepInFrame, Paragraph, SimpleDocTemplate, Spacer, Table

from accounts.organisations.models import Organisation, OrganisationLogo
from emailcheck.common.pdf import paper, pdf_fonts
from emailcheck.common.pdf.paper import FRAME, NUMBER, RULED, SIDE, SMALL, TEXT, TIGHT, TITLE, WIDTH
from emailcheck.common.pdf.pdf_fonts import BOLD, build_markup, to_plain_text
from emailcheck.common.text.dates import format_day
from validation.reports import wording
from validation.reports.figures import ReportFigures
from validation.reports.wording import CATEGORY_WORDS, format_count, format_reason, format_share

_COLOURS = {
    "valid": HexColor("#0b6647"),
    "catch_all": HexColor("#0f4a9c"),
    "unknown": HexColor("#8a877f"),
    "invalid": HexColor("#95000a"),
    "disposable": HexColor("#b86a00"),
    "spam_trap": HexColor("#6b1a76"),
}
_HEADING = ParagraphStyle("heading", TEXT, fontName=BOLD, fontSize=11, leading=15, spaceBefore=5 * mm, spaceAfter=4)
_SMALL_NUMBER = ParagraphStyle("small-number", SMALL, alignment=NUMBER.alignment)
_CLOSE = [("TOPPADDING", (0, 0), (-1, -1), 1.5), ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5)]
_FIGURE = ParagraphStyle("figure", TEXT, fontName=BOLD, fontSize=15, leading=19)
_BAR_HEIGHT, _LOGO_WIDTH, _LOGO_HEIGHT = 3 * mm, 50 * mm, 16 * mm
_TOP, _BOTTOM = 16 * mm, 22 * mm
_GAP = 8 * mm
_HALF = (WIDTH - _GAP) / 2
_LONGEST_NAME = 120


def render_report(figures: ReportFigures, *, organisation: Organisation) -> bytes:
    """The file. What does not fit is drawn smaller: it is always one page."""
    with paper.writing:
        pdf_fonts.register_fonts()
        buffer = BytesIO()
        name = to_plain_text(wording.name_list(figures.filename)[:_LONGEST_NAME])
        file = SimpleDocTemplate(
            buffer,
            pagesize=A4,
            leftMargin=SIDE - FRAME,
            rightMargin=SIDE - FRAME,
            topMargin=_TOP,
            bottomMargin=_BOTTOM,
            title=f"Report on {name}",
            author=to_plain_text(organisation.title),
            creator=settings.SITE_NAME,
            lang="en",
            invariant=1,
        )
        height = A4[1] - _TOP - _BOTTOM - 2 * FRAME
        made = f"Checked by {settings.SITE_NAME} on {format_day(figures.finished_at)}"

        def foot(canvas: Canvas, _: SimpleDocTemplate) -> None:
            paper.draw_foot(canvas, made, "Counts only: no address stands in this report")

        story = _build_story(figures, organisation)
        file.build([KeepInFrame(WIDTH, height, story, mode="shrink")], onFirstPage=foot)
        return buffer.getvalue()


def _build_story(figures: ReportFigures, organisation: Organisation) -> list[Flowable]:
    never = figures.never
    advice = wording.write_advice(safe=figures.safe, risky=figures.risky, never=never)
    return [
        _build_head(organisation),
        Spacer(1, 7 * mm),
        Paragraph("Report on a checked list", TITLE),
        Paragraph(build_markup(wording.name_list(figures.filename)[:_LONGEST_NAME]), TEXT),
        Spacer(1, 4 * mm),
        _build_facts(figures),
        Paragraph("Categories", _HEADING),
        _build_categories(figures),
        Paragraph("What to send to", _HEADING),
        _build_decisions(figures),
        Spacer(1, 3 * mm),
        Table([[_build_reasons(figures), "", _build_hosts(figures)]], colWidths=(_HALF, _GAP, _HALF), style=TIGHT),
        Paragraph("Recommendation", _HEADING),
        *(Paragraph(f"{number}. {build_markup(line)}", TEXT) for number, line in enumerate(advice, start=1)),
    ]


def _build_head(organisation: Organisation) -> Table:
    """The logo of the organisation, else ours, and the organisation's name."""
    logo = OrganisationLogo.objects.filter(organisation=organisation).first()
    brand: Flowable = Paragraph(paper.build_brand(settings.SITE_NAME), TEXT)
    if logo is not None:
        brand = Image(BytesIO(bytes(logo.content)), _LOGO_WIDTH, _LOGO_HEIGHT, kind="proportional", hAlign="LEFT")
    name = Paragraph(f'<font name="{BOLD}">{build_markup(organisation.title)}</font>', NUMBER)
    return Table([[brand, name]], colWidths=(_LOGO_WIDTH, WIDTH - _LOGO_WIDTH), style=TIGHT)


def _build_facts(figures: ReportFigures) -> Table:
    facts = [
        ("Addresses", f"{figures.total:,}"),
        ("Duplicates removed", f"{figures.duplicates:,}"),
        ("Credits used", f"{figures.credits_used:,}"),
        ("Checks", figures.checks.capitalize()),
        ("Finished", format_day(figures.finished_at)),
    ]
    cells = [[Paragraph(name, SMALL), Paragraph(value, _FIGURE)] for name, value in facts]
    widths = (WIDTH * 0.16, WIDTH * 0.21, WIDTH * 0.18, WIDTH * 0.12, WIDTH * 0.33)
    return Table([cells], colWidths=widths, style=TIGHT)


def _build_categories(figures: ReportFigures) -> Table:
    """A bar for each category, beside its count and share."""
    widths = (34 * mm, WIDTH - 78 * mm, 24 * mm, 20 * mm)
    rows = [
        [
            Paragraph(name, TEXT),
            _build_bar([(figures.categories[category], _COLOURS[category])], figures.total, widths[1] - 4 * mm),
            Paragraph(f"{figures.categories[category]:,}", NUMBER),
            Paragraph(format_share(figures.categories[category], figures.total), NUMBER),
        ]
        for category, name in CATEGORY_WORDS.items()
    ]
    return Table(rows, colWidths=widths, style=[*TIGHT, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")])


def _build_bar(parts: Sequence[tuple[int, Color]], total: int, width: float) -> Drawing:
    """Parts of a whole side by side, on a track."""
    drawing = Drawing(width, _BAR_HEIGHT)
    drawing.add(_build_part(0, width, paper.RULE))
    left = 0.0
    for count, colour in parts:
        if not count:
            continue
        length = width * count / total
        drawing.add(_build_part(left, length, colour))
        left += length
    return drawing


def _build_part(left: float, length: float, colour: Color) -> Rect:
    part = Rect(left, 0, length, _BAR_HEIGHT)
    part.fillColor, part.strokeColor = colour, None
    return part


def _build_decisions(figures: ReportFigures) -> Table:
    shown = (
        ("Safe to send", figures.safe, _COLOURS["valid"]),
        ("Risky to send", figures.risky, _COLOURS["disposable"]),
        ("Do not send", figures.never, _COLOURS["invalid"]),
    )
    cells = [
        Paragraph(f"{name}: <b>{count:,}</b> ({format_share(count, figures.total)})", TEXT) for name, count, _ in shown
    ]
    bar = _build_bar([(count, colour) for _, count, colour in shown], figures.total, WIDTH)
    return Table([[bar, "", ""], cells], colWidths=(WIDTH / 3,) * 3, style=[*TIGHT, ("SPAN", (0, 0), (-1, 0))])


def _build_reasons(figures: ReportFigures) -> list[Flowable]:
    rows = [(format_reason(reason), count) for reason, count in figures.reasons]
    return [Paragraph("Commonest reasons", _HEADING), _build_ranking(rows, "No results")]


def _build_hosts(figures: ReportFigures) -> list[Flowable]:
    return [Paragraph("Largest mail hosts", _HEADING), _build_ranking(figures.hosts, "No mail host was found")]


def _build_ranking(rows: Sequence[tuple[str, int]], empty: str) -> Flowable:
    if not rows:
        return Paragraph(empty, SMALL)
    cells = [
        [Paragraph(build_markup(name), SMALL), Paragraph(format_count(count, "row"), _SMALL_NUMBER)]
        for name, count in rows
    ]
    return Table(cells, colWidths=(_HALF - 26 * mm, 26 * mm), style=[*RULED, *_CLOSE])
