"""Names of people and things in names of files."""

import pytest

from emailcheck.common.text.slugs import build_slug


@pytest.mark.spec("ORG-025")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Alder & Ash", "alder-and-ash"),
        ("  Müller  GmbH, Köln ", "müller-gmbh-köln"),
        ("Mu\u0308ller", "müller"),
        ("株式会社 東京", "株式会社-東京"),
        ("हिन्दी", "हिन्दी"),
        ("../../etc/passwd\r\n\x00", "etc-passwd"),
        ('a"; filename="b.exe', "a-filename-b-exe"),
        ("gpj\u202e.exe", "gpj-exe"),
        ("!!! 🚀", ""),
        ("x" * 59 + " y", "x" * 59),
        ("", ""),
    ],
)
def test_a_slug_keeps_letters_and_digits_alone(text: str, wanted: str) -> None:
    assert build_slug(text) == wanted
