"""Writes the tables of `docs/api.md` from the code: `python -m emailcheck.developer_docs`, as `make api` does."""

from collections.abc import Iterable
from pathlib import Path

from emailcheck.error_catalogue import CATALOGUE
from validation import magic

DOCUMENT = Path(__file__).parent.parent / "docs" / "api.md"
_TABLE = "<!-- {name} -->\n{table}\n<!-- /{name} -->"


def with_tables(text: str) -> str:
    """The document with the tables as the code has them now."""
    for name, table in _tables().items():
        before, _, rest = text.partition(f"<!-- {name} -->")
        after = rest.partition(f"<!-- /{name} -->")[2]
        text = before + _TABLE.format(name=name, table=table) + after
    return text


def _tables() -> dict[str, str]:
    verdicts = ((f"`{one.address}`", one.category.value, f"`{one.reason.value}`", _more(one)) for one in magic.VERDICTS)
    behaviours = ((f"`{one.address}`", one.single, one.in_list) for one in magic.BEHAVIOURS)
    errors = ((f"`{one.code}`", str(one.status), one.when, one.remedy) for one in CATALOGUE)
    return {
        "verdicts": _table(("address", "category", "reason", "besides"), verdicts),
        "behaviours": _table(("address", "a single check", "a list that holds it"), behaviours),
        "errors": _table(("code", "status", "when", "what to do"), errors),
    }


def _more(one: magic.Magic) -> str:
    said = [("`free_email`", one.is_free), ("flag `role`", one.is_role), ("`did_you_mean`", one.did_you_mean)]
    return ", ".join(word for word, is_so in said if is_so)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text()))
