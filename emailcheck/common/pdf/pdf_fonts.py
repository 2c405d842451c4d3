"""The fonts of documents, and which of them writes what.

IBM Plex Mono writes numbers and ids. Inter has Latin, Greek and Cyrillic, Droid Sans Fallback
Chinese and Japanese. What neither has (Arabic, Hebrew, Korean, …) is written in Latin letters: scripts that need
shaping would come out wrong, and missing ones as boxes.
"""

import unicodedata
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from xml.sax.saxutils import escape

from anyascii import anyascii
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, BOLD, MONO, EAST_ASIAN = "Inter-Regular", "Inter-SemiBold", "IBMPlexMono-Regular", "DroidSansFallback"
_FOLDER = Path(__file__).parent / "fonts"
_reading = Lock()


def register_fonts() -> None:
    """Make the fonts known to reportlab; read from disk once in a process."""
    with _reading:
        _load_font(REGULAR), _load_font(BOLD), _load_font(MONO)
        pdfmetrics.registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)


def needs_latin_letters(text: str) -> bool:
    """Whether some of the text has to be written in Latin letters."""
    return any(font == "" for font, _ in _split_runs(text))


def build_markup(text: str) -> str:
    """The text for a reportlab paragraph, inert, each part in the font that has it."""
    return "".join(_mark_up_run(font, piece) for font, piece in _split_runs(text))


def build_code(text: str) -> str:
    """The same for a number or an id: in mono, unless it has letters that only names have."""
    return f'<font name="{MONO}">{escape(text)}</font>' if text.isascii() else build_markup(text)


def to_plain_text(text: str) -> str:
    """The text in the characters of the first font alone, for what is drawn without a paragraph."""
    return "".join(piece if font == REGULAR else anyascii(piece) for font, piece in _split_runs(text))


def _mark_up_run(font: str, text: str) -> str:
    if font == EAST_ASIAN:
        return f'<font name="{EAST_ASIAN}">{escape(text)}</font>'
    return escape(text if font else anyascii(text))


def _split_runs(text: str) -> list[tuple[str, str]]:
    """The text in pieces with their fonts; an empty name for what no font has."""
    composed = unicodedata.normalize("NFC", " ".join(text.split()))
    visible = (letter for letter in composed if not unicodedata.category(letter).startswith("C"))
    return [(font, "".join(letters)) for font, letters in groupby(visible, key=_choose_font)]


@lru_cache(maxsize=4_096)
def _choose_font(letter: str) -> str:
    with _reading:
        code = ord(letter)
        if code in _load_font(REGULAR).face.charToGlyph:
            return REGULAR
        # The second font is read only for letters that it may have: it is large.
        return EAST_ASIAN if code > 0x2FFF and code in _load_font(EAST_ASIAN).face.charToGlyph else ""


@lru_cache(maxsize=4)
def _load_font(name: str) -> TTFont:
    font = TTFont(name, str(_FOLDER / f"{name}.ttf"))
    pdfmetrics.registerFont(font)
    return font
