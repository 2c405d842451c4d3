"""Takes the addresses out of what stands around them: names, brackets, comments, quotes, invisible characters.

Lists come from mail programs (`Anna Keller <anna@example.com>`, RFC 5322 section 3.4), from web pages (`mailto:`
links, RFC 6068) and from work sheets with several addresses in a cell. What is read is made only of characters of its
source, in their order; a full-width at sign or full stop becomes the plain one. Nothing is spelt anew: a text whose
parts could be two halves of one address (`anna. keller@example.com`) stays as it is.

Every step is linear in the length of the text, and none recurses: the text may be hostile.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from validation.engine.syntax import ADDRESS_OCTETS, Address, AddressSyntaxError, parse

MOST_ADDRESSES = 50
_MOST_COSTLY = 250  # parts that are refused or not in ASCII; what follows so many is not read


class RepairKind(StrEnum):
    """What was done to a text. `TYPING`: the customer chose a suggestion; `read_addresses` never does that."""

    NAME = "name"
    BRACKETS = "brackets"
    MAILTO = "mailto"
    COMMENT = "comment"
    SEVERAL = "several"
    INVISIBLE = "invisible"
    PUNCTUATION = "punctuation"
    FULL_WIDTH = "full_width"
    TYPING = "typing"


class Reading(NamedTuple):
    """The addresses of a text in their order, at most `MOST_ADDRESSES`, and the kinds of repair that they needed.

    `found`: how many possible addresses the text holds. A blank text has no address; a text without a possible one is
    its own, and `found` is 0. Without repair there are no kinds.
    """

    addresses: tuple[str, ...]
    kinds: tuple[RepairKind, ...]
    found: int


class ParsedReading(NamedTuple):
    """A reading, and its addresses as `parse` has them: none where `found` is 0."""

    reading: Reading
    parsed: tuple[Address, ...]


_BLANK = Reading((), (), 0)
_ZERO_WIDTH = "\u200b\u2060\ufeff\u00ad"
_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # UAX 9
_JOINERS = "\u200c\u200d"
_NO_INVISIBLE = dict.fromkeys(map(ord, _ZERO_WIDTH + _BIDI))
_FULL_WIDTH_AT = str.maketrans("\uff20\ufe6b", "@@")
_FULL_WIDTH_DOT = "\uff0e"
_AT_SIGNS = "@\uff20\ufe6b"
_SEPARATORS = ",;\uff0c\uff1b\u3001\u060c\u061b"
_OPENING, _CLOSING = "<[\uff1c", ">]\uff1e"
_COMMENT_START, _COMMENT_END = "(\uff08", ")\uff09"
_QUOTES = {
    '"': '"',
    "'": "'",
    "\u2018": "\u2019",
    "\u2019": "\u2019",
    "\u201a": "\u2018\u2019",
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
_NAME = '"name"'  # stands for a quoted name
_MARKS = re.escape(_SEPARATORS + _OPENING + _CLOSING + _COMMENT_START + _COMMENT_END)
# A quoted string that never ends reaches to the end of the text, so that no other quote is searched for its end.
_QUOTED = r'"(?:[^"\\]|\\(?:.|\Z))*"?'
_PIECES = re.compile(rf'{_QUOTED}|\s+|[{_MARKS}]|[^\s"{_MARKS}]+', re.DOTALL)
_PIECES_UNQUOTED = re.compile(rf"\s+|[{_MARKS}]|[^\s{_MARKS}]+")
_CLOSED_QUOTE = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_AT = re.compile(f"[{_AT_SIGNS}]")
_MAILTO = re.compile("mailto:", re.IGNORECASE)
_LINK_STARTS = 9  # the characters of a word in which `mailto:` starts it, behind quotes
_FIELD = re.compile(r"&(?:to|cc|bcc|subject|body)=", re.IGNORECASE)  # RFC 6068 section 2: the query goes on
_BRACKETS = frozenset(_OPENING + _CLOSING)
_SEPARATOR_SET = frozenset(_SEPARATORS)
_BOUNDS = _BRACKETS | _SEPARATOR_SET


class _Word(NamedTuple):
    """What stands together without a blank. `joined`: a blank beside its at sign was left out."""

    text: str
    has_at: bool
    bracketed: bool
    joined: bool


class _Found(NamedTuple):
    """An address, and the word that it comes from."""

    address: Address
    text: str
    word: int


def read_addresses(text: str) -> Reading:
    """The addresses that a text holds (REP-001 to REP-004). What is possible as it stands stays as it is."""
    return read_parsed_addresses(text).reading


def read_parsed_addresses(text: str) -> ParsedReading:
    """As `read_addresses`, with the addresses as they were parsed, so that nobody parses them again."""
    stripped = text.strip()
    if len(stripped) <= ADDRESS_OCTETS:
        try:
            return ParsedReading(Reading((stripped,), (), 1), (parse(stripped),))
        except AddressSyntaxError:
            pass
    return _Repair(stripped).read()


class _Repair:
    """The repair of one text. `_done` gathers the kinds."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._done: set[RepairKind] = set()
        self._costly = 0
        self._in_link = False

    def read(self) -> ParsedReading:
        """The addresses of the text, outside its comments or, where there is none, inside them."""
        text = self._source if self._source.isascii() else self._source.translate(_NO_INVISIBLE)
        if not text.strip(_JOINERS).strip():
            return ParsedReading(_BLANK, ())
        pieces = _list_pieces(text)
        comments = _match_comments(pieces)
        outside = _list_outside(pieces, comments) if comments else pieces
        found = self._read_words(_Words(outside).listed) if _AT.search(text) else []
        if found:
            self._done |= {RepairKind.COMMENT} if comments else set()
        elif comments and not any(map(str.strip, outside)) and not _AT.search(text):
            return ParsedReading(_BLANK, ())
        elif comments and _AT.search(text):
            self._done.clear()
            found = self._read_words(_Words(_open_comments(pieces, comments)).listed)
        if not found:
            return ParsedReading(Reading((self._source,), (), 0), ())
        self._done |= {RepairKind.INVISIBLE} if text != self._source else set()
        return self._build(found)

    def _build(self, found: list[_Found]) -> ParsedReading:
        if len(found) > 1:
            self._done.add(RepairKind.SEVERAL)
        if RepairKind.NAME in self._done:  # the brackets belong to the name
            self._done.discard(RepairKind.BRACKETS)
        kinds = tuple(kind for kind in RepairKind if kind in self._done)
        some = found[:MOST_ADDRESSES]
        reading = Reading(tuple(one.text for one in some), kinds, len(found))
        return ParsedReading(reading, tuple(one.address for one in some))

    def _read_words(self, words: list[_Word]) -> list[_Found]:
        """The addresses among the words; the other words are names."""
        found: list[_Found] = []
        self._in_link = False
        for number, word in enumerate(words):
            if not word.has_at:
                self._note_other(word.text)
            elif self._costly > _MOST_COSTLY:
                break
            elif not (self._in_link and _FIELD.search(word.text)):
                self._add_found(found, words, number)
        return found

    def _add_found(self, found: list[_Found], words: list[_Word], number: int) -> None:
        """Add the addresses of a word to those found before it."""
        word = words[number]
        self._in_link = self._in_link or _MAILTO.search(word.text, 0, _LINK_STARTS) is not None
        here = [] if _is_half(words, number) else self._read_word(word, number)
        if not here or _repeats_name(found, here, words):
            self._done.add(RepairKind.NAME)
            return
        if word.bracketed:
            self._done.add(RepairKind.BRACKETS)
        if word.joined:
            self._done.add(RepairKind.INVISIBLE)
        found += here

    def _note_other(self, text: str) -> None:
        """Note a word without an at sign: a part of a name or of a link, a bracket or a stray sign."""
        if text in _OPENING or text in _CLOSING:
            self._done.add(RepairKind.BRACKETS)
            self._in_link = self._in_link and text in _OPENING
        elif not self._in_link:
            self._done.add(RepairKind.NAME if any(map(str.isalnum, text)) else RepairKind.PUNCTUATION)

    def _read_word(self, word: _Word, number: int) -> list[_Found]:
        """The addresses of a word: itself, or those between its slashes."""
        whole = self._read_part(word.text)
        if whole is not None:
            return [_Found(*whole, number)]
        if "/" not in word.text:
            return []
        parts = _split_at_slashes(word.text)
        found = [_Found(*one, number) for one in map(self._read_part, parts) if one is not None]
        if len(found) < len(parts):
            self._done.add(RepairKind.NAME)
        return found

    def _read_part(self, text: str) -> tuple[Address, str] | None:
        """The address in a part of the text, without its quotes and punctuation, and as it is written then."""
        if self._costly > _MOST_COSTLY:
            return None
        kinds: set[RepairKind] = set()
        if self._in_link:
            text = _cut_query(text)
            if "%" in text:  # an escape (RFC 6068 section 2) stands for a character that is not in the text
                return None
        plain = _replace_dots(text)
        address = self._parse(plain)
        if address is None:
            text = _trim(text, kinds)
            plain = _replace_dots(text)
            address = self._parse(plain) if kinds else None
        if address is None and not plain.isascii():
            plain = _replace_dots(text.translate(_FULL_WIDTH_AT))
            address = self._parse(plain)
        if address is None:
            self._costly += 1
            return None
        self._done |= kinds
        if plain != text:
            self._done.add(RepairKind.FULL_WIDTH)
        return address, plain

    def _parse(self, text: str) -> Address | None:
        if len(text) > ADDRESS_OCTETS or text[:1] == "@":
            return None
        try:
            address = parse(text)
        except AddressSyntaxError:
            self._costly += 1
            return None
        self._costly += not text.isascii()
        return address


def _list_pieces(text: str) -> list[str]:
    """Quoted strings, blanks, marks and the runs between them. A quote around addresses is taken away."""
    pieces = _PIECES.findall(text)
    if '"' not in text:
        return pieces
    if pieces[-1].startswith('"') and not _CLOSED_QUOTE.fullmatch(pieces[-1]):
        pieces[-1:] = _PIECES_UNQUOTED.findall(pieces[-1])
    listed: list[str] = []
    for number, piece in enumerate(pieces):
        if not piece.startswith('"') or not _AT.search(piece):
            listed.append(piece)
        elif _stands_before(pieces, number, _OPENING):
            listed.append(_NAME)
        elif _stands_free(pieces, number):
            listed += (" ", '"', " ", *_PIECES_UNQUOTED.findall(piece[1:-1]), " ")
        else:
            listed.append(piece)
    return listed


def _stands_before(pieces: list[str], number: int, marks: str) -> bool:
    """Whether the next piece that is not blank starts with one of these marks."""
    after = pieces[number + 1 : number + 3]
    return any(piece[0] in marks for piece in after[: 1 + after[0].isspace()][-1:]) if after else False


def _stands_free(pieces: list[str], number: int) -> bool:
    """Whether a quoted string is neither a local part nor glued to a word."""
    if number and not (pieces[number - 1].isspace() or pieces[number - 1] in _BOUNDS):
        return False
    after = pieces[number + 1] if number + 1 < len(pieces) else " "
    return (after.isspace() or after in _BOUNDS) and not _stands_before(pieces, number, _AT_SIGNS)


def _match_comments(pieces: list[str]) -> dict[int, int]:
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
    bounded = before.isspace() or before in _BOUNDS or before in _COMMENT_END or before[-1] in _AT_SIGNS
    return not (bounded or after.isspace() or after in _BOUNDS or after in _COMMENT_START or after[0] in _AT_SIGNS)


def _open_comments(pieces: list[str], comments: dict[int, int]) -> list[str]:
    """The pieces with brackets in place of the parentheses of comments."""
    opened = list(pieces)
    for start, end in comments.items():
        for number in range(start, end + 1):
            if pieces[number] in _COMMENT_START:
                opened[number] = "<"
            elif pieces[number] in _COMMENT_END:
                opened[number] = ">"
    return opened


def _list_outside(pieces: list[str], comments: dict[int, int]) -> list[str]:
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


class _Words:
    """Puts pieces together to words: what no blank, no bracket and no dividing separator parts."""

    def __init__(self, pieces: list[str]) -> None:
        self.listed: list[_Word] = []
        self._parts: list[str] = []
        self._has_at = False  # outside of quotes
        self._bracketed = self._gap = self._joined = self._holds_at = False
        have_at = [_AT.search(piece) is not None for piece in pieces]
        dividing = _find_dividing(pieces, have_at)
        for number, piece in enumerate(pieces):
            if piece.isspace():
                self._gap = bool(self._parts)
            elif number in dividing:
                self._end_word()
            elif piece in _BRACKETS:
                self._add_bracket(piece)
            else:
                self._add(piece, has_at=have_at[number])
        self._end_word()

    def _add(self, piece: str, *, has_at: bool) -> None:
        if self._gap:
            starts = has_at and not self._has_at and piece[0] in _AT_SIGNS
            goes_on = self._has_at and not has_at and self._parts[-1][-1] in _AT_SIGNS
            if starts or goes_on:
                self._joined, self._gap = True, False
            else:
                self._end_word()
        self._parts.append(piece)
        self._holds_at = self._holds_at or has_at
        self._has_at = self._has_at or (has_at and piece[0] != '"')

    def _add_bracket(self, piece: str) -> None:
        self._end_word()
        self._bracketed = piece in _OPENING
        if not self.listed or self.listed[-1].text not in _BRACKETS:
            self.listed.append(_Word(piece, has_at=False, bracketed=False, joined=False))

    def _end_word(self) -> None:
        if self._parts:
            self.listed.append(_Word("".join(self._parts), self._holds_at, self._bracketed, self._joined))
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


def _is_half(words: list[_Word], number: int) -> bool:
    """Whether the word beside an address may belong to it: `anna. keller@example.com`, `anna@example.co .uk`."""
    if words[number].bracketed:
        return False
    before = words[number - 1].text if number else ""
    after = words[number + 1].text if number + 1 < len(words) else ""
    if len(before) > 1 and before[-1] in "._+-" and before[:-1].islower():
        return True
    goes_on = after[:1] in (".", "-") and after[1:2].isalnum()
    return goes_on or (words[number].text.endswith(".") and after.islower() and not _AT.search(after))


def _repeats_name(found: list[_Found], here: list[_Found], words: list[_Word]) -> bool:
    """Whether a bracket repeats the address that stands as a name before it: `a@example.com <a@example.com>`."""
    return (
        bool(found)
        and words[here[0].word].bracketed
        and found[-1].word == here[0].word - 2
        and found[-1].address.lower() == here[0].address.lower()
    )


def _split_at_slashes(text: str) -> list[str]:
    """The parts of a word between those slashes that have an at sign on both sides."""
    pieces = text.split("/")
    last = max(number for number, piece in enumerate(pieces) if _AT.search(piece))
    parts: list[str] = []
    some: list[str] = []
    has_at = False
    for number, piece in enumerate(pieces):
        if has_at and number <= last:
            parts.append("/".join(some))
            some, has_at = [], False
        some.append(piece)
        has_at = has_at or _AT.search(piece) is not None
    return [*parts, "/".join(some)]


def _replace_dots(text: str) -> str:
    """The text with plain dots after its last at sign."""
    if _FULL_WIDTH_DOT not in text:
        return text
    domain = max(map(text.rfind, _AT_SIGNS))
    return text[:domain] + text[domain:].replace(_FULL_WIDTH_DOT, ".")


def _trim(text: str, kinds: set[RepairKind]) -> str:
    """A word without what stands at its ends: punctuation, pairs of quotes, joiners and `mailto:`."""
    start, end = 0, len(text)
    while start < end:
        if text[start] in _JOINERS or text[end - 1] in _JOINERS:
            start += text[start] in _JOINERS
            end -= text[end - 1] in _JOINERS
            kinds.add(RepairKind.INVISIBLE)
        elif text[start] in _SEPARATORS:
            start += 1
            kinds.add(RepairKind.PUNCTUATION)
        elif text[end - 1] in ".:" or text[end - 1] in _SEPARATORS:
            end -= 1
            kinds.add(RepairKind.PUNCTUATION)
        elif end - start > 1 and text[end - 1] in _QUOTES.get(text[start], ()):
            start, end = start + 1, end - 1
            kinds.add(RepairKind.PUNCTUATION)
        elif _MAILTO.match(text, start, end):
            start += len("mailto:")
            kinds.add(RepairKind.MAILTO)
        else:
            break
    return text[start:end]


def _cut_query(text: str) -> str:
    """The addresses of a link without its query, which starts at a question mark behind an at sign."""
    query = text.find("?", text.find("@"))
    return text[:query] if query > 0 and "@" in text else text
