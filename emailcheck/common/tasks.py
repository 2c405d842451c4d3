"""The one door to the queue, and the heartbeat that proves that a queue moves."""

from typing import Literal

from django.utils import timezone
from django_q.tasks import async_task

from emailcheck.common.models import Heartbeat

Queue = Literal["high", "bulk"]


def enqueue(path: str, *ids: str | int, queue: Queue = "high") -> None:
    """Queue the function at the dotted `path` with ids as arguments.

    The queue's row joins the caller's transaction: what is rolled back was never queued. The function must be
    a plain `def` that returns None and may run any number of times.
    """
    async_task(path, *ids, cluster=queue)


def beat(queue: str) -> None:
    """Note that the workers of `queue` are alive."""
    Heartbeat.objects.update_or_create(name=f"queue:{queue}", defaults={"at": timezone.now()})
