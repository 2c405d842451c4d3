"""What each reason means, in a plain sentence that names no host and no domain: one text for all rows with it."""

from collections.abc import Mapping
from types import MappingProxyType

from validation.engine import Reason

NOT_CHECKED = "not_checked"
"""Stands in files for the reason of an address that was left out because the credits did not suffice (REP-043)."""

_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        Reason.MAILBOX_EXISTS: "The mailbox exists.",
        Reason.SYNTAX: "This is not a usable address.",
        Reason.NO_DOMAIN: "The domain does not exist.",
        Reason.NO_MAIL_HOST: "The domain has no mail server.",
        Reason.NULL_MX: "The domain declares that it takes no mail.",
        Reason.BOGUS_MX: "The mail servers of the domain cannot exist on the public internet.",
        Reason.MAILBOX_NOT_FOUND: "The mailbox does not exist.",
        Reason.MAILBOX_DISABLED: "The mailbox is disabled.",
        Reason.MAILBOX_FULL: "The mailbox is full.",
        Reason.DOMAIN_NOT_HOSTED: "The mail server takes no mail for the domain.",
        Reason.SMTPUTF8_REQUIRED: "The mail server cannot take mail for an address with international characters.",
        Reason.ACCEPTS_ALL: "The mail server accepts every name, so the mailbox cannot be confirmed.",
        Reason.DISPOSABLE_DOMAIN: "The domain gives out throw-away mailboxes.",
        Reason.KNOWN_TRAP: "The address is a known spam trap.",
        Reason.DNS_ERROR: "The domain could not be looked up.",
        Reason.CONNECT_FAILED: "No mail server of the domain could be reached.",
        Reason.TIMEOUT: "The mail servers of the domain did not answer in time.",
        Reason.GREYLISTED: "The mail server asks unknown senders to come back later.",
        Reason.BLOCKED: "The mail server refuses our checks.",
        Reason.RATE_LIMITED: "The mail server limits our checks.",
        Reason.TEMPORARY: "The mail server has a temporary problem.",
        Reason.PROTOCOL_ERROR: "The answer of the mail server cannot be understood.",
        Reason.NOT_PROBED: "The mailbox was not asked about.",
        Reason.NOT_ASKED: "The mailbox was not asked about yet because of a limit of ours.",
        Reason.NOT_IN_PLAN: "The plan did not include asking about the mailbox.",
        Reason.TEST_ADDRESS: "The address is one of test mode: nobody was asked.",
        NOT_CHECKED: "The address was not checked: the credits did not suffice.",
    }
)


def explain_reason(reason: str) -> str:
    """The sentence of a reason; one of an outside provider in its own words; "" for none.

    >>> explain_reason("mailbox_not_found"), explain_reason("asked_elsewhere")
    ('The mailbox does not exist.', 'Asked elsewhere.')
    """
    text = _TEXTS.get(reason)
    return text if text is not None else f"{reason.replace('_', ' ').capitalize()}." if reason else ""
