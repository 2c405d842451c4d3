"""Texts of all kinds as their readers get them: blocks such as a paragraph below its heading, and their sentences."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any

_SCRIPT = re.compile(r"<(script|style|svg|pre|title)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_INLINE = re.compile(r"</?(?:a|abbr|b|code|em|i|q|small|span|strong|time)\b[^>]*>", re.IGNORECASE)
_PROPS = re.compile(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', re.DOTALL)
_CONTENT = re.compile(r'<meta[^>]*\bcontent="([^"]*)"[^>]*>')
_HEADING = re.compile(r"<(?:h[1-6]|summary|dt|th)\b[^>]*>(.*?)</(?:h[1-6]|summary|dt|th)>", re.DOTALL)
_ROW = re.compile(r"<(tr|li)\b[^>]*>(.*?)</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_END = re.compile(r"(?<=[.!?])[*_)\"'”]*\s+(?=[^a-z])")
_SPACE = re.compile(r"\s+")
_TEMPLATE_TAG = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w])//[^\n]*", re.DOTALL)
_CODE = re.compile(r"[={}]|\bconst\b|\bimport\b")
_MARKDOWN_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\. ))|\n?```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """What is read together: the heading above, and the words."""

    heading: str
    text: str

    @property
    def sentences(self) -> list[str]:
        return [sentence for sentence in _END.split(self.text) if sentence]


def of_page(html: str) -> Iterator[Block]:
    """The blocks of a page, of its head, and of what its islands are given."""
    yield from of_html(html)
    yield from (Block("", _plain(text)) for text in _CONTENT.findall(html))
    yield from (Block("", _plain(text)) for props in _PROPS.findall(html) for text in _strings(json.loads(props)))


def of_html(html: str) -> Iterator[Block]:
    """The blocks of a text in HTML; cells of a row and parts of a list item belong together."""
    rest, heading = _INLINE.sub("", _SCRIPT.sub(" ", html)), ""
    rest = _ROW.sub(lambda row: f"<p>{_joined(row[2])}</p>", rest)
    for part in re.split(r"(<(?:h[1-6]|summary|dt)\b[^>]*>.*?</(?:h[1-6]|summary|dt)>)", rest, flags=re.DOTALL):
        if found := _HEADING.fullmatch(part):
            heading = _plain(found[1])
        yield from (Block(heading, text) for piece in _TAG.split(part) if (text := _plain(piece)))


def of_markdown(text: str) -> Iterator[Block]:
    """The blocks of a text in Markdown, or of any plain text: paragraphs, list items, rows of tables."""
    heading = ""
    for piece in _MARKDOWN_BREAK.split(text):
        words = _plain(re.sub(r"[*`|]", " ", piece))
        if piece.lstrip().startswith("#"):
            heading = words
        if words:
            yield Block(heading, words)


def of_template(text: str) -> Iterator[Block]:
    """The blocks of the source of a template, with all that its branches may say."""
    bare = _TEMPLATE_TAG.sub(" ", text)
    return of_html(bare) if "</" in bare else of_markdown(bare)


def of_typescript(text: str) -> Iterator[Block]:
    """The blocks of a component: what stands between tags, and its strings."""
    bare = _SPACE.sub(" ", _COMMENT.sub("", text))
    between = _TAG.split(_INLINE.sub("", re.sub(r"\{[^{}]*\}", " ", bare)))
    strings = (string[1:-1] for string in re.findall(r'"[^"]*"|`[^`]*`', bare))
    yield from (Block("", _plain(piece)) for piece in chain(strings, between) if not _CODE.search(piece))


def of_python(source: str) -> Iterator[Block]:
    """The strings of a module, docstrings apart: those of the API are read in its description."""
    tree = ast.parse(source)
    docstrings = {id(found) for node in ast.walk(tree) if (found := _docstring(node))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield Block("", _plain(node.value))
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "1" for part in node.values]
            yield Block("", _plain("".join(map(str, parts))))


def of_description(document: Any) -> Iterator[Block]:
    """The descriptions in an OpenAPI document, wherever they stand."""
    if isinstance(document, dict):
        yield from (Block("", _plain(document[key])) for key in ("description", "summary") if _is_text(document, key))
        document = list(document.values())
    if isinstance(document, list):
        for one in document:
            yield from of_description(one)


def of_file(path: Path) -> Iterator[Block]:
    """The blocks of a file of ours, by its ending."""
    read = {".py": of_python, ".ts": of_typescript, ".tsx": of_typescript, ".html": of_template}
    return read.get(path.suffix, of_template if "templates" in path.parts else of_markdown)(path.read_text())


def _strings(value: Any) -> Iterator[str]:
    """All strings in a value of JSON."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


def _docstring(node: ast.AST) -> ast.expr | None:
    """The string that documents a module, a class or a function."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or not node.body:
        return None
    first = node.body[0]
    return first.value if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else None


def _is_text(document: dict[Any, Any], key: str) -> bool:
    return isinstance(document.get(key), str)


def _joined(html: str) -> str:
    """The parts of a row or list item as sentences one after another."""
    return _TAG.sub(". ", html)


def _plain(html: str) -> str:
    text = _SPACE.sub(" ", unescape(_TAG.sub(" ", html))).strip()
    return re.sub(r"(?:\s*\.)+(?=\s|$)", ".", text).removeprefix(".").strip()
