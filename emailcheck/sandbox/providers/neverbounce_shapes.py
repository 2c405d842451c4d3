"""The answers of NeverBounce, version 4.2, in its words."""

from collections.abc import Mapping
from typing import Any, Final

from emailcheck.sandbox.providers.findings import AddressTruth, Finding

RESULTS: Final = ("valid", "invalid", "disposable", "catchall", "unknown")
_DNS, _MX, _SMTP = "has_dns", "has_dns_mx", "smtp_connectable"
_FOUND: Final[Mapping[Finding, tuple[str, tuple[str, ...]]]] = {
    Finding.EXISTS: ("valid", (_DNS, _MX, _SMTP)),
    Finding.MISSING: ("invalid", (_DNS, _MX, _SMTP)),
    Finding.FULL: ("unknown", (_DNS, _MX, _SMTP)),
    Finding.DISABLED: ("invalid", (_DNS, _MX, _SMTP)),
    Finding.ACCEPTS_ALL: ("catchall", (_DNS, _MX, _SMTP, "accepts_all")),
    Finding.BOUNCED: ("catchall", (_DNS, _MX, _SMTP, "accepts_all")),
    Finding.WRITTEN_TO: ("catchall", (_DNS, _MX, _SMTP, "accepts_all")),
    Finding.DISPOSABLE: ("disposable", (_DNS, _MX, "disposable_email")),
    Finding.SYNTAX: ("invalid", ("bad_syntax",)),
    Finding.NO_DOMAIN: ("invalid", ("bad_dns",)),
    Finding.TAKES_NO_MAIL: ("invalid", (_DNS,)),
    Finding.BOGUS: ("invalid", (_DNS, _MX)),
    Finding.TYPO: ("invalid", (_DNS, "spelling_mistake")),
    Finding.DNS_TROUBLE: ("unknown", ("temporary_dns_error",)),
    Finding.NO_CONNECTION: ("unknown", (_DNS, _MX, "connect_fails")),
    Finding.SILENT: ("unknown", (_DNS, _MX)),
    Finding.NONSENSE: ("unknown", (_DNS, _MX, _SMTP)),
    Finding.TEMPORARY: ("unknown", (_DNS, _MX, _SMTP)),
}
NEW_RESULT: Final = "quarantined"


def result_json(known: AddressTruth, *, new_words: bool) -> dict[str, Any]:
    """The common fields of results in `single/check` and `jobs/results`."""
    result, flags = _FOUND[known.finding]
    own = (
        ("role_account", known.is_role),
        ("free_email_host", known.is_free),
        ("contains_alias", "+" in known.local),
        ("contains_subdomain", known.domain.count(".") > 1),
    )
    return {
        "result": NEW_RESULT if new_words else result,
        "flags": [*flags, *(flag for flag, is_set in own if is_set)],
        "suggested_correction": known.suggestion,
    }


def address_json(known: AddressTruth) -> dict[str, str]:
    """The parts of an address."""
    addr, _, alias = known.local.partition("+")
    host, _, tld = known.domain.rpartition(".")
    return {
        "original_email": known.address,
        "normalized_email": known.address.lower(),
        "addr": addr,
        "alias": alias,
        "host": known.domain,
        "fqdn": known.domain,
        "domain": host,
        "subdomain": "",
        "tld": tld,
    }


def is_billable(known: AddressTruth) -> bool:
    return known.finding is not Finding.SYNTAX
