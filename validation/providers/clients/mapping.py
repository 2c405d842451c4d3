"""The words of each provider in ours. docs/providers.md shows these tables, and a test compares them.

Words outside the tables are `UNRECOGNISED`: they are no errors, and nothing is guessed from them. A provider that warns
of an address (`advises_against`) has not said whether the mailbox exists; that stays unknown.
"""

from collections.abc import Mapping
from typing import Final

from validation.engine import Category, Flag, Reason
from validation.providers.clients.base import Meaning


def _valid(*flags: Flag, is_catch_all: bool | None = None) -> Meaning:
    return Meaning(
        category=Category.VALID, reason=Reason.MAILBOX_EXISTS, flags=frozenset(flags), is_catch_all=is_catch_all
    )


def _invalid(reason: Reason) -> Meaning:
    return Meaning(category=Category.INVALID, reason=reason)


def _unknown(reason: Reason, *flags: Flag) -> Meaning:
    return Meaning(category=Category.UNKNOWN, reason=reason, flags=frozenset(flags))


def _warned(*flags: Flag) -> Meaning:
    return Meaning(category=Category.UNKNOWN, reason=Reason.NOT_PROBED, flags=frozenset(flags), advises_against=True)


def _catch_all(*flags: Flag) -> Meaning:
    return Meaning(category=Category.CATCH_ALL, reason=Reason.ACCEPTS_ALL, flags=frozenset(flags), is_catch_all=True)


UNRECOGNISED: Final = _unknown(Reason.PROTOCOL_ERROR)
_DISPOSABLE: Final = Meaning(
    category=Category.DISPOSABLE, reason=Reason.DISPOSABLE_DOMAIN, flags=frozenset({Flag.DISPOSABLE})
)
_TRAP: Final = Meaning(category=Category.SPAM_TRAP, reason=Reason.KNOWN_TRAP, is_spam_trap=True, advises_against=True)

ZEROBOUNCE: Final[Mapping[tuple[str, str], Meaning]] = {
    ("valid", ""): _valid(),
    ("valid", "alias_address"): _valid(Flag.ALIAS),
    ("valid", "leading_period_removed"): _valid(),
    ("valid", "alternate"): _valid(),
    ("valid", "gold"): _valid(),
    ("valid", "accept_all"): _valid(is_catch_all=True),
    ("valid", "role_based_accept_all"): _valid(Flag.ROLE, is_catch_all=True),
    ("valid", "ai_agent_mailbox"): _valid(),
    ("valid", "allowed"): _unknown(Reason.NOT_PROBED),
    ("invalid", "does_not_accept_mail"): _invalid(Reason.NO_MAIL_HOST),
    ("invalid", "failed_syntax_check"): _invalid(Reason.SYNTAX),
    ("invalid", "possible_typo"): _invalid(Reason.MAILBOX_NOT_FOUND),
    ("invalid", "mailbox_not_found"): _invalid(Reason.MAILBOX_NOT_FOUND),
    ("invalid", "no_dns_entries"): _invalid(Reason.NO_DOMAIN),
    ("invalid", "mailbox_quota_exceeded"): _unknown(Reason.MAILBOX_FULL, Flag.FULL),
    ("invalid", "unroutable_ip_address"): _invalid(Reason.BOGUS_MX),
    ("invalid", "blocked"): _warned(),
    ("catch-all", ""): _catch_all(),
    ("catch-all", "ai_agent_mailbox"): _catch_all(),
    ("spamtrap", ""): _TRAP,
    ("abuse", ""): _warned(),
    ("do_not_mail", "role_based"): _valid(Flag.ROLE),
    ("do_not_mail", "role_based_catch_all"): _catch_all(Flag.ROLE),
    ("do_not_mail", "disposable"): _DISPOSABLE,
    ("do_not_mail", "mx_forward"): _warned(Flag.FORWARDER),
    ("do_not_mail", "global_suppression"): _warned(),
    ("do_not_mail", "possible_trap"): _warned(),
    ("do_not_mail", "toxic"): _warned(),
    ("do_not_mail", "blocked"): _warned(),
    ("unknown", "antispam_system"): _unknown(Reason.BLOCKED),
    ("unknown", "exception_occurred"): _unknown(Reason.PROTOCOL_ERROR),
    ("unknown", "failed_smtp_connection"): _unknown(Reason.CONNECT_FAILED),
    ("unknown", "forcible_disconnect"): _unknown(Reason.CONNECT_FAILED),
    ("unknown", "greylisted"): _unknown(Reason.GREYLISTED),
    ("unknown", "mail_server_did_not_respond"): _unknown(Reason.TIMEOUT),
    ("unknown", "mail_server_temporary_error"): _unknown(Reason.TEMPORARY),
    ("unknown", "timeout_exceeded"): _unknown(Reason.TIMEOUT),
}
"""By `status` and `sub_status`."""

_WARNINGS: Final = frozenset({"spamtrap", "abuse", "do_not_mail"})


def zerobounce_warns(words: tuple[str, str]) -> bool:
    """Whether the status warns of an address for an unknown reason."""
    return words[0] in _WARNINGS and words not in ZEROBOUNCE


NEVERBOUNCE: Final[Mapping[tuple[str, str], Meaning]] = {
    ("valid", ""): _valid(),
    ("invalid", ""): _invalid(Reason.MAILBOX_NOT_FOUND),
    ("invalid", "bad_syntax"): _invalid(Reason.SYNTAX),
    ("invalid", "temporary_dns_error"): _unknown(Reason.DNS_ERROR),
    ("invalid", "bad_dns"): _invalid(Reason.NO_DOMAIN),
    ("disposable", ""): _DISPOSABLE,
    ("catchall", ""): _catch_all(),
    ("unknown", ""): _unknown(Reason.TIMEOUT),
    ("unknown", "temporary_dns_error"): _unknown(Reason.DNS_ERROR),
    ("unknown", "bad_dns"): _unknown(Reason.DNS_ERROR),
    ("unknown", "connect_fails"): _unknown(Reason.CONNECT_FAILED),
}
"""By `result` and the first of `NEVERBOUNCE_REASONS` among `flags` that stands here with the result."""

NEVERBOUNCE_REASONS: Final = ("bad_syntax", "temporary_dns_error", "bad_dns", "connect_fails")
NEVERBOUNCE_RESULTS: Final = ("valid", "invalid", "disposable", "catchall", "unknown")
"""By the result's number in older calls."""
NEVERBOUNCE_FLAGS: Final[Mapping[str, Flag]] = {
    "free_email_host": Flag.FREE,
    "role_account": Flag.ROLE,
    "disposable_email": Flag.DISPOSABLE,
    "contains_alias": Flag.SUBADDRESSED,
}
NEVERBOUNCE_WARNS: Final = "spamtrap_network"

KICKBOX: Final[Mapping[tuple[str, str, str], Meaning]] = {
    ("deliverable", "accepted_email", ""): _valid(),
    ("deliverable", "accepted_email", "accept_all"): _catch_all(),
    ("deliverable", "accepted_email", "disposable"): _DISPOSABLE,
    ("undeliverable", "invalid_email", ""): _invalid(Reason.SYNTAX),
    ("undeliverable", "invalid_domain", ""): _invalid(Reason.NO_DOMAIN),
    ("undeliverable", "rejected_email", ""): _invalid(Reason.MAILBOX_NOT_FOUND),
    ("undeliverable", "invalid_smtp", ""): _unknown(Reason.PROTOCOL_ERROR),
    ("risky", "low_quality", ""): _unknown(Reason.NOT_PROBED),
    ("risky", "low_quality", "accept_all"): _catch_all(),
    ("risky", "low_quality", "disposable"): _DISPOSABLE,
    ("risky", "low_quality", "role"): _valid(Flag.ROLE),
    ("risky", "low_deliverability", ""): _unknown(Reason.NOT_PROBED),
    ("risky", "low_deliverability", "accept_all"): _catch_all(),
    ("risky", "low_deliverability", "disposable"): _DISPOSABLE,
    ("unknown", "no_connect", ""): _unknown(Reason.CONNECT_FAILED),
    ("unknown", "timeout", ""): _unknown(Reason.TIMEOUT),
    ("unknown", "invalid_smtp", ""): _unknown(Reason.PROTOCOL_ERROR),
    ("unknown", "unavailable_smtp", ""): _unknown(Reason.TEMPORARY),
    ("unknown", "unexpected_error", ""): _unknown(Reason.PROTOCOL_ERROR),
}
"""By `result`, `reason` and the first of `KICKBOX_TRAITS` that is true and stands here with them."""

KICKBOX_TRAITS: Final = ("disposable", "accept_all", "role")
KICKBOX_FLAGS: Final[Mapping[str, Flag]] = {"role": Flag.ROLE, "free": Flag.FREE, "disposable": Flag.DISPOSABLE}
