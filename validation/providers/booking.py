"""Questions to outside providers: booked before they are sent, recorded when they are answered.

A booking counts against the list's limit, the account's month and the provider's day, and stores the question under a
unique key, all in one short transaction. So no limit is ever exceeded, and no provider is asked twice about one row,
even after a crash. A question that the provider surely did not charge for is returned.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from emailcheck.common import personal, secrecy
from emailcheck.common.queue.leases import begin_lease
from emailcheck.common.text.cleaning import make_storable
from validation.providers import health
from validation.providers.clients.base import ProviderError, StillRunning
from validation.providers.models import ProviderDay, ProviderMonth, ProviderState, Question, QuestionState
from validation.providers.routing import ProviderAnswer

KEEP_FOR = timedelta(days=90)
LEASE = timedelta(minutes=1)


class AllowanceUsed(Exception):
    """The list's or the account's month's limit is used up, or the list stops."""


class _BudgetUsed(Exception):
    """The provider's budget of the day is used up, or it was asked about this row before."""


class QuestionsOfBatch(Protocol):
    """The limit of a list's questions; the list counts them itself."""

    @property
    def batch_id(self) -> int: ...

    def book_one(self) -> bool:
        """Count one more question. False when the limit is reached, or the list stops."""

    def return_one(self) -> None:
        """Count one question less."""


@dataclass(frozen=True, slots=True)
class QuestionBudget:
    """The limits of a job's questions: the account's month, and the list's limit if it is one.

    `looks_again_since`: when the list's re-check began.
    """

    organisation_id: int
    a_month: int
    batch: QuestionsOfBatch | None = None
    looks_again_since: datetime | None = None

    @property
    def batch_id(self) -> int | None:
        return self.batch.batch_id if self.batch else None

    def subject(self, position: int) -> str:
        """The key of a row; each single check has one of its own."""
        return f"{self.batch_id}:{position}" if self.batch_id else secrecy.generate_id("chk")


def book_question(asker: QuestionBudget, subject: str, state: ProviderState) -> Question | None:
    """Store the question to a provider about a row. None where it is not allowed; then try another provider.

    Raises `AllowanceUsed`.
    """
    now = timezone.now()
    _ensure_rows(asker, state.name, now)
    try:
        with transaction.atomic():
            _count_question(asker, state, now)
            return Question.objects.create(
                organisation_id=asker.organisation_id,
                batch_id=asker.batch_id,
                subject=subject,
                provider=state.name,
                asked_at=now,
                **begin_lease(lasts=LEASE),
            )
    except (_BudgetUsed, IntegrityError):
        return None


def _count_question(asker: QuestionBudget, state: ProviderState, now: datetime) -> None:
    """Count a question at every limit, in a fixed order.

    The caller's transaction undoes the counts when one is full.
    """
    if asker.batch and not asker.batch.book_one():
        raise AllowanceUsed
    if not _count_up(_filter_month(asker.organisation_id, now), "questions", asker.a_month):
        raise AllowanceUsed
    if not _count_up(_filter_day(state.name, now), "spent", state.daily_budget, calls=F("calls") + 1):
        raise _BudgetUsed


def _count_up(rows: QuerySet[Any], name: str, most: int | None, **more: Any) -> bool:
    """Count one more, up to `most`.

    The condition is on the row itself, so that it is checked again after waiting for a concurrent change.
    """
    free = rows if most is None else rows.filter(**{f"{name}__lt": most})
    return bool(free.update(**{name: F(name) + 1}, **more))


def _ensure_rows(asker: QuestionBudget, provider: str, now: datetime) -> None:
    if not _filter_month(asker.organisation_id, now).exists():
        ProviderMonth.objects.get_or_create(organisation_id=asker.organisation_id, month=_first_of_month(now))
    if not _filter_day(provider, now).exists():
        ProviderDay.objects.get_or_create(provider=provider, date=now.date())


def reclaim_question(question: Question) -> Question | None:
    """Take over a question that the provider still works on. None for all callers but one."""
    running = Question.objects.filter(state=QuestionState.RUNNING, attempts=question.attempts)
    return running.claim_row(question.pk, lasts=LEASE, state=QuestionState.ASKED)


@transaction.atomic
def record_answer(asker: QuestionBudget, question: Question, answer: ProviderAnswer, *, charged: bool | None) -> None:
    """Store an answer, and count it."""
    if not Question.objects.complete(
        question, state=QuestionState.ANSWERED, ended_at=timezone.now(), answer=answer.as_json()
    ):
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
    """Store a failure in place of an answer, and count it."""
    words = make_storable(error.reason)[:200]
    if not Question.objects.complete(question, state=QuestionState.FAILED, ended_at=timezone.now(), error=words):
        return
    if error.charged is False:
        _return_question(asker, question)
    _filter_day(question.provider, question.asked_at).update(failures=F("failures") + 1)
    health.record_failure(question.provider, error)


def record_still_running(question: Question, error: StillRunning) -> datetime:
    """Store the time at which to fetch the answer."""
    again_at = timezone.now() + timedelta(seconds=error.again_after)
    Question.objects.complete(question, state=QuestionState.RUNNING, again_at=again_at)
    health.record_success(question.provider)
    return again_at


def count_disagreements(providers: Collection[str]) -> None:
    """Count answers that another source contradicts."""
    for provider in providers:
        _filter_day(provider, timezone.now()).update(disagreements=F("disagreements") + 1)


def list_questions(subjects: Iterable[str]) -> dict[str, list[Question]]:
    """The earlier questions about some rows, oldest first."""
    found: dict[str, list[Question]] = {}
    for question in Question.objects.filter(subject__in=list(subjects)).order_by("asked_at", "pk"):
        found.setdefault(question.subject, []).append(question)
    return found


def find_month(organisation_id: int) -> ProviderMonth | None:
    """The used part of an account's month."""
    return _filter_month(organisation_id, timezone.now()).first()


def delete_old_questions() -> None:
    """Delete the questions of lists that ended long ago, and months that are over."""
    before = timezone.now() - KEEP_FOR
    personal.delete_in_slices(Question.objects.filter(asked_at__lt=before))
    personal.delete_in_slices(ProviderMonth.objects.filter(month__lt=before.date()))


def _return_question(asker: QuestionBudget, question: Question) -> None:
    """Undo the counts, in the order of `_count_question`."""
    if asker.batch:
        asker.batch.return_one()
    _filter_month(question.organisation_id, question.asked_at).filter(questions__gt=0).update(
        questions=F("questions") - 1
    )
    _filter_day(question.provider, question.asked_at).filter(spent__gt=0).update(spent=F("spent") - 1)


def _first_of_month(moment: datetime) -> date:
    return moment.date().replace(day=1)


def _filter_month(organisation_id: int, moment: datetime) -> QuerySet[ProviderMonth]:
    return ProviderMonth.objects.filter(organisation=organisation_id, month=_first_of_month(moment))


def _filter_day(provider: str, moment: datetime) -> QuerySet[ProviderDay]:
    return ProviderDay.objects.filter(provider=provider, date=moment.date())
