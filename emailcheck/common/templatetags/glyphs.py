"""The signs of verdicts in templates: the same shapes as in the islands."""

import json
from functools import lru_cache

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@lru_cache(maxsize=1)
def _load_paths() -> dict[str, str]:
    """The outline of each sign in a square of 16, by the name of its verdict."""
    paths: dict[str, str] = json.loads((settings.BASE_DIR / "frontend/src/lib/glyphs.json").read_text(encoding="utf-8"))
    return paths


@register.simple_tag
def glyph(name: str, size: int = 16) -> SafeString:
    """The sign of a verdict. Raises KeyError for a name that is none."""
    return format_html(
        '<svg class="glyph" width="{}" height="{}" viewBox="0 0 16 16" aria-hidden="true">'
        '<path fill-rule="evenodd" d="{}"/></svg>',
        size,
        size,
        _load_paths()[name],
    )
