"""What the rules of the house say that no linter checks: sizes, and that every document can be found."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

ROOT: Path = settings.BASE_DIR
ROOMS = (
    "accounts",
    "adminpanel",
    "benchmarks",
    "billing",
    "crm",
    "emailcheck",
    "quotes",
    "samples",
    "tests",
    "validation",
)
FILE_LINES, FUNCTION_LINES = 400, 60
_LINK = re.compile(r"\]\((?!https?:|mailto:|/|#)([^)#\s]+)")


def sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from (path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(path.read_text()))
    yield from (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_files_and_functions_stay_small() -> None:
    found = list(sources())
    long_files = [str(path) for path in found if len(path.read_text().splitlines()) > FILE_LINES]
    long_functions = [
        f"{path}:{node.lineno} {node.name}"
        for path in found
        for node in functions(path)
        if (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ]
    assert (len(found) > 500, long_files, long_functions) == (True, [], [])


def documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "samples" / "README.md"]


def test_every_document_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    named = {(index.parent / link).resolve() for link in _LINK.findall(index.read_text())}
    measured = index.parent / "figures.md"  # there once `make bench` has written it
    files = {path for path in index.parent.rglob("*") if path.is_file()} - {index, measured}
    assert (len(files) > 30, files - named) == (True, set())


def test_links_between_documents_lead_somewhere() -> None:
    links = [(page, link) for page in documents() for link in _LINK.findall(page.read_text())]
    lost = [f"{page}: {link}" for page, link in links if not (page.parent / link).exists()]
    assert (len(links) > 60, lost) == (True, [])
