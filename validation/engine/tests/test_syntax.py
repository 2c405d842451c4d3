"""Rule 13: syntax means that an address can be used for delivery on the public internet."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from email_validator import EmailNotValidError, validate_email
from hypothesis import given, settings
from hypothesis import strategies as st

from validation.engine import AddressSyntaxError, parse

SAMPLES = Path(__file__).parent / "data" / "syntax_samples.jsonl"


def measured(address: str) -> bool:
    """What email-validator says, and what it would say if it knew the differences that `syntax.py` states."""
    try:
        found = validate_email(
            address, strict=True, allow_quoted_local=True, allow_smtputf8=True, check_deliverability=False
        )
    except EmailNotValidError:
        return False
    local, _, domain = address.rpartition("@")
    top = found.ascii_domain.rpartition(".")[2]
    content = re.sub(r"\\(.)", r"\1", local[1:-1], flags=re.DOTALL) if local.startswith('"') else local
    too_long = len(content.encode()) > 64 or len(unicodedata.normalize("NFC", content).encode()) > 64
    return top != "example" and len(top) > 1 and not too_long and re.search("[０-９Ａ-Ｚａ-ｚ]", domain) is None


def accepted(address: str) -> bool:
    """What we say."""
    try:
        parse(address)
    except AddressSyntaxError:
        return False
    return True


def samples() -> list[tuple[str, bool]]:
    rows = [json.loads(line) for line in SAMPLES.read_text(encoding="utf-8").splitlines()]
    return [(row["address"], row["expected"] == "valid") for row in rows]


def test_rule_13_public_samples() -> None:
    """All as expected, and apart from the stated differences as the measure has it."""
    assert [address for address, expected in samples() if accepted(address) is not expected] == []
    assert [address for address, expected in samples() if measured(address) is not expected] == []


@pytest.mark.parametrize(
    "address",
    [
        "a(comment)@b.com",
        "a @b.com",
        " a@b.com",
        "Joe <a@b.com>",
        "a@[192.0.2.1]",
        "a@b",
        "a@b.test",
        "a@b.invalid",
        "a@b.local",
        "a@b.localhost",
        "a@b.onion",
        "a@b.arpa",
        "a@b.example",
        "a@b.com.",
        "a\x00@b.com",
        "a" * 65 + "@b.com",
        "a@" + "b" * 63 + "." + "c" * 63 + "." + "d" * 63 + "." + "e" * 58 + ".com",
        "a@b-.com",
        "a@-b.com",
        "a@b..com",
        "a@b.c0",
        "a@ab--c.com",
        "a@xn--zzzzzz9.com",
        '"a@b.com',
        "é" * 33 + "@b.com",
        "a@" + "é" * 60 + ".com",
        "a@b.c",
        "a@ｂ.com",
        "a@b@c.com",
        '"a\nb"@b.com',
        "a@b_c.com",
        '""@b.com',
    ],
)
def test_refused(address: str) -> None:
    with pytest.raises(AddressSyntaxError):
        parse(address)


def test_canonical_form() -> None:
    address = parse('"a\\"b@c"@BÜCHER.de')
    assert (address.local, address.domain, address.quoted) == ('"a\\"b@c"', "xn--bcher-kva.de", True)
    assert address.mailbox == 'a"b@c'
    assert not address.needs_smtputf8
    assert str(parse("Joe.Blow+x@Example.COM")) == "Joe.Blow+x@example.com"
    assert parse("用户@例子.广告").needs_smtputf8


@pytest.mark.parametrize(
    "address",
    [
        "a@b.co",
        "a+b@sub.b.co.uk",
        "é" * 32 + "@b.com",
        "a" * 64 + "@b.com",
        '"a b"@b.com',
        '"a@b"@b.com',
        '"a\\"b"@b.com',
        "用户@例子.广告",
        "a@xn--bcher-kva.de",
        "a@BÜCHER.de",
        "a" * 64 + "@" + "b" * 60 + "." + "c" * 60 + "." + "d" * 60 + ".com",
    ],
)
def test_accepted(address: str) -> None:
    assert accepted(address)
    assert measured(address)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("", "An address needs an @-sign."),
        ("@b.com", "There is nothing before the @-sign."),
        ("a@", "There is nothing after the @-sign."),
        ("jo e@b.com", "The part before the @-sign has a space at position 3, which is not allowed there."),
        ("(c)a@b.com", "The part before the @-sign has the character ( at position 1, which is not allowed there."),
        (
            "a\x00@b.com",
            "The part before the @-sign has the invisible character U+0000 at position 2, which is not allowed there.",
        ),
        ("a..b@b.com", "The part before the @-sign has two dots in a row at position 2."),
        (".a@b.com", "The part before the @-sign starts with a dot."),
        ("a.@b.com", "The part before the @-sign ends with a dot."),
        ("a.b.@b.com", "The part before the @-sign ends with a dot."),
        ('"a@b.com', "The quoted part before the @-sign is not closed right before it."),
        ("é" * 33 + "@b.com", "The part before the @-sign has 66 octets; 64 are allowed."),
        ("Joe <a@b.com>", "Only the address itself counts, without a name before it or angle brackets around it."),
        ("a@b@c.com", "There is a second @-sign; outside of quotes there can be only one."),
        ("a@b_c.com", "The part after the @-sign has the character _ at position 2, which is not allowed there."),
        ("a@[192.0.2.1]", "A literal IP address after the @-sign is no public mail domain."),
        ("a@b", "The domain has no dot."),
        ("a@b.com.", "The domain has a dot at its start or end, or two in a row."),
        ("a@-b.com", "The part -b of the domain starts or ends with a hyphen."),
        ("a@b.c0", "The domain ends in c0, which is no top-level domain."),
        ("a@b.local", "Names under .local are reserved and never receive mail."),
        ("a@ｂ.com", "The part after the @-sign has the full-width character ｂ at position 1."),
    ],
)
def test_the_sentence_says_what_is_wrong_and_where(address: str, sentence: str) -> None:
    with pytest.raises(AddressSyntaxError) as caught:
        parse(address)
    assert str(caught.value) == sentence


_PIECES = st.sampled_from(
    [*'ab.-@"\\ <>A1_+é漢。ßא', "xn--", ".com", ".example", "ﬀ", "\u200d", "ａ", "\u0301", "≮", "\n", "\0", "\ufffd"]
)
_SOUP = st.lists(_PIECES, min_size=1, max_size=12).map("".join)
_ADDRESSES = st.one_of(
    _SOUP,
    st.emails(),
    st.tuples(_SOUP, _SOUP).map(lambda pair: f"{pair[0]}@{pair[1]}.com"),
    st.tuples(st.text(max_size=6), st.text(max_size=6)).map(lambda pair: f"{pair[0]}@{pair[1]}.com"),
    st.text(max_size=8).map(lambda text: f'"{text}"@a.com'),
    st.text("aé漢", min_size=20, max_size=66).map(lambda text: f"{text}@a.com"),
    st.text("aéb.-", min_size=40, max_size=254).map(lambda text: f"a@{text}.com"),
)


@settings(max_examples=600, deadline=None)
@given(_ADDRESSES)
def test_rule_13_agrees_with_the_measure(address: str) -> None:
    assert accepted(address) is measured(address)


@settings(max_examples=200, deadline=None)
@given(_ADDRESSES.filter(accepted))
def test_what_is_accepted_holds_no_control_character(address: str) -> None:
    parsed = parse(address)
    assert not [character for character in str(parsed) if character < " " or character == "\x7f"]
    assert parsed.domain.isascii()
    assert parse(str(parsed)) == parsed
