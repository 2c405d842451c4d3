"""From a cell to its addresses: as they stand, repaired, or as a suggestion has them."""

from collections.abc import Iterator
from typing import NamedTuple

from emailcheck.common.text.cleaning import make_storable
from emailcheck.common.text.csv_cells import unprotect_cell
from validation.batches.intake.choices import RepairChoices
from validation.engine import AddressSyntaxError, parse
from validation.engine.knowledge.domains import PopularDomains
from validation.engine.repair import ParsedReading, RepairKind, read_parsed_addresses

MAX_ADDRESS_CHARACTERS = 1_000


class Entry(NamedTuple):
    """An address of a list. `key`: under which duplicates are found. `domain`: "" where its syntax is impossible."""

    address: str
    key: str
    domain: str


class CellAddresses(NamedTuple):
    """The addresses of a cell, none of a blank one.

    `source` and `kinds` tell what was done to it, or would have been where it is `undone`; no kinds: nothing.
    `found`: how many addresses the cell holds, of which the first are taken.
    """

    entries: tuple[Entry, ...]
    source: str = ""
    kinds: tuple[RepairKind, ...] = ()
    repaired: tuple[str, ...] = ()
    undone: bool = False
    found: int = 1


_BLANK = CellAddresses((), found=0)


class CellReader:
    """Reads the cells of a list by a customer's choices.

    `protected`: the cells come from a file, in which an apostrophe may be ours (`csv_cells.protect_cell`).
    """

    def __init__(self, choices: RepairChoices | None = None, *, protected: bool = False) -> None:
        self.choices = choices or RepairChoices()
        self._protected = protected
        self._undone_rows = frozenset(self.choices.undo_repairs)
        self._undone_kinds = frozenset(self.choices.undo_kinds)
        self._suggestion_rows = frozenset(self.choices.suggestion_rows)
        self._unwanted_suggestions = frozenset(self.choices.undo_suggestions)
        self._suggestions = Suggestions() if self.choices.use_suggestions or self._suggestion_rows else None

    @property
    def leaves_addresses(self) -> bool:
        """Whether a cell that is one possible address is that address, in every row."""
        return self._suggestions is None

    def read(self, cell: str, row: int) -> CellAddresses:
        """The addresses of a cell in a data row, from 1."""
        text = make_storable((unprotect_cell(cell) if self._protected else cell).strip())
        if not text:
            return _BLANK
        if len(text) > MAX_ADDRESS_CHARACTERS and not self.choices.repair:
            text = text[:MAX_ADDRESS_CHARACTERS]
        try:
            parsed = parse(text)
        except AddressSyntaxError:
            return self._read_impossible(text, row)
        if self._suggestions is None:
            return CellAddresses((Entry(text, parsed.lower(), parsed.domain),))
        return self._use_suggestions(CellAddresses((Entry(text, parsed.lower(), parsed.domain),)), text, row)

    def _read_impossible(self, text: str, row: int) -> CellAddresses:
        """The addresses of a text that is none as it stands."""
        if not self.choices.repair:
            return CellAddresses(_leave(text))
        parsed = read_parsed_addresses(text)
        reading = parsed.reading
        if not reading.addresses:
            return _BLANK
        if not reading.kinds:
            return CellAddresses(_leave(text))
        if self._is_undone(row, reading.kinds):
            return _describe(_leave(text), text, parsed, undone=True)
        return self._use_suggestions(_describe(tuple(_build_entries(parsed)), text, parsed), text, row)

    def _use_suggestions(self, taken: CellAddresses, text: str, row: int) -> CellAddresses:
        """The same with typing errors of domains corrected, where the customer chose it."""
        if self._suggestions is None or not self._wants_suggestion(row):
            return taken
        entries = tuple(self._suggestions.correct(entry) for entry in taken.entries)
        if entries == taken.entries:
            return taken
        kinds = (*taken.kinds, RepairKind.TYPING)
        return taken._replace(
            entries=entries,
            source=text[:MAX_ADDRESS_CHARACTERS],
            kinds=kinds,
            repaired=tuple(entry.address for entry in entries),
        )

    def _wants_suggestion(self, row: int) -> bool:
        chosen = self.choices.use_suggestions or row in self._suggestion_rows
        return chosen and row not in self._unwanted_suggestions and not self._is_undone(row, (RepairKind.TYPING,))

    def _is_undone(self, row: int, kinds: tuple[RepairKind, ...]) -> bool:
        return row in self._undone_rows or not self._undone_kinds.isdisjoint(kinds)


def _leave(text: str) -> tuple[Entry, ...]:
    """The entry of an impossible text as it stands."""
    address = text[:MAX_ADDRESS_CHARACTERS]
    return (Entry(address, address.lower(), ""),)


def _build_entries(parsed: ParsedReading) -> Iterator[Entry]:
    for address, form in zip(parsed.reading.addresses, parsed.parsed, strict=True):
        yield Entry(address, form.lower(), form.domain)


def _describe(entries: tuple[Entry, ...], text: str, parsed: ParsedReading, *, undone: bool = False) -> CellAddresses:
    source, reading = text[:MAX_ADDRESS_CHARACTERS], parsed.reading
    return CellAddresses(entries, source, reading.kinds, reading.addresses, undone, reading.found)


class Suggestions:
    """Domains that were probably meant, each looked up once."""

    def __init__(self) -> None:
        self._popular = PopularDomains()
        self._known: dict[str, str | None] = {"": None}

    def find(self, domain: str) -> str | None:
        """The domain that was probably meant; None where nothing is known to be wrong."""
        if domain not in self._known:
            self._known[domain] = self._popular.find_meant(domain)
        return self._known[domain]

    def correct(self, entry: Entry) -> Entry:
        """The entry at the domain that was probably meant, or the same."""
        meant = self.find(entry.domain)
        return entry if meant is None else build_entry(f"{parse(entry.address).local}@{meant}")


def build_entry(address: str) -> Entry:
    """The entry of one address, possible or not.

    Case is ignored in the local part too: RFC 5321 section 2.4 lets a host tell `A@x` from `a@x`, but no host is
    known that does, and a customer who pays for both has paid twice.
    """
    try:
        parsed = parse(address)
    except AddressSyntaxError:
        return Entry(address, address.lower(), "")
    return Entry(address, parsed.lower(), parsed.domain)
