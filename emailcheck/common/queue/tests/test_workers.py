"""A worker takes tasks from the broker, does them by django-q2's own worker, and ends them."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.models import Failure, OrmQ

from emailcheck.common.queue import tasks, workers
from emailcheck.common.queue.broker import QueueBroker
from emailcheck.common.queue.liveness import FamilyLiveness, Liveness
from emailcheck.common.queue.models import RestartRequest
from emailcheck.common.queue.workers import STOP, TaskSink, TaskSource
from emailcheck.common.testing import run_sixteen

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
ADD = "emailcheck.common.queue.tests.test_workers.add_request"
FAIL = "emailcheck.common.queue.tests.test_workers.fail"


def add_request(count: int = 1) -> None:
    """A task with an effect that can be counted."""
    for _ in range(count):
        RestartRequest.objects.create(asked_at=Now())


def fail() -> None:
    raise ValueError("no luck")


@pytest.fixture
def line() -> Liveness:
    return FamilyLiveness(1).members[0]


class UntilEmpty(TaskSource):
    """Stops where another would wait."""

    def _try_to_take(self) -> dict[str, Any] | None:
        task = super()._try_to_take()
        if task is None and not self._broker.queue_size():
            self.stop()
        return task


def do_all(queue: tasks.Queue, line: Liveness) -> None:
    broker = get_broker(queue)
    workers.do_tasks(UntilEmpty(broker, queue, line), TaskSink(broker), line, 30)


def test_a_task_is_done_once_and_its_row_goes(line: Liveness) -> None:
    tasks.enqueue(ADD, 2)
    do_all("high", line)
    do_all("high", line)
    assert (RestartRequest.objects.count(), OrmQ.objects.count(), Failure.objects.count()) == (2, 0, 0)
    assert (line.deadline, line.seen > 0) == (0.0, True)


def test_a_failure_is_kept_under_its_queue_and_does_not_come_back(line: Liveness) -> None:
    tasks.enqueue(FAIL, queue="bulk")
    do_all("bulk", line)
    failure = Failure.objects.get()
    assert (failure.func, failure.cluster, OrmQ.objects.count()) == (FAIL, "bulk", 0)
    assert "no luck" in failure.result


def test_each_queue_has_its_own_tasks(line: Liveness) -> None:
    for queue in tasks.QUEUES:
        tasks.enqueue(ADD, 1, queue=queue)
    tasks.enqueue(ADD, 5, queue="mail")
    OrmQ.objects.filter(key=f"mail:{ADD}").order_by("-pk").first().delete()  # type: ignore[union-attr]
    do_all("mail", line)
    assert sorted(OrmQ.objects.values_list("key", flat=True)) == [
        f"{queue}:{ADD}" for queue in ("bulk", "high", "hooks")
    ]


def test_what_cannot_be_read_goes_and_the_next_is_done(line: Liveness) -> None:
    OrmQ.objects.create(key="high", payload="nonsense", lock=timezone.now() - timedelta(minutes=1))
    tasks.enqueue(ADD)
    do_all("high", line)
    assert (RestartRequest.objects.count(), OrmQ.objects.count()) == (1, 0)


def test_a_worker_that_is_to_stop_takes_nothing(line: Liveness) -> None:
    tasks.enqueue(ADD)
    source = TaskSource(get_broker("high"), "high", line)
    source.stop()
    assert (source.get(), OrmQ.objects.filter(lock__lte=Now()).count()) == (STOP, 1)


def test_a_database_that_is_away_does_not_end_a_worker(line: Liveness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_AGAIN_S", 0.0)
    tasks.enqueue(ADD)
    away = [OperationalError("the database system is shutting down")] * 2

    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        if away and "django_q_ormq" in sql:
            raise away.pop()
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        task = TaskSource(get_broker("high"), "high", line).get()
    assert isinstance(task, dict)
    assert (task["func"], away) == (ADD, [])


def test_of_sixteen_who_take_at_once_each_task_has_one_worker() -> None:
    for _ in range(8):
        tasks.enqueue(ADD)

    def take(_: int) -> list[int]:
        broker = QueueBroker(list_key="high")
        return [pk for _ in range(4) for pk, _ in broker.dequeue() or ()]

    taken = [pk for pks in run_sixteen(take) for pk in pks]
    assert sorted(taken) == sorted(OrmQ.objects.values_list("pk", flat=True))
    assert len(set(taken)) == 8


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_worker_passes_over_what_another_is_just_taking() -> None:
    """It neither waits for the other's commit nor asks for the same task again."""
    for _ in range(2):
        tasks.enqueue(ADD)
    first, second = OrmQ.objects.order_by("pk").values_list("pk", flat=True)

    def take() -> list[int]:
        try:
            return [pk for pk, _ in QueueBroker(list_key="high").dequeue() or ()]
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as other:
        assert OrmQ.objects.select_for_update().get(pk=first).pk == first
        assert other.submit(take).result(timeout=30) == [second]
        assert other.submit(take).result(timeout=30) == []


@pytest.mark.finding("B7")
def test_a_worker_whose_clock_is_ahead_takes_nothing_that_others_are_at(time_machine: Any) -> None:
    tasks.enqueue(ADD)
    broker = get_broker("high")
    assert len(broker.dequeue() or ()) == 1
    time_machine.move_to(timezone.now() + timedelta(minutes=10), tick=False)
    assert not broker.dequeue()
    OrmQ.objects.update(lock=Now() - timedelta(seconds=1))
    time_machine.move_to(timezone.now() - timedelta(minutes=20), tick=False)
    assert len(broker.dequeue() or ()) == 1


def test_calls_are_counted_by_path_without_being_read(django_assert_num_queries: Any) -> None:
    for _ in range(3):
        tasks.enqueue(ADD, queue="bulk")
    tasks.enqueue(FAIL, queue="bulk")
    tasks.enqueue(ADD)
    OrmQ.objects.update(payload="cannot be read")
    with django_assert_num_queries(1):
        assert tasks.count_waiting(ADD, "bulk") == 3
    get_broker("bulk").dequeue()
    assert tasks.count_waiting(ADD, "bulk") == 2


def test_a_call_that_waits_is_not_queued_again() -> None:
    tasks.enqueue_once(ADD, queue="hooks")
    tasks.enqueue_once(ADD, queue="hooks")
    assert list(OrmQ.objects.values_list("key", flat=True)) == [f"hooks:{ADD}"]


def test_a_line_counts_as_working_within_its_task_and_for_a_while_after_it_was_seen(line: Liveness) -> None:
    line.begin()
    now = time.monotonic()
    assert (line.is_working(now + 59, 60), line.is_working(now + 61, 60)) == (True, False)
    line.value = 100
    assert (line.is_working(now + 99, 60), line.is_working(now + 161, 60)) == (True, False)
    line.longest_s = 50
    line.value = 6 * 3_600  # it shows that it goes on
    assert (line.is_working(now + 61, 60), line.is_working(now + 63, 60)) == (False, False)
    line.value = -1
    assert (line.deadline, line.is_working(now + 99, 60)) == (0.0, False)
