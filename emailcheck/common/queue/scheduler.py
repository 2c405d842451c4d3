"""The scheduler: a process of each family that does, in time, what nobody asks for.

It reports the workers of its family to the database, queues what their queues do every quarter of a minute, and does
what happens on each machine once a minute (`settings.ON_MINUTE`), unless another family of the machine does. Some make
tasks of schedules that are due as well: any number may, on any machine, because each locks a schedule and moves it on
in the transaction in which it queues the call.
"""

import logging
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.brokers import get_broker
from django_q.models import Schedule
from django_q.scheduler import scheduler

from emailcheck.common.queue import restarts, tasks
from emailcheck.common.queue.liveness import FamilyLiveness, Liveness
from emailcheck.common.queue.tasks import Queue
from emailcheck.common.shared_state import files, machines

log = logging.getLogger(__name__)
HEARTBEAT_EVERY_S: Final = 15.0
SCHEDULE_EVERY_S: Final = 30.0
MINUTE_S: Final = 60.0
_TICK_S: Final = 0.5


@dataclass(slots=True)
class Chore:
    """What is done every `every_s` seconds."""

    do: Callable[[], None]
    every_s: float
    due_at: float


@dataclass(frozen=True, slots=True)
class Duties:
    """What the scheduler of a family is there for.

    `workers`: the signs of life of its workers. `makes_tasks`: of the schedules. `files_at`: where this machine keeps
    its files.
    """

    family: FamilyLiveness
    workers: Mapping[Queue, Sequence[Liveness]]
    makes_tasks: bool
    files_at: str


def run_scheduler(duties: Duties, own: Liveness) -> None:
    """Until SIGTERM."""
    stopping: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopping.append(number))
    chores = build_chores(duties, time.monotonic())
    while not stopping:
        own.show()
        for chore in chores:
            do_if_due(chore, time.monotonic())
        time.sleep(_TICK_S)
    do_if_due(Chore(machines.report_stopped, MINUTE_S, 0.0), time.monotonic())


def build_chores(duties: Duties, now: float) -> list[Chore]:
    """All of a family's chores."""
    chores = [
        Chore(partial(machines.report_running, duties.files_at), HEARTBEAT_EVERY_S, now),
        Chore(partial(report_heartbeats, duties.family, duties.workers), HEARTBEAT_EVERY_S, now),
        Chore(do_minute, MINUTE_S, now + MINUTE_S),
    ]
    return [*chores, Chore(make_due_tasks, SCHEDULE_EVERY_S, now)] if duties.makes_tasks else chores


def do_if_due(chore: Chore, now: float) -> None:
    """Do a chore in its time. What fails is logged, and done again in time."""
    if now < chore.due_at:
        return
    chore.due_at = now + chore.every_s
    close_old_connections()
    try:
        chore.do()
    except Exception:
        log.exception("a chore of the scheduler failed")


def report_heartbeats(family: FamilyLiveness, workers: Mapping[Queue, Sequence[Liveness]]) -> None:
    """Report the workers, note a requested restart, and queue what their queues do at each heartbeat."""
    restarts.report_workers(workers, time.monotonic())
    family.restart = restarts.number_restart()
    for queue in workers:
        for path in settings.ON_HEARTBEAT.get(queue, ()):
            tasks.enqueue_once(path, queue=queue)


def make_due_tasks() -> None:
    """Queue the calls of the schedules that are due."""
    skip_missed(timezone.now())
    scheduler(get_broker("high"))


def skip_missed(now: datetime) -> None:
    """Move schedules that nobody looked at for an hour on to the last time at which they were due.

    django-q2 counts missed times one by one, with every schedule locked: after a year some minutes long.
    """
    for one in Schedule.objects.filter(next_run__lt=now - timedelta(hours=1), minutes__gt=0):
        due, every = one.next_run or now, timedelta(minutes=one.minutes or 1)
        last = due + (now - due) // every * every
        Schedule.objects.filter(pk=one.pk, next_run=due).update(next_run=last)


def do_minute() -> None:
    """Do what happens on each machine once a minute, one after another, whatever fails.

    The first family of a machine does it as long as it lives, and no other.
    """
    if not files.try_lock(_open_lock(settings.SESSIONS_DIR / "minute.lock")):
        return
    for path in settings.ON_MINUTE:
        try:
            import_string(path)()
        except Exception:
            log.exception("%s failed", path)


@lru_cache(maxsize=1)
def _open_lock(path: Path) -> int:
    """The file whose lock this process keeps to its end."""
    return files.open_file(path)
