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

from billing.catalogue import LISTED, OFFERS, Feature
from billing.models import Plan
from billing.quota import WARN_PERCENT
from emailcheck import developer_docs
from emailcheck.common.markdown import Section, sections
from emailcheck.public import snippets
from emailcheck.public.snippets import Language, Panel
from emailcheck.public.tables import labelled
from validation import webhook_examples, webhook_schedule

# The sidebar (DOC-003), and what stands below it.
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


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of a chapter; `text` is all of its words, for the search."""

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


def chapters(language: Language) -> tuple[Chapter, ...]:
    """All chapters, with code in a language."""
    return _chapters(language, settings.SITE_URL)


def matching(found: Iterable[Chapter], query: str) -> set[str]:
    """The anchors of the chapters and topics that hold every word of the query; the page's script does the same."""
    words = query.lower().split()
    anchors = set()
    for chapter in found:
        topics = {one.anchor for one in chapter.topics if all(word in one.text for word in words)}
        anchors |= topics | ({chapter.anchor} if topics else set())
    return anchors


@lru_cache(maxsize=len(snippets.LANGUAGES))
def _chapters(language: Language, _site_url: str) -> tuple[Chapter, ...]:
    """They change with the code, the language and the address of the installation alone."""
    values = _values()
    return tuple(
        Chapter(
            anchor,
            title,
            tuple(_topic(title, part, language) for part in sections(f"documentation/{anchor}.md", values)),
        )
        for anchor, title in TITLES.items()
    )


def _values() -> dict[str, object]:
    """What the code knows better than a text."""
    limits = developer_docs.table(("Plan", "Calls a minute"), ((plan.label, _per_minute(plan)) for plan in _PLANS))
    tables = developer_docs.tables() | {"limits": limits}
    with_webhooks = [plan.label for plan in _PLANS if Feature.WEBHOOKS in OFFERS[plan].features]
    return {name: mark_safe(table) for name, table in tables.items()} | {  # Markdown of our own
        "auth_limit": settings.AUTH_REQUESTS_PER_MINUTE,
        "waits": _listed([_duration(wait) for wait in webhook_schedule.WAITS]),
        "warn_percent": WARN_PERCENT,
        "webhook_plans": _listed(with_webhooks),
    }


def _per_minute(plan: Plan) -> str:
    limit = OFFERS[plan].per_minute
    return "any number" if limit is None else str(limit)


def _topic(chapter: str, part: Section, language: Language) -> Topic:
    panels = tuple(_panel(mark, language) for mark in _MARK.finditer(part.html))
    html = labelled(_MARK.sub("", part.html))
    text = " ".join([chapter, part.title, html, *(panel.html for panel in panels)])
    return Topic(part.anchor, part.title, html, panels, strip_tags(text).lower())


def _panel(mark: re.Match[str], language: Language) -> Panel:
    kind, name, title = mark["kind"], mark["name"], mark["title"] or mark["name"]
    if kind == "snippet":
        return snippets.snippet(name, language, name=name, title=title, values={})
    if kind == "get":
        return snippets.snippet("get", language, name=name, title=title, values={"path": name})
    if kind == "event":
        return snippets.message(name, webhook_examples.body(name, now=_EXAMPLES_AT), title=title)
    return snippets.sample(name, title=title)


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _duration(time: timedelta) -> str:
    seconds = int(time.total_seconds())
    for unit, name in ((_HOUR, "hour"), (_MINUTE, "minute"), (1, "second")):
        if seconds >= unit:
            return f"{seconds // unit} {name}{'s' if seconds > unit else ''}"
    return "0 seconds"
