"""The tables of the documentation that are made from the code; `make api` writes them into the documents too."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.urls import URLResolver, get_resolver

from accounts.access.permissions import find_right
from accounts.organisations.roles import ROLE_SENTENCES, OrganisationRole, may
from emailcheck.public.documentation.error_catalogue import CATALOGUE
from emailcheck.public.documentation.reason_rows import list_reason_rows
from validation.testmode import addresses

_DOCS = Path(__file__).parents[3] / "docs"
DOCUMENT, ROLES_DOCUMENT = _DOCS / "api.md", _DOCS / "roles.md"
_TABLE = "<!-- {name} -->\n{table}\n<!-- /{name} -->"


def replace_tables(text: str) -> str:
    """The document with the tables as the code has them now."""
    for name, made in build_tables().items():
        if f"<!-- {name} -->" not in text:
            continue
        before, _, rest = text.partition(f"<!-- {name} -->")
        after = rest.partition(f"<!-- /{name} -->")[2]
        text = before + _TABLE.format(name=name, table=made) + after
    return text


def write_tables() -> None:
    """Put the tables as the code has them now into the documents."""
    for document in (DOCUMENT, ROLES_DOCUMENT):
        document.write_text(replace_tables(document.read_text()))


def build_tables() -> dict[str, str]:
    """The tables that the code knows, in Markdown, by name."""
    verdicts = (
        (f"`{one.address}`", one.category.value, f"`{one.reason.value}`", _describe_verdict(one))
        for one in addresses.VERDICTS
    )
    behaviours = ((f"`{one.address}`", one.single, one.in_list) for one in addresses.BEHAVIOURS)
    errors = ((f"`{one.code}`", str(one.status), one.when, one.remedy) for one in CATALOGUE)
    reasons = (
        (f"`{one.reason}`", one.categories, one.full, one.basic, one.meaning, one.advice) for one in list_reason_rows()
    )
    return {
        "verdicts": build_table(("Address", "Category", "Reason", "Besides"), verdicts),
        "behaviours": build_table(("Address", "A single check", "A list that holds it"), behaviours),
        "reasons": build_table(("Reason", "Category", "Full", "Basic", "It means", "What to do"), reasons),
        "roles": build_table(("Role", "May"), ROLE_SENTENCES.items()),
        "calls": build_table(("Call", "Right", *OrganisationRole.values), _list_calls()),
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


def _list_calls() -> Iterator[tuple[str, ...]]:
    """The calls that a person makes in an organisation, by route, and whether each role may."""
    for route, view in sorted(_list_routes(get_resolver().url_patterns)):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            right = find_right(view, method) if hasattr(view, method.lower()) else None
            if right is not None:
                yield f"`{method} /{route}`", right, *("yes" if may(role, right) else "no" for role in OrganisationRole)


def _list_routes(patterns: Iterable[Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The routes below `/api/` with their views, where these say what they need."""
    for pattern in patterns:
        here = before + str(pattern.pattern)
        view = getattr(getattr(pattern, "callback", None), "view_class", None)
        if isinstance(pattern, URLResolver):
            yield from _list_routes(pattern.url_patterns, here)
        elif here.startswith("api/") and not here.startswith("api/v1/") and getattr(view, "right", None) is not None:
            yield re.sub("<.*?:(.*?)>", r"{\1}", here.removeprefix("api/")), view
