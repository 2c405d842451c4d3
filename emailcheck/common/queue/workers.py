"""A worker: a process that does the tasks of a queue, one after another.

django-q2's own worker does the task, within its time limit. Around it there is no further process: it takes tasks from
the broker itself, and ends them there. So an idle worker holds nothing that others wait for, whatever kills it.
"""

import logging
import signal
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import Error, close_old_connections
from django_q.brokers import Broker, get_broker
from django_q.monitor import save_task
from django_q.signals import post_execute
from django_q.signing import BadSignature, SignedPackage
from django_q.worker import worker

from emailcheck.common.queue import ending
from emailcheck.common.queue.liveness import Liveness
from emailcheck.common.queue.tasks import Queue

log = logging.getLogger(__name__)
STOP = "STOP"
_AGAIN_S = 1.0
_shown: list[Liveness] = []
# It asks of its two queues no more than `TaskSource` and `TaskSink` have, of its timer no more than `Liveness` has.
do_tasks: Callable[..., None] = worker


def run_worker(queue: Queue, liveness: Liveness) -> None:
    """Do tasks until SIGTERM, or until it is time for a fresh process (`recycle`).

    The task at hand is ended, early where it is made for that.
    """
    broker = get_broker(queue)
    source = TaskSource(broker, queue, liveness)
    signal.signal(signal.SIGTERM, source.end)
    _shown[:] = [liveness]
    liveness.longest_s = settings.TURN_SECONDS
    do_tasks(source, TaskSink(broker), liveness, settings.TURN_SECONDS)


def show_progress() -> None:
    """Show that a long task goes on, to whoever watches this worker."""
    for one in _shown:
        one.show()


class TaskSource:
    """Where a worker takes its tasks: what `django_q.worker.worker` reads of a queue between processes."""

    def __init__(self, broker: Broker, queue: Queue, liveness: Liveness) -> None:
        self._broker = broker
        self._queue = queue
        self._liveness = liveness
        self._is_stopping = self._is_failing = False

    def stop(self) -> None:
        """Take no further task."""
        self._is_stopping = True

    def end(self, *_: object) -> None:
        """Take no further task, and end the one at hand early if it can be."""
        ending.note_end()
        self.stop()

    def get(self) -> dict[str, Any] | str:
        """Wait for a task."""
        while not self._is_stopping:
            self._liveness.show()
            task = self._try_to_take()
            if task is not None:
                return task
        return STOP

    def _try_to_take(self) -> dict[str, Any] | None:
        """A database that is away for a while does not end the worker."""
        try:
            task = self._take()
        except Error as error:
            if not self._is_failing:
                log.warning("no task can be taken from %s (%s)", self._queue, type(error).__name__)
            self._is_failing = True
            close_old_connections()
            time.sleep(_AGAIN_S)
            return None
        self._is_failing = False
        return task

    def _take(self) -> dict[str, Any] | None:
        close_old_connections()
        for pk, payload in self._broker.dequeue() or ():
            try:
                task: dict[str, Any] = SignedPackage.loads(payload)
            except (TypeError, BadSignature):
                log.exception("a task of %s cannot be read", self._queue)
                self._broker.fail(pk)
                return None
            return {**task, "cluster": self._queue, "ack_id": pk}
        return None


class TaskSink:
    """Where a worker puts tasks that it has done: what `django_q.worker.worker` writes of a queue between processes."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def put(self, task: dict[str, Any]) -> None:
        """Keep a failure, and end the task. What cannot be ended now is handed out again."""
        pk = task.pop("ack_id")
        if not task["success"]:
            log.error("%s failed: %s", task["func"], task["result"])
        try:
            save_task(task, self._broker)
            self._broker.acknowledge(pk)
        except Error:
            log.exception("%s could not be ended", task["func"])
        post_execute.send(sender="django_q", task=task)
