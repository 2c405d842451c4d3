"""The documentation as a reader gets it: its page, and the code on it."""

import re
from html import unescape
from typing import Any

from django.test import Client

_PANEL = re.compile(r'data-panel="([^"]+)".*?<pre[^>]*><code>(.*?)</code></pre>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_CHAPTER = re.compile(r'<section class="docs-chapter" id="([a-z-]+)"(.*?)</section>', re.DOTALL)
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def page(**query: str) -> str:
    """The HTML of the page."""
    answer: Any = Client().get("/documentation", query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def chapters(html: str) -> dict[str, str]:
    """The HTML of each chapter, by anchor."""
    return dict(_CHAPTER.findall(html))


def panels(html: str) -> dict[str, str]:
    """The code of the page, as its Copy button takes it, by name."""
    return {name: text_of(code) for name, code in _PANEL.findall(html)}


def rows(html: str) -> list[list[str]]:
    """The cells of all tables, row by row, without their heads."""
    found = ([text_of(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(html))
    return [row for row in found if row]


def text_of(html: str) -> str:
    return unescape(_TAG.sub("", html))
