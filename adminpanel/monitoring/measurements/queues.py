"""How many tasks wait in each queue, and for how long."""

from dataclasses import dataclass

from django.db.models import Count, Min
from django.utils import timezone
from django_q.models import OrmQ

from emailcheck.common.queue.tasks import QUEUES, Queue, find_queue


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
    found = [(find_queue(row["key"]), row["waiting"], (now - row["oldest"]).total_seconds()) for row in rows]
    return [_sum_queue(queue, [one for one in found if one[0] == queue]) for queue in QUEUES]


def _sum_queue(queue: Queue, found: list[tuple[Queue | None, int, float]]) -> QueueLength:
    return QueueLength(queue, sum(one[1] for one in found), max((one[2] for one in found), default=0.0))
