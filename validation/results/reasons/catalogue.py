"""The reasons of verdicts: what each means, which category it goes with, what it costs and what to do.

`GET /reasons`, the documentation, the reference and the texts of exports are made from this list. A test holds it
against the code: a reason that the code can answer and that is missing here fails. More may be added at any time.
"""

from typing import NamedTuple

from validation.engine import Category, Reason

NOT_CHECKED = "not_checked"
"""Stands in files for the reason of an address that was left out because the credits did not suffice (REP-043)."""


class Outcome(NamedTuple):
    """A category that a reason comes with, and the credits it costs; None where those checks never end in it."""

    category: Category
    full: int | None
    basic: int | None


class ReasonEntry(NamedTuple):
    """A value of `reason`. It stands in files alone where it has no outcomes."""

    reason: str
    outcomes: tuple[Outcome, ...]
    meaning: str
    advice: str


_VALID = (Outcome(Category.VALID, 1, None),)
_INVALID = (Outcome(Category.INVALID, 1, 1),)
_INVALID_BY_HOST = (Outcome(Category.INVALID, 1, None),)
_UNKNOWN = (Outcome(Category.UNKNOWN, 0, 0),)
_UNKNOWN_BY_HOST = (Outcome(Category.UNKNOWN, 0, None),)
_LATER = "Keep it, and check it again later."

REASONS = (
    ReasonEntry(Reason.MAILBOX_EXISTS, _VALID, "The mailbox exists.", "Send."),
    ReasonEntry(
        Reason.SYNTAX,
        (Outcome(Category.INVALID, 0, 0),),
        "This is not a usable address.",
        "Do not send. Correct it: `did_you_mean` has the address that the text holds, where it holds one.",
    ),
    ReasonEntry(
        Reason.NO_DOMAIN,
        _INVALID,
        "The domain does not exist.",
        "Do not send. Look for a typing error: `did_you_mean` has a likely address.",
    ),
    ReasonEntry(
        Reason.NO_MAIL_HOST,
        _INVALID,
        "The domain has no mail server.",
        "Do not send. Look for a typing error: `did_you_mean` has a likely address.",
    ),
    ReasonEntry(Reason.NULL_MX, _INVALID, "The domain declares that it takes no mail.", "Do not send."),
    ReasonEntry(
        Reason.BOGUS_MX,
        _INVALID,
        "The mail servers of the domain cannot exist on the public internet.",
        "Do not send.",
    ),
    ReasonEntry(
        Reason.MAILBOX_NOT_FOUND,
        _INVALID_BY_HOST,
        "The mailbox does not exist.",
        "Do not send, and remove it from your lists.",
    ),
    ReasonEntry(
        Reason.MAILBOX_DISABLED,
        _INVALID_BY_HOST,
        "The mailbox is disabled.",
        "Do not send. It may be opened again: check it in some months.",
    ),
    ReasonEntry(
        Reason.MAILBOX_FULL,
        (*_INVALID_BY_HOST, *_UNKNOWN_BY_HOST),
        "The mailbox is full.",
        "Do not send now, and check it again in some weeks. It is unknown where the server calls it a passing state.",
    ),
    ReasonEntry(
        Reason.DOMAIN_NOT_HOSTED, _INVALID_BY_HOST, "The mail server takes no mail for the domain.", "Do not send."
    ),
    ReasonEntry(
        Reason.SMTPUTF8_REQUIRED,
        _INVALID_BY_HOST,
        "The mail server cannot take mail for an address with international characters.",
        "Do not send. Ask for an address in plain letters.",
    ),
    ReasonEntry(
        Reason.ACCEPTS_ALL,
        (Outcome(Category.CATCH_ALL, 1, None),),
        "The mail server accepts every name, so the mailbox cannot be confirmed.",
        "Decide by `confidence_score`, and watch bounces.",
    ),
    ReasonEntry(
        Reason.DISPOSABLE_DOMAIN,
        (Outcome(Category.DISPOSABLE, 1, None),),
        "The domain gives out throw-away mailboxes.",
        "Ask for another address.",
    ),
    ReasonEntry(
        Reason.KNOWN_TRAP,
        (Outcome(Category.SPAM_TRAP, 1, 1),),
        "The address is a known spam trap.",
        "Do not send, and find out how it came into your list.",
    ),
    ReasonEntry(Reason.DNS_ERROR, _UNKNOWN, "The domain could not be looked up.", _LATER),
    ReasonEntry(
        Reason.CONNECT_FAILED,
        _UNKNOWN_BY_HOST,
        "No mail server of the domain could be reached.",
        "Keep it, and check it again in some days. Still unreachable then: treat it as risky.",
    ),
    ReasonEntry(Reason.TIMEOUT, _UNKNOWN, "The mail servers of the domain did not answer in time.", _LATER),
    ReasonEntry(
        Reason.GREYLISTED,
        _UNKNOWN_BY_HOST,
        "The mail server asks unknown senders to come back later.",
        "Check it again after `retry_after` seconds. Lists do so by themselves.",
    ),
    ReasonEntry(
        Reason.BLOCKED,
        _UNKNOWN_BY_HOST,
        "The mail server refuses our checks.",
        "It says nothing about the mailbox. Keep it, and send with care.",
    ),
    ReasonEntry(Reason.RATE_LIMITED, _UNKNOWN_BY_HOST, "The mail server limits our checks.", _LATER),
    ReasonEntry(Reason.TEMPORARY, _UNKNOWN, "The mail server has a temporary problem.", _LATER),
    ReasonEntry(Reason.PROTOCOL_ERROR, _UNKNOWN_BY_HOST, "The answer of the mail server cannot be understood.", _LATER),
    ReasonEntry(Reason.NOT_PROBED, _UNKNOWN, "The mailbox was not asked about.", _LATER),
    ReasonEntry(
        Reason.NOT_ASKED,
        _UNKNOWN,
        "The mailbox was not asked about yet because of a limit of ours.",
        "Check it again after `retry_after` seconds. Lists do so by themselves.",
    ),
    ReasonEntry(
        Reason.NOT_IN_PLAN,
        (Outcome(Category.UNKNOWN, None, 1),),
        "The plan did not include asking about the mailbox.",
        "Check it in full, with a plan or credits that include it.",
    ),
    ReasonEntry(
        Reason.TEST_ADDRESS,
        _UNKNOWN,
        "This is a test address.",
        "Use a key that begins with `ec_test_` to get its verdict.",
    ),
    ReasonEntry(
        NOT_CHECKED,
        (),
        "The address was not checked: the credits did not suffice.",
        "Check the rest of the list when there are credits. It stands in files alone, without a category.",
    ),
)
