"""Texts of the site: Markdown files below `templates/`, rendered on the server."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_SETTINGS = ("LEGAL_EMAIL", "SITE_NAME", "SITE_URL", "SUPPORT_EMAIL")
_SECTION = re.compile(r"^## (?P<title>.+?)(?: \{#(?P<anchor>[a-z-]+)\})?$", re.MULTILINE)
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Text:
    """A text with the facts of its front matter (`name: value` between two lines of `---`)."""

    facts: Mapping[str, str]
    html: SafeString
    words: int


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text below a heading of the second level; `anchor` is its id on the page."""

    title: str
    anchor: str
    html: SafeString


def render_sections(template: str, values: Mapping[str, object] = MappingProxyType({})) -> list[Section]:
    """The parts of a text. It is a template first: `{{ support_email }}`, other settings and `values` are filled in.

    A heading may name its anchor: `## API keys {#keys}`.
    """
    text = _fill_in_template(template, values)
    found = list(_SECTION.finditer(text))
    ends = [match.start() for match in found] + [len(text)]
    bodies = [text[match.end() : end] for match, (_, end) in zip(found, pairwise(ends), strict=True)]
    return [
        Section(match["title"], match["anchor"] or "", mark_safe(_markdown.render(body)))  # our own files
        for match, body in zip(found, bodies, strict=True)
    ]


def render_inline(text: str) -> SafeString:
    """One line of our own text, such as a remark with `code` in it."""
    html: str = _markdown.renderInline(text)
    return mark_safe(html)


def render_text(template: str) -> Text:
    """A text as a whole; a template first, as for `render_sections`."""
    _, facts, body = _fill_in_template(template, {}).split("---\n", 2)
    values = dict(line.split(": ", 1) for line in facts.splitlines())
    return Text(values, mark_safe(_markdown.render(body)), len(body.split()))


def _fill_in_template(template: str, values: Mapping[str, object]) -> str:
    return render_to_string(template, {name.lower(): getattr(settings, name) for name in _SETTINGS} | dict(values))
