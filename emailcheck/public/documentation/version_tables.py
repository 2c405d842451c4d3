"""What the documentation says about versions: what is deprecated, and what was changed last."""

from collections.abc import Iterable
from datetime import date

from emailcheck.common.api.deprecations import Deprecation
from emailcheck.public.changelog.entries import Entry
from emailcheck.public.documentation.generated_tables import build_table


def build_deprecated_table(deprecations: Iterable[Deprecation]) -> str:
    """What is deprecated, in Markdown: since when, until when, and what to use instead."""
    rows = (
        (
            _format_name(one.name),
            one.text,
            f"[{_format_date(one.since)}](/changelog#{one.anchor})",
            _format_date(one.sunset),
        )
        for one in deprecations
    )
    return build_table(("Name", "Use instead", "Since", "Works until"), rows)


def build_latest_list(entries: Iterable[Entry], *, count: int) -> str:
    """The newest entries of the changelog, in Markdown."""
    newest = sorted(entries, key=lambda entry: entry.date, reverse=True)[:count]
    return "\n".join(
        f"- {_format_date(entry.date)}, {entry.kind.value}: [{entry.title}]({entry.path})" for entry in newest
    )


def _format_name(name: str) -> str:
    """One word of the API as code; a description as it is."""
    return name if " " in name else f"`{name}`"


def _format_date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
