"""Questions to outside providers: booked before they are asked, settled when they are answered.

A booking counts against the list's allowance, the account's month and the provider's day, and writes the question
down under a key of which there is one, all in one short transaction: so no limit is ever exceeded, and nobody asks one
provider twice about one row, whoever dies in between. What a provider surely did not charge for is given back.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from emailcheck.common import ids, personal
from emailcheck.common.text import storable
from validation import provider_health
from validation.models import Batch
from validation.provider_models import ProviderDay, ProviderMonth, ProviderState, Question, QuestionState
from validation.providers.base import ProviderError, StillRunning
from validation.second_opinions import Said

KEPT = timedelta(days=90)


class AllowanceUsed(Exception):
    """The list, or the account's month, has no question left, or the list stops."""


class _Full(Exception):
    """The provider has no budget left today, or was asked about this row before."""


@dataclass(frozen=True, slots=True)
class Asker:
    """For whom questions are asked: an account with so many a month, and a list with so many, if it is one.

    `looks_again_since` is when the list began its second look.
    """

    user_id: int
    a_month: int
    batch_id: int | None = None
    a_batch: int = 0
    looks_again_since: datetime | None = None

    def subject(self, position: int) -> str:
        """The key of a row; each single check has one of its own."""
        return f"{self.batch_id}:{position}" if self.batch_id else ids.new("chk")


def book(asker: Asker, subject: str, state: ProviderState) -> Question | None:
    """Write down that a provider will be asked about a row. None where it may not be: ask another.

    Raises `AllowanceUsed`.
    """
    now = timezone.now()
    _have_rows(asker, state.name, now)
    try:
        with transaction.atomic():
            _take(asker, state, now)
            return Question.objects.create(
                user_id=asker.user_id, batch_id=asker.batch_id, subject=subject, provider=state.name, asked_at=now
            )
    except (_Full, IntegrityError):
        return None


def _take(asker: Asker, state: ProviderState, now: datetime) -> None:
    """Count a question everywhere, in one order; what is full undoes the rest with the caller's transaction."""
    if asker.batch_id and not _count(_running(asker.batch_id), "questions_booked", asker.a_batch):
        raise AllowanceUsed
    if not _count(_month_of(asker.user_id, now), "questions", asker.a_month):
        raise AllowanceUsed
    if not _count(_day_of(state.name, now), "spent", state.daily_budget, calls=F("calls") + 1):
        raise _Full


def _running(batch_id: int) -> QuerySet[Batch]:
    return Batch.objects.active().filter(pk=batch_id, stop_asked_at=None)


def _count(rows: QuerySet[Any], name: str, most: int | None, **more: Any) -> bool:
    """Count one more, unless there are `most`. The condition is on the row itself, so that it is looked at again after
    waiting for somebody else's change."""
    free = rows if most is None else rows.filter(**{f"{name}__lt": most})
    return bool(free.update(**{name: F(name) + 1}, **more))


def _have_rows(asker: Asker, provider: str, now: datetime) -> None:
    if not _month_of(asker.user_id, now).exists():
        ProviderMonth.objects.get_or_create(user_id=asker.user_id, month=_first_of_month(now))
    if not _day_of(provider, now).exists():
        ProviderDay.objects.get_or_create(provider=provider, date=now.date())


def ask_again(question: Question) -> bool:
    """Take up a question whose answer the provider still works on. True for the one caller who may."""
    mine = Question.objects.filter(pk=question.pk, state=QuestionState.RUNNING, tries=question.tries)
    return bool(mine.update(state=QuestionState.ASKED, tries=F("tries") + 1))


@transaction.atomic
def answered(question: Question, said: Said, *, charged: bool | None) -> None:
    """Keep an answer, and count it."""
    if not _end(question, QuestionState.ANSWERED, answer=said.as_json()):
        return
    if charged is False:
        _give_back(question)
    _day_of(question.provider, question.asked_at).update(
        answers=F("answers") + 1, hits=F("hits") + int(said.decides), time_ms=F("time_ms") + round(said.took_ms or 0)
    )
    provider_health.answered(question.provider)


@transaction.atomic
def failed(question: Question, error: ProviderError) -> None:
    """Keep what went wrong in place of an answer, and count it."""
    if not _end(question, QuestionState.FAILED, error=storable(error.reason)[:200]):
        return
    if error.charged is False:
        _give_back(question)
    _day_of(question.provider, question.asked_at).update(failures=F("failures") + 1)
    provider_health.failed(question.provider, error)


def still_running(question: Question, error: StillRunning) -> datetime:
    """Note when to ask for the answer."""
    again_at = timezone.now() + timedelta(seconds=error.again_after)
    mine = Question.objects.filter(pk=question.pk, state=QuestionState.ASKED)
    mine.update(state=QuestionState.RUNNING, again_at=again_at)
    provider_health.answered(question.provider)
    return again_at


def contradicted(providers: Collection[str]) -> None:
    """Count answers that another source contradicts."""
    for provider in providers:
        _day_of(provider, timezone.now()).update(disagreements=F("disagreements") + 1)


def of_rows(subjects: Iterable[str]) -> dict[str, list[Question]]:
    """What was asked about some rows before, in the order of asking."""
    found: dict[str, list[Question]] = {}
    for question in Question.objects.filter(subject__in=list(subjects)).order_by("asked_at", "pk"):
        found.setdefault(question.subject, []).append(question)
    return found


def month_of(user_id: int) -> ProviderMonth | None:
    """How much of an account's month is used."""
    return _month_of(user_id, timezone.now()).first()


def forget_old() -> None:
    """Delete the questions of lists that ended long ago, and months that are over."""
    before = timezone.now() - KEPT
    personal.delete_in_slices(Question.objects.filter(asked_at__lt=before))
    personal.delete_in_slices(ProviderMonth.objects.filter(month__lt=before.date()))


def _end(question: Question, state: QuestionState, **values: Any) -> bool:
    open_states = (QuestionState.ASKED, QuestionState.RUNNING)
    mine = Question.objects.filter(pk=question.pk, state__in=open_states)
    return bool(mine.update(state=state, ended_at=timezone.now(), **values))


def _give_back(question: Question) -> None:
    """In the order in which `_take` counts."""
    if question.batch_id:
        booked = Batch.objects.filter(pk=question.batch_id, questions_booked__gt=0)
        booked.update(questions_booked=F("questions_booked") - 1)
    _month_of(question.user_id, question.asked_at).filter(questions__gt=0).update(questions=F("questions") - 1)
    _day_of(question.provider, question.asked_at).filter(spent__gt=0).update(spent=F("spent") - 1)


def _first_of_month(moment: datetime) -> date:
    return moment.date().replace(day=1)


def _month_of(user_id: int, moment: datetime) -> QuerySet[ProviderMonth]:
    return ProviderMonth.objects.filter(user=user_id, month=_first_of_month(moment))


def _day_of(provider: str, moment: datetime) -> QuerySet[ProviderDay]:
    return ProviderDay.objects.filter(provider=provider, date=moment.date())
