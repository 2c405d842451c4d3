"""A test names at most three rows and findings: one that names eleven says little of each."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

ROOT: Path = settings.BASE_DIR
ROOMS = ("accounts", "adminpanel", "billing", "crm", "emailcheck", "quotes", "tests", "validation")
MOST = 3
_ROW = re.compile(r"\b[A-Z]{3,4}-\d{3}\b")
_BRACKETS = re.compile(r"\[([^\]\n]*)\]")
_PROOF = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def marked_rows(node: ast.AST) -> list[str]:
    """The rows and findings that the `spec` and `finding` marks within `node` name."""
    return [
        argument.value
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("spec", "finding")
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def marks_of_python(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each test with all that it names; a case of a parametrized test, which may be marked by itself, counts alone."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            where = f"{path}:{node.lineno} {node.name}"
            cases = [call for decorator in node.decorator_list for call in ast.walk(decorator) if _is_case(call)]
            of_cases = [marked_rows(case) for case in cases]
            yield from ((where, rows) for rows in of_cases)
            all_rows = [row for decorator in node.decorator_list for row in marked_rows(decorator)]
            yield where, [row for row in all_rows if row not in {row for rows in of_cases for row in rows}]


def _is_case(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "param"


def marks_of_titles(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each line of a browser test with the rows in its [brackets]: the title of a test is one line."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        yield f"{path}:{number}", _ROW.findall(" ".join(_BRACKETS.findall(line)))


def named_rows() -> Iterator[tuple[str, list[str]]]:
    for room in ROOMS:
        for path in (ROOT / room).rglob("test_*.py"):
            yield from marks_of_python(path)
    for folder, kind in (("tests/e2e", "*.spec.ts"), ("frontend/tests", "*.test.ts*")):
        for path in (ROOT / folder).rglob(kind):
            yield from marks_of_titles(path)


def test_a_test_names_at_most_three_rows() -> None:
    named = [(where, rows) for where, rows in named_rows() if rows]
    assert len(named) > 1_000
    assert [(where, rows) for where, rows in named if len(rows) > MOST] == []


def test_each_test_that_holds_a_promise_is_there() -> None:
    """`docs/testing.md` names a test beside each promise."""
    named = _PROOF.findall((ROOT / "docs" / "testing.md").read_text())
    lost = [f"{path}::{name}" for path, name in named if f"def {name}(" not in (ROOT / path).read_text()]
    assert (len(named) > 70, lost) == (True, [])
