"""Workers of two versions take tasks from one queue: each does what it knows, and leaves the rest to the other."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.models import Failure, OrmQ, Schedule

from emailcheck.common.queue import scheduler, stuck_tasks, tasks
from emailcheck.common.queue.broker import QueueBroker, is_known
from emailcheck.common.queue.liveness import FamilyLiveness
from emailcheck.common.queue.models import RestartRequest
from emailcheck.common.queue.tests.test_workers import ADD, do_all

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
NEWER = "emailcheck.common.queue.tests.test_versions_side_by_side.do_newer_work"


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call it to be the newer version, which has one function more."""

    def do_newer_work() -> None:
        RestartRequest.objects.create(asked_at=timezone.now())

    def become_newer() -> None:
        monkeypatch.setattr(NEWER, do_newer_work, raising=False)
        is_known.cache_clear()

    is_known.cache_clear()
    yield become_newer
    is_known.cache_clear()


def drain() -> None:
    do_all("high", FamilyLiveness(1).members[0])


def age_tasks() -> datetime:
    """Every task has waited for six minutes."""
    then = timezone.now() - timedelta(minutes=6)
    OrmQ.objects.update(lock=then)
    return then


@pytest.mark.spec("SCA-024")
def test_an_older_worker_leaves_what_it_does_not_know_and_a_newer_one_does_it(upgrade: Any) -> None:
    for path in (NEWER, ADD, NEWER):
        tasks.enqueue(path)
    then = age_tasks()
    drain()
    assert (RestartRequest.objects.count(), Failure.objects.count()) == (1, 0)
    assert list(OrmQ.objects.values_list("key", "lock")) == [(f"high:{NEWER}", then)] * 2
    waiting = stuck_tasks.list_waiting_tasks()
    assert [(one.error, one.since) for one in waiting] == [(f"No worker of high takes {NEWER}", then)] * 2
    upgrade()
    drain()
    assert (RestartRequest.objects.count(), OrmQ.objects.count(), Failure.objects.count()) == (3, 0, 0)


@pytest.mark.spec("SCA-024")
def test_an_older_scheduler_makes_tasks_that_a_newer_worker_does(upgrade: Any) -> None:
    late = timezone.now() - timedelta(seconds=1)
    Schedule.objects.create(name=NEWER, func=NEWER, cluster="high", minutes=5, schedule_type="I", next_run=late)
    scheduler.make_due_tasks()
    assert OrmQ.objects.get().key == "high"
    drain()
    assert (OrmQ.objects.get().key, Failure.objects.count()) == (f"high:{NEWER}", 0)
    upgrade()
    drain()
    assert (RestartRequest.objects.count(), OrmQ.objects.count(), Failure.objects.count()) == (1, 0, 0)


def test_what_is_left_to_others_keeps_nobody_from_the_rest(upgrade: Any, django_assert_num_queries: Any) -> None:
    tasks.enqueue(NEWER)
    tasks.enqueue(ADD)
    broker = get_broker("high")
    assert isinstance(broker, QueueBroker)
    assert broker.dequeue() == []
    assert (broker.queue_size(), tasks.count_waiting(NEWER, "high")) == (1, 1)
    with django_assert_num_queries(5):  # two of them begin and end the transaction
        assert len(broker.dequeue() or ()) == 1
    with django_assert_num_queries(1):
        assert broker.dequeue() is None
    upgrade()  # another process: this one keeps to what it found
    assert broker.dequeue() is None
