"""Rough and cheap tests of a cell, and their counts for a column, for finding the columns of the addresses.

The addresses are judged elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_ADDRESS = re.compile(r'(?:"[^"]*"|[^\s@,;|<>"]+)@[^\s@,;|<>"]+\.[^\s@,;|<>"]+')
_match_address = _ADDRESS.fullmatch
_SPACES = bytes(code for code in range(128) if chr(code).isspace() and chr(code) != "\n")
_BETWEEN_MARKS = bytes(code for code in range(128) if chr(code) not in "@.\n" and re.match(r'[^\s,;|<>"]', chr(code)))
_HELD = re.compile(r"[^\s@＠﹫(<\[]\s?[@＠﹫]\s?[^\s@＠﹫)>]")
_NAMED_ADDRESS = re.compile(rf"[^@<>]*<\s*{_ADDRESS.pattern}\s*>")
_BETWEEN_ADDRESSES = re.compile(r"[;,|]")
_NUMBER = re.compile(r"(?=\D*\d)[\d\s.,:/+()%€$£TZ-]+")
_HALF_AN_ADDRESS = re.compile(r"\w\.\w|[(\[]at[)\]]", re.IGNORECASE)
_LONGEST_ADDRESS = 320
_SAMPLES = 5
SAMPLE_CHARS = 200


def has_at_sign(cell: str) -> bool:
    """Whether the cell holds an @, a full-width or small one too."""
    return "@" in cell or (not cell.isascii() and ("＠" in cell or "﹫" in cell))


def looks_like_address(cell: str) -> bool:
    """Whether the cell is an address: one @ with something sensible on both sides."""
    return "@" in cell and is_address(cell)


def is_address(cell: str) -> bool:
    """Like `looks_like_address`, for a cell that holds an @."""
    value = cell.strip()
    return len(value) <= _LONGEST_ADDRESS and _match_address(value) is not None


def holds_address(cell: str) -> bool:
    """Whether an @ with something on both sides stands anywhere: `Anna <a@x.com>`, `a@x.com; b@x.com`."""
    return has_at_sign(cell) and _HELD.search(cell) is not None


def holds_only_addresses(cell: str) -> bool:
    """Whether the cell is one address or several, each with or without a name: `Anna <a@x.com>; b@x.com`."""
    if "@" not in cell:
        return False
    pieces = [piece.strip() for piece in _BETWEEN_ADDRESSES.split(cell)]
    return all(not piece or looks_like_address(piece) or _is_named_address(piece) for piece in pieces)


def _is_named_address(piece: str) -> bool:
    return len(piece) <= 2 * _LONGEST_ADDRESS and _NAMED_ADDRESS.fullmatch(piece) is not None


def are_addresses(cells: Sequence[str]) -> bool:
    """Whether all cells are plain addresses, by a look at them together; others can be addresses too.

    Then each has one @ and no other mark, a dot behind it, and none beside another or at an end.
    """
    text = "\n".join(cells)
    if not text.isascii() or max(map(len, cells)) > _LONGEST_ADDRESS:
        return False
    marks = f"{text}\n".encode().translate(None, _BETWEEN_MARKS)
    if marks.replace(b".", b"") != b"@\n" * len(cells) or b"@\n" in marks:
        return False
    return ".." not in f".{text}.".replace("@", ".").replace("\n", ".")


def are_filled(lines: str) -> bool:
    """Whether every line of an ended text in ASCII holds more than white space; others can be filled too."""
    if not lines.isascii():
        return False
    filled = lines.encode().translate(None, _SPACES)
    return not filled.startswith(b"\n") and b"\n\n" not in filled


def is_number(cell: str) -> bool:
    """Whether the cell is a number, a date or a time."""
    return _NUMBER.fullmatch(cell.strip()) is not None


def is_half_an_address(cell: str) -> bool:
    """Whether a cell without @ could still be a mistyped address: `annx.com`, `ann(at)x`."""
    return _HALF_AN_ADDRESS.search(cell) is not None


@dataclass(slots=True)
class Tally:
    """What some cells of a column hold. `samples`: the first ones that are not blank."""

    filled: int = 0
    at_signs: int = 0
    addresses: int = 0  # cells that are an address and nothing else
    mixed: int = 0  # other cells that hold one
    samples: list[str] = field(default_factory=list)

    def add(self, cell: str) -> None:
        """Count a cell."""
        if "@" in cell:
            self.at_signs += 1
            if is_address(cell):
                self.addresses += 1
            else:
                self.mixed += holds_address(cell)
        elif not cell or cell.isspace():
            return
        elif not cell.isascii() and has_at_sign(cell):
            self.at_signs += 1
            self.mixed += holds_address(cell)
        if self.filled < _SAMPLES:
            self.samples.append(cell[:SAMPLE_CHARS])
        self.filled += 1

    def add_cells(self, cells: Sequence[str]) -> None:
        """Count cells, as `add` does with each."""
        text = "\n".join(cells)
        has_at = has_at_sign(text)
        if not self.has_samples or (has_at and max(map(len, cells)) > _LONGEST_ADDRESS):
            for cell in cells:
                self.add(cell)
        elif not has_at:
            self.add_filled(len(cells) if are_filled(f"{text}\n") else len(list(filter(str.strip, cells))))
        else:
            others = [] if are_addresses(cells) else [cell for cell in cells if _match_address(cell) is None]
            self.add_filled(len(cells) - len(others), are_addresses=True)
            for cell in others:
                self.add(cell)

    @property
    def has_samples(self) -> bool:
        """Whether no more samples are wanted."""
        return self.filled >= _SAMPLES

    def add_filled(self, cells: int, *, are_addresses: bool = False) -> None:
        """Count so many cells that are not blank, when no more samples are wanted: all addresses, or without an @."""
        self.filled += cells
        if are_addresses:
            self.at_signs += cells
            self.addresses += cells

    def join(self, later: "Tally") -> "Tally":
        """The tally of the same column over these rows and `later` ones."""
        return Tally(
            filled=self.filled + later.filled,
            at_signs=self.at_signs + later.at_signs,
            addresses=self.addresses + later.addresses,
            mixed=self.mixed + later.mixed,
            samples=(self.samples + later.samples)[:_SAMPLES],
        )

    @property
    def pure_share(self) -> float:
        """The share of the filled cells that are an address and nothing else."""
        return self.addresses / self.filled if self.filled else 0.0

    @property
    def share(self) -> float:
        """The share of the filled cells that hold an address."""
        return (self.addresses + self.mixed) / self.filled if self.filled else 0.0
