"""The tables of the documentation that are made from the code; `make api` writes them into `docs/api.md` too."""

from collections.abc import Iterable
from pathlib import Path

from emailcheck.error_catalogue import CATALOGUE
from validation import magic

DOCUMENT = Path(__file__).parent.parent / "docs" / "api.md"
_TABLE = "<!-- {name} -->\n{table}\n<!-- /{name} -->"


def with_tables(text: str) -> str:
    """The document with the tables as the code has them now."""
    for name, made in tables().items():
        before, _, rest = text.partition(f"<!-- {name} -->")
        after = rest.partition(f"<!-- /{name} -->")[2]
        text = before + _TABLE.format(name=name, table=made) + after
    return text


def tables() -> dict[str, str]:
    """The tables that the code knows, in Markdown, by name."""
    verdicts = ((f"`{one.address}`", one.category.value, f"`{one.reason.value}`", _more(one)) for one in magic.VERDICTS)
    behaviours = ((f"`{one.address}`", one.single, one.in_list) for one in magic.BEHAVIOURS)
    errors = ((f"`{one.code}`", str(one.status), one.when, one.remedy) for one in CATALOGUE)
    return {
        "verdicts": table(("Address", "Category", "Reason", "Besides"), verdicts),
        "behaviours": table(("Address", "A single check", "A list that holds it"), behaviours),
        "errors": table(("Code", "Status", "When", "What to do"), errors),
    }


def _more(one: magic.Magic) -> str:
    said = [("`free_email`", one.is_free), ("flag `role`", one.is_role), ("`did_you_mean`", one.did_you_mean)]
    return ", ".join(word for word, is_so in said if is_so)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text()))
