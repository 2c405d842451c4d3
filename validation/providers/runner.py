"""Asks outside providers about rows that the engine left undecided.

`ProviderRun` has the interface of an engine run, so that a worker handles both alike. Threads make the calls and touch
no database. The thread that collects from the run books questions and records answers. Every row arrives within the
time limit, at the latest with the engine's verdict.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any

from django.utils import timezone

from validation.engine import Verdict
from validation.providers import booking, health, routing
from validation.providers.allowance import ProviderAllowance
from validation.providers.booking import AllowanceUsed, QuestionBudget
from validation.providers.clients.base import (
    BadAnswer,
    BadKey,
    Opinion,
    OutOfCredit,
    Provider,
    ProviderError,
    RateLimited,
    Refused,
    StillRunning,
    Unavailable,
)
from validation.providers.clients.configuration import SERVICES
from validation.providers.models import ProviderState, Question, QuestionState
from validation.providers.routing import ProviderAnswer
from validation.verifier.checker import Arrival, Run, wait_for_any

log = logging.getLogger(__name__)
CALL_S = 10.0
CHUNK_S = 45.0
SINGLE_S = 12.0
AT_ONCE = 8
_THREADS = 16
_MOST_TRIES = 3
_LOST = "its answer was lost"
_TITLES = {service.name: service.title for service in SERVICES}
_WORDS: dict[type[ProviderError], str] = {
    Unavailable: "it did not answer in time",
    RateLimited: "it took no more questions",
    OutOfCredit: "our credits there were used up",
    BadKey: "it did not accept our key",
    Refused: "it refused the question",
    BadAnswer: "its answer could not be understood",
}
_turns = count()
_lock = threading.Lock()
_pools: list[ThreadPoolExecutor] = []


@dataclass(frozen=True, slots=True)
class QuestionSubject:
    """An undecided row with the engine's verdict. `index`: its position in the run. `key`: the key of its questions."""

    index: int
    key: str
    address: str
    verdict: Verdict


@dataclass(slots=True)
class _Row:
    subject: QuestionSubject
    answers: list[ProviderAnswer] = field(default_factory=list)
    # The number of answers from the first check.
    earlier: int = 0
    running: Question | None = None
    # The providers not asked about it yet, the next one first.
    left: list[Provider] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Call:
    row: _Row
    provider: Provider
    question: Question
    begun_at: datetime


class ProviderRun(Run):
    """Rows in progress at outside providers, at most `AT_ONCE` at a time."""

    def __init__(
        self,
        subjects: Sequence[QuestionSubject],
        gate: ProviderAllowance | None,
        asker: QuestionBudget,
        *,
        seconds: float,
    ) -> None:
        super().__init__(deque(), Future())
        self._gate, self._asker = gate, asker
        self._ends = time.monotonic() + seconds
        self._calls: dict[Future[Opinion], _Call] = {}
        self._postponed: list[tuple[int, Verdict, datetime]] = []
        self._waiting = deque(self._build_rows(subjects))
        self._may_ask = gate is not None

    def pop_arrived(self) -> list[Arrival]:
        """Record answers, send further questions, and return the decided rows."""
        self._record_answered()
        self._ask_waiting()
        if time.monotonic() >= self._ends:
            self._give_up()
        if not self._waiting and not self._calls and not self.ended:
            self.work.set_result(None)
        return super().pop_arrived()

    def pop_postponed(self) -> list[tuple[int, Verdict, datetime]]:
        """The rows that a provider still works on, by index, with the time at which to fetch the answer."""
        postponed, self._postponed = self._postponed, []
        return postponed

    def stop(self) -> None:
        """Send no further questions. The remaining rows arrive with the engine's verdict."""
        self._ends = time.monotonic()

    def pending_futures(self) -> list["Future[Any]"]:
        return list(self._calls) or [self.work]

    def _build_rows(self, subjects: Sequence[QuestionSubject]) -> list[_Row]:
        before = booking.list_questions(subject.key for subject in subjects)
        return [
            _build_row(subject, before.get(subject.key, []), self._providers(), self._asker) for subject in subjects
        ]

    def _ask_waiting(self) -> None:
        """Send questions until enough are in progress. A row without a provider left is decided."""
        free_calls = AT_ONCE - len(self._calls)
        while self._waiting and free_calls > 0:
            row = self._waiting.popleft()
            if self._ask_provider(row):
                free_calls -= 1
            else:
                self._judge_row(row)

    def _ask_provider(self, row: _Row) -> bool:
        """Send a question about a row. False without a provider left."""
        is_late = time.monotonic() >= self._ends - CALL_S / 2
        is_settled = routing.is_settled(row.subject.verdict, row.answers, earlier=row.earlier)
        if is_late or not self._may_ask or is_settled:
            return False
        if row.running is not None:
            return self._ask_for_answer(row, row.running)
        states = health.load_states([provider.name for provider in row.left])
        while row.left:
            provider = row.left.pop(0)
            if health.admit_question(states[provider.name]) and self._book(row, provider, states):
                return True
        return False

    def _book(self, row: _Row, provider: Provider, states: dict[str, ProviderState]) -> bool:
        try:
            question = booking.book_question(self._asker, row.subject.key, states[provider.name])
        except AllowanceUsed:
            self._may_ask = False
            row.left.clear()
            return False
        if question is not None:
            self._call(row, provider, question)
        return question is not None

    def _ask_for_answer(self, row: _Row, question: Question) -> bool:
        provider = next((one for one in self._providers() if one.name == question.provider), None)
        mine = booking.reclaim_question(question) if provider is not None else None
        if provider is None or mine is None:
            return False
        row.running = None
        self._call(row, provider, mine)
        return True

    def _call(self, row: _Row, provider: Provider, question: Question) -> None:
        timeout = max(1.0, min(CALL_S, self._ends - time.monotonic()))
        call = _thread_pool().submit(provider.check, row.subject.address, timeout=timeout)
        self._calls[call] = _Call(row, provider, question, timezone.now())

    def _record_answered(self) -> None:
        for done in [call for call in self._calls if call.done()]:
            self._record_result(self._calls.pop(done), done)

    def _record_result(self, call: _Call, done: "Future[Opinion]") -> None:
        title, at = call.provider.title, call.begun_at
        try:
            opinion = done.result()
        except StillRunning as error:
            self._postpone_row(call, error)
            return
        except Exception as error:
            self._record_failure(call, _as_provider_error(error))
        else:
            answers = routing.build_answer(opinion, title=title, at=at)
            booking.record_answer(self._asker, call.question, answers, charged=opinion.charged)
            call.row.answers.append(answers)
        self._waiting.appendleft(call.row)

    def _record_failure(self, call: _Call, error: ProviderError) -> None:
        booking.record_failure(self._asker, call.question, error)
        words = _WORDS.get(type(error), "it failed")
        name, title = call.provider.name, call.provider.title
        call.row.answers.append(routing.build_failed_answer(provider=name, title=title, at=call.begun_at, error=words))

    def _postpone_row(self, call: _Call, error: StillRunning) -> None:
        again_at = booking.record_still_running(call.question, error)
        if call.question.attempts <= _MOST_TRIES and self._asker.batch_id:
            self._postponed.append((call.row.subject.index, call.row.subject.verdict, again_at))
            return
        call.row.answers.append(_describe_lost_answer(call.question))
        self._waiting.appendleft(call.row)

    def _give_up(self) -> None:
        """Decide the remaining rows by the engine's verdict, without waiting for answers in progress."""
        for future, call in self._calls.items():
            if future.cancel():
                booking.record_failure(self._asker, call.question, Unavailable("never sent", charged=False))
            else:
                self._record_failure(call, Unavailable("no answer within the time of its list"))
            self._waiting.append(call.row)
        self._calls.clear()
        while self._waiting:
            self._judge_row(self._waiting.popleft())

    def _judge_row(self, row: _Row) -> None:
        if row.running is not None:
            row.answers.append(_describe_lost_answer(row.running))
        judged = routing.judge_answers(row.subject.verdict, row.answers)
        booking.count_disagreements(judged.contradicted)
        self._arrived.append((row.subject.index, judged.verdict))

    def _providers(self) -> tuple[Provider, ...]:
        return self._gate.providers if self._gate else ()


def ask_providers(verdict: Verdict, gate: ProviderAllowance, *, seconds: float = SINGLE_S) -> Verdict:
    """The verdict on one address with providers' answers, within so many seconds."""
    asker = QuestionBudget(gate.organisation_id, gate.a_month)
    subject = QuestionSubject(0, asker.subject(0), verdict.email, verdict)
    run = ProviderRun([subject], gate, asker, seconds=seconds)
    ends = time.monotonic() + seconds
    while True:
        if arrived := run.pop_arrived():
            return arrived[0][1]
        wait_for_any([run], max(0.0, ends - time.monotonic()))


def _build_row(
    subject: QuestionSubject, before: Sequence[Question], providers: Sequence[Provider], asker: QuestionBudget
) -> _Row:
    """A row with its earlier answers; no provider is asked twice."""
    row = _Row(subject)
    for question in before:
        if question.answer is not None:
            row.answers.append(ProviderAnswer(**question.answer))
            row.earlier += asker.looks_again_since is not None and question.asked_at < asker.looks_again_since
        elif question.state == QuestionState.RUNNING:
            row.running = question
        else:
            row.answers.append(_describe_lost_answer(question))
    asked = {question.provider for question in before}
    turn = next(_turns)
    in_turn = [providers[(turn + offset) % len(providers)] for offset in range(len(providers))]
    row.left = [provider for provider in in_turn if provider.name not in asked]
    return row


def _as_provider_error(error: Exception) -> ProviderError:
    """The `ProviderError` for an adapter's exception. Unexpected ones count as unreadable answers."""
    if isinstance(error, ProviderError):
        return error
    log.error("a provider's answer was not foreseen", exc_info=error)
    return BadAnswer(type(error).__name__)


def _describe_lost_answer(question: Question) -> ProviderAnswer:
    name, error = question.provider, question.error or _LOST
    return routing.build_failed_answer(provider=name, title=_TITLES.get(name, name), at=question.asked_at, error=error)


def _thread_pool() -> ThreadPoolExecutor:
    """The threads of this process, started at first use because a fork would lose them."""
    with _lock:
        if not _pools:
            _pools.append(ThreadPoolExecutor(_THREADS, thread_name_prefix="provider"))
        return _pools[0]
