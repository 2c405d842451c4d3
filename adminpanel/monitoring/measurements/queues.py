"""How many tasks wait in each queue, and for how long."""

from dataclasses import dataclass
from typing import get_args

from django.db.models import Count, Min
from django.utils import timezone
from django_q.models import OrmQ

from emailcheck.common.queue.tasks import Queue


@dataclass(frozen=True, slots=True)
class QueueLength:
    """The waiting tasks of a queue; `oldest_s` is 0 when there are none."""

    name: str
    waiting: int
    oldest_s: float


def measure_queues() -> list[QueueLength]:
    """Measure every queue. A task in work has a lock in the future until its worker is done or has failed."""
    now = timezone.now()
    rows = OrmQ.objects.filter(lock__lte=now).values("key").annotate(waiting=Count("pk"), oldest=Min("lock")).order_by()
    found = {row["key"]: QueueLength(row["key"], row["waiting"], (now - row["oldest"]).total_seconds()) for row in rows}
    return [found.get(name, QueueLength(name, 0, 0.0)) for name in get_args(Queue)]
