"""Checks that a caller leaves out are not made, are not guessed, and decide nothing."""

import pytest

from validation.engine import Category, OptionalCheck, Outcome, Reason, Verdict
from validation.engine.tests.world import Host, World

NOTHING: frozenset[OptionalCheck] = frozenset()
LEFT_OUT = "Not included in your plan"


def skipped(verdict: Verdict) -> set[str]:
    found = {check.name for check in verdict.checks if check.detail == LEFT_OUT}
    assert all(check.outcome is Outcome.SKIPPED for check in verdict.checks if check.name in found)
    return found


@pytest.mark.spec("VAL-021")
async def test_no_mail_server_is_asked(world: World) -> None:
    host = Host()
    await world.domain("shop.com", host)
    verdict = await world.verifier().verify("alice@shop.com", checks=NOTHING)
    assert (verdict.category, verdict.reason) == (Category.UNKNOWN, Reason.NOT_IN_PLAN)
    assert (verdict.smtp_valid, verdict.is_catch_all, verdict.is_disposable) == (None, None, None)
    assert (verdict.syntax_valid, verdict.domain_valid, verdict.safe_to_send) == (True, True, False)
    assert len(skipped(verdict)) == 9
    assert (verdict.transcript, host.connections) == ((), 0)


@pytest.mark.spec("VAL-021")
async def test_lists_of_disposable_domains_are_not_asked(world: World) -> None:
    verdict = await world.verifier().verify("a@mailinator.com", checks=frozenset({OptionalCheck.MAILBOX}))
    assert verdict.is_disposable is None
    assert verdict.category is not Category.DISPOSABLE
    assert skipped(verdict) == {"disposable_domain"}
    assert verdict.flags == ()


async def test_a_listed_domain_is_disposable_also_when_its_hosts_are_not_asked(world: World) -> None:
    world.dns.mx("mailinator.com", "10 mail.mailinator.com.")
    checks = frozenset({OptionalCheck.DISPOSABLE})
    verdict = await world.verifier().verify("a@mailinator.com", checks=checks)
    assert (verdict.category, verdict.is_disposable) == (Category.DISPOSABLE, True)


@pytest.mark.spec("VAL-021")
async def test_what_other_checks_decide_stays_decided(world: World) -> None:
    world.dns.mx("null.com", "0 .")
    verdicts = [await world.verifier().verify(address, checks=NOTHING) for address in ("a@null.com", "no address")]
    assert [(verdict.category, verdict.reason) for verdict in verdicts] == [
        (Category.INVALID, Reason.NULL_MX),
        (Category.INVALID, Reason.SYNTAX),
    ]
