"""The broker of the queues: tasks in the database, by its clock, and countable without reading what they hold."""

from datetime import timedelta
from time import sleep
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django_q.brokers.orm import ORM
from django_q.models import OrmQ

POLL_S = 0.2


class QueueBroker(ORM):
    """django-q2's own, for keys `queue:path` as `tasks.enqueue` makes them, and for those of the scheduler, `queue`.

    A broker class is an extension point of django-q2 (`broker_class`, https://django-q2.readthedocs.io/en/master/brokers.html).
    """

    def enqueue(self, task: str) -> Any:
        return self.get_connection().create(key=self.list_key, payload=task, lock=Now()).pk

    def dequeue(self) -> list[tuple[int, str]] | None:
        """A task, taken for `RETRY_SECONDS`; None, after a short sleep, when there is none."""
        free = filter_free(self.list_key)
        for pk, payload in free.order_by("lock", "pk").values_list("pk", "payload")[:1]:
            if free.filter(pk=pk).update(lock=Now() + timedelta(seconds=settings.RETRY_SECONDS)):
                return [(pk, payload)]
            return []  # another worker was faster
        sleep(POLL_S)
        return None

    def queue_size(self) -> int:
        return filter_free(self.list_key).count()


def filter_free(queue: str) -> QuerySet[OrmQ]:
    """The tasks of a queue that wait for a worker, also those that their worker has not ended in time."""
    return OrmQ.objects.filter(Q(key=queue) | Q(key__startswith=f"{queue}:"), lock__lte=Now())


def build_key(queue: str, path: str) -> str:
    """The key under which the calls of a function wait."""
    return f"{queue}:{path}"
