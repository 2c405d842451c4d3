"""The one door to the queue, and the heartbeat that proves that a queue moves."""

from typing import Literal

from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

from emailcheck.common.queue.models import Heartbeat

HEARTBEAT_TASK = "emailcheck.common.queue.tasks.run_heartbeat"
Queue = Literal["high", "bulk", "hooks"]
QUEUES: tuple[Queue, ...] = ("high", "bulk", "hooks")


def enqueue(path: str, *ids: str | int, queue: Queue = "high", time_limit_s: int | None = None) -> None:
    """Queue the function at the dotted `path` with ids as arguments.

    The queue's row joins the caller's transaction: what is rolled back was never queued. The function must be
    a plain `def` that returns None and may run any number of times, also at once: one with a time limit of its own,
    longer than the queue's, is handed out again while it runs.
    """
    limit = {} if time_limit_s is None else {"timeout": time_limit_s}
    async_task(path, *ids, cluster=queue, **limit)


def ensure_schedules() -> None:
    """Register the calls of `settings.SCHEDULES` with the queue's scheduler, and drop those no longer named."""
    for path, minutes in settings.SCHEDULES.items():
        Schedule.objects.update_or_create(
            name=path, defaults={"func": path, "schedule_type": Schedule.MINUTES, "minutes": minutes, "cluster": "high"}
        )
    Schedule.objects.exclude(name__in=settings.SCHEDULES).delete()


def count_waiting(path: str, queue: Queue) -> int:
    """How many calls of `path` wait in a queue and have not been picked up.

    What was picked up does not count: its worker may have died, and the broker gives it out again only after
    the queue's `retry`.
    """
    rows = OrmQ.objects.filter(key=queue, lock__lte=timezone.now())
    return sum(row.func() == path for row in rows.iterator())


def request_heartbeat(queue: Queue) -> None:
    """Have the workers of `queue` show that they are alive; at most one heartbeat waits at a time."""
    if not count_waiting(HEARTBEAT_TASK, queue):
        enqueue(HEARTBEAT_TASK, queue, queue=queue)


def run_heartbeat(queue: str) -> None:
    """Record that the workers of `queue` are alive, and do what `settings.ON_HEARTBEAT` asks of them."""
    record_heartbeat(queue)
    for path in settings.ON_HEARTBEAT.get(queue, ()):
        import_string(path)()


def record_heartbeat(queue: str) -> None:
    """Note that the workers of `queue` are alive."""
    Heartbeat.objects.update_or_create(name=f"queue:{queue}", defaults={"at": timezone.now()})
