"""The verdicts of a list in the order of its file's rows: the columns that the original file gains."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from validation import entitlements
from validation.batches.models import Batch
from validation.exports.found_rows import Found, FoundReader
from validation.listfiles.sheet_xml import column_letters
from validation.results.reasons.catalogue import NOT_CHECKED
from validation.results.reasons.texts import explain_reason
from validation.results.storage import NEVER, RISKY, SAFE

COLUMNS = ("email_checked", "category", "reason", "reason_text", "confidence", "label", "did_you_mean", "is_role",
           "is_free", "mx_host", "checks")  # fmt: skip
_HEADER = 0
_BETWEEN = "; "
_MARK = " (EmailCheck)"
_FLAGS = {True: "true", False: "false", None: ""}
_LABELS: Mapping[str, str] = MappingProxyType({"safe": SAFE, "risky": RISKY, "do_not_send": NEVER})
_GONE = 0  # in the place of a position: its address had no verdict when it was first met

Place = Sequence[Any]
"""[position, index, address]: equal addresses have one index, and indexes count from 0 as they first appear."""


@dataclass(frozen=True, slots=True)
class VerdictColumns:
    """The columns to add: `names` out of `COLUMNS`, for each of the e-mail columns `of`, counted from 1."""

    names: tuple[str, ...]
    of: tuple[int, ...]

    @property
    def count(self) -> int:
        """The columns that are added."""
        return len(self.names) * len(self.of)


def name_columns(columns: VerdictColumns, header: Sequence[str]) -> list[str]:
    """The names in the header, none of which is there yet. With several e-mail columns each is named after its own."""
    taken = {cell.strip().casefold() for cell in header}
    named = []
    for start in _list_prefixes(columns.of, header):
        for name in columns.names:
            whole = start + name
            while whole.casefold() in taken:
                whole += _MARK
            taken.add(whole.casefold())
            named.append(whole)
    return named


def _list_prefixes(of: Sequence[int], header: Sequence[str]) -> list[str]:
    if len(of) == 1:
        return [""]
    names = [header[column - 1].strip() if column <= len(header) else "" for column in of]
    times = Counter(name.casefold() for name in names)
    return [
        f"{_name_column(name, column, is_alone=times[name.casefold()] == 1)}: "
        for name, column in zip(names, of, strict=True)
    ]


def _name_column(name: str, column: int, *, is_alone: bool) -> str:
    letters = column_letters(column)
    if not name:
        return f"Column {letters}"
    return name if is_alone else f"{name} ({letters})"


class _Verdict(NamedTuple):
    """`found` is None where there is no verdict yet, and where the address `is_left_out` for want of credits."""

    address: str
    found: Found | None
    is_left_out: bool


class RowVerdicts:
    """Annotates the rows of a file, read in order.

    Of the addresses that it met, a position each stays in memory. All rows of an address have one verdict or none,
    also while the list runs.
    """

    def __init__(self, batch: Batch, columns: VerdictColumns, *, segment: str, segment_column: int) -> None:
        """`segment_column` is one of `columns.of`: a row is in the segment by the address in it."""
        self._batch, self._columns, self._segment = batch, columns, segment
        self._deciding = columns.of.index(segment_column)
        self._reader = FoundReader(batch)
        self._firsts = array("I")
        self._decided = bytearray()

    def annotate_rows(self, rows: Sequence[Sequence[Any]]) -> list[Sequence[str] | None]:
        """The cells to add to each row of (number, places); none where it has no address; None for a row that is not
        part of the segment. `number` and `places` are those of `listfiles.packages.PlacedRow`."""
        found = self._load_found(place for number, places in rows if number for cell in places for place in cell)
        return [self._annotate_row(number, places, found) for number, places in rows]

    def _annotate_row(
        self, number: int | None, places: Sequence[Any], found: Mapping[int, Found]
    ) -> Sequence[str] | None:
        if number is None:
            return ()
        if number == _HEADER:
            return name_columns(self._columns, places)
        if self._segment != "all" and not self._is_held(places[self._deciding], found):
            return None
        if not any(places):
            return ()
        cells: list[str] = []
        for cell in places:
            verdicts = [self._judge(place, found) for place in cell]
            cells.extend(_join([_READERS[name](verdict) for verdict in verdicts]) for name in self._columns.names)
        return cells

    def _load_found(self, places: Iterable[Place]) -> dict[int, Found]:
        met = list(places)
        start = len(self._firsts)
        for position, index, _ in met:
            if index == len(self._firsts):
                self._firsts.append(position)
        found = self._reader.load_found({self._firsts[index] for _, index, _ in met})
        for index in range(start, len(self._firsts)):
            if self._firsts[index] not in found and not self._is_left_out(self._firsts[index]):
                self._firsts[index] = _GONE
        return found

    def _is_left_out(self, position: int) -> bool:
        return self._batch.cut_at is not None and position >= self._batch.cut_at

    def _judge(self, place: Place, found: Mapping[int, Found]) -> _Verdict:
        first = self._firsts[place[1]]
        verdict = found.get(first)
        return _Verdict(place[2], verdict, verdict is None and first != _GONE)

    def _is_held(self, cell: Sequence[Place], found: Mapping[int, Found]) -> bool:
        """Whether the segment has an address of the cell that stands in no earlier row."""
        news = [place for place in cell if self._is_new(place[1])]
        verdicts = [self._judge(place, found).found for place in news]
        return any(verdict is not None and is_in_segment(verdict, self._segment) for verdict in verdicts)

    def _is_new(self, index: int) -> bool:
        """Whether the deciding column has this address for the first time."""
        self._decided.extend(bytes(max(0, index + 1 - len(self._decided))))
        is_new = not self._decided[index]
        self._decided[index] = True
        return is_new


def is_in_segment(found: Found, segment: str) -> bool:
    """Whether a segment other than `all` holds a result."""
    if segment in _LABELS:
        return found.label == _LABELS[segment]
    if segment == "role":
        return found.is_role is True
    return segment in ("unique", found.category) or (segment == "typo" and bool(found.did_you_mean))


def _join(values: Sequence[str]) -> str:
    """The values of a cell's addresses in their order; nothing where none has any."""
    return _BETWEEN.join(values) if any(values) else ""


def _read_address(verdict: _Verdict) -> str:
    return verdict.address if verdict.found or verdict.is_left_out else ""


def _read_reason(verdict: _Verdict) -> str:
    return verdict.found.reason if verdict.found else NOT_CHECKED if verdict.is_left_out else ""


_READERS: Mapping[str, Callable[[_Verdict], str]] = MappingProxyType(
    {
        "email_checked": _read_address,
        "category": lambda verdict: verdict.found.category if verdict.found else "",
        "reason": _read_reason,
        "reason_text": lambda verdict: explain_reason(_read_reason(verdict)),
        "confidence": lambda verdict: f"{verdict.found.confidence:.2f}" if verdict.found else "",
        "label": lambda verdict: verdict.found.label if verdict.found else "",
        "did_you_mean": lambda verdict: verdict.found.did_you_mean if verdict.found else "",
        "is_role": lambda verdict: _FLAGS[verdict.found.is_role] if verdict.found else "",
        "is_free": lambda verdict: _FLAGS[verdict.found.is_free] if verdict.found else "",
        "mx_host": lambda verdict: verdict.found.mx_host if verdict.found else "",
        "checks": lambda verdict: entitlements.name_checks(basic=verdict.found.basic) if verdict.found else "",
    }
)
