"""Texts of the site: Markdown files below `templates/`, rendered on the server."""

import re
from dataclasses import dataclass
from itertools import pairwise

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_SECTION = re.compile(r"^## (?P<title>.+?)(?: \{#(?P<anchor>[a-z-]+)\})?$", re.MULTILINE)
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text below a heading of the second level; `anchor` is its id on the page."""

    title: str
    anchor: str
    html: SafeString


def sections(template: str) -> list[Section]:
    """The parts of a text. It is a template first: `{{ support_email }}` and other settings are filled in.

    A heading may name its anchor: `## API keys {#keys}`.
    """
    values = {name.lower(): getattr(settings, name) for name in ("SITE_NAME", "SITE_URL", "SUPPORT_EMAIL")}
    text = render_to_string(template, values)
    found = list(_SECTION.finditer(text))
    ends = [match.start() for match in found] + [len(text)]
    bodies = [text[match.end() : end] for match, (_, end) in zip(found, pairwise(ends), strict=True)]
    return [
        Section(match["title"], match["anchor"] or "", mark_safe(_markdown.render(body)))  # our own files
        for match, body in zip(found, bodies, strict=True)
    ]


def inline(text: str) -> SafeString:
    """One line of a text of ours, such as a remark with `code` in it."""
    return mark_safe(_markdown.renderInline(text))
