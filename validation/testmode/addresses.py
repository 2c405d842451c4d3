"""The addresses of test mode and their behaviour; the documentation and `docs/api.md` are generated from them."""

from dataclasses import dataclass

from validation.engine import Category, Reason
from validation.verifier.checker import TEST_DOMAIN

DOMAIN = TEST_DOMAIN
RETRY_AFTER_S = 30
SLOW, RATE_LIMITED, OUT_OF_CREDITS, FAILING = "slow", "rate_limited", "out_of_credits", "failing"


@dataclass(frozen=True, slots=True)
class AddressVerdict:
    """A name whose addresses get a fixed verdict."""

    name: str
    category: Category
    reason: Reason
    sentence: str
    is_free: bool = False
    is_role: bool = False
    did_you_mean: str | None = None

    @property
    def address(self) -> str:
        return f"{self.name}@{DOMAIN}"


@dataclass(frozen=True, slots=True)
class AddressBehaviour:
    """A name whose addresses have a behaviour, in a single check and in a list."""

    name: str
    single: str
    in_list: str

    @property
    def address(self) -> str:
        return f"{self.name}@{DOMAIN}"


_ACCEPTED = "The mail server accepts mail for this mailbox."
VERDICTS = (
    AddressVerdict("valid", Category.VALID, Reason.MAILBOX_EXISTS, _ACCEPTED),
    AddressVerdict("role", Category.VALID, Reason.MAILBOX_EXISTS, _ACCEPTED, is_role=True),
    AddressVerdict("free", Category.VALID, Reason.MAILBOX_EXISTS, _ACCEPTED, is_free=True),
    AddressVerdict(
        "invalid", Category.INVALID, Reason.MAILBOX_NOT_FOUND, "The mail server says that this mailbox does not exist."
    ),
    AddressVerdict("no_domain", Category.INVALID, Reason.NO_DOMAIN, "The domain does not exist."),
    AddressVerdict(
        "typo", Category.INVALID, Reason.NO_MAIL_HOST, "The domain has no mail server.", did_you_mean=f"valid@{DOMAIN}"
    ),
    AddressVerdict(
        "catch_all",
        Category.CATCH_ALL,
        Reason.ACCEPTS_ALL,
        "The mail server accepts mail for every name, so this mailbox cannot be confirmed.",
    ),
    AddressVerdict(
        "disposable", Category.DISPOSABLE, Reason.DISPOSABLE_DOMAIN, "The domain gives out throw-away mailboxes."
    ),
    AddressVerdict("spam_trap", Category.SPAM_TRAP, Reason.KNOWN_TRAP, "This address is on a list of spam traps."),
    AddressVerdict("unknown", Category.UNKNOWN, Reason.TIMEOUT, "The mail servers did not answer in time."),
    AddressVerdict(
        "greylisted", Category.UNKNOWN, Reason.GREYLISTED, "The mail server asks unknown senders to come back later."
    ),
)
BEHAVIOURS = (
    AddressBehaviour(SLOW, "valid, after 3 seconds", "answered with 202 at once and completed after 3 seconds"),
    AddressBehaviour(RATE_LIMITED, "429 `RATE_LIMIT_EXCEEDED` with `Retry-After: 30`", "429, nothing is started"),
    AddressBehaviour(OUT_OF_CREDITS, "403 `QUOTA_EXCEEDED`", "403, nothing is started"),
    AddressBehaviour(FAILING, "500 `INTERNAL_ERROR`", "ends as `failed`, with the reason in `error`"),
)
NOBODY_ASKED = AddressVerdict(
    "", Category.UNKNOWN, Reason.NOT_PROBED, f"Test mode asks no mail server. Try the addresses of {DOMAIN}."
)
"""The verdict on every other address."""
