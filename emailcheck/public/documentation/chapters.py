"""The texts of the documentation: chapters of topics, each prose with the code that belongs to it.

A chapter is a Markdown file below `templates/documentation`. A paragraph such as `[[snippet single Request]]` names
what stands beside the text of its topic; tables of errors, magic addresses and limits are made from the code.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from django.conf import settings
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe

from billing.catalogue.plans import Plan
from billing.catalogue.price_list import LISTED, OFFERS, Feature
from billing.usage.quota import WARN_PERCENT
from emailcheck.common.api.deprecations import DEPRECATIONS
from emailcheck.common.text.markdown import Section, render_sections
from emailcheck.public.changelog.entries import ENTRIES
from emailcheck.public.documentation import generated_tables, snippets, version_tables
from emailcheck.public.documentation.snippets import Language, Panel
from emailcheck.public.responsive_tables import label_cells
from validation.webhooks import examples, retry_schedule

# The sidebar (DOC-003), and what is below it.
TITLES = {
    "overview": "Getting Started",
    "authentication": "Authentication",
    "endpoints": "API Reference",
    "sdks": "SDKs",
    "examples": "Examples",
    "webhooks": "Webhooks",
    "errors": "Errors",
    "changelog": "Changelog",
}
_MARK = re.compile(r"<p>\[\[(?P<kind>[a-z]+) (?P<name>\S+?)(?: (?P<title>[^\]]+))?\]\]</p>\n?")
_EXAMPLES_AT = datetime(2026, 11, 22, 7, 2, 18, 186_000, tzinfo=UTC)
_PLANS = (*LISTED, Plan.ENTERPRISE)
_MINUTE, _HOUR = 60, 3_600
_LATEST = 8


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of a chapter; `text` is its plain text, for the search."""

    anchor: str
    title: str
    html: SafeString
    panels: tuple[Panel, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    anchor: str
    title: str
    topics: tuple[Topic, ...]


def load_chapters(language: Language) -> tuple[Chapter, ...]:
    """All chapters, with code in a language."""
    return _build_chapters(language, settings.SITE_URL)


def match_anchors(found: Iterable[Chapter], query: str) -> set[str]:
    """The anchors of the chapters and topics that contain every word of the query; the page's script does the same."""
    words = query.lower().split()
    anchors = set()
    for chapter in found:
        topics = {one.anchor for one in chapter.topics if all(word in one.text for word in words)}
        anchors |= topics | ({chapter.anchor} if topics else set())
    return anchors


@lru_cache(maxsize=len(snippets.LANGUAGES))
def _build_chapters(language: Language, _site_url: str) -> tuple[Chapter, ...]:
    """They change with the code, the language and the address of the installation alone."""
    values = _template_values()
    return tuple(
        Chapter(
            anchor,
            title,
            tuple(
                _build_topic(title, part, language) for part in render_sections(f"documentation/{anchor}.md", values)
            ),
        )
        for anchor, title in TITLES.items()
    )


def _template_values() -> dict[str, object]:
    """What the code knows better than a text."""
    limits = generated_tables.build_table(
        ("Plan", "Calls a minute"), ((plan.label, _format_rate(plan)) for plan in _PLANS)
    )
    versions = {
        "deprecated": version_tables.build_deprecated_table(DEPRECATIONS),
        "latest": version_tables.build_latest_list(ENTRIES, count=_LATEST),
    }
    tables = generated_tables.build_tables() | {"limits": limits} | versions
    with_webhooks = [plan.label for plan in _PLANS if Feature.WEBHOOKS in OFFERS[plan].features]
    return {name: mark_safe(table) for name, table in tables.items()} | {  # Markdown of our own
        "auth_limit": settings.AUTH_REQUESTS_PER_MINUTE,
        "waits": _join_words([_format_duration(wait) for wait in retry_schedule.WAITS]),
        "warn_percent": WARN_PERCENT,
        "webhook_plans": _join_words(with_webhooks),
    }


def _format_rate(plan: Plan) -> str:
    limit = OFFERS[plan].per_minute
    return "any number" if limit is None else str(limit)


def _build_topic(chapter: str, part: Section, language: Language) -> Topic:
    panels = tuple(_build_panel(mark, language) for mark in _MARK.finditer(part.html))
    html = label_cells(_MARK.sub("", part.html))
    text = " ".join([chapter, part.title, html, *(panel.html for panel in panels)])
    return Topic(part.anchor, part.title, html, panels, strip_tags(text).lower())


def _build_panel(mark: re.Match[str], language: Language) -> Panel:
    kind, name, title = mark["kind"], mark["name"], mark["title"] or mark["name"]
    if kind == "snippet":
        return snippets.load_snippet(name, language, name=name, title=title, values={})
    if kind == "get":
        return snippets.load_snippet("get", language, name=name, title=title, values={"path": name})
    if kind == "event":
        return snippets.load_message(name, examples.build_example(name, now=_EXAMPLES_AT), title=title)
    return snippets.load_sample(name, title=title)


def _join_words(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _format_duration(time: timedelta) -> str:
    seconds = int(time.total_seconds())
    for unit, name in ((_HOUR, "hour"), (_MINUTE, "minute"), (1, "second")):
        if seconds >= unit:
            return f"{seconds // unit} {name}{'s' if seconds > unit else ''}"
    return "0 seconds"
