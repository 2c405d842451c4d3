"""From the cells of a list to the addresses to check: repaired where that is wanted, without blanks, each once."""

import re
import string
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import itemgetter

from validation.batches.intake.cells import CellAddresses, CellReader, Entry, Suggestions, build_entry
from validation.batches.intake.choices import RepairChoices
from validation.batches.intake.content_hash import ContentHash
from validation.batches.intake.findings import Finding, FindingCounts
from validation.engine.repair import MOST_ADDRESSES, RepairKind
from validation.engine.syntax import DOT_ATOM, LOCAL_PART_OCTETS, is_plain_domain

MOST_COLUMNS = 10
POSITIONS_A_ROW = 512
"""Of a list whose rows may hold several addresses: more than ten columns of fifty."""
assert MOST_COLUMNS * MOST_ADDRESSES < POSITIONS_A_ROW

Numbered = tuple[int, str]
_CELLS_AT_ONCE = 256
_LINES_AT_ONCE = 10_000
# A dot-atom at a domain in ASCII. One that begins with an apostrophe is for the reader, who knows whether it is ours.
_PLAIN = re.compile(rf"(?!'){DOT_ATOM}@([A-Za-z0-9.-]+)")
_USUAL = f"{string.ascii_letters}{string.digits}.-_+".encode()


def choose_positions_a_row(choices: RepairChoices, columns: int) -> int:
    """The number of positions of each row: 1 where a row is one address as it stands."""
    return 1 if columns == 1 and choices.changes_nothing else POSITIONS_A_ROW


@dataclass(slots=True)
class Rest:
    """What was left out for want of credits: so many different addresses, of which `possible` can cost a credit."""

    unique: int = 0
    possible: int = 0


NoteFinding = Callable[[Finding], object]


@dataclass(slots=True)
class Intake:
    """The contents of a list. Addresses are pairs (position, address).

    A position is the row, from 1 and counting all rows; where a row may hold several addresses it is
    `positions_a_row` times the row plus the place of the address in it. `cut_at` is the first position that was left
    out for want of credits, with which `rest` begins. `by_column` counts the addresses of each column, duplicates
    included.
    """

    positions_a_row: int = 1
    by_domain: dict[str, list[Numbered]] = field(default_factory=dict)
    impossible: list[Numbered] = field(default_factory=list)
    possible: int = 0
    rows: int = 0
    duplicates: int = 0
    blank: int = 0
    cut_at: int | None = None
    rest: Rest = field(default_factory=Rest)
    by_column: list[int] = field(default_factory=list)
    found: FindingCounts = field(default_factory=FindingCounts)

    @property
    def unique(self) -> int:
        """The number of addresses to check; `possible` of them can cost a credit each (VAL-043)."""
        return self.possible + len(self.impossible)

    def add(self, position: int, address: str, domain: str) -> None:
        """Add an address that is not in the list yet. `domain` is `""` when its syntax is impossible."""
        if domain:
            self.possible += 1
            self.by_domain.setdefault(domain, []).append((position, address))
        else:
            self.impossible.append((position, address))

    def domains(self) -> Iterator[tuple[str, int]]:
        """The domains and their numbers of addresses."""
        return ((domain, len(rows)) for domain, rows in self.by_domain.items())

    def chunks(self, size: int) -> Iterator[list[Numbered]]:
        """The addresses in chunks of `size`, with those of a domain together.

        One session then probes all addresses of a domain; a domain larger than a chunk gets several. Impossible
        addresses, which take no time, come last.
        """
        domains = map(self.by_domain.__getitem__, sorted(self.by_domain))
        rows = chain(chain.from_iterable(domains), self.impossible)
        while chunk := list(islice(rows, size)):
            yield chunk

    def begin_hash(self) -> ContentHash:
        """The hash of the contents, to which all chunks have to be added."""
        sizes = [len(self.by_domain[domain]) for domain in sorted(self.by_domain)]
        return ContentHash(sizes, map(itemgetter(1), self.impossible))

    def hash_content(self) -> str:
        """The hash of the contents where nobody needs the chunks."""
        content = self.begin_hash()
        for chunk in self.chunks(_LINES_AT_ONCE):
            content.add(map(itemgetter(1), chunk))
        return content.finish()

    def list_suggestions(self) -> Iterator[Finding]:
        """The typing suggestions that are not used. `column` is 0: they are said of addresses, not of cells."""
        suggestions = Suggestions()
        for domain, rows in self.by_domain.items():
            meant = suggestions.find(domain)
            for position, address in rows if meant else ():
                corrected = f"{address[: address.rindex('@')]}@{meant}"
                row = position // self.positions_a_row
                yield Finding(row, 0, address, (corrected,), (RepairKind.TYPING,), (position,), applied=False)


def sort_lines(
    lines: Iterable[str],
    *,
    reader: CellReader | None = None,
    max_credits: int | None = None,
    free: Container[int] = (),
    note: NoteFinding | None = None,
) -> Intake:
    """Sort the lines of a list, as `sort_rows` does."""
    rows = ((line,) for line in lines)
    return sort_rows(rows, reader or CellReader(), max_credits=max_credits, free=free, note=note)


def sort_rows(
    rows: Iterable[Sequence[str]],
    reader: CellReader,
    *,
    columns: Sequence[int] = (1,),
    max_credits: int | None = None,
    free: Container[int] = (),
    after: int = 0,
    note: NoteFinding | None = None,
) -> Intake:
    """Sort the cells of a list: blanks dropped, duplicates found on the normalised address in lower case.

    With `max_credits` it ends before the first address that would need one more; those at `free` positions need none.
    Addresses before the position `after` are only known, not added: the list goes on there. `note` receives each
    cell to which something was done; `columns` are the numbers of their columns, from 1.
    """
    intake = Intake(choose_positions_a_row(reader.choices, len(columns)), by_column=[0] * len(columns))
    sorter = _Sorter(intake, columns, max_credits, free, after, note)
    if len(columns) == 1 and max_credits is None and after == 0 and reader.leaves_addresses:
        sorter.take_column(map(itemgetter(0), rows), reader)
    else:
        for row, cells in enumerate(rows, start=1):
            sorter.take_row(row, [reader.read(cell, row) for cell in cells])
    return intake


class _RowsByDomain(dict[str, list[Numbered]]):
    """The addresses that a list has at a domain, by the domain as it is written; at a new domain none.

    At the domains in `unclear`, with "" for cells that are no plain address, the reader has to say what a cell is:
    nothing is added to their rows.
    """

    def __init__(self, intake: Intake) -> None:
        super().__init__({"": []})
        self._by_domain = intake.by_domain
        self.unclear = {""}

    def __missing__(self, domain: str) -> list[Numbered]:
        if is_plain_domain(domain):
            rows = self._by_domain.setdefault(domain.lower(), [])
        else:
            rows = self[""]
            self.unclear.add(domain)
        self[domain] = rows
        return rows


@dataclass(slots=True)
class _Sorter:
    """Adds the addresses of row after row to the contents of a list."""

    intake: Intake
    columns: Sequence[int]
    max_credits: int | None
    free: Container[int]
    after: int
    note: NoteFinding | None
    seen: set[str] = field(default_factory=set)
    paid: int = 0

    def take_column(self, cells: Iterator[str], reader: CellReader) -> None:
        """Add rows of one cell each, as `take_row` does, when every possible address is wanted.

        Most cells are a plain address at a domain that the list has already: some of those at once are added at once.
        """
        intake, seen, step = self.intake, self.seen, self.intake.positions_a_row
        by_domain = _RowsByDomain(intake)
        row = duplicates = read = 0
        while some := list(islice(cells, _CELLS_AT_ONCE)):
            keys, domains = _find_plain(some)
            add_to = list(map(by_domain.__getitem__, domains))
            numbered = zip(range((row + 1) * step, (row + 1 + len(some)) * step, step), some, strict=True)
            are_clear = by_domain.unclear.isdisjoint(domains)
            if are_clear and len(new := set(keys)) == len(some) and seen.isdisjoint(new):
                seen |= new
                deque(map(list.append, add_to, numbered), maxlen=0)
                row += len(some)
                continue
            for rows, domain, key, (position, cell) in zip(add_to, domains, keys, numbered, strict=True):
                row += 1
                if domain in by_domain.unclear:
                    read += 1
                    self.take_row(row, [reader.read(cell, row)])
                elif key in seen:
                    duplicates += 1
                else:
                    seen.add(key)
                    rows.append((position, cell))
        plain = row - read
        intake.rows += plain
        intake.by_column[0] += plain
        intake.duplicates += duplicates
        intake.possible += plain - duplicates

    def take_row(self, row: int, cells: Sequence[CellAddresses]) -> None:
        """Add a row; from where the credits end on, its addresses are only counted."""
        intake = self.intake
        position = row * intake.positions_a_row
        blank = True
        for column, cell in enumerate(cells):
            positions: list[int | None] = []
            for entry in cell.entries:
                blank = False
                if intake.cut_at is not None or not self._take(position, entry, positions):
                    self._leave_out(entry)
                position += 1
            if intake.cut_at is not None and not positions:
                continue
            intake.by_column[column] += len(positions)
            if cell.kinds:
                self._note(row, self.columns[column], cell, positions)
        if intake.cut_at is None:
            intake.rows += 1
            intake.blank += blank

    def _leave_out(self, entry: Entry) -> None:
        if entry.key not in self.seen:
            self.seen.add(entry.key)
            self.intake.rest.unique += 1
            self.intake.rest.possible += bool(entry.domain)

    def _take(self, position: int, entry: Entry, positions: list[int | None]) -> bool:
        """Add an address, unless it is a duplicate. False when there is no credit for it."""
        intake = self.intake
        if entry.key in self.seen:
            intake.duplicates += position >= self.after
            positions.append(None)
            return True
        if position < self.after:
            self.seen.add(entry.key)
            positions.append(None)
            return True
        if entry.domain and position not in self.free:
            if self.paid == self.max_credits:
                intake.cut_at = position
                return False
            self.paid += 1
        self.seen.add(entry.key)
        intake.add(position, entry.address, entry.domain)
        positions.append(position)
        return True

    def _note(self, row: int, column: int, cell: CellAddresses, positions: list[int | None]) -> None:
        self.intake.found.count(row, cell, len(positions))
        if self.note:
            positions = positions + [None] * (len(cell.entries) - len(positions))
            finding = Finding(row, column, cell.source, cell.repaired, cell.kinds, positions, not cell.undone)
            self.note(finding)


def _find_plain(cells: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The keys of some cells, and the domains of those that are a plain address: possible, if the domain is.

    For others the domain is "". All cells are looked at together, and one by one where some are not plain.
    """
    text = "\n".join(cells)
    lower = text.lower()
    keys = cells if lower == text else list(map(str.lower, cells))
    if _are_plain(text, len(cells)) and max(map(len, cells)) <= LOCAL_PART_OCTETS:
        return keys, [cell.rpartition("@")[2] for cell in cells]
    found = map(_PLAIN.fullmatch, cells)
    return keys, [one[1] if one and len(one[0]) <= LOCAL_PART_OCTETS else "" for one in found]


def _are_plain(text: str, lines: int) -> bool:
    """Whether every line is a dot-atom of usual characters, an @ and some of them."""
    skeleton = text.encode(errors="replace").translate(None, _USUAL)
    # In a dot-atom no dot stands beside another, nor at an end.
    return skeleton == b"@\n" * (lines - 1) + b"@" and ".." not in f".{text}".replace("@", ".").replace("\n", ".")


def address_key(address: str) -> str:
    """The key under which duplicates are found."""
    return build_entry(address).key
