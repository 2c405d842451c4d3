"""Whether an address can be used for delivery on the public internet, and its canonical form.

The grammar is RFC 5321 section 4.1.2 with RFC 6531 section 3.3: dot-atoms, quoted strings, UTF-8 local parts, and host
names with at least one dot. Comments, folding white space, display names, domain literals and special-use names (RFC
6761) are refused. Domains travel as A-labels (IDNA 2008, mapped by UTS 46).

The reference is Python's email-validator (strict, with quoted local parts and SMTPUTF8, without deliverability).
Deliberate differences, each for delivery on the public internet: `.example` is refused; the local part has at most 64
octets instead of characters; a top-level domain has at least two letters; a domain in full-width letters or digits is
refused instead of repaired.
"""

import re
import unicodedata

import idna

ADDRESS_OCTETS = 254  # RFC 5321 section 4.5.3.1.3 with erratum 1690
LOCAL_PART_OCTETS = 64  # RFC 5321 section 4.5.3.1.1, in UTF-8 by RFC 6531 section 3.3
DOMAIN_OCTETS = 253  # RFC 1035 section 2.3.4 without root label and length octet
LABEL_OCTETS = 63

SPECIAL_USE = frozenset({"test", "example", "invalid", "local", "localhost", "onion", "arpa"})  # RFC 6761, 6762, 7686

_ATEXT = r"A-Za-z0-9_!#$%&'*+\-/=?^`{|}~"


def _build_character_class(allowed: str) -> str:
    """The class of these ASCII characters and of all others (UTF8-non-ascii, RFC 6531 section 3.3).

    It names what it leaves out: to compile a class that reaches up to U+10FFFF takes seventy times as long.
    """
    refused = re.sub(f"[{allowed}]", "", "".join(map(chr, range(128))))
    return f"[^{re.escape(refused)}]"


DOT_ATOM = rf"[{_ATEXT}]+(?:\.[{_ATEXT}]+)*"  # of a local part in ASCII
_PLAIN_DOMAIN = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+([A-Za-z]{2,63})")
_PLAIN = re.compile(rf"({DOT_ATOM})@({_PLAIN_DOMAIN.pattern})")
_DOT_ATOM = re.compile(DOT_ATOM)
_ATEXT_UTF8 = _build_character_class(_ATEXT)
_DOT_ATOM_UTF8 = re.compile(rf"{_ATEXT_UTF8}+(?:\.{_ATEXT_UTF8}+)*")
_LOCAL_CHARACTER = re.compile(_build_character_class(rf"{_ATEXT}."))
_QUOTED_CHARACTER = re.compile(_build_character_class(r"\u0020-\u007E"))
_QUOTED_TEXT = re.compile(f"{_QUOTED_CHARACTER.pattern}*")
_QUOTED_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"@', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_HOST_CHARACTERS = re.compile(rf"{_build_character_class(r'a-zA-Z0-9.-')}+")
_HOST_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*")
_RESERVED_LABEL = re.compile(r"(?!xn)..--", re.IGNORECASE)
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_BEFORE, _AFTER = "The part before the @-sign", "The part after the @-sign"


class AddressSyntaxError(ValueError):
    """The text is no usable address; the message says why in one sentence."""


class Address(str):
    """A valid address as it is written in a command.

    Only `parse` makes one: it contains no control character, and its domain is in lower-case A-labels. It is a plain
    string without further attributes, because a list in flight has millions of them, and strings are cheap to keep,
    compare and collect.
    """

    __slots__ = ()

    @property
    def local(self) -> str:
        """The local part as it was written."""
        return self[: self.rindex("@")]

    @property
    def domain(self) -> str:
        """The domain."""
        return self[self.rindex("@") + 1 :]

    @property
    def quoted(self) -> bool:
        """Whether the local part is a quoted string."""
        return self.startswith('"')

    @property
    def needs_smtputf8(self) -> bool:
        """Whether only hosts with SMTPUTF8 can take mail for it (RFC 6531)."""
        return not self.isascii()

    @property
    def mailbox(self) -> str:
        """The local part without quotes and escapes."""
        local = self.local
        return _ESCAPE.sub(r"\1", local[1:-1]) if self.quoted else local


def parse(text: str) -> Address:
    """Parse an address exactly as given: no trimming, no repair.

    Raises AddressSyntaxError with a sentence fit for the user that says what is wrong and where; positions count from 1
    within the part of the address that the sentence names.
    """
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        local, domain, top = plain.groups()
        lower = domain.lower()
        if _is_plain_address(text, local, lower, top.lower()):
            return Address(text if domain == lower else f"{local}@{lower}")
    return _parse_fully(text)


def is_plain_domain(text: str) -> bool:
    """Whether this is a valid domain of the common form, so that it makes an address with every dot-atom in ASCII that
    the limits of length allow. False says nothing.
    """
    plain = _PLAIN_DOMAIN.fullmatch(text)
    return plain is not None and _keeps_to_the_rules(text.lower(), plain[1].lower())


def _is_plain_address(text: str, local: str, domain: str, top: str) -> bool:
    """Whether the address is a valid one of the common form. Everything else goes through the whole grammar."""
    return len(text) <= ADDRESS_OCTETS and len(local) <= LOCAL_PART_OCTETS and _keeps_to_the_rules(domain, top)


def _keeps_to_the_rules(domain: str, top: str) -> bool:
    """Of labels whose characters are allowed."""
    return (
        "-." not in domain
        and "--" not in domain
        and (len(domain) <= LABEL_OCTETS or max(map(len, domain.split("."))) <= LABEL_OCTETS)
        and top not in SPECIAL_USE
    )


def _parse_fully(text: str) -> Address:
    local, content, domain_text = _split_address(text)
    quoted = local.startswith('"')
    _check_local(content, quoted=quoted)
    composed = unicodedata.normalize("NFC", content)
    if composed != content:
        _check_local(composed, quoted=quoted)
    domain = _canonicalise_domain(domain_text)
    readable = _decode_domain(domain)
    for form in (text, f"{composed}@{readable}", f"{local}@{domain}"):
        if len(form.encode()) > ADDRESS_OCTETS:
            raise AddressSyntaxError(f"The address is longer than {ADDRESS_OCTETS} octets.")
    return Address(f"{local}@{domain}")


def _split_address(text: str) -> tuple[str, str, str]:
    """The local part as written, its content without quoting, and the domain."""
    if text.endswith(">") and "<" in text:
        raise AddressSyntaxError(
            "Only the address itself counts, without a name before it or angle brackets around it."
        )
    if text.startswith('"'):
        quoted = _QUOTED_STRING.match(text)
        if quoted is None:
            raise AddressSyntaxError("The quoted part before the @-sign is not closed right before it.")
        return text[: quoted.end() - 1], _ESCAPE.sub(r"\1", quoted[1]), text[quoted.end() :]
    local, at, domain = text.partition("@")
    if not at:
        raise AddressSyntaxError("An address needs an @-sign.")
    return local, local, domain


def _check_local(content: str, *, quoted: bool) -> None:
    """Check a local part without its quotes."""
    if not content:
        raise AddressSyntaxError("There is nothing before the @-sign.")
    octets = len(content.encode("utf-8", "replace"))
    if octets > LOCAL_PART_OCTETS:
        raise AddressSyntaxError(f"The part before the @-sign has {octets} octets; {LOCAL_PART_OCTETS} are allowed.")
    if _DOT_ATOM.fullmatch(content):
        return
    if _DOT_ATOM_UTF8.fullmatch(content):
        _refuse_unsafe(content, _BEFORE, spaces=False)
    elif quoted and _QUOTED_TEXT.fullmatch(content):
        _refuse_unsafe(content, _BEFORE, spaces=True)
    else:
        raise AddressSyntaxError(_describe_local_error(content, quoted=quoted))


def _describe_local_error(local: str, *, quoted: bool) -> str:
    allowed = _QUOTED_CHARACTER if quoted else _LOCAL_CHARACTER
    for position, character in enumerate(local, start=1):
        if not allowed.match(character):
            return f"{_BEFORE} has {_describe_character(character)} at position {position}, which is not allowed there."
    if local.startswith("."):
        return f"{_BEFORE} starts with a dot."
    if local.endswith("."):
        return f"{_BEFORE} ends with a dot."
    return f"{_BEFORE} has two dots in a row at position {local.index('..') + 1}."


def _describe_character(character: str) -> str:
    """A character in words, whether it can be seen or not."""
    if character == " ":
        return "a space"
    if unicodedata.category(character)[0] in "LNPS":
        return f"the character {character}"
    return f"the invisible character U+{ord(character):04X}"


def _refuse_unsafe(text: str, where: str, *, spaces: bool) -> None:
    """Letters, marks, numbers, punctuation and symbols only (and spaces inside quotes)."""
    for position, character in enumerate(text, start=1):
        category = unicodedata.category(character)
        safe = category[0] in "LNPS" or (category[0] == "M" and position > 1) or (spaces and category == "Zs")
        if not safe:
            raise AddressSyntaxError(
                f"{where} has {_describe_character(character)} at position {position}, which is not safe."
            )


def _canonicalise_domain(text: str) -> str:
    """The domain in lower case with A-labels. Raises AddressSyntaxError."""
    if not text:
        raise AddressSyntaxError("There is nothing after the @-sign.")
    if text.startswith("["):
        raise AddressSyntaxError("A literal IP address after the @-sign is no public mail domain.")
    if len(text) > DOMAIN_OCTETS:
        raise AddressSyntaxError(f"The domain is longer than {DOMAIN_OCTETS} octets.")
    if not _HOST_CHARACTERS.fullmatch(text):
        raise AddressSyntaxError(_describe_domain_error(text))
    _refuse_unsafe(text, _AFTER, spaces=False)
    domain = _encode_a_labels(_map_domain(text))
    if len(domain) > DOMAIN_OCTETS:
        raise AddressSyntaxError(f"The domain is longer than {DOMAIN_OCTETS} octets.")
    for label in domain.split("."):
        if len(label) > LABEL_OCTETS:
            raise AddressSyntaxError(f"The part {label[:12]}… of the domain is longer than {LABEL_OCTETS} octets.")
    _check_top_level(domain)
    return domain


def _describe_domain_error(text: str) -> str:
    position = next(index for index, character in enumerate(text, start=1) if not _HOST_CHARACTERS.match(character))
    if text[position - 1] == "@":
        return "There is a second @-sign; outside of quotes there can be only one."
    return f"{_AFTER} has {_describe_character(text[position - 1])} at position {position}, which is not allowed there."


def _map_domain(text: str) -> str:
    """UTS 46 mapping: case, width and the other full stops."""
    _refuse_unmappable(text)
    try:
        mapped = idna.uts46_remap(text, std3_rules=False)
    except idna.IDNAError as error:
        raise AddressSyntaxError("The domain has a character that no domain may have.") from error
    if not _HOST_CHARACTERS.fullmatch(mapped):
        raise AddressSyntaxError("The domain has a character that no domain may have.")
    for label in mapped.split("."):
        _check_label(label)
    return mapped


def _refuse_unmappable(text: str) -> None:
    for position, character in enumerate(text, start=1):
        if not character.isascii() and not _can_be_mapped(character):
            raise AddressSyntaxError(
                f"{_AFTER} has {_describe_character(character)} at position {position}, which no domain has."
            )
        if _FULL_WIDTH.match(character):
            raise AddressSyntaxError(
                f"{_AFTER} has the full-width {_describe_character(character)[4:]} at position {position}."
            )


def _check_label(label: str) -> None:
    if not label:
        raise AddressSyntaxError("The domain has a dot at its start or end, or two in a row.")
    if label.startswith("-") or label.endswith("-"):
        raise AddressSyntaxError(f"The part {label} of the domain starts or ends with a hyphen.")
    if _RESERVED_LABEL.match(label):
        raise AddressSyntaxError(f"The part {label} of the domain has hyphens where only punycode has them.")


def _can_be_mapped(character: str) -> bool:
    """Whether a character may be mapped.

    Refuses what UTS 46 accepts but no registry does: invisible, unassigned, with a dot.
    """
    point = ord(character)
    if 0x80 <= point <= 0x9F:
        return False
    if point in (0x00AD, 0x2064, 0xFF0E) or 0x1BCA0 <= point <= 0x1BCA3:
        return True
    if 0x2010 <= point <= 0x2060 and not (0x2024 <= point <= 0x2026 or 0x2028 <= point <= 0x202E):
        return True
    if 0x200B <= point <= 0x200D:
        return True
    if unicodedata.category(character) in ("Cf", "Cn", "Co", "Cs", "Zs", "Zl", "Zp"):
        return False
    return "002E" not in unicodedata.decomposition(character).split(" ")


def _encode_a_labels(mapped: str) -> str:
    if _HOST_NAME.fullmatch(mapped):
        return mapped.lower()
    try:
        domain = ".".join(idna.alabel(label).decode("ascii") for label in mapped.split("."))
    except idna.IDNAError as error:
        raise AddressSyntaxError(f"The internationalised domain is not valid ({error}).") from error
    if not _HOST_NAME.fullmatch(domain):
        raise AddressSyntaxError("The domain has a character that no domain may have.")
    return domain


def _check_top_level(domain: str) -> None:
    _, dot, top = domain.rpartition(".")
    if not dot:
        raise AddressSyntaxError("The domain has no dot.")
    if len(top) == 1 or not top[-1].isalpha():
        raise AddressSyntaxError(f"The domain ends in {top}, which is no top-level domain.")
    if top in SPECIAL_USE:
        raise AddressSyntaxError(f"Names under .{top} are reserved and never receive mail.")


def _decode_domain(domain: str) -> str:
    """Decode A-labels and check that they are what IDNA 2008 would produce."""
    if "xn--" not in domain:
        return domain
    try:
        readable = idna.decode(domain)
        if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in readable):
            for label in readable.split("."):
                idna.check_bidi(label, check_ltr=True)
        idna.encode(readable)
    except idna.IDNAError as error:
        raise AddressSyntaxError(f"The internationalised domain is not valid ({error}).") from error
    _refuse_unsafe(readable, _AFTER, spaces=False)
    return readable
