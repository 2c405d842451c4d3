"""What can happen in a call: the functions and classes of ours that its code names, and that theirs name, and so on."""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(settings.BASE_DIR)


def views() -> set[type]:
    """The view classes behind all addresses."""

    def below(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[type]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from below(pattern.url_patterns)
            elif view := getattr(pattern.callback, "view_class", None):
                yield view

    return set(below(get_resolver().url_patterns))


def reachable(roots: Iterable[Any]) -> set[Any]:
    """The functions and classes that the code of `roots` leads to by name; of a class all of it, with its bases.

    More than is ever called, and nothing that is handed in as a value, such as receivers of signals.
    """
    found: set[Any] = set()
    waiting = list(roots)
    while waiting:
        thing = inspect.unwrap(waiting.pop())
        if not _is_ours(thing) or thing in found:
            continue
        found.add(thing)
        waiting += getattr(thing, "__mro__", ())
        waiting += [named for node in ast.walk(tree_of(thing)) if (named := value_of(node, thing)) is not None]
    return found


def tree_of(thing: Any) -> ast.AST:
    """The syntax of a function or class."""
    return _trees(thing.__module__)[thing.__qualname__]


@cache
def _trees(module: str) -> dict[str, ast.AST]:
    """By the qualified names of what a module defines (PEP 3155)."""
    found: dict[str, ast.AST] = {}

    def enter(node: ast.AST, before: str) -> None:
        for child in ast.iter_child_nodes(node):
            inside = before
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found[before + child.name] = child
                inside = (
                    f"{before}{child.name}." if isinstance(child, ast.ClassDef) else f"{before}{child.name}.<locals>."
                )
            enter(child, inside)

    enter(ast.parse(inspect.getsource(sys.modules[module])), "")
    return found


def value_of(node: ast.AST, within: Any) -> Any:
    """What a name, or a name in a module (`services.hold`), stands for in the code of `within`; None for any other."""
    if isinstance(node, ast.Name):
        return vars(sys.modules[within.__module__]).get(node.id)
    if isinstance(node, ast.Attribute):
        module = value_of(node.value, within)
        return getattr(module, node.attr, None) if isinstance(module, ModuleType) else None
    return None


def _is_ours(thing: Any) -> bool:
    if not (inspect.isfunction(thing) or inspect.isclass(thing)):
        return False
    file = getattr(sys.modules.get(thing.__module__), "__file__", None) or ""
    return file.startswith(str(ROOT)) and "site-packages" not in file and thing.__qualname__ in _trees(thing.__module__)
