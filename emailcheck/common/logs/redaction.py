"""Log lines without addresses and tokens, from any logger: error messages quote values too."""

import logging
import re

_ADDRESS = re.compile(r"""(?:"[^"\n]+"|[^\s@"'<>(),;:=\[\]]+)@[^\s@"'<>(),;:=\[\]]+""")
# JSON Web Tokens, API keys, and the secrets of `sealing.generate_secret` in mailed links and cookies.
_SECRET_LENGTH = 43
_TOKEN = re.compile(rf"eyJ[\w-]+\.[\w-]+\.[\w-]+|ec_(?:live|test)_\w+|(?<![\w-])[\w-]{{{_SECRET_LENGTH}}}(?![\w-])")


class RedactingFormatter(logging.Formatter):
    """Takes e-mail addresses, tokens and API keys out of lines and stack traces."""

    def format(self, record: logging.LogRecord) -> str:
        return redact_text(super().format(record))


def redact_text(text: str) -> str:
    """The text without e-mail addresses, tokens and API keys."""
    if "@" in text:
        text = _ADDRESS.sub("[address]", text)
    if len(text) >= _SECRET_LENGTH or "eyJ" in text or "ec_" in text:
        text = _TOKEN.sub("[token]", text)
    return text
