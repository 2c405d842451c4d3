"""Texts that a database can store."""

import re

# NUL, which PostgreSQL refuses, and lone surrogates, which are no UTF-8.
_UNSTORABLE = re.compile("[\\x00\\ud800-\\udfff]")


def make_storable(text: str) -> str:
    """The text with U+001A SUBSTITUTE in place of what no text column takes.

    A control character, so that no such address becomes a possible one.
    """
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub("\x1a", text)
