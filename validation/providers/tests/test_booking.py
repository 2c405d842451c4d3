"""Budgets, allowances, breakers: exact however many ask at once."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from emailcheck.common.testing import run_sixteen
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.chunks import pipeline
from validation.batches.models import BatchType
from validation.providers import booking, health
from validation.providers.booking import AllowanceUsed, QuestionBudget
from validation.providers.clients.base import OutOfCredit, RateLimited, Refused, StillRunning, Unavailable
from validation.providers.models import ProviderDay, ProviderMonth, ProviderState, Question
from validation.tests.outside import connect, said

pytestmark = pytest.mark.postgres

ZB = "zerobounce"


def state_of(name: str = ZB, **values: Any) -> ProviderState:
    health.load_states([name])
    ProviderState.objects.filter(name=name).update(**values)
    return ProviderState.objects.get(name=name)


@pytest.mark.spec("ADM-608")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_never_exceed_a_days_budget(alice: User) -> None:
    state, asker = state_of(daily_budget=5), QuestionBudget(alice.pk, 100)
    booked = run_sixteen(lambda number: booking.book_question(asker, f"row {number}", state))
    assert (len([one for one in booked if one]), Question.objects.count()) == (5, 5)
    assert ProviderDay.objects.values_list("calls", "spent").get() == (5, 5)
    assert ProviderMonth.objects.get(organisation=alice.own_organisation).questions == 5


@pytest.mark.spec("ADM-608")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_never_exceed_an_accounts_month(alice: User) -> None:
    state, asker = state_of(daily_budget=None), QuestionBudget(alice.pk, 3)

    def book(number: int) -> bool:
        try:
            return booking.book_question(asker, f"row {number}", state) is not None
        except AllowanceUsed:
            return False

    assert run_sixteen(book).count(True) == 3
    assert (ProviderDay.objects.get().spent, ProviderMonth.objects.get().questions) == (3, 3)


@pytest.mark.spec("ADM-608")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_ask_one_provider_about_a_row_once(alice: User) -> None:
    state, asker = state_of(), QuestionBudget(alice.pk, 100)
    booked = run_sixteen(lambda _: booking.book_question(asker, "the row", state))
    assert len([one for one in booked if one]) == 1
    assert ProviderDay.objects.values_list("calls", "spent").get() == (1, 1)  # the others counted nothing


@pytest.mark.spec("ADM-608")
@pytest.mark.django_db(transaction=True)
def test_sixteen_workers_at_once_ask_about_each_row_once(
    world: Sandbox, alice: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    settings.CHUNK_ROWS = 1
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.PRO)
    there = connect(monkeypatch)
    lines = [f"reader{number}@velvetcircuit.com" for number in range(12)]
    batch = batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    run_sixteen(lambda _: pipeline.run_worker())
    pipeline.run_worker()
    batch.refresh_from_db()
    assert (batch.status, batch.valid_count, batch.credits_used) == ("completed", 12, 12)
    assert sorted(address for provider in there.values() for address in provider.asked) == sorted(lines)
    assert sum(ProviderDay.objects.values_list("spent", flat=True)) == batch.questions_booked == 12


def test_what_was_surely_not_charged_is_given_back_once(alice: User) -> None:
    asker = QuestionBudget(alice.pk, 100)
    question = booking.book_question(asker, "row", state_of())
    assert question is not None
    for _ in range(2):
        booking.record_failure(asker, question, RateLimited("too many"))
    assert ProviderDay.objects.values_list("calls", "spent", "failures").get() == (1, 0, 1)
    assert ProviderMonth.objects.get().questions == 0


def test_an_answer_counts_once(alice: User) -> None:
    asker = QuestionBudget(alice.pk, 100)
    question = booking.book_question(asker, "row", state_of())
    assert question is not None
    for _ in range(2):
        booking.record_answer(asker, question, said(ZB, "valid", took_ms=40.0), charged=True)
    assert ProviderDay.objects.values_list("answers", "hits", "spent", "time_ms").get() == (1, 1, 1, 40)


def test_a_late_answer_to_a_question_that_another_took_over_is_not_recorded(alice: User) -> None:
    asker = QuestionBudget(alice.pk, 100)
    late = booking.book_question(asker, "row", state_of())
    assert late is not None
    assert booking.reclaim_question(late) is None  # nobody asks again what is being asked
    booking.record_still_running(late, StillRunning("greylisted", again_after=60.0))
    mine = booking.reclaim_question(late)
    assert mine is not None
    assert booking.reclaim_question(late) is None
    booking.record_answer(asker, late, said(ZB, "invalid", took_ms=40.0), charged=False)
    booking.record_failure(asker, late, RateLimited("too many"))
    assert ProviderDay.objects.values_list("spent", "answers", "failures").get() == (1, 0, 0)
    assert Question.objects.values_list("state", "answer", "attempts").get() == ("asked", None, 2)
    booking.record_answer(asker, mine, said(ZB, "valid", took_ms=40.0), charged=True)
    assert ProviderDay.objects.values_list("spent", "answers", "failures").get() == (1, 1, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_who_take_a_question_over_one_does(alice: User) -> None:
    question = Question.objects.create(organisation=alice.own_organisation, subject="1:1", provider=ZB, state="running")
    assert len([one for one in run_sixteen(lambda _: booking.reclaim_question(question)) if one]) == 1


def test_the_breaker_opens_after_failures_and_closes_with_an_answer(alice: User) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        for _ in range(health.FAILURES):
            assert health.admit_question(state_of())
            health.record_failure(ZB, Unavailable("down"))
        assert (state_of().breaker, health.admit_question(state_of())) == ("open", False)
        clock.shift(timedelta(seconds=health.PAUSE_S))
        half_open = state_of()
        assert half_open.breaker == "half_open"
        assert [health.admit_question(half_open) for _ in range(2)] == [True, False]  # one finds out
        health.record_failure(ZB, Unavailable("down"))
        again = state_of()
        assert again.not_before == timezone.now() + timedelta(seconds=2 * health.PAUSE_S)
        health.record_success(ZB)
        healed = state_of()
        assert (healed.breaker, healed.failures, healed.pauses, healed.breaker_reason) == ("closed", 0, 0, "")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "seconds"),
    [(OutOfCredit("none"), 900), (RateLimited("too many", retry_after=7.0), 7), (Refused("this address"), 0)],
)
def test_one_that_wants_no_questions_is_left_alone_at_once(error: Any, seconds: int) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        state_of()
        health.record_failure(ZB, error)
        until = state_of().not_before
        assert until == (timezone.now() + timedelta(seconds=seconds) if seconds else None)


def test_old_questions_are_forgotten(alice: User) -> None:
    state = state_of()
    for subject in ("old", "new"):
        booking.book_question(QuestionBudget(alice.pk, 100), subject, state)
    Question.objects.filter(subject="old").update(asked_at=timezone.now() - timedelta(days=91))
    booking.delete_old_questions()
    assert list(Question.objects.values_list("subject", flat=True)) == ["new"]
