"""Rule 13: syntax means that an address can be used for delivery on the public internet."""

import json
from pathlib import Path

import pytest
from email_validator import EmailNotValidError, validate_email
from hypothesis import given, settings
from hypothesis import strategies as st

from validation.engine import AddressSyntaxError, parse

SAMPLES = Path(__file__).parent / "data" / "syntax_samples.jsonl"


def measured(address: str) -> bool:
    """What email-validator says, `.example` being refused besides."""
    try:
        found = validate_email(
            address, strict=True, allow_quoted_local=True, allow_smtputf8=True, check_deliverability=False
        )
    except EmailNotValidError:
        return False
    return not found.ascii_domain.endswith(".example")


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


def test_public_samples() -> None:
    """All as expected but three that the measure accepts: two full-width forms, which are mapped, and `z@co.c`."""
    wrong = {address for address, expected in samples() if accepted(address) is not expected}
    assert {address for address in wrong if accepted(address) is not measured(address)} == set()
    assert len(wrong) == 3


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
)


@settings(max_examples=600, deadline=None)
@given(_ADDRESSES)
def test_agrees_with_the_measure(address: str) -> None:
    assert accepted(address) is measured(address)


@settings(max_examples=200, deadline=None)
@given(_ADDRESSES.filter(accepted))
def test_what_is_accepted_holds_no_control_character(address: str) -> None:
    parsed = parse(address)
    assert not [character for character in str(parsed) if character < " " or character == "\x7f"]
    assert parsed.domain.isascii()
    assert parse(str(parsed)) == parsed
