"""Tables of texts, as phones need them."""

import re
from itertools import cycle

from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe

_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_HEAD = re.compile(r"<th>(.*?)</th>")


def label_cells(html: str) -> SafeString:
    """Label each cell of our tables with its column: on phones every row is a card."""
    return mark_safe(_TABLE.sub(_label_row, html))


def _label_row(table: re.Match[str]) -> str:
    names = cycle(map(strip_tags, _HEAD.findall(table[0])))
    cells = re.sub("<td>", lambda _: f'<td data-label="{next(names)}">', table[0])
    return cells.replace("<table>", '<table class="table-cards">')
