"""The tables of the documentation that are made from the code; `make api` writes them into `docs/api.md` too."""

from collections.abc import Iterable
from pathlib import Path

from emailcheck.public.documentation.error_catalogue import CATALOGUE
from validation.testmode import addresses

DOCUMENT = Path(__file__).parents[3] / "docs" / "api.md"
_TABLE = "<!-- {name} -->\n{table}\n<!-- /{name} -->"


def replace_tables(text: str) -> str:
    """The document with the tables as the code has them now."""
    for name, made in build_tables().items():
        before, _, rest = text.partition(f"<!-- {name} -->")
        after = rest.partition(f"<!-- /{name} -->")[2]
        text = before + _TABLE.format(name=name, table=made) + after
    return text


def build_tables() -> dict[str, str]:
    """The tables that the code knows, in Markdown, by name."""
    verdicts = (
        (f"`{one.address}`", one.category.value, f"`{one.reason.value}`", _describe_verdict(one))
        for one in addresses.VERDICTS
    )
    behaviours = ((f"`{one.address}`", one.single, one.in_list) for one in addresses.BEHAVIOURS)
    errors = ((f"`{one.code}`", str(one.status), one.when, one.remedy) for one in CATALOGUE)
    return {
        "verdicts": build_table(("Address", "Category", "Reason", "Besides"), verdicts),
        "behaviours": build_table(("Address", "A single check", "A list that holds it"), behaviours),
        "errors": build_table(("Code", "Status", "When", "What to do"), errors),
    }


def _describe_verdict(one: addresses.AddressVerdict) -> str:
    words = [("`free_email`", one.is_free), ("flag `role`", one.is_role), ("`did_you_mean`", one.did_you_mean)]
    return ", ".join(word for word, is_so in words if is_so)


def build_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    DOCUMENT.write_text(replace_tables(DOCUMENT.read_text()))
