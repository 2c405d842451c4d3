"""Vocabulary, evidence and confidence."""

import pytest

from validation.engine import Category, Outcome, Reason, Verdict
from validation.engine.tests.world import Host, World, all_verdicts
from validation.engine.verdict.evidence import CHECK_NAMES
from validation.engine.verdict.verdicts import compute_confidence, is_safe_to_send


@pytest.mark.spec("VAL-017")
def test_there_are_six_categories() -> None:
    assert {category.value for category in Category} == {
        "valid",
        "invalid",
        "unknown",
        "catch_all",
        "disposable",
        "spam_trap",
    }


def test_reasons_are_stable() -> None:
    assert [reason.value for reason in Reason] == [
        "mailbox_exists",
        "syntax",
        "no_domain",
        "no_mail_host",
        "null_mx",
        "bogus_mx",
        "mailbox_not_found",
        "mailbox_disabled",
        "mailbox_full",
        "domain_not_hosted",
        "smtputf8_required",
        "accepts_all",
        "disposable_domain",
        "known_trap",
        "dns_error",
        "connect_failed",
        "timeout",
        "greylisted",
        "blocked",
        "rate_limited",
        "temporary",
        "protocol_error",
        "not_probed",
        "not_in_plan",
        "not_asked",
        "test_address",
    ]


@pytest.mark.spec("VAL-029")
async def test_every_verdict_has_the_same_checks_in_the_same_order(world: World) -> None:
    await world.domain("shop.com", Host(special={"full": "552 5.2.2 full", "grey": "450 4.7.1 Greylisted"}))
    world.dns.mx("null.com", "0 .")
    wanted = ["alice@shop.com", "nobody@shop.com", "full@shop.com", "grey@shop.com", "no address", "a@null.com"]
    verdicts = await all_verdicts(world.verifier(), [*wanted, "a@mailinator.com", "a@nowhere.com"])
    assert {tuple(check.name for check in verdict.checks) for verdict in verdicts} == {CHECK_NAMES}
    assert len(CHECK_NAMES) >= 15
    assert all(check.detail and check.source for verdict in verdicts for check in verdict.checks)
    assert all(verdict.sentence.endswith(".") for verdict in verdicts)


def outcomes(verdict: Verdict) -> dict[str, Outcome]:
    return {check.name: check.outcome for check in verdict.checks}


async def test_the_evidence_of_a_mailbox(world: World) -> None:
    await world.domain("shop.com", Host(special={"off": "550 5.2.1 The mailbox is disabled", "full": "552 5.2.2 full"}))
    alice, off, full = await all_verdicts(world.verifier(), ["alice@shop.com", "off@shop.com", "full@shop.com"])
    assert {outcomes(alice)[name] for name in ("syntax", "domain", "mail_hosts", "smtp_connection", "mailbox")} == {
        Outcome.PASS
    }
    assert outcomes(alice)["catch_all"] == Outcome.PASS
    assert (outcomes(off)["mailbox"], outcomes(off)["mailbox_disabled"]) == (Outcome.FAIL, Outcome.FAIL)
    assert (outcomes(full)["mailbox"], outcomes(full)["mailbox_full"]) == (Outcome.FAIL, Outcome.FAIL)
    assert {check.name: check.source for check in off.checks}["mailbox"] == "SMTP RCPT TO 550 5.2.1, by enhanced code"


async def test_a_refused_mailbox_shows_that_not_every_name_is_accepted(world: World) -> None:
    await world.domain("shop.com", Host(special={"busy": "450 4.2.1 The mailbox is busy"}))
    refused, busy = await all_verdicts(world.verifier(), ["nobody@shop.com", "busy@shop.com"])
    assert (refused.category, refused.is_catch_all, outcomes(refused)["catch_all"]) == (
        Category.INVALID, False, Outcome.PASS,
    )  # fmt: skip
    assert (busy.is_catch_all, outcomes(busy)["catch_all"]) == (None, Outcome.SKIPPED)


async def test_a_long_reply_ends_with_an_ellipsis(world: World) -> None:
    said = f"550 5.1.1 {'no such user here ' * 20}".strip()
    await world.domain("shop.com", Host(special={"gone": said, "full": f"552 5.2.2 {'x' * 190}"}))
    gone, full = await all_verdicts(world.verifier(), ["gone@shop.com", "full@shop.com"])
    details = {check.name: check.detail for check in gone.checks}
    assert details["mailbox"] == f"{said[:199]}…"
    assert f"S: {said[:196]}…" in gone.transcript
    assert {check.name: check.detail for check in full.checks}["mailbox"] == f"552 5.2.2 {'x' * 190}"


async def test_the_same_evidence_gives_the_same_verdict(world: World) -> None:
    await world.domain("shop.com")
    verifier = world.verifier()
    first, second = [await verifier.verify("bob.miller+x@shop.com") for _ in range(2)]
    assert (first.category, first.reason, first.confidence) == (second.category, second.reason, second.confidence)


@pytest.mark.parametrize(
    ("category", "reason", "mailbox", "role", "free", "catch_all", "figure", "safe"),
    [
        (Category.VALID, Reason.MAILBOX_EXISTS, "x1", False, False, False, 0.97, True),
        (Category.VALID, Reason.MAILBOX_EXISTS, "info", True, False, False, 0.95, True),
        (Category.VALID, Reason.MAILBOX_EXISTS, "x1", False, False, None, 0.80, True),
        (Category.CATCH_ALL, Reason.ACCEPTS_ALL, "x1", False, False, True, 0.55, False),
        (Category.CATCH_ALL, Reason.ACCEPTS_ALL, "jane.miller", False, False, True, 0.63, True),
        (Category.CATCH_ALL, Reason.ACCEPTS_ALL, "info", True, False, True, 0.50, False),
        (Category.UNKNOWN, Reason.GREYLISTED, "x1", False, False, None, 0.45, False),
        (Category.UNKNOWN, Reason.CONNECT_FAILED, "x1", False, False, None, 0.20, False),
        (Category.DISPOSABLE, Reason.DISPOSABLE_DOMAIN, "jane.miller", False, True, None, 0.10, False),
        (Category.INVALID, Reason.MAILBOX_NOT_FOUND, "jane.miller", False, True, False, 0.0, False),
        (Category.SPAM_TRAP, Reason.KNOWN_TRAP, "jane.miller", False, False, None, 0.0, False),
    ],
)
def test_confidence(
    category: Category,
    reason: Reason,
    mailbox: str,
    role: bool,
    free: bool,
    catch_all: bool | None,
    figure: float,
    safe: bool,
) -> None:
    found = compute_confidence(category, reason, mailbox=mailbox, is_role=role, is_free=free, is_catch_all=catch_all)
    assert (found, is_safe_to_send(category, found)) == (figure, safe)


@pytest.mark.parametrize("category", list(Category))
@pytest.mark.parametrize("reason", list(Reason))
def test_confidence_is_a_probability(category: Category, reason: Reason) -> None:
    figure = compute_confidence(category, reason, mailbox="jane.miller", is_role=False, is_free=True, is_catch_all=None)
    assert 0.0 <= figure <= 1.0
