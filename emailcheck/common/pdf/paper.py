"""The paper of all documents: A4, its margins, colours and styles, the wordmark and the foot."""

from threading import Lock
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from emailcheck.common.pdf.pdf_fonts import BOLD, MONO, REGULAR, build_markup

# Those of the app on light paper.
INK, MUTED, RULE = HexColor("#17161a"), HexColor("#605d56"), HexColor("#dcd8cd")
SIDE, TOP, BOTTOM = 20 * mm, 20 * mm, 26 * mm
FRAME = 6  # what reportlab leaves free inside of the margins
WIDTH = A4[0] - 2 * SIDE
TEXT = ParagraphStyle("text", fontName=REGULAR, fontSize=9.5, leading=14, textColor=INK)
SMALL = ParagraphStyle("small", TEXT, fontSize=8, leading=11.5, textColor=MUTED)
NUMBER = ParagraphStyle("number", TEXT, alignment=TA_RIGHT)
TITLE = ParagraphStyle("title", TEXT, fontName=BOLD, fontSize=20, leading=26)
# reportlab reads the glyphs of a font, which all documents share, at one position that it keeps in the font.
writing = Lock()

TIGHT: list[Any] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 0),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
]
PADDED: list[Any] = [*TIGHT, ("TOPPADDING", (0, 0), (-1, -1), 5), ("BOTTOMPADDING", (0, 0), (-1, -1), 5)]
RULED: list[Any] = [*PADDED, ("LINEBELOW", (0, 0), (-1, 0), 0.75, INK), ("LINEBELOW", (0, 1), (-1, -1), 0.5, RULE)]


def build_brand(name: str) -> str:
    """The wordmark, as markup."""
    mark = '<font color="#605d56">‹</font>✓<font color="#605d56">›</font>'
    return f'<font name="{BOLD}" size="14">{mark} {build_markup(name)}</font>'


def draw_foot(canvas: Canvas, left: str, right: str) -> None:
    """The rule below a page, and what stands below it; a text on the left that is too long is cut."""
    canvas.setStrokeColor(RULE)
    canvas.setLineWidth(0.6)
    canvas.line(SIDE, 18 * mm, A4[0] - SIDE, 18 * mm)
    canvas.setFillColor(MUTED)
    canvas.setFont(MONO, 7.5)
    canvas.drawRightString(A4[0] - SIDE, 13 * mm, right)
    room = WIDTH - canvas.stringWidth(right, MONO, 7.5) - 6 * mm
    canvas.setFont(REGULAR, 7.5)
    while canvas.stringWidth(left, REGULAR, 7.5) > room:
        left = left.rstrip("…")[:-1] + "…"
    canvas.drawString(SIDE, 13 * mm, left)
