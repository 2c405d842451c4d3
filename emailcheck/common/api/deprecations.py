"""What of the API goes on working until a day that is published, and how a call is told that it uses it.

`Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` with `rel="deprecation"` (RFC 9745 section 3) are put on the
answer; the request log marks the call.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from django.conf import settings
from django.utils import timezone
from django.utils.http import http_date

from emailcheck.common import request_context


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Something that goes: since when that is known, when it ends, its entry in the changelog, and what replaces it."""

    name: str
    since: date
    sunset: date
    anchor: str
    text: str

    @property
    def is_over(self) -> bool:
        """Whether its last day has passed, in UTC."""
        return timezone.now().astimezone(UTC).date() > self.sunset


_SINCE, _SUNSET = date(2026, 11, 28), date(2027, 11, 30)
PAGES = Deprecation(
    "`page`, `page_size`, `total` and `next` of lists", _SINCE, _SUNSET, "cursors-and-limits",
    "Send `limit`, and `next_cursor` of an answer as `cursor`.",
)  # fmt: skip
NAMES = Deprecation(
    "`id` of a list, `processing_status`, `total_processed`, `processed_emails`, `is_valid`, `is_disposable`, "
    "`current_plan`", _SINCE, _SUNSET, "names-of-counts",
    "Read `batch_id`, `status`, `processed`, `valid`, `disposable`, `subscription_plan`.",
)  # fmt: skip
NUMBER_IDS = Deprecation(
    "Numbers as ids of results", _SINCE, _SUNSET, "opaque-ids",
    "Keys that were made before get numbers; make a new key to get ids such as `res_…`.",
)  # fmt: skip
UNKNOWN_NAMES = Deprecation(
    "Unknown parameters and members that are ignored", _SINCE, _SUNSET, "unknown-parameters",
    "Keys that were made before are answered, with the names in `X-Unknown-Members`; newer keys are refused.",
)  # fmt: skip
DEPRECATIONS = (PAGES, NAMES, NUMBER_IDS, UNKNOWN_NAMES)


@dataclass(slots=True)
class Uses:
    """What a call used that is deprecated, and which names it sent that mean nothing."""

    used: list[Deprecation] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    @property
    def headers(self) -> dict[str, str]:
        """The earliest dates, and a link for each; names that stand in no header are left out."""
        if not self.used:
            return {}
        first = min(one.since for one in self.used)
        found = {
            "Deprecation": f"@{int(_begin(first).timestamp())}",
            "Sunset": http_date(_begin(min(one.sunset for one in self.used)).timestamp()),
            "Link": ", ".join(f'<{build_entry_link(one)}>; rel="deprecation"; type="text/html"' for one in self.used),
        }
        names = [name for name in self.unknown if name.isascii() and name.isprintable()]
        return {**found, "X-Unknown-Members": ", ".join(names)[:1_000]} if names else found


def build_entry_link(deprecation: Deprecation) -> str:
    """The address of its entry in the changelog."""
    return f"{settings.SITE_URL}/changelog#{deprecation.anchor}"


def _begin(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def is_answered_as_before(deprecation: Deprecation) -> bool:
    """Whether the call being answered is made with a key of the first edition of the contract, for which something
    deprecated goes on as it was until it ends."""
    call = request_context.current_key_call()
    return call is not None and call.is_early and not deprecation.is_over


_uses: ContextVar[Uses | None] = ContextVar("deprecated", default=None)


def note_use(deprecation: Deprecation, *, unknown: tuple[str, ...] = ()) -> None:
    """Note that the call being answered uses something deprecated; nothing outside of one."""
    uses = _uses.get()
    if uses is None:
        return
    if deprecation not in uses.used:
        uses.used.append(deprecation)
    uses.unknown.extend(unknown)


@contextmanager
def noting_uses() -> Iterator[Uses]:
    """For one request: yields what is noted meanwhile."""
    uses = Uses()
    token = _uses.set(uses)
    try:
        yield uses
    finally:
        _uses.reset(token)
