"""How probable it is that a message to an address is delivered, from 0 to 1.

The figure starts from what the mail host said and moves a little with what else is known:

| evidence                                                     | starts at |
|--------------------------------------------------------------|-----------|
| mailbox accepted, random recipient refused                   | 0.97      |
| mailbox accepted, random recipient undecided                 | 0.80      |
| everything accepted (catch-all)                              | 0.55      |
| greylisted: nothing is known of the mailbox yet              | 0.45      |
| rate limited, temporary failure, full for now                | 0.45/0.45/0.25 |
| they refuse us: the mailbox was never looked at              | 0.45      |
| no answer in time, connection refused, garbled, DNS failure  | 0.35/0.20/0.30/0.25 |
| not probed                                                   | 0.40      |
| disposable                                                   | 0.10      |
| invalid, spam trap                                           | 0.00      |

Where the mailbox itself is undecided, a name-like local part adds 0.08, a large mailbox provider 0.05, and a role
account takes 0.05 away. A decided figure only loses 0.02 for a role account.
"""

import re
from collections.abc import Mapping

from validation.engine.vocabulary import Category, Reason

SAFE_ABOVE = 0.6

_VALID = 0.97
_VALID_UNDECIDED = 0.80
_BY_REASON: Mapping[Reason, float] = {
    Reason.ACCEPTS_ALL: 0.55,
    Reason.GREYLISTED: 0.45,
    Reason.RATE_LIMITED: 0.45,
    Reason.TEMPORARY: 0.45,
    Reason.BLOCKED: 0.45,
    Reason.NOT_PROBED: 0.40,
    Reason.NOT_IN_PLAN: 0.40,
    Reason.TIMEOUT: 0.35,
    Reason.PROTOCOL_ERROR: 0.30,
    Reason.MAILBOX_FULL: 0.25,
    Reason.DNS_ERROR: 0.25,
    Reason.CONNECT_FAILED: 0.20,
    Reason.DISPOSABLE_DOMAIN: 0.10,
}
_NAME_LIKE = re.compile(r"[a-z]{2,}(?:[._-][a-z]{2,})+|[a-z][._-]?[a-z]{3,}", re.IGNORECASE)
_UNDECIDED = frozenset({Category.CATCH_ALL, Category.UNKNOWN})


def confidence(
    category: Category,
    reason: Reason,
    *,
    mailbox: str,
    is_role: bool,
    is_free: bool,
    is_catch_all: bool | None,
) -> float:
    """The probability of safe delivery, rounded to two decimals. A definite invalid is exactly 0."""
    if category in (Category.INVALID, Category.SPAM_TRAP):
        return 0.0
    if category is Category.VALID:
        base = _VALID if is_catch_all is False else _VALID_UNDECIDED
        return round(base - 0.02 * is_role, 2)
    base = _BY_REASON.get(reason, 0.30)
    if category in _UNDECIDED:
        base += 0.05 * is_free - 0.05 * is_role
        base += 0.08 * (not is_role and _NAME_LIKE.fullmatch(mailbox) is not None)
    return round(base, 2)


def decided_confidence(category: Category, *, is_catch_all: bool | None) -> float | None:
    """The figure for an address that is no role account; None where it depends on the address."""
    if category in _UNDECIDED or category is Category.DISPOSABLE:
        return None
    return confidence(category, Reason.NOT_PROBED, mailbox="", is_role=False, is_free=False, is_catch_all=is_catch_all)


def is_safe_to_send(category: Category, figure: float) -> bool:
    """Valid, or undecided with a confidence above 0.6."""
    return category is Category.VALID or (category in _UNDECIDED and figure > SAFE_ABOVE)
