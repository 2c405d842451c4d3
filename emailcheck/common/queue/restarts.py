"""The workers of all machines as the database knows them, and a restart that staff request of them.

Times are the database's, so that the clocks of the machines need not agree.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from emailcheck.common.errors import Conflict
from emailcheck.common.queue.liveness import Liveness
from emailcheck.common.queue.models import RestartRequest, WorkerHeartbeat
from emailcheck.common.queue.tasks import Queue

_REPORTED_WITHIN = timedelta(minutes=1)
_FORGOTTEN_AFTER = timedelta(days=1)
NO_SUPERVISOR = "No machine runs workers that could be restarted. Use what you started them with."


def request_restart() -> None:
    """Have all workers of all machines finish their task and restart. Raises `Conflict` when no machine reports any."""
    if not WorkerHeartbeat.objects.filter(reported_at__gte=Now() - _REPORTED_WITHIN).exists():
        raise Conflict(NO_SUPERVISOR, code="NO_SUPERVISOR")
    RestartRequest.objects.create(asked_at=Now())


def find_restart_request() -> datetime | None:
    """When a restart was last requested."""
    return RestartRequest.objects.order_by("-pk").values_list("asked_at", flat=True).first()


def number_restart() -> float:
    """The last request as a number of its own; 0 when there was none."""
    newest = RestartRequest.objects.order_by("-pk").values_list("pk", flat=True).first()
    return float(newest or 0)


def report_workers(workers: Mapping[Queue, Sequence[Liveness]], now: float) -> None:
    """Write one heartbeat for each queue of this machine: since when all of its workers run, and all work."""
    for queue, shown in workers.items():
        if not all(one.started for one in shown):
            continue  # this machine is about to start them
        started_s = now - min(one.started for one in shown)
        values = {"reported_at": Now(), "started_at": Now() - timedelta(seconds=started_s)}
        values["seen_at"] = Now() - timedelta(seconds=max(_silence(one, now) for one in shown))
        WorkerHeartbeat.objects.update_or_create(host=settings.MACHINE_NAME, queue=queue, defaults=values)


def list_workers() -> QuerySet[WorkerHeartbeat]:
    """Of every machine that has reported within a day, by queue."""
    return WorkerHeartbeat.objects.filter(reported_at__gte=Now() - _FORGOTTEN_AFTER).order_by("queue", "host")


def _silence(one: Liveness, now: float) -> float:
    """Seconds since a worker showed that it works; 0 while it is within its task's time."""
    return 0.0 if now < one.deadline else now - max(one.started, one.seen)
