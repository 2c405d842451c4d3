"""The scale of confidence: every figure of the table in the module's own words, and what is added to it."""

import re

import pytest

from validation.engine import Category, Reason
from validation.engine.verdict import verdicts as module
from validation.engine.verdict.verdicts import SAFE_ABOVE, compute_confidence, is_safe_to_send

TABLE = dict(re.findall(r"^\| `(\w+)` .*\| (\d\.\d\d) +\|$", module.__doc__ or "", re.MULTILINE))
DECIDED = {
    Reason.SYNTAX,
    Reason.NO_DOMAIN,
    Reason.NO_MAIL_HOST,
    Reason.NULL_MX,
    Reason.BOGUS_MX,
    Reason.MAILBOX_NOT_FOUND,
    Reason.MAILBOX_DISABLED,
    Reason.DOMAIN_NOT_HOSTED,
    Reason.SMTPUTF8_REQUIRED,
}


def figure(
    category: Category,
    reason: Reason,
    mailbox: str = "x1",
    *,
    is_role: bool = False,
    is_free: bool = False,
    is_catch_all: bool | None = None,
) -> float:
    return compute_confidence(
        category, reason, mailbox=mailbox, is_role=is_role, is_free=is_free, is_catch_all=is_catch_all
    )


@pytest.mark.spec("VAL-029")
@pytest.mark.parametrize(("reason", "starts_at"), sorted(TABLE.items()))
def test_undecided_figures_are_those_of_the_table(reason: str, starts_at: str) -> None:
    category = {"accepts_all": Category.CATCH_ALL, "disposable_domain": Category.DISPOSABLE}.get(
        reason, Category.UNKNOWN
    )
    assert figure(category, Reason(reason)) == float(starts_at)


def test_the_table_has_every_reason_that_leaves_something_open() -> None:
    assert {Reason(name) for name in TABLE} == set(Reason) - DECIDED - {Reason.MAILBOX_EXISTS, Reason.KNOWN_TRAP}


@pytest.mark.spec("VAL-068")
@pytest.mark.parametrize("reason", [*sorted(DECIDED), Reason.MAILBOX_FULL])
def test_a_definite_invalid_is_zero_whatever_else_is_known(reason: Reason) -> None:
    assert figure(Category.INVALID, reason, "jane.miller", is_free=True) == 0.0


def test_a_trap_is_zero() -> None:
    assert figure(Category.SPAM_TRAP, Reason.KNOWN_TRAP, "jane.miller") == 0.0


@pytest.mark.parametrize(
    ("is_catch_all", "is_role", "expected"),
    [(False, False, 0.97), (False, True, 0.95), (None, False, 0.80), (None, True, 0.78)],
)
def test_an_accepted_mailbox(is_catch_all: bool | None, is_role: bool, expected: float) -> None:
    found = figure(Category.VALID, Reason.MAILBOX_EXISTS, "jane.miller", is_role=is_role, is_catch_all=is_catch_all)
    assert found == expected
    assert is_safe_to_send(Category.VALID, found)


@pytest.mark.parametrize(
    ("mailbox", "is_role", "is_free", "expected"),
    [
        ("x1", False, False, 0.55),
        ("jane.miller", False, False, 0.63),
        ("jmiller", False, False, 0.63),
        ("j.miller", False, False, 0.63),
        ("jane", False, False, 0.63),
        ("jane.miller", False, True, 0.68),
        ("x1", False, True, 0.60),
        ("info", True, False, 0.50),
        ("info", True, True, 0.55),
        ("a8f3k2", False, False, 0.55),
    ],
)
def test_what_moves_an_undecided_figure(mailbox: str, is_role: bool, is_free: bool, expected: float) -> None:
    found = figure(Category.CATCH_ALL, Reason.ACCEPTS_ALL, mailbox, is_role=is_role, is_free=is_free, is_catch_all=True)
    assert found == expected


@pytest.mark.parametrize(
    ("category", "at", "safe"),
    [
        (Category.CATCH_ALL, SAFE_ABOVE, False),
        (Category.CATCH_ALL, 0.61, True),
        (Category.UNKNOWN, 0.61, True),
        (Category.UNKNOWN, 0.60, False),
        (Category.VALID, 0.10, True),
        (Category.INVALID, 0.99, False),
        (Category.DISPOSABLE, 0.99, False),
        (Category.SPAM_TRAP, 0.99, False),
    ],
)
def test_safe_to_send(category: Category, at: float, safe: bool) -> None:
    assert is_safe_to_send(category, at) is safe


def test_no_unknown_is_safe_whatever_speaks_for_it() -> None:
    """The mailbox was never confirmed: a friendly name at a large provider does not make up for that."""
    best = [figure(Category.UNKNOWN, Reason(name), "jane.miller", is_free=True) for name in TABLE]
    assert max(one for name, one in zip(TABLE, best, strict=True) if name != "accepts_all") <= SAFE_ABOVE
