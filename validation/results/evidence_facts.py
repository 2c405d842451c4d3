"""What files say of the evidence: suggestion, role flag and first mail host of each row, in bounded memory.

The rows of a list point to pages of evidence that are sorted by domain, so that some rows in a file's order lie on
nearly all of its pages. Each page is read once, and what is wanted of it kept packed: some 2 KB a page of 256 rows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from validation.engine import Flag
from validation.results.models import Evidence

_PAGES_AT_ONCE = 50
_INDEX_BYTES = 2  # of a page's hosts
Details = Sequence[int] | Mapping[str, Any]
"""`Result.details`: [page, row], or the evidence itself."""


class Facts(NamedTuple):
    """`did_you_mean` and `mx_host` are "" where there is none; `is_role` says what the flags say."""

    did_you_mean: str
    is_role: bool
    mx_host: str


_NONE = Facts("", False, "")


class _PackedPage(NamedTuple):
    hosts: str  # one a line
    numbers: bytes  # of each row's host, `_INDEX_BYTES` a row
    roles: bytes  # one a row
    suggestions: dict[int, str]  # by row, where there is one

    def unpack(self, rows: Iterable[int]) -> Iterator[tuple[int, Facts]]:
        hosts = self.hosts.split("\n")
        for row in rows:
            host = hosts[int.from_bytes(self.numbers[row * _INDEX_BYTES : (row + 1) * _INDEX_BYTES])]
            yield row, Facts(self.suggestions.get(row, ""), bool(self.roles[row]), host)


class FactsReader:
    """Reads the facts of the rows of one list. It remembers the pages that it met."""

    def __init__(self) -> None:
        self._pages: dict[int, _PackedPage] = {}

    def read_facts(self, details: Iterable[Details]) -> list[Facts]:
        """The facts of some rows, in their order."""
        asked = list(details)
        wanted: dict[int, set[int]] = {}
        for one in asked:
            if not isinstance(one, Mapping):
                wanted.setdefault(one[0], set()).add(one[1])
        self._load([number for number in wanted if number not in self._pages])
        found = {
            (number, row): facts
            for number, rows in wanted.items()
            if number in self._pages  # else the list has just been removed
            for row, facts in self._pages[number].unpack(rows)
        }
        return [_read_whole(one) if isinstance(one, Mapping) else found.get((one[0], one[1]), _NONE) for one in asked]

    def _load(self, numbers: Sequence[int]) -> None:
        for first in range(0, len(numbers), _PAGES_AT_ONCE):
            some = numbers[first : first + _PAGES_AT_ONCE]
            for number, page in Evidence.objects.filter(pk__in=some).values_list("pk", "rows").iterator():
                self._pages[number] = _pack_page(page)


def list_facts(page: Any) -> list[Facts]:
    """The facts of all rows of a page."""
    return [_read_whole(row) for row in page] if isinstance(page, list) else [_read_row(row) for row in page["rows"]]


def _pack_page(page: Any) -> _PackedPage:
    rows = list_facts(page)
    hosts: dict[str, int] = {}
    numbers = b"".join(hosts.setdefault(row.mx_host, len(hosts)).to_bytes(_INDEX_BYTES) for row in rows)
    suggestions = {index: row.did_you_mean for index, row in enumerate(rows) if row.did_you_mean}
    return _PackedPage("\n".join(hosts), numbers, bytes(row.is_role for row in rows), suggestions)


def _read_whole(evidence: Mapping[str, Any]) -> Facts:
    return _read_row((evidence["flags"], evidence["did_you_mean"], evidence["mx"]))


def _read_row(row: Sequence[Any]) -> Facts:
    flags, did_you_mean, servers = row[:3]
    host = servers[0].rstrip(".").lower().replace("\n", "") if servers else ""
    return Facts(did_you_mean or "", Flag.ROLE in flags, host)
