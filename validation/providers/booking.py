"""Questions to outside providers: booked before they are asked, settled when they are answered.

A booking counts against the list's allowance, the account's month and the provider's day, and writes the question
down under a key of which there is one, all in one short transaction: so no limit is ever exceeded, and nobody asks one
provider twice about one row, whoever dies in between. What a provider surely did not charge for is given back.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from emailcheck.common import ids, personal
from emailcheck.common.text.database_text import make_storable
from validation.providers import health
from validation.providers.clients.base import ProviderError, StillRunning
from validation.providers.models import ProviderDay, ProviderMonth, ProviderState, Question, QuestionState
from validation.providers.routing import ProviderAnswer

KEEP_FOR = timedelta(days=90)


class AllowanceUsed(Exception):
    """The list, or the account's month, has no question left, or the list stops."""


class _BudgetUsed(Exception):
    """The provider has no budget left today, or was asked about this row before."""


class QuestionsOfBatch(Protocol):
    """The questions that a list may have asked; the list itself counts them."""

    @property
    def batch_id(self) -> int: ...

    def book_one(self) -> bool:
        """Count one more. False where the list has none left, or stops."""

    def return_one(self) -> None:
        """Count one less."""


@dataclass(frozen=True, slots=True)
class QuestionBudget:
    """For whom questions are asked: an account with so many a month, and a list with so many, if it is one.

    `looks_again_since` is when the list began its second look.
    """

    user_id: int
    a_month: int
    batch: QuestionsOfBatch | None = None
    looks_again_since: datetime | None = None

    @property
    def batch_id(self) -> int | None:
        return self.batch.batch_id if self.batch else None

    def subject(self, position: int) -> str:
        """The key of a row; each single check has one of its own."""
        return f"{self.batch_id}:{position}" if self.batch_id else ids.generate_id("chk")


def book_question(asker: QuestionBudget, subject: str, state: ProviderState) -> Question | None:
    """Write down that a provider will be asked about a row. None where it may not be: ask another.

    Raises `AllowanceUsed`.
    """
    now = timezone.now()
    _ensure_rows(asker, state.name, now)
    try:
        with transaction.atomic():
            _count_question(asker, state, now)
            return Question.objects.create(
                user_id=asker.user_id, batch_id=asker.batch_id, subject=subject, provider=state.name, asked_at=now
            )
    except (_BudgetUsed, IntegrityError):
        return None


def _count_question(asker: QuestionBudget, state: ProviderState, now: datetime) -> None:
    """Count a question everywhere, in one order; what is full undoes the rest with the caller's transaction."""
    if asker.batch and not asker.batch.book_one():
        raise AllowanceUsed
    if not _count_up(_filter_month(asker.user_id, now), "questions", asker.a_month):
        raise AllowanceUsed
    if not _count_up(_filter_day(state.name, now), "spent", state.daily_budget, calls=F("calls") + 1):
        raise _BudgetUsed


def _count_up(rows: QuerySet[Any], name: str, most: int | None, **more: Any) -> bool:
    """Count one more, unless there are `most`. The condition is on the row itself, so that it is looked at again after
    waiting for somebody else's change."""
    free = rows if most is None else rows.filter(**{f"{name}__lt": most})
    return bool(free.update(**{name: F(name) + 1}, **more))


def _ensure_rows(asker: QuestionBudget, provider: str, now: datetime) -> None:
    if not _filter_month(asker.user_id, now).exists():
        ProviderMonth.objects.get_or_create(user_id=asker.user_id, month=_first_of_month(now))
    if not _filter_day(provider, now).exists():
        ProviderDay.objects.get_or_create(provider=provider, date=now.date())


def reclaim_question(question: Question) -> bool:
    """Take up a question whose answer the provider still works on. True for the one caller who may."""
    mine = Question.objects.filter(pk=question.pk, state=QuestionState.RUNNING, tries=question.tries)
    return bool(mine.update(state=QuestionState.ASKED, tries=F("tries") + 1))


@transaction.atomic
def record_answer(asker: QuestionBudget, question: Question, answer: ProviderAnswer, *, charged: bool | None) -> None:
    """Keep an answer, and count it."""
    if not _end_question(question, QuestionState.ANSWERED, answer=answer.as_json()):
        return
    if charged is False:
        _return_question(asker, question)
    _filter_day(question.provider, question.asked_at).update(
        answers=F("answers") + 1,
        hits=F("hits") + int(answer.decides),
        time_ms=F("time_ms") + round(answer.took_ms or 0),
    )
    health.record_success(question.provider)


@transaction.atomic
def record_failure(asker: QuestionBudget, question: Question, error: ProviderError) -> None:
    """Keep what went wrong in place of an answer, and count it."""
    if not _end_question(question, QuestionState.FAILED, error=make_storable(error.reason)[:200]):
        return
    if error.charged is False:
        _return_question(asker, question)
    _filter_day(question.provider, question.asked_at).update(failures=F("failures") + 1)
    health.record_failure(question.provider, error)


def record_still_running(question: Question, error: StillRunning) -> datetime:
    """Note when to ask for the answer."""
    again_at = timezone.now() + timedelta(seconds=error.again_after)
    mine = Question.objects.filter(pk=question.pk, state=QuestionState.ASKED)
    mine.update(state=QuestionState.RUNNING, again_at=again_at)
    health.record_success(question.provider)
    return again_at


def count_disagreements(providers: Collection[str]) -> None:
    """Count answers that another source contradicts."""
    for provider in providers:
        _filter_day(provider, timezone.now()).update(disagreements=F("disagreements") + 1)


def list_questions(subjects: Iterable[str]) -> dict[str, list[Question]]:
    """What was asked about some rows before, in the order of asking."""
    found: dict[str, list[Question]] = {}
    for question in Question.objects.filter(subject__in=list(subjects)).order_by("asked_at", "pk"):
        found.setdefault(question.subject, []).append(question)
    return found


def find_month(user_id: int) -> ProviderMonth | None:
    """How much of an account's month is used."""
    return _filter_month(user_id, timezone.now()).first()


def delete_old_questions() -> None:
    """Delete the questions of lists that ended long ago, and months that are over."""
    before = timezone.now() - KEEP_FOR
    personal.delete_in_slices(Question.objects.filter(asked_at__lt=before))
    personal.delete_in_slices(ProviderMonth.objects.filter(month__lt=before.date()))


def _end_question(question: Question, state: QuestionState, **values: Any) -> bool:
    open_states = (QuestionState.ASKED, QuestionState.RUNNING)
    mine = Question.objects.filter(pk=question.pk, state__in=open_states)
    return bool(mine.update(state=state, ended_at=timezone.now(), **values))


def _return_question(asker: QuestionBudget, question: Question) -> None:
    """In the order in which `_count_question` counts."""
    if asker.batch:
        asker.batch.return_one()
    _filter_month(question.user_id, question.asked_at).filter(questions__gt=0).update(questions=F("questions") - 1)
    _filter_day(question.provider, question.asked_at).filter(spent__gt=0).update(spent=F("spent") - 1)


def _first_of_month(moment: datetime) -> date:
    return moment.date().replace(day=1)


def _filter_month(user_id: int, moment: datetime) -> QuerySet[ProviderMonth]:
    return ProviderMonth.objects.filter(user=user_id, month=_first_of_month(moment))


def _filter_day(provider: str, moment: datetime) -> QuerySet[ProviderDay]:
    return ProviderDay.objects.filter(provider=provider, date=moment.date())
