"""Names of people and things in names of files."""

import unicodedata

LONGEST = 60
_KEPT = "LNM"  # letters of any script with their marks, and digits


def build_slug(text: str) -> str:
    """`alder-and-ash` of `Alder & Ash`: safe for any file system, empty when the text has neither letter nor digit."""
    plain = unicodedata.normalize("NFC", text.replace("&", " and ")).lower()
    letters = (letter if unicodedata.category(letter)[0] in _KEPT else " " for letter in plain)
    return "-".join("".join(letters).split())[:LONGEST].rstrip("-")
