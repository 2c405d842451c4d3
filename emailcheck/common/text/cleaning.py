"""What is taken out of texts: what no database stores, and in logs and notes what is personal or opens a door."""

import re

# NUL, which PostgreSQL refuses, and lone surrogates, which are no UTF-8.
_UNSTORABLE = re.compile("[\\x00\\ud800-\\udfff]")
_ADDRESS = re.compile(r"""(?:"[^"\n]+"|[^\s@"'<>(),;:=\[\]]+)@[^\s@"'<>(),;:=\[\]]+""")
# JSON Web Tokens, API keys, and the secrets of `secrecy.generate_secret` in mailed links and cookies.
_SECRET_LENGTH = 43
_TOKEN = re.compile(rf"eyJ[\w-]+\.[\w-]+\.[\w-]+|ec_(?:live|test)_\w+|(?<![\w-])[\w-]{{{_SECRET_LENGTH}}}(?![\w-])")


def make_storable(text: str) -> str:
    """The text with U+001A SUBSTITUTE in place of what no text column takes.

    A control character, so that no such address becomes a possible one.
    """
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub("\x1a", text)


def redact_text(text: str) -> str:
    """The text without e-mail addresses, tokens and API keys."""
    if "@" in text:
        text = _ADDRESS.sub("[address]", text)
    if len(text) >= _SECRET_LENGTH or "eyJ" in text or "ec_" in text:
        text = _TOKEN.sub("[token]", text)
    return text
