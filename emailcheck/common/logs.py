"""Log lines without addresses and tokens, whoever writes them: messages of errors quote values too."""

import logging
import re

_ADDRESS = re.compile(r"""(?:"[^"\n]+"|[^\s@"'<>(),;:=\[\]]+)@[^\s@"'<>(),;:=\[\]]+""")
# JSON Web Tokens, API keys, and the secrets of `sealing.new_secret` in mailed links and cookies.
_TOKEN = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]+|ec_(?:live|test)_\w+|(?<![\w-])[\w-]{43}(?![\w-])")


class RedactingFormatter(logging.Formatter):
    """Takes e-mail addresses, tokens and API keys out of lines and stack traces."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


def redacted(text: str) -> str:
    """The text without e-mail addresses, tokens and API keys."""
    return _TOKEN.sub("[token]", _ADDRESS.sub("[address]", text))
