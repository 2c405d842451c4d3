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
from validation.engine.words import (
    AT_SIGN,
    AT_SIGNS,
    BRACKETS,
    MARKS,
    OPENING,
    SEPARATORS,
    Word,
    list_outside,
    list_pieces,
    list_words,
    match_comments,
    open_comments,
)

MOST_ADDRESSES = 50
_MOST_COSTLY = 250  # parts that are refused or not in ASCII; what follows so many is not read

# A name without any mark, or in quotes, before an address in ASCII and brackets.
_NAMED = re.compile(
    rf'(?:"([^"\\{AT_SIGNS}]*)"\s*|([^"{AT_SIGNS}{MARKS}]*))<([!#-\'*+\--9=?A-Z\\^-~]+@[!#-\'*+\--9=?A-Z\\^-~]+)>'
)


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
_MAILTO = re.compile("mailto:", re.IGNORECASE)
_LINK_STARTS = 9  # the characters of a word in which `mailto:` starts it, behind quotes
_FIELD = re.compile(r"&(?:to|cc|bcc|subject|body)=", re.IGNORECASE)  # RFC 6068 section 2: the query goes on


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
    return _read_named(stripped) or read_thoroughly(stripped)


def _read_named(text: str) -> ParsedReading | None:
    """The address behind a plain name, which most messy lines are, by one expression; None for any other text."""
    named = _NAMED.fullmatch(text)
    if named is None or not (text.isascii() or text.translate(_NO_INVISIBLE) == text):
        return None
    quoted, plain, address = named.groups()
    words = [quoted] if plain is None else plain.split()
    if not all(any(map(str.isalnum, word)) for word in words):
        return None
    try:
        parsed = parse(address)
    except AddressSyntaxError:
        return None
    kind = RepairKind.NAME if words else RepairKind.BRACKETS
    return ParsedReading(Reading((address,), (kind,), 1), (parsed,))


def read_thoroughly(text: str) -> ParsedReading:
    """As `read_parsed_addresses` for a text that is no address as it stands, word by word."""
    return _Repair(text).read()


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
        pieces = list_pieces(text)
        comments = match_comments(pieces)
        outside = list_outside(pieces, comments) if comments else pieces
        found = self._read_words(list_words(outside)) if AT_SIGN.search(text) else []
        if found:
            self._done |= {RepairKind.COMMENT} if comments else set()
        elif comments and not any(map(str.strip, outside)) and not AT_SIGN.search(text):
            return ParsedReading(_BLANK, ())
        elif comments and AT_SIGN.search(text):
            self._done.clear()
            found = self._read_words(list_words(open_comments(pieces, comments)))
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

    def _read_words(self, words: list[Word]) -> list[_Found]:
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

    def _add_found(self, found: list[_Found], words: list[Word], number: int) -> None:
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
        if text in BRACKETS:
            self._done.add(RepairKind.BRACKETS)
            self._in_link = self._in_link and text in OPENING
        elif not self._in_link:
            self._done.add(RepairKind.NAME if any(map(str.isalnum, text)) else RepairKind.PUNCTUATION)

    def _read_word(self, word: Word, number: int) -> list[_Found]:
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


def _is_half(words: list[Word], number: int) -> bool:
    """Whether the word beside an address may belong to it: `anna. keller@example.com`, `anna@example.co .uk`."""
    if words[number].bracketed:
        return False
    before = words[number - 1].text if number else ""
    after = words[number + 1].text if number + 1 < len(words) else ""
    if len(before) > 1 and before[-1] in "._+-" and before[:-1].islower():
        return True
    goes_on = after[:1] in (".", "-") and after[1:2].isalnum()
    return goes_on or (words[number].text.endswith(".") and after.islower() and not AT_SIGN.search(after))


def _repeats_name(found: list[_Found], here: list[_Found], words: list[Word]) -> bool:
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
    last = max(number for number, piece in enumerate(pieces) if AT_SIGN.search(piece))
    parts: list[str] = []
    some: list[str] = []
    has_at = False
    for number, piece in enumerate(pieces):
        if has_at and number <= last:
            parts.append("/".join(some))
            some, has_at = [], False
        some.append(piece)
        has_at = has_at or AT_SIGN.search(piece) is not None
    return [*parts, "/".join(some)]


def _replace_dots(text: str) -> str:
    """The text with plain dots after its last at sign."""
    if _FULL_WIDTH_DOT not in text:
        return text
    domain = max(map(text.rfind, AT_SIGNS))
    return text[:domain] + text[domain:].replace(_FULL_WIDTH_DOT, ".")


def _trim(text: str, kinds: set[RepairKind]) -> str:
    """A word without what stands at its ends: punctuation, pairs of quotes, joiners and `mailto:`."""
    start, end = 0, len(text)
    while start < end:
        if text[start] in _JOINERS or text[end - 1] in _JOINERS:
            start += text[start] in _JOINERS
            end -= text[end - 1] in _JOINERS
            kinds.add(RepairKind.INVISIBLE)
        elif text[start] in SEPARATORS:
            start += 1
            kinds.add(RepairKind.PUNCTUATION)
        elif text[end - 1] in ".:" or text[end - 1] in SEPARATORS:
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
