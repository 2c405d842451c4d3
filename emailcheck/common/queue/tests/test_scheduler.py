"""The scheduler reports the workers of its machine, follows restarts, and makes tasks of what is due."""

import math
import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from emailcheck.common.errors import Conflict
from emailcheck.common.queue import restarts, scheduler, tasks
from emailcheck.common.queue.liveness import FamilyLiveness
from emailcheck.common.queue.models import RestartRequest, WorkerHeartbeat
from emailcheck.common.testing import drain_queue, run_sixteen

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def seconds_ago(moment: datetime) -> int:
    return round((timezone.now() - moment).total_seconds())


@pytest.mark.finding("B6")
def test_one_machine_does_not_answer_for_another(settings: Any) -> None:
    board = FamilyLiveness(3)
    for line in board.members:
        line.begin()
        line.show()
    now = time.monotonic()
    for name, later in (("alder", 0), ("birch", 100)):
        settings.MACHINE_NAME = name
        restarts.report_workers({"bulk": board.members[:2], "high": board.members[2:]}, now + later)
    found = {(one.host, one.queue): seconds_ago(one.seen_at) for one in restarts.list_workers()}
    assert found == {("alder", "bulk"): 0, ("alder", "high"): 0, ("birch", "bulk"): 100, ("birch", "high"): 100}


@pytest.mark.finding("B6")
def test_the_worker_that_is_silent_for_longest_speaks_for_its_queue_and_a_long_task_is_no_silence() -> None:
    board = FamilyLiveness(2)
    working, silent = board.members
    for line in board.members:
        line.begin()
        line.show()
    now = time.monotonic()
    working.value = 200
    restarts.report_workers({"bulk": [working]}, now + 100)
    assert seconds_ago(WorkerHeartbeat.objects.get().seen_at) == 0
    restarts.report_workers({"bulk": [working, silent]}, now + 100)
    found = WorkerHeartbeat.objects.get()
    assert (seconds_ago(found.seen_at), seconds_ago(found.started_at), seconds_ago(found.reported_at)) == (100, 100, 0)


@pytest.mark.finding("B7")
def test_heartbeats_are_in_the_time_of_the_database(time_machine: Any) -> None:
    board = FamilyLiveness(1)
    board.members[0].begin()
    real = timezone.now()
    time_machine.move_to(real + timedelta(hours=3), tick=False)
    restarts.report_workers({"bulk": board.members}, time.monotonic())
    restarts.request_restart()
    times = [*WorkerHeartbeat.objects.values_list("started_at", "seen_at", "reported_at").get()]
    asked_at = restarts.find_restart_request()
    assert asked_at is not None
    assert [abs((one - real).total_seconds()) < 60 for one in (*times, asked_at)] == [True] * 4


def test_workers_that_were_never_started_are_not_reported() -> None:
    board = FamilyLiveness(2)
    board.members[0].begin()
    restarts.report_workers({"bulk": board.members, "high": board.members[:1]}, time.monotonic())
    assert [one.queue for one in restarts.list_workers()] == ["high"]


def test_a_machine_of_the_version_before_gets_its_sign_of_life() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO common_heartbeat (name, at) VALUES ('queue:bulk', '2026-01-01 00:00:00')")
        tasks.run_heartbeat("bulk")
        cursor.execute("SELECT count(*) FROM common_heartbeat WHERE name = 'queue:bulk' AND at > '2026-02-01 00:00:00'")
        assert cursor.fetchone() == (1,)
        cursor.execute("DELETE FROM common_heartbeat")


@pytest.mark.spec("MON-056")
def test_a_restart_that_no_machine_could_follow_is_refused() -> None:
    with pytest.raises(Conflict, match="No machine runs workers"):
        restarts.request_restart()
    row = WorkerHeartbeat.objects.create(host="a", queue="bulk", started_at=Now(), seen_at=Now(), reported_at=Now())
    WorkerHeartbeat.objects.update(reported_at=Now() - timedelta(seconds=61))
    with pytest.raises(Conflict):
        restarts.request_restart()
    assert (restarts.find_restart_request(), restarts.number_restart()) == (None, 0.0)
    row.save()
    restarts.request_restart()
    assert (restarts.find_restart_request() is not None, restarts.number_restart()) == (
        True,
        float(RestartRequest.objects.get().pk),
    )


def test_a_beat_shows_the_requested_restart_and_queues_what_its_queues_do(settings: Any) -> None:
    settings.ON_HEARTBEAT = {"high": ("validation.tasks.sweep",), "hooks": ("validation.tasks.sweep_webhooks",)}
    board = FamilyLiveness(1)
    assert math.isnan(board.restart)
    for _ in range(2):
        scheduler.report_heartbeats(board, {"high": board.members, "bulk": board.members})
    assert (board.restart, list(OrmQ.objects.values_list("key", flat=True))) == (0.0, ["high:validation.tasks.sweep"])
    RestartRequest.objects.create(asked_at=Now())
    scheduler.report_heartbeats(board, {"hooks": board.members})
    assert board.restart == RestartRequest.objects.get().pk
    assert sorted(drain_queue()) == ["validation.tasks.sweep", "validation.tasks.sweep_webhooks"]


def test_schedules_are_registered_once_and_old_ones_dropped() -> None:
    Schedule.objects.create(name="old", func="gone.task")
    tasks.ensure_schedules()
    tasks.ensure_schedules()
    found = Schedule.objects.order_by("name").values_list("name", "minutes", "cluster")
    assert list(found) == [(path, minutes, "high") for path, minutes in sorted(settings.SCHEDULES.items())]


@pytest.mark.spec("SCA-005")
def test_sixteen_schedulers_at_once_register_each_schedule_once_and_queue_each_call_once() -> None:
    Schedule.objects.create(name="crm.tasks.twice", func="crm.tasks.twice")
    Schedule.objects.create(name="billing.tasks.reconcile", func="billing.tasks.reconcile")
    Schedule.objects.create(name="billing.tasks.reconcile", func="billing.tasks.reconcile")

    def schedule(_: int) -> None:
        tasks.ensure_schedules()
        scheduler.make_due_tasks()

    run_sixteen(schedule)
    assert sorted(str(one.name) for one in Schedule.objects.all()) == sorted(settings.SCHEDULES)
    assert sorted(row.func() for row in OrmQ.objects.all()) == sorted(settings.SCHEDULES)


def test_a_schedule_that_is_due_becomes_one_task_of_the_queue_high() -> None:
    tasks.ensure_schedules()
    path = next(iter(settings.SCHEDULES))
    Schedule.objects.exclude(name=path).update(next_run=timezone.now() + timedelta(hours=1))
    Schedule.objects.filter(name=path).update(next_run=timezone.now() - timedelta(seconds=1))
    scheduler.make_due_tasks()
    scheduler.make_due_tasks()
    assert [(tasks.find_queue(row.key), row.func()) for row in OrmQ.objects.all()] == [("high", path)]


def test_what_a_schedule_missed_while_nobody_looked_is_skipped_and_it_keeps_its_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counted one by one, 30 years of minutes take minutes, and no other schedule is looked at meanwhile."""
    counted: list[None] = []
    count: Any = Schedule.calculate_next_run

    def note(*given: Any) -> Any:
        counted.append(None)
        return count(*given)

    monkeypatch.setattr(Schedule, "calculate_next_run", note)
    tasks.ensure_schedules()
    now = timezone.now()
    last = now.replace(second=0, microsecond=0) - timedelta(days=365 * 30)
    Schedule.objects.update(next_run=last)
    run_sixteen(lambda _: scheduler.make_due_tasks())
    assert sorted(row.func() for row in OrmQ.objects.all()) == sorted(settings.SCHEDULES)
    assert len(counted) <= 2 * len(settings.SCHEDULES)
    due: dict[Any, Any] = dict(Schedule.objects.values_list("name", "next_run"))
    assert min(due.values()) > now
    assert {(due[path] - last) % timedelta(minutes=minutes) for path, minutes in settings.SCHEDULES.items()} == {
        timedelta()
    }


def test_a_chore_is_done_in_its_time_whatever_fails() -> None:
    done: list[float] = []

    def fail() -> None:
        done.append(1)
        raise ValueError("no luck")

    chore = scheduler.Chore(fail, 15.0, 100.0)
    for now in (99.0, 100.0, 101.0, 114.9, 115.0):
        scheduler.do_if_due(chore, now)
    assert (len(done), chore.due_at) == (2, 130.0)
