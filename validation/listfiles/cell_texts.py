"""Rough and cheap tests of a cell, for finding the columns of the addresses. The addresses are judged elsewhere."""

import re

_ADDRESS = re.compile(r'(?:"[^"]*"|[^\s@,;|<>"]+)@[^\s@,;|<>"]+\.[^\s@,;|<>"]+')
_match_address = _ADDRESS.fullmatch
_HELD = re.compile(r"[^\s@＠﹫(<\[]\s?[@＠﹫]\s?[^\s@＠﹫)>]")
_NAMED_ADDRESS = re.compile(rf"[^@<>]*<\s*{_ADDRESS.pattern}\s*>")
_BETWEEN_ADDRESSES = re.compile(r"[;,|]")
_NUMBER = re.compile(r"(?=\D*\d)[\d\s.,:/+()%€$£TZ-]+")
_HALF_AN_ADDRESS = re.compile(r"\w\.\w|[(\[]at[)\]]", re.IGNORECASE)
_LONGEST_ADDRESS = 320


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


def is_number(cell: str) -> bool:
    """Whether the cell is a number, a date or a time."""
    return _NUMBER.fullmatch(cell.strip()) is not None


def is_half_an_address(cell: str) -> bool:
    """Whether a cell without @ could still be a mistyped address: `annx.com`, `ann(at)x`."""
    return _HALF_AN_ADDRESS.search(cell) is not None
