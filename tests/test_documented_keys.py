"""What secret scanners are told of keys: the pattern and the checksum, as the documentation has them."""

import re
import zlib

import pytest

from accounts.access.authentication import is_well_formed
from accounts.keys import services as keys
from accounts.users.models import User
from tests.documentation import page, panels, text_of

DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def compute_checksum(text: str) -> str:
    """As the documentation says: CRC-32 in base 62, the lowest digit first, filled up to 6 digits."""
    number, digits = zlib.crc32(text.encode("ascii")), ""
    while number:
        number, digit = divmod(number, 62)
        digits += DIGITS[digit]
    return digits.ljust(6, "a")


@pytest.mark.spec("API-044")
@pytest.mark.parametrize("test", [False, True])
def test_keys_match_the_documented_pattern_and_checksum(alice: User, test: bool) -> None:
    pattern = re.compile(panels(page())["key-pattern.txt"].strip())
    for number in range(20):
        _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name=str(number), test=test)
        assert pattern.fullmatch(text)
        assert len(text) == 65
        assert compute_checksum(text[:59]) == text[59:]
    text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="last", test=test)[1]
    wrong = text[:30] + ("a" if text[30] != "a" else "b") + text[31:]
    assert pattern.fullmatch(wrong)
    assert (compute_checksum(wrong[:59]) == wrong[59:], is_well_formed(wrong)) == (False, False)


@pytest.mark.spec("API-044")
def test_a_checksum_with_few_digits_is_filled_up_as_documented() -> None:
    """The numbers below 62 to the power of 5 leave the last digit at its first value."""
    bodies = (f"ec_live_{number:051d}" for number in range(2_000))
    short = [body for body in bodies if zlib.crc32(body.encode()) < 62**5]
    assert len(short) > 100
    assert all(is_well_formed(body + compute_checksum(body)) for body in short)


@pytest.mark.spec("API-044")
def test_the_page_tells_how_to_compute_it_and_where_to_report(db: None) -> None:
    text = text_of(page())
    for words in ("a key has 65 characters", "CRC-32", "base 62 with the digits a to z, A to Z, 0 to 9", "6 digits"):
        assert words in text
    report = panels(page())["leaked-keys.txt"]
    assert report.startswith("POST http://127.0.0.1:8000/api/v1/keys/leaked\n")
