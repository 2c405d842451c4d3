"""Notices about credits that run out: once a month each."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.organisations.models import Organisation
from accounts.tests.mailed import read_mails
from accounts.users.models import User
from billing import tasks
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditHold, CreditMonth, LotKind, UsageAlerts
from billing.signals import quota_reached
from billing.subscriptions import entitlements
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle.trials import start_trial
from billing.usage import quota
from conftest import client_of, make_user
from emailcheck.common.errors import Refused
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.postgres

START = datetime(2026, 1, 10, 8, tzinfo=UTC)
Shortages = list[quota.Shortage]
News = list[tuple[str, int, int, str]]


@pytest.fixture
def una(db: None) -> Iterator[User]:
    with time_machine.travel(START, tick=False):
        yield make_user("una@umber.org", "Una Umber", plan=Plan.FREE)


@pytest.fixture
def news() -> Iterator[News]:
    heard: News = []

    def hear(organisation: Organisation, level: str, used: int, limit: int, resets_at: datetime, **kwargs: Any) -> None:
        heard.append((level, used, limit, f"{resets_at:%Y-%m-%d}"))

    quota_reached.connect(hear)
    yield heard
    quota_reached.disconnect(hear)


@pytest.fixture
def shortages() -> Iterator[Shortages]:
    heard: Shortages = []

    def hear(level: str, shortage: quota.Shortage | None, **kwargs: Any) -> None:
        assert (level == "warning") == (shortage is None)
        heard.extend([shortage] if shortage else [])

    quota_reached.connect(hear)
    yield heard
    quota_reached.disconnect(hear)


def refuse(user: User, amount: int) -> None:
    """Ask for more than there is."""
    with pytest.raises(Refused), quota.notify_refusals(user.own_organisation):
        ledger.open_hold(organisation_id=user.pk, amount=amount, reason="Batch", key=f"refused:{amount}")


@contextmanager
def giving_back(hold: CreditHold) -> Iterator[None]:
    """What a list held comes back as this ends, whatever happens."""
    try:
        yield
    finally:
        ledger.close_hold(hold=hold, captured=0)


def spend(user: User, amount: int, key: str) -> None:
    ledger.close_hold(
        hold=ledger.open_hold(organisation_id=user.pk, amount=amount, reason="Batch", key=key), captured=amount
    )


def statements_of_a_check(user: User, key: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        spend(user, 1, key)
    return len(asked)


def mails() -> list[str]:
    names = ("quota_80", "quota_reached", "too_few_credits", "low_balance", "trial_ending", "trial_ended")
    return list(OutgoingMail.objects.filter(name__in=names).order_by("pk").values_list("name", flat=True))


@pytest.mark.spec("LIM-024", "DOC-052", "DOC-056")
def test_at_80_percent_and_at_nothing_once_a_month(una: User, news: News) -> None:
    spend(una, 79, "b1")
    assert (news, mails()) == ([], [])
    spend(una, 1, "b2")
    spend(una, 1, "b3")
    assert (news, mails()) == ([("warning", 80, 100, "2026-02-10")], ["quota_80"])
    spend(una, 19, "b4")
    assert news[1:] == [("exceeded", 100, 100, "2026-02-10")]
    assert mails() == ["quota_80", "quota_reached"]
    refuse(una, 1)
    assert len(news) == 2


@pytest.mark.spec("DASH-024", "DOC-056")
def test_the_next_month_has_notices_of_its_own(una: User, news: News) -> None:
    spend(una, 100, "b1")
    assert [level for level, *_ in news] == ["warning", "exceeded"]
    assert mails() == ["quota_reached"]  # one mail for what happens at once
    with time_machine.travel(datetime(2026, 2, 10, 8, tzinfo=UTC), tick=False):
        tasks.keep_time()
        spend(una, 85, "b2")
    assert [level for level, *_ in news] == ["warning", "exceeded", "warning"]


@pytest.mark.spec("DASH-024", "VAL-022")
def test_a_refusal_is_a_notice_and_nothing_else_changes(una: User, news: News) -> None:
    refuse(una, 101)
    assert (news, mails()) == ([("exceeded", 0, 100, "2026-02-10")], ["too_few_credits"])
    assert entitlements.build_account_summary(una.own_organisation)["credits"] == 100


@pytest.mark.spec("PEN-009")
@pytest.mark.finding("D7")
def test_who_has_100_of_100_is_not_told_that_they_are_used(una: User, shortages: Shortages) -> None:
    refuse(una, 101)
    refuse(una, 5_000)
    assert shortages == [quota.Shortage("refused", needed=101, balance=100)]
    assert mails() == ["too_few_credits"]
    assert read_mails()[-1] == ("una@umber.org", "Your list needs 101 credits, you have 100")
    text = str(mail.outbox[-1].body)
    assert ("101 credits, and 100 can be spent" in text, "are held" in text) == (True, False)
    with time_machine.travel(datetime(2026, 2, 10, 8, tzinfo=UTC), tick=False):
        tasks.keep_time()
        refuse(una, 102)
    assert (mails(), shortages[1:]) == (["too_few_credits"] * 2, [quota.Shortage("refused", 102, 100)])


@pytest.mark.spec("PEN-009", "DOC-056")
def test_a_refusal_does_not_keep_the_mail_of_an_empty_balance(una: User, shortages: Shortages) -> None:
    refuse(una, 101)
    spend(una, 100, "b2")
    assert mails() == ["too_few_credits", "quota_reached"]
    assert [one.cause for one in shortages] == ["refused"]  # the event itself comes once a month
    refuse(una, 1)
    assert mails() == ["too_few_credits", "quota_reached"]


@pytest.mark.spec("PEN-009")
def test_an_empty_balance_is_told_as_such_and_only_once(una: User, shortages: list[quota.Shortage]) -> None:
    spend(una, 100, "b1")
    refuse(una, 7)
    assert (mails(), shortages) == (["quota_reached"], [quota.Shortage("empty", needed=0, balance=0)])


@pytest.mark.spec("PEN-009")
def test_what_came_back_right_after_a_refusal_is_not_used_up(una: User, shortages: Shortages) -> None:
    held = ledger.open_hold(organisation_id=una.pk, amount=100, reason="Batch", key="b1")
    with pytest.raises(Refused), quota.notify_refusals(una.own_organisation), giving_back(held):
        ledger.open_hold(organisation_id=una.pk, amount=7, reason="Batch", key="b2")
    assert (mails(), shortages) == (["too_few_credits"], [quota.Shortage("refused", needed=7, balance=0)])
    assert CreditAccount.objects.get(organisation=una.own_organisation).balance == 100


@pytest.mark.spec("PEN-009")
def test_credits_that_lists_hold_are_not_used_up(una: User, shortages: Shortages) -> None:
    ledger.open_hold(organisation_id=una.pk, amount=100, reason="Batch", key="b1")
    refuse(una, 3)
    assert shortages == [quota.Shortage("refused", needed=3, balance=0)]
    assert read_mails()[-1] == ("una@umber.org", "Your list needs 3 credits, you have 0")
    assert "Another 100 are held for lists that run" in str(mail.outbox[-1].body)


@pytest.mark.spec("PEN-009")
def test_refusals_are_not_mailed_to_whoever_wants_none(una: User, shortages: Shortages) -> None:
    quota.update_alerts(organisation=una.own_organisation, warn_100=False)
    refuse(una, 101)
    assert (mails(), len(shortages)) == ([], 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("PEN-009", "DOC-056")
def test_sixteen_refusals_at_once_are_told_once(una: User, shortages: Shortages) -> None:
    run_sixteen(lambda number: refuse(una, 101 + number))
    assert (mails(), [one.cause for one in shortages]) == (["too_few_credits"], ["refused"])
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("DASH-024", "VAL-022")
def test_the_calls_note_their_refusals(una: User, news: News) -> None:
    api = client_of(una)
    spend(una, 98, "b1")
    del news[:]
    lines = {"emails": ["a@x.org", "b@x.org", "c@x.org"]}
    answer = api.post("/api/validate/bulk", lines, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        403, "QUOTA_EXCEEDED", "Insufficient credits. You need 3 but have 2.",
    )  # fmt: skip
    assert [level for level, *_ in news] == ["exceeded"]
    assert entitlements.build_account_summary(una.own_organisation)["credits"] == 2


def test_packs_do_not_hide_that_the_plan_is_used_up(una: User, news: News) -> None:
    ledger.grant_credits(organisation_id=una.pk, kind=LotKind.PACK, amount=500, reason="Pack", key="p1")
    spend(una, 150, "b1")
    assert news == [("warning", 100, 100, "2026-02-10")]


def test_what_running_lists_hold_is_not_used_yet(una: User, news: News) -> None:
    held = ledger.open_hold(organisation_id=una.pk, amount=95, reason="Batch", key="b1")
    spend(una, 1, "b2")
    assert (news, quota.compute_plan_usage(una.own_organisation)) == ([], quota.PlanUsage(granted=100, used=1))
    ledger.close_hold(hold=held, captured=79)
    assert [level for level, *_ in news] == ["warning"]


def test_what_was_told_makes_no_check_dear(una: User, news: News) -> None:
    """Above 80 % and below a set balance every check asks whether that was told: two statements, whatever was spent."""
    quota.update_alerts(organisation=una.own_organisation, low_balance=90)
    spend(una, 1, "b1")
    usual = statements_of_a_check(una, "b2")
    spend(una, 88, "b3")
    assert ([level for level, *_ in news], sorted(mails())) == (["warning"], ["low_balance", "quota_80"])
    assert statements_of_a_check(una, "b4") == usual + 2
    held = ledger.open_hold(organisation_id=una.pk, amount=9, reason="Batch", key="b5")
    assert CreditAccount.objects.get(organisation=una.own_organisation).balance == 0
    ledger.close_hold(hold=held, captured=9)
    assert [level for level, *_ in news] == ["warning", "exceeded"]


def test_a_running_list_makes_checks_ask_once_more(una: User, news: News) -> None:
    usual = statements_of_a_check(una, "b1")
    ledger.open_hold(organisation_id=una.pk, amount=90, reason="Batch", key="b2")
    assert statements_of_a_check(una, "b3") == usual + 3
    assert news == []


def test_a_plan_of_its_own_has_notices_of_its_own(una: User, news: News) -> None:
    """The month of a plan begins when it was bought: what was told in the month before it counts no longer."""
    spend(una, 85, "b1")
    with time_machine.travel(START + timedelta(days=5), tick=False):
        subscriptions.activate_plan(organisation_id=una.pk, plan=Plan.STARTER, cycle=Cycle.MONTHLY, paid_until=None)
        left = entitlements.build_account_summary(una.own_organisation)["credits"]
        spend(una, left - 5, "b2")
        spend(una, 1, "b3")
    assert [(level, ends) for level, _, _, ends in news] == [("warning", "2026-02-10"), ("warning", "2026-02-15")]


@pytest.mark.spec("DASH-024")
def test_alerts_are_chosen(una: User) -> None:
    api = client_of(una)
    path = "/api/user/usage-alerts"
    assert api.get(path).json() == {"warn_80": True, "warn_100": True, "low_balance": None}
    assert api.put(path, {"warn_80": False}, format="json").json() == {
        "warn_80": False, "warn_100": True, "low_balance": None,
    }  # fmt: skip
    spend(una, 85, "b1")
    assert mails() == []
    assert CreditMonth.objects.get(organisation=una.own_organisation).warned_at == START
    for wrong in (0, -5, 1.5, "many"):
        assert api.put(path, {"low_balance": wrong}, format="json").status_code == 400
    assert api.get(path).json()["low_balance"] is None


@pytest.mark.spec("DASH-024")
def test_a_low_balance_is_told_once_until_it_is_above_again(una: User) -> None:
    api = client_of(una)
    assert api.put("/api/user/usage-alerts", {"low_balance": 50}, format="json").json()["low_balance"] == 50
    spend(una, 50, "b1")
    assert mails() == []
    spend(una, 1, "b2")
    spend(una, 1, "b3")
    assert mails() == ["low_balance"]
    ledger.grant_credits(organisation_id=una.pk, kind=LotKind.PACK, amount=10, reason="Pack", key="p1")
    spend(una, 20, "b4")
    assert mails() == ["low_balance", "low_balance"]
    assert api.put("/api/user/usage-alerts", {"low_balance": None}, format="json").json()["low_balance"] is None
    assert UsageAlerts.objects.get(organisation=una.own_organisation).low_sent_at is None


@pytest.mark.spec("DASH-024")
def test_a_balance_that_is_low_because_credits_were_taken_back_is_told(una: User) -> None:
    quota.update_alerts(organisation=una.own_organisation, low_balance=50)
    ledger.claw_back_credits(organisation_id=una.pk, amount=60, reason="Refund", key="r1")
    assert mails() == ["low_balance"]


@pytest.mark.spec("SUB-017")
def test_mails_two_days_before_a_trial_ends_and_when_it_has(una: User) -> None:
    start_trial(organisation=una.own_organisation)
    for days, sent in ((11.99, []), (12, ["trial_ending"]), (13, ["trial_ending"])):
        with time_machine.travel(START + timedelta(days=days), tick=False):
            tasks.keep_time()
            tasks.keep_time()
            assert mails() == sent
    with time_machine.travel(START + timedelta(days=14), tick=False):
        tasks.keep_time()
        tasks.keep_time()
    assert mails() == ["trial_ending", "trial_ended"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("DOC-056")
def test_sixteen_at_once_are_told_once(una: User) -> None:
    run_sixteen(lambda number: spend(una, 6, f"b{number}"))
    assert mails() == ["quota_80"]
    assert ledger.reconcile_ledger() == []


def test_a_stranger_sees_only_own_alerts(una: User, bob_api: APIClient) -> None:
    quota.update_alerts(organisation=una.own_organisation, low_balance=7)
    assert bob_api.get("/api/user/usage-alerts").json()["low_balance"] is None
