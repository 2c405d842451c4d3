"""Rough and cheap tests of a cell, and their counts for a column, for finding the columns of the addresses.

The addresses are judged elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_ADDRESS = re.compile(r'(?:"[^"]*"|[^\s@,;|<>"]+)@[^\s@,;|<>"]+\.[^\s@,;|<>"]+')
_match_address = _ADDRESS.fullmatch
_SPACES = bytes(code for code in range(128) if chr(code).isspace() and chr(code) != "\n")
_BETWEEN_MARKS = bytes(code for code in range(128) if chr(code) not in "@\n" and re.match(r'[^\s,;|<>"]', chr(code)))
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


def _are_addresses(text: str, cells: Sequence[str]) -> bool:
    """Whether all cells are addresses, by a look at their text in ASCII, whose lines they are: then each has one @ and
    no other mark, and a dot in the middle of its domain.
    """
    if text.encode().translate(None, _BETWEEN_MARKS) != b"@\n" * (len(cells) - 1) + b"@" or "\n@" in f"\n{text}":
        return False
    return all("." in cell[cell.index("@") + 2 : -1] for cell in cells)


def _are_filled(text: str) -> bool:
    """Whether none of its lines is blank; of a text in ASCII."""
    return b"\n\n" not in b"\n%b\n" % text.encode().translate(None, _SPACES)


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
        has_at = "@" in text
        if self.filled < _SAMPLES or not text.isascii() or (has_at and max(map(len, cells)) > _LONGEST_ADDRESS):
            for cell in cells:
                self.add(cell)
        elif not has_at:
            self.filled += len(cells) if _are_filled(text) else len(list(filter(str.strip, cells)))
        else:
            others = [] if _are_addresses(text, cells) else [cell for cell in cells if _match_address(cell) is None]
            plain = len(cells) - len(others)
            self.filled += plain
            self.at_signs += plain
            self.addresses += plain
            for cell in others:
                self.add(cell)

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
