"""The time of a failed delivery's next attempt, and of giving up."""

import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

# Seconds after the 1st, the 2nd, … attempt. The first is immediate, the tenth the last: a little over three days.
WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
LONGEST_RETRY_AFTER = timedelta(hours=24)
_JITTER = 0.1


def next_try_at(*, step: int, name: str, now: datetime, headers: Mapping[str, str]) -> datetime | None:
    """The time of the next attempt after `step` attempts; None after the last one.

    Up to a tenth is added, so that deliveries that failed together do not return together. A receiver may ask for more
    time (`Retry-After`), up to a day.
    """
    if step > len(WAITS):
        return None
    wait = WAITS[step - 1] * (1 + _JITTER * _stable_fraction(f"{name} {step}"))
    asked = _parse_retry_after(headers.get("retry-after", ""), now)
    return now + max(wait, min(asked, LONGEST_RETRY_AFTER))


def _stable_fraction(text: str) -> float:
    """A number from 0 to 1, derived from a text."""
    return zlib.crc32(text.encode()) / 0xFFFF_FFFF


def _parse_retry_after(text: str, now: datetime) -> timedelta:
    """Parse `Retry-After` (RFC 9110 section 10.2.3); None for an unreadable value."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text[:9]), LONGEST_RETRY_AFTER.total_seconds()))
    try:
        return parsedate_to_datetime(text) - now
    except (TypeError, ValueError):
        return timedelta(0)
