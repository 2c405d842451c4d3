"""The broker of the queues: tasks in the database, by its clock, and countable without reading what they hold."""

import logging
import pydoc
from datetime import timedelta
from functools import cache
from time import sleep
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django_q.brokers.orm import ORM
from django_q.models import OrmQ
from django_q.signing import BadSignature, SignedPackage

log = logging.getLogger(__name__)
POLL_S = 0.2


class QueueBroker(ORM):
    """django-q2's own, for keys `queue:path` as `tasks.enqueue` makes them, and for those of the scheduler, `queue`.

    A broker class is an extension point of django-q2 (`broker_class`, https://django-q2.readthedocs.io/en/master/brokers.html).
    A task whose function this version does not have is left to the workers of another one, as it waits.
    """

    def __init__(self, list_key: str) -> None:
        super().__init__(list_key)
        self._unknown: set[str] = set()

    def enqueue(self, task: str) -> Any:
        return self.get_connection().create(key=self.list_key, payload=task, lock=Now()).pk

    def dequeue(self) -> list[tuple[int, str]] | None:
        """A task, taken for `RETRY_SECONDS`; None, after a short sleep, when there is none."""
        if self._filter_own().exists():
            return self._take()
        sleep(POLL_S)
        return None

    def _filter_own(self) -> QuerySet[OrmQ]:
        return filter_free(self.list_key).exclude(key__in=self._unknown)

    @transaction.atomic(savepoint=False)
    def _take(self) -> list[tuple[int, str]]:
        """The first task that nobody else is taking just now; none when others took all, or have to do it."""
        free = self._filter_own().select_for_update(skip_locked=True).order_by("lock", "pk")
        for pk, key, payload in free.values_list("pk", "key", "payload")[:1]:
            path = key.partition(":")[2] or read_path(payload)
            if is_known(path):
                OrmQ.objects.filter(pk=pk).update(lock=Now() + timedelta(seconds=settings.RETRY_SECONDS))
                return [(pk, payload)]
            self._leave(pk, path)
        return []

    def _leave(self, pk: int, path: str) -> None:
        """Pass over the calls of a function from now on. Those of the scheduler get a key that names it."""
        key = build_key(self.list_key, path)
        OrmQ.objects.filter(pk=pk, key=self.list_key).update(key=key)
        self._unknown.add(key)
        log.warning("this version does not have %s; its calls wait for a worker of another one", path)

    def queue_size(self) -> int:
        return self._filter_own().count()


@cache
def is_known(path: str) -> bool:
    """Whether this version has the function. What cannot be read has no path: its worker says so."""
    return not path or pydoc.locate(path) is not None


def read_path(payload: str) -> str:
    """The path of the function that a task calls; empty when the task cannot be read."""
    try:
        task: dict[str, Any] = SignedPackage.loads(payload)
    except (TypeError, BadSignature):
        return ""
    return str(task["func"])


def filter_free(queue: str) -> QuerySet[OrmQ]:
    """The tasks of a queue that wait for a worker, also those that their worker has not ended in time."""
    return OrmQ.objects.filter(Q(key=queue) | Q(key__startswith=f"{queue}:"), lock__lte=Now())


def build_key(queue: str, path: str) -> str:
    """The key under which the calls of a function wait."""
    return f"{queue}:{path}"
