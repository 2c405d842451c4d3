"""What the sandbox's pages share with the product: colours, fonts, the mark and the signs of verdicts."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

_ROOT = Path(__file__).parents[2]
_FRONTEND = _ROOT / "frontend"
_DIST = _FRONTEND / "dist"
_STYLES = _FRONTEND / "src" / "styles"
_FONT = re.compile(r'url\("[^"]*?([\w-]+)\.woff2"\)')


def read_tokens() -> str:
    """The design tokens."""
    return (_STYLES / "tokens.css").read_text(encoding="utf-8")


def read_fonts() -> str:
    """The product's font faces, loaded from where the product serves them, so that a visitor gets each of them once."""
    faces = (_STYLES / "font.css").read_text(encoding="utf-8")
    return _FONT.sub(lambda found: f'url("/static/{_name_built(found[1])}")', faces)


def read_mark() -> Markup:
    """The mark as a drawing; our own template, so that it may stand in pages."""
    return Markup((_ROOT / "templates" / "parts" / "brand.html").read_text(encoding="utf-8").partition("\n")[0])


def read_glyphs() -> Mapping[str, str]:
    """The outline of each verdict's sign, by category."""
    glyphs: dict[str, str] = json.loads((_FRONTEND / "src" / "lib" / "glyphs.json").read_text(encoding="utf-8"))
    return glyphs


def _name_built(font: str) -> str:
    """The file that the build made of a font: the newest, because other builds may have left theirs."""
    built = sorted(_DIST.glob(f"{font}-????????.woff2"), key=lambda file: file.stat().st_mtime)
    return built[-1].name if built else f"{font}.woff2"
