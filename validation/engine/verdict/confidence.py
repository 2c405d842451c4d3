"""How probable it is that a message to an address is delivered, from 0 to 1.

0 means that delivery is impossible or must not be tried, 1 that it is certain, which nobody can know before sending:
the best evidence gives 0.97. Above 0.6 an address counts as safe to send to even where its mailbox was not confirmed.

An accepted mailbox starts at 0.97 where a random recipient of its domain was refused, at 0.80 where that is not known.
What is invalid, or a known spam trap, is exactly 0. Everything else starts by its reason:

| reason              | what is known                                              | starts at |
|---------------------|------------------------------------------------------------|-----------|
| `accepts_all`       | the host accepts every name                                | 0.55      |
| `greylisted`        | the host asks to come back: nothing is known of the mailbox | 0.45      |
| `rate_limited`      | the host takes no more questions for now                   | 0.45      |
| `temporary`         | the host has trouble of its own                            | 0.45      |
| `blocked`           | the host refuses us and never looked at the mailbox        | 0.45      |
| `not_probed`        | the host was not asked                                     | 0.40      |
| `not_in_plan`       | the host was not asked                                     | 0.40      |
| `not_asked`         | stands in line for a limit of ours                         | 0.40      |
| `timeout`           | the host did not answer in time                            | 0.35      |
| `protocol_error`    | the host gave answers that cannot be understood            | 0.30      |
| `mailbox_full`      | full for now                                               | 0.25      |
| `dns_error`         | the domain could not be looked up                          | 0.25      |
| `connect_failed`    | no host could be reached                                   | 0.20      |
| `disposable_domain` | a throw-away mailbox                                       | 0.10      |

Where the mailbox is undecided (catch-all and unknown), a name-like local part adds 0.08 and a large mailbox provider
0.05, and a role account takes 0.05 away. An accepted role account loses 0.02. The steps are judgement, no measured
frequencies, and chosen so that nothing undecided gets above 0.6 but a catch-all mailbox with a person's name.
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
    Reason.NOT_ASKED: 0.40,
    Reason.TIMEOUT: 0.35,
    Reason.PROTOCOL_ERROR: 0.30,
    Reason.MAILBOX_FULL: 0.25,
    Reason.DNS_ERROR: 0.25,
    Reason.CONNECT_FAILED: 0.20,
    Reason.DISPOSABLE_DOMAIN: 0.10,
}
_NAME_LIKE = re.compile(r"[a-z]{2,}(?:[._-][a-z]{2,})+|[a-z][._-]?[a-z]{3,}", re.IGNORECASE)
_UNDECIDED = frozenset({Category.CATCH_ALL, Category.UNKNOWN})


def compute_confidence(
    category: Category, reason: Reason, *, mailbox: str, is_role: bool, is_free: bool, is_catch_all: bool | None
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


def compute_decided_confidence(category: Category, *, is_catch_all: bool | None) -> float | None:
    """The confidence for an address that is no role account; None where it depends on the address."""
    if category in _UNDECIDED or category is Category.DISPOSABLE:
        return None
    return compute_confidence(
        category, Reason.NOT_PROBED, mailbox="", is_role=False, is_free=False, is_catch_all=is_catch_all
    )


def is_safe_to_send(category: Category, confidence: float) -> bool:
    """Valid, or undecided with a confidence above 0.6."""
    return category is Category.VALID or (category in _UNDECIDED and confidence > SAFE_ABOVE)
