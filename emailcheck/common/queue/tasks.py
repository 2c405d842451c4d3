"""The one door to the queue."""

from typing import Literal, get_args

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Min
from django.db.models.functions import Now
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

from emailcheck.common.queue.broker import build_key

Queue = Literal["high", "mail", "bulk", "hooks"]
QUEUES: tuple[Queue, ...] = get_args(Queue)


def enqueue(path: str, *ids: str | int, queue: Queue = "high", time_limit_s: int | None = None) -> None:
    """Queue the function at the dotted `path` with ids as arguments.

    The queue's row joins the caller's transaction: what is rolled back was never queued. The function must be
    a plain `def` that returns None and may run any number of times, also at once: one with a time limit of its own,
    longer than the queue's, is handed out again while it runs.
    """
    limit = {} if time_limit_s is None else {"timeout": time_limit_s}
    async_task(path, *ids, cluster=build_key(queue, path), **limit)


def enqueue_once(path: str, *, queue: Queue) -> None:
    """Queue a call without arguments, unless one waits."""
    if not count_waiting(path, queue):
        enqueue(path, queue=queue)


@transaction.atomic
def ensure_schedules() -> None:
    """Register the calls of `settings.SCHEDULES` with the queue's scheduler, each once, and drop those no longer named.

    Machines that start at once do so one after another.
    """
    if connection.vendor == "postgresql":  # waits for those who lock rows, too; SQLite has one writer
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {Schedule._meta.db_table} IN EXCLUSIVE MODE")
    first = Schedule.objects.order_by().values("name").annotate(first=Min("pk")).values_list("first", flat=True)
    Schedule.objects.exclude(pk__in=list(first)).delete()
    for path, minutes in settings.SCHEDULES.items():
        Schedule.objects.update_or_create(
            name=path, defaults={"func": path, "schedule_type": Schedule.MINUTES, "minutes": minutes, "cluster": "high"}
        )
    Schedule.objects.exclude(name__in=settings.SCHEDULES).delete()


def run_heartbeat(queue: str) -> None:
    """Answer a machine of the version before, which asks its queues for a sign of life; it goes with that's table."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("UPDATE common_heartbeat SET at = %s WHERE name = %s", [now, f"queue:{queue}"])


def count_waiting(path: str, queue: Queue) -> int:
    """How many calls of `path` wait in a queue and have not been picked up.

    What was picked up does not count: its worker may have died, and the broker gives it out again only after
    the queue's `retry`.
    """
    return OrmQ.objects.filter(key=build_key(queue, path), lock__lte=Now()).count()


def find_queue(key: str) -> Queue | None:
    """The queue of a key of the broker's."""
    return next((queue for queue in QUEUES if key.partition(":")[0] == queue), None)
