"""Django's `LOGGING`, and its lines without addresses and tokens, from any logger: error messages quote values too."""

import logging
from typing import Any

from emailcheck.common.text.cleaning import redact_text


def build_log_settings(*, level: str, stored_from: str) -> dict[str, Any]:
    """Django's `LOGGING`: records from `level` go to standard error, from `stored_from` to the store for staff."""
    lowest = min(level, stored_from, key=logging.getLevelNamesMapping().__getitem__)
    redacting = "emailcheck.common.logs.configuration.RedactingFormatter"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": "emailcheck.common.request_context.RequestIdFilter"}},
        "formatters": {
            "line": {"()": redacting, "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"},
            "stored": {"()": redacting, "format": "%(message)s"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["request_id"],
                "level": level,
            },
            "store": {
                "class": "emailcheck.common.logs.store.StoreHandler",
                "formatter": "stored",
                "filters": ["request_id"],
                "level": stored_from,
            },
        },
        "root": {"handlers": ["stderr", "store"], "level": lowest},
        # The queue logs the arguments of failed tasks; ours are ids, never addresses.
        "loggers": {"django-q": {"handlers": ["stderr", "store"], "level": "WARNING", "propagate": False}},
    }


class RedactingFormatter(logging.Formatter):
    """Takes e-mail addresses, tokens and API keys out of lines and stack traces."""

    def format(self, record: logging.LogRecord) -> str:
        return redact_text(super().format(record))
