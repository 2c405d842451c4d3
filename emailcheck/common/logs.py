"""Log lines without addresses and tokens, whoever writes them: messages of errors quote values too."""

import logging
import re
from typing import Any

_ADDRESS = re.compile(r"""(?:"[^"\n]+"|[^\s@"'<>(),;:=\[\]]+)@[^\s@"'<>(),;:=\[\]]+""")
# JSON Web Tokens, API keys, and the secrets of `sealing.new_secret` in mailed links and cookies.
_SECRET_LENGTH = 43
_TOKEN = re.compile(rf"eyJ[\w-]+\.[\w-]+\.[\w-]+|ec_(?:live|test)_\w+|(?<![\w-])[\w-]{{{_SECRET_LENGTH}}}(?![\w-])")


class RedactingFormatter(logging.Formatter):
    """Takes e-mail addresses, tokens and API keys out of lines and stack traces."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


def redacted(text: str) -> str:
    """The text without e-mail addresses, tokens and API keys."""
    if "@" in text:
        text = _ADDRESS.sub("[address]", text)
    if len(text) >= _SECRET_LENGTH or "eyJ" in text or "ec_" in text:
        text = _TOKEN.sub("[token]", text)
    return text


def log_settings(*, level: str, kept: str) -> dict[str, Any]:
    """Django's `LOGGING`: records from `level` go to the standard error, those from `kept` to the store for staff."""
    lowest = min(level, kept, key=logging.getLevelNamesMapping().__getitem__)
    redacting = f"{__name__}.RedactingFormatter"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": "emailcheck.common.request_id.RequestIdFilter"}},
        "formatters": {
            "line": {"()": redacting, "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"},
            "kept": {"()": redacting, "format": "%(message)s"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["request_id"],
                "level": level,
            },
            "store": {
                "class": "emailcheck.common.log_store.StoreHandler",
                "formatter": "kept",
                "filters": ["request_id"],
                "level": kept,
            },
        },
        "root": {"handlers": ["stderr", "store"], "level": lowest},
        # The queue logs the arguments of failed tasks; ours are ids, never addresses.
        "loggers": {"django-q": {"handlers": ["stderr", "store"], "level": "WARNING", "propagate": False}},
    }
