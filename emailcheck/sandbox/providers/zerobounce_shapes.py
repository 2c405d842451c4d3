"""The answers of ZeroBounce, version 2, in its words."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from emailcheck.sandbox.providers.findings import AddressTruth, Finding

TRIGGERS: Final[Mapping[str, tuple[str, str]]] = {
    "valid": ("valid", ""),
    "invalid": ("invalid", "mailbox_not_found"),
    "catch_all": ("catch-all", ""),
    "spamtrap": ("spamtrap", ""),
    "abuse": ("abuse", ""),
    "unknown": ("unknown", "mail_server_temporary_error"),
    "donotmail": ("do_not_mail", "role_based"),
    "toxic": ("do_not_mail", "toxic"),
    "disposable": ("do_not_mail", "disposable"),
    "role_based": ("do_not_mail", "role_based"),
    "role_based_catch_all": ("do_not_mail", "role_based_catch_all"),
    "role_based_accept_all": ("valid", "role_based_accept_all"),
    "global_suppression": ("do_not_mail", "global_suppression"),
    "possible_trap": ("do_not_mail", "possible_trap"),
    "possible_typo": ("invalid", "possible_typo"),
    "antispam_system": ("unknown", "antispam_system"),
    "does_not_accept_mail": ("invalid", "does_not_accept_mail"),
    "exception_occurred": ("unknown", "exception_occurred"),
    "failed_smtp_connection": ("unknown", "failed_smtp_connection"),
    "failed_syntax_check": ("invalid", "failed_syntax_check"),
    "forcible_disconnect": ("unknown", "forcible_disconnect"),
    "greylisted": ("unknown", "greylisted"),
    "leading_period_removed": ("valid", "leading_period_removed"),
    "mail_server_did_not_respond": ("unknown", "mail_server_did_not_respond"),
    "mail_server_temporary_error": ("unknown", "mail_server_temporary_error"),
    "mailbox_quota_exceeded": ("invalid", "mailbox_quota_exceeded"),
    "mailbox_not_found": ("invalid", "mailbox_not_found"),
    "no_dns_entries": ("invalid", "no_dns_entries"),
    "timeout_exceeded": ("unknown", "timeout_exceeded"),
    "unroutable_ip_address": ("invalid", "unroutable_ip_address"),
    "free_email": ("valid", ""),
    "gold": ("valid", "gold"),
    "aiagentmailbox": ("valid", "ai_agent_mailbox"),
}
"""By the name in `name@example.com`, free of charge."""

_FOUND: Final[Mapping[Finding, tuple[str, str]]] = {
    Finding.EXISTS: ("valid", ""),
    Finding.MISSING: ("invalid", "mailbox_not_found"),
    Finding.FULL: ("invalid", "mailbox_quota_exceeded"),
    Finding.DISABLED: ("invalid", "mailbox_not_found"),
    Finding.ACCEPTS_ALL: ("catch-all", ""),
    Finding.BOUNCED: ("invalid", "mailbox_not_found"),
    Finding.WRITTEN_TO: ("valid", "accept_all"),
    Finding.DISPOSABLE: ("do_not_mail", "disposable"),
    Finding.SYNTAX: ("invalid", "failed_syntax_check"),
    Finding.NO_DOMAIN: ("invalid", "no_dns_entries"),
    Finding.TAKES_NO_MAIL: ("invalid", "does_not_accept_mail"),
    Finding.BOGUS: ("invalid", "unroutable_ip_address"),
    Finding.TYPO: ("invalid", "possible_typo"),
    Finding.DNS_TROUBLE: ("unknown", "timeout_exceeded"),
    Finding.NO_CONNECTION: ("unknown", "failed_smtp_connection"),
    Finding.SILENT: ("unknown", "mail_server_did_not_respond"),
    Finding.NONSENSE: ("unknown", "exception_occurred"),
    Finding.TEMPORARY: ("unknown", "mail_server_temporary_error"),
}
_ROLES: Final[Mapping[Finding, tuple[str, str]]] = {
    Finding.EXISTS: ("do_not_mail", "role_based"),
    Finding.ACCEPTS_ALL: ("do_not_mail", "role_based_catch_all"),
    Finding.WRITTEN_TO: ("valid", "role_based_accept_all"),
}
NEW_WORDS: Final = ("quarantined", "awaiting_moon_phase")
COLUMNS: Final = (
    "ZB Status",
    "ZB Sub Status",
    "ZB Account",
    "ZB Domain",
    "ZB First Name",
    "ZB Last Name",
    "ZB Gender",
    "ZB Free Email",
    "ZB MX Found",
    "ZB MX Record",
    "ZB SMTP Provider",
    "ZB Did You Mean",
)


def is_free_of_charge(known: AddressTruth) -> bool:
    return known.domain == "example.com" and known.local in TRIGGERS


def choose_status(known: AddressTruth) -> tuple[str, str]:
    """Status and sub-status."""
    if is_free_of_charge(known):
        return TRIGGERS[known.local]
    if known.is_role and known.finding in _ROLES:
        return _ROLES[known.finding]
    if known.finding is Finding.EXISTS and "+" in known.local:
        return "valid", "alias_address"
    return _FOUND[known.finding]


def validate_json(known: AddressTruth, status_words: tuple[str, str], now: datetime) -> dict[str, Any]:
    """The answer of `validate`: booleans as they are, in quotes for `mx_found`, numbers in quotes."""
    status, sub_status = status_words
    is_catch_all = status == "catch-all" or sub_status in {"accept_all", "role_based_catch_all"}
    return {
        "address": known.address,
        "status": status,
        "sub_status": sub_status,
        "free_email": known.is_free or known.local == "free_email",
        "did_you_mean": known.suggestion or None,
        "account": known.local or None,
        "domain": known.domain or None,
        "domain_age_days": "9692" if known.has_mail_host else None,
        "smtp_provider": None,
        "mx_found": "true" if known.has_mail_host else "false",
        "mx_record": known.host or None,
        "catchall_domain": is_catch_all if known.has_mail_host else None,
        "firstname": "Erika",
        "lastname": None,
        "gender": "female",
        "country": None,
        "region": None,
        "city": None,
        "zipcode": None,
        "processed_at": f"{now:%Y-%m-%d %H:%M:%S}.{now.microsecond // 1000:03}",
    }


def build_result_cells(known: AddressTruth, status_words: tuple[str, str]) -> tuple[str, ...]:
    """The cells of `COLUMNS`."""
    return (
        *status_words,
        known.local,
        known.domain,
        "",
        "",
        "",
        str(known.is_free),
        str(known.has_mail_host).lower(),
        known.host,
        "",
        known.suggestion,
    )
