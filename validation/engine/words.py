"""The words of a text that holds addresses: quoted strings, comments, brackets and what blanks and separators part.

The marks are those of RFC 5322 section 3.2, with their full-width and Arabic forms. Every step is linear in the length
of the text.
"""

import re
from typing import NamedTuple

AT_SIGNS = "@\uff20\ufe6b"
SEPARATORS = ",;\uff0c\uff1b\u3001\u060c\u061b"
OPENING, _CLOSING = "<[\uff1c", ">]\uff1e"
_COMMENT_START, _COMMENT_END = "(\uff08", ")\uff09"
_NAME = '"name"'  # stands for a quoted name
MARKS = re.escape(SEPARATORS + OPENING + _CLOSING + _COMMENT_START + _COMMENT_END)
# A quoted string that never ends reaches to the end of the text, so that no other quote is searched for its end.
_QUOTED = r'"(?:[^"\\]|\\(?:.|\Z))*"?'
_PIECES = re.compile(rf'{_QUOTED}|\s+|[{MARKS}]|[^\s"{MARKS}]+', re.DOTALL)
_PIECES_UNQUOTED = re.compile(rf"\s+|[{MARKS}]|[^\s{MARKS}]+")
_NEEDS_OPENING = re.compile(rf"[\s{MARKS}?]")  # in quotes: more than one word, or a link with its query
_CLOSED_QUOTE = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
AT_SIGN = re.compile(f"[{AT_SIGNS}]")
BRACKETS = frozenset(OPENING + _CLOSING)
_SEPARATOR_SET = frozenset(SEPARATORS)
_BOUNDS = BRACKETS | _SEPARATOR_SET


def has_at_sign(text: str) -> bool:
    """Whether a text has an at sign, plain or full-width: without one it holds no address."""
    return AT_SIGN.search(text) is not None


class Word(NamedTuple):
    """What stands together without a blank. `joined`: a blank beside its at sign was left out."""

    text: str
    has_at: bool
    bracketed: bool
    joined: bool


def list_pieces(text: str) -> list[str]:
    """Quoted strings, blanks, marks and the runs between them. A quote around addresses is taken away."""
    pieces = _PIECES.findall(text)
    if '"' not in text:
        return pieces
    unclosed: list[str] = []
    if pieces[-1].startswith('"') and not _CLOSED_QUOTE.fullmatch(pieces[-1]):
        unclosed = _PIECES_UNQUOTED.findall(pieces.pop())
    listed: list[str] = []
    for number, piece in enumerate(pieces):
        if not piece.startswith('"') or not AT_SIGN.search(piece):
            listed.append(piece)
        elif _stands_before(pieces, number, OPENING):
            listed.append(_NAME)
        elif _stands_free(pieces, number) and _NEEDS_OPENING.search(piece):
            listed += (" ", '"', " ", *_PIECES_UNQUOTED.findall(piece[1:-1]), " ")
        else:
            listed.append(piece)
    return listed + unclosed


def _stands_before(pieces: list[str], number: int, marks: str) -> bool:
    """Whether the next piece that is not blank starts with one of these marks."""
    after = pieces[number + 1 : number + 3]
    return any(piece[0] in marks for piece in after[: 1 + after[0].isspace()][-1:]) if after else False


def _stands_free(pieces: list[str], number: int) -> bool:
    """Whether a quoted string is neither a local part nor glued to a word."""
    if number and not (pieces[number - 1].isspace() or pieces[number - 1] in _BOUNDS):
        return False
    after = pieces[number + 1] if number + 1 < len(pieces) else " "
    return (after.isspace() or after in _BOUNDS) and not _stands_before(pieces, number, AT_SIGNS)


def match_comments(pieces: list[str]) -> dict[int, int]:
    """The first and the last piece of each outermost comment (RFC 5322 section 3.2.2) that is not inside a word."""
    comments: dict[int, int] = {}
    starts: list[int] = []
    for number, piece in enumerate(pieces):
        if piece in _COMMENT_START:
            starts.append(number)
        elif piece in _COMMENT_END and starts:
            start = starts.pop()
            while comments and next(reversed(comments)) > start:
                comments.popitem()
            comments[start] = number
    return {start: end for start, end in comments.items() if not _is_inside_word(pieces, start, end)}


def _is_inside_word(pieces: list[str], start: int, end: int) -> bool:
    """Whether a comment has a word on both sides that goes on: `ann(x)a@example.com`."""
    before = pieces[start - 1] if start else " "
    after = pieces[end + 1] if end + 1 < len(pieces) else " "
    bounded = before.isspace() or before in _BOUNDS or before in _COMMENT_END or before[-1] in AT_SIGNS
    return not (bounded or after.isspace() or after in _BOUNDS or after in _COMMENT_START or after[0] in AT_SIGNS)


def open_comments(pieces: list[str], comments: dict[int, int]) -> list[str]:
    """The pieces with brackets in place of the parentheses of comments."""
    opened = list(pieces)
    for start, end in comments.items():
        for number in range(start, end + 1):
            if pieces[number] in _COMMENT_START:
                opened[number] = "<"
            elif pieces[number] in _COMMENT_END:
                opened[number] = ">"
    return opened


def list_outside(pieces: list[str], comments: dict[int, int]) -> list[str]:
    """The pieces outside the comments."""
    outside: list[str] = []
    number = 0
    while number < len(pieces):
        if number in comments:
            number = comments[number]
        else:
            outside.append(pieces[number])
        number += 1
    return outside


def list_words(pieces: list[str]) -> list[Word]:
    """The words of these pieces; brackets are words of their own."""
    return _Words(pieces).listed


class _Words:
    """Puts pieces together to words: what no blank, no bracket and no dividing separator parts."""

    def __init__(self, pieces: list[str]) -> None:
        self.listed: list[Word] = []
        self._parts: list[str] = []
        self._has_at = False  # outside of quotes
        self._bracketed = self._gap = self._joined = self._holds_at = False
        have_at = ["@" in piece or "\uff20" in piece or "\ufe6b" in piece for piece in pieces]
        dividing = _find_dividing(pieces, have_at)
        for number, piece in enumerate(pieces):
            if piece.isspace():
                self._gap = bool(self._parts)
            elif number in dividing:
                self._end_word()
            elif piece in BRACKETS:
                self._add_bracket(piece)
            else:
                self._add(piece, has_at=have_at[number])
        self._end_word()

    def _add(self, piece: str, *, has_at: bool) -> None:
        if self._gap:
            starts = has_at and not self._has_at and piece[0] in AT_SIGNS
            goes_on = self._has_at and not has_at and self._parts[-1][-1] in AT_SIGNS
            if starts or goes_on:
                self._joined, self._gap = True, False
            else:
                self._end_word()
        self._parts.append(piece)
        self._holds_at = self._holds_at or has_at
        self._has_at = self._has_at or (has_at and piece[0] != '"')

    def _add_bracket(self, piece: str) -> None:
        self._end_word()
        self._bracketed = piece in OPENING
        if not self.listed or self.listed[-1].text not in BRACKETS:
            self.listed.append(Word(piece, has_at=False, bracketed=False, joined=False))

    def _end_word(self) -> None:
        if self._parts:
            self.listed.append(Word("".join(self._parts), self._holds_at, self._bracketed, self._joined))
            self._parts = []
            self._has_at = self._holds_at = self._gap = self._joined = False


def _find_dividing(pieces: list[str], have_at: list[bool]) -> set[int]:
    """The separators with an at sign between the last dividing one and it, and between it and the next separator."""
    separators = [number for number, piece in enumerate(pieces) if piece in _SEPARATOR_SET]
    dividing: set[int] = set()
    if not separators:
        return dividing
    left = any(have_at[: separators[0]])
    for number, end in zip(separators, [*separators[1:], len(pieces)], strict=True):
        right = any(have_at[number:end])
        if left and right:
            dividing.add(number)
        left = left or right
    return dividing
