"""The answers of Kickbox, version 2, in its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from emailcheck.sandbox.providers.findings import Finding, Known


@dataclass(frozen=True, slots=True)
class Said:
    """The words and marks that make an answer."""

    result: str
    reason: str
    sendex: float = 0.0
    role: bool = False
    disposable: bool = False
    accept_all: bool = False
    suggests: bool = False


DELIVERABLE: Final = Said("deliverable", "accepted_email", 1)
TRIGGERS: Final[Mapping[str, Said]] = {
    "deliverable": DELIVERABLE,
    "rejected-email": Said("undeliverable", "rejected_email"),
    "invalid-domain": Said("undeliverable", "invalid_domain"),
    "invalid-email": Said("undeliverable", "invalid_email"),
    "invalid-smtp": Said("undeliverable", "invalid_smtp"),
    "low-quality": Said("risky", "low_quality", 0.5),
    "accept-all": Said("risky", "low_deliverability", 0.7, accept_all=True),
    "role": Said("risky", "low_quality", 0.7, role=True),
    "disposable": Said("risky", "low_quality", disposable=True),
    "timeout": Said("unknown", "timeout"),
    "unexpected-error": Said("unknown", "unexpected_error"),
    "no-connect": Said("unknown", "no_connect"),
    "unavailable-smtp": Said("unknown", "unavailable_smtp"),
    "did-you-mean": Said("undeliverable", "rejected_email", suggests=True),
}
"""With a test key: by the name, or by the tag in `name+tag@`; anything else is deliverable."""
NO_BALANCE: Final = "insufficient-balance"

_FOUND: Final[Mapping[Finding, Said]] = {
    Finding.EXISTS: Said("deliverable", "accepted_email", 0.9),
    Finding.MISSING: Said("undeliverable", "rejected_email"),
    Finding.FULL: Said("risky", "low_deliverability", 0.3),
    Finding.DISABLED: Said("undeliverable", "rejected_email"),
    Finding.ACCEPTS_ALL: Said("risky", "low_deliverability", 0.6, accept_all=True),
    Finding.BOUNCED: Said("undeliverable", "rejected_email", accept_all=True),
    Finding.WRITTEN_TO: Said("risky", "low_deliverability", 0.7, accept_all=True),
    Finding.DISPOSABLE: Said("risky", "low_quality", disposable=True),
    Finding.SYNTAX: Said("undeliverable", "invalid_email"),
    Finding.NO_DOMAIN: Said("undeliverable", "invalid_domain"),
    Finding.TAKES_NO_MAIL: Said("undeliverable", "invalid_domain"),
    Finding.BOGUS: Said("undeliverable", "invalid_domain"),
    Finding.TYPO: Said("undeliverable", "invalid_domain", suggests=True),
    Finding.DNS_TROUBLE: Said("unknown", "no_connect"),
    Finding.NO_CONNECTION: Said("unknown", "no_connect"),
    Finding.SILENT: Said("unknown", "timeout"),
    Finding.NONSENSE: Said("unknown", "invalid_smtp"),
    Finding.TEMPORARY: Said("unknown", "unavailable_smtp"),
}
_ROLE: Final = Said("risky", "low_quality", 0.7, role=True)
_NEW: Final = Said("quarantined", "awaiting_moon_phase")


def trigger(known: Known) -> str:
    return known.local.rpartition("+")[2].lower()


def said(known: Known, *, test: bool, new_words: bool) -> Said:
    """What a test key, or a live one, gets to hear."""
    if new_words:
        return _NEW
    if test:
        return TRIGGERS.get(trigger(known), DELIVERABLE)
    return _ROLE if known.is_role and known.finding is Finding.EXISTS else _FOUND[known.finding]


def verified(known: Known, heard: Said) -> dict[str, Any]:
    """The answer of `verify`."""
    suggestion = known.suggestion or f"{known.local}@gmail.com"
    return {
        "result": heard.result,
        "reason": heard.reason,
        "role": heard.role or known.is_role,
        "free": known.is_free,
        "disposable": heard.disposable,
        "accept_all": heard.accept_all,
        "did_you_mean": suggestion if heard.suggests else None,
        "sendex": heard.sendex,
        "email": known.address.lower(),
        "user": known.local.lower(),
        "domain": known.domain,
        "success": True,
        "message": None,
    }
