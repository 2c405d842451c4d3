"""The answers of Kickbox, version 2, in its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from emailcheck.sandbox.providers.findings import AddressTruth, Finding


@dataclass(frozen=True, slots=True)
class KickboxResult:
    """The fields of a response."""

    result: str
    reason: str
    sendex: float = 0.0
    role: bool = False
    disposable: bool = False
    accept_all: bool = False
    suggests: bool = False


DELIVERABLE: Final = KickboxResult("deliverable", "accepted_email", 1)
TRIGGERS: Final[Mapping[str, KickboxResult]] = {
    "deliverable": DELIVERABLE,
    "rejected-email": KickboxResult("undeliverable", "rejected_email"),
    "invalid-domain": KickboxResult("undeliverable", "invalid_domain"),
    "invalid-email": KickboxResult("undeliverable", "invalid_email"),
    "invalid-smtp": KickboxResult("undeliverable", "invalid_smtp"),
    "low-quality": KickboxResult("risky", "low_quality", 0.5),
    "accept-all": KickboxResult("risky", "low_deliverability", 0.7, accept_all=True),
    "role": KickboxResult("risky", "low_quality", 0.7, role=True),
    "disposable": KickboxResult("risky", "low_quality", disposable=True),
    "timeout": KickboxResult("unknown", "timeout"),
    "unexpected-error": KickboxResult("unknown", "unexpected_error"),
    "no-connect": KickboxResult("unknown", "no_connect"),
    "unavailable-smtp": KickboxResult("unknown", "unavailable_smtp"),
    "did-you-mean": KickboxResult("undeliverable", "rejected_email", suggests=True),
}
"""With a test key: by the name, or by the tag in `name+tag@`; anything else is deliverable."""
NO_BALANCE: Final = "insufficient-balance"

_FOUND: Final[Mapping[Finding, KickboxResult]] = {
    Finding.EXISTS: KickboxResult("deliverable", "accepted_email", 0.9),
    Finding.MISSING: KickboxResult("undeliverable", "rejected_email"),
    Finding.FULL: KickboxResult("risky", "low_deliverability", 0.3),
    Finding.DISABLED: KickboxResult("undeliverable", "rejected_email"),
    Finding.ACCEPTS_ALL: KickboxResult("risky", "low_deliverability", 0.6, accept_all=True),
    Finding.BOUNCED: KickboxResult("undeliverable", "rejected_email", accept_all=True),
    Finding.WRITTEN_TO: KickboxResult("risky", "low_deliverability", 0.7, accept_all=True),
    Finding.DISPOSABLE: KickboxResult("risky", "low_quality", disposable=True),
    Finding.SYNTAX: KickboxResult("undeliverable", "invalid_email"),
    Finding.NO_DOMAIN: KickboxResult("undeliverable", "invalid_domain"),
    Finding.TAKES_NO_MAIL: KickboxResult("undeliverable", "invalid_domain"),
    Finding.BOGUS: KickboxResult("undeliverable", "invalid_domain"),
    Finding.TYPO: KickboxResult("undeliverable", "invalid_domain", suggests=True),
    Finding.DNS_TROUBLE: KickboxResult("unknown", "no_connect"),
    Finding.NO_CONNECTION: KickboxResult("unknown", "no_connect"),
    Finding.SILENT: KickboxResult("unknown", "timeout"),
    Finding.NONSENSE: KickboxResult("unknown", "invalid_smtp"),
    Finding.TEMPORARY: KickboxResult("unknown", "unavailable_smtp"),
}
_ROLE: Final = KickboxResult("risky", "low_quality", 0.7, role=True)
_NEW: Final = KickboxResult("quarantined", "awaiting_moon_phase")


def extract_trigger(known: AddressTruth) -> str:
    return known.local.rpartition("+")[2].lower()


def choose_result(known: AddressTruth, *, test: bool, new_words: bool) -> KickboxResult:
    """The result for a test key or a live key."""
    if new_words:
        return _NEW
    if test:
        return TRIGGERS.get(extract_trigger(known), DELIVERABLE)
    return _ROLE if known.is_role and known.finding is Finding.EXISTS else _FOUND[known.finding]


def verify_json(known: AddressTruth, outcome: KickboxResult) -> dict[str, Any]:
    """The answer of `verify`."""
    suggestion = known.suggestion or f"{known.local}@gmail.com"
    return {
        "result": outcome.result,
        "reason": outcome.reason,
        "role": outcome.role or known.is_role,
        "free": known.is_free,
        "disposable": outcome.disposable,
        "accept_all": outcome.accept_all,
        "did_you_mean": suggestion if outcome.suggests else None,
        "sendex": outcome.sendex,
        "email": known.address.lower(),
        "user": known.local.lower(),
        "domain": known.domain,
        "success": True,
        "message": None,
    }
