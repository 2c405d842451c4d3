"""The words of verdicts in texts of the site: the same explanations as in the islands. The tag needs no `load`."""

import json
from functools import lru_cache
from typing import NamedTuple

from django import template
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


class Term(NamedTuple):
    """A word of verdicts in plain words, with an example."""

    word: str
    meaning: str
    example: str


@lru_cache(maxsize=1)
def load_terms() -> dict[str, Term]:
    """Every explained word by its name, in the order in which they are listed."""
    text = (settings.BASE_DIR / "frontend/src/lib/terms.json").read_text(encoding="utf-8")
    return {name: Term(**term) for name, term in json.loads(text).items()}


@register.simple_tag
def terms() -> SafeString:
    """All of them as a list in Markdown."""
    lines = (f"- **{word}**: {meaning} *For example:* {example}" for word, meaning, example in load_terms().values())
    return mark_safe("\n".join(lines))  # our own file
