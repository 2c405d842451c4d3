"""docs/providers.md shows the tables that the code uses."""

from pathlib import Path

from validation.providers.clients.base import Meaning
from validation.providers.clients.mapping import KICKBOX, NEVERBOUNCE, ZEROBOUNCE

DOCUMENT = Path(__file__).parents[4] / "docs" / "providers.md"


def rows() -> dict[str, list[str]]:
    """The lines of each table, by the heading that it stands under."""
    return {
        "ZeroBounce": [_row(words, meaning) for words, meaning in ZEROBOUNCE.items()],
        "NeverBounce": [_row(words, meaning) for words, meaning in NEVERBOUNCE.items()],
        "Kickbox": [_row(words, meaning) for words, meaning in KICKBOX.items()],
    }


def _row(words: tuple[str, ...], meaning: Meaning) -> str:
    notes = [f"flag `{flag}`" for flag in sorted(meaning.flags)]
    notes += ["accepts every name"] if meaning.is_catch_all and meaning.category != "catch_all" else []
    notes += ["warns"] if meaning.advises_against else []
    theirs = " | ".join(f"`{word}`" if word else "" for word in words)
    return f"| {theirs} | {meaning.category} | {meaning.reason} | {', '.join(notes)} |".replace("|  |", "| |")


def test_the_document_has_the_tables_of_the_code() -> None:
    sections = DOCUMENT.read_text(encoding="utf-8").split("\n## ")
    for title, expected in rows().items():
        section = next(section for section in sections if section.startswith(f"{title}\n"))
        shown = [line for line in section.splitlines() if line.startswith("| `")]
        assert shown == expected, title
