"""The words of a report: those of the pages, where the same is said there."""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType

from validation.engine import Reason
from validation.results.models import Category

_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")
PASTED = "Pasted list"

CATEGORY_WORDS: Mapping[str, str] = MappingProxyType(
    {
        Category.VALID: "Valid",
        Category.CATCH_ALL: "Catch-all",
        Category.UNKNOWN: "Unknown",
        Category.INVALID: "Invalid",
        Category.DISPOSABLE: "Disposable",
        Category.SPAM_TRAP: "Spam trap",
    }
)
REASON_WORDS: Mapping[str, str] = MappingProxyType(
    {
        Reason.MAILBOX_EXISTS: "Mailbox exists",
        Reason.SYNTAX: "Not a usable address",
        Reason.NO_DOMAIN: "Domain does not exist",
        Reason.NO_MAIL_HOST: "Domain has no mail server",
        Reason.NULL_MX: "Domain refuses all mail",
        Reason.BOGUS_MX: "Mail server address is unusable",
        Reason.MAILBOX_NOT_FOUND: "No such mailbox",
        Reason.MAILBOX_DISABLED: "Mailbox is disabled",
        Reason.MAILBOX_FULL: "Mailbox is full",
        Reason.DOMAIN_NOT_HOSTED: "Server does not host the domain",
        Reason.SMTPUTF8_REQUIRED: "Server cannot take international addresses",
        Reason.ACCEPTS_ALL: "Server accepts every address",
        Reason.DISPOSABLE_DOMAIN: "Throw-away address",
        Reason.KNOWN_TRAP: "Known spam trap",
        Reason.DNS_ERROR: "Domain could not be looked up",
        Reason.CONNECT_FAILED: "Mail server could not be reached",
        Reason.TIMEOUT: "Mail server did not answer in time",
        Reason.GREYLISTED: "Server asks to come back later",
        Reason.BLOCKED: "Server refuses our checks",
        Reason.RATE_LIMITED: "Server limits our checks",
        Reason.TEMPORARY: "Temporary server problem",
        Reason.PROTOCOL_ERROR: "Server answered out of protocol",
        Reason.NOT_PROBED: "Mailbox was not asked",
        Reason.NOT_ASKED: "Not asked yet: our own limit",
        Reason.NOT_IN_PLAN: "Not included in your plan",
        Reason.TEST_ADDRESS: "Test address: nobody was asked",
    }
)


def format_reason(reason: str) -> str:
    """A reason in words, also one of an outside provider."""
    return REASON_WORDS.get(reason) or reason.replace("_", " ").capitalize()


def format_share(part: int, total: int) -> str:
    """Percent with at most one decimal, rounded as on the pages.

    >>> format_share(1, 3), format_share(1, 2), format_share(0, 0)
    ('33.3%', '50%', '0%')
    """
    percent = Decimal(100 * part) / total if total else Decimal(0)
    rounded = percent.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
    return f"{int(rounded) if rounded == int(rounded) else rounded}%"


def format_count(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> format_count(1, "address", "addresses"), format_count(1_200, "credit")
    ('1 address', '1,200 credits')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def name_list(filename: str) -> str:
    """The name of a list, without addresses that may stand in it."""
    return _ADDRESS.sub("…", filename) or PASTED


def write_advice(*, safe: int, risky: int, never: int) -> list[str]:
    """What to do with a list, in three lines."""
    total = safe + risky + never
    is_safe, are_risky = _name_addresses(safe, "safe to send to"), _name_addresses(risky, "risky")
    good = f"Send to the {is_safe}: {format_share(safe, total)} of the list."
    care = f"Send to the {are_risky} only in small numbers, and watch what bounces."
    out = f"Take the {_count_addresses(never)} off the list that should not be sent to, before your next mailing."
    return [
        good if safe else "No address of this list is safe to send to.",
        care if risky else "No address is risky: nothing has to be tried out first.",
        out if never else "No address has to be taken off the list.",
    ]


def _count_addresses(number: int) -> str:
    return format_count(number, "address", "addresses")


def _name_addresses(number: int, quality: str) -> str:
    return f"{_count_addresses(number)} that {'is' if number == 1 else 'are'} {quality}"
