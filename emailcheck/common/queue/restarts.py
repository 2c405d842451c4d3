"""A restart of the workers, requested by staff and carried out by the supervisors, one on each machine.

All that is known are times in `Heartbeat`: when a supervisor last ran, when a restart was last requested, and when
each queue's workers were started.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import get_args

from django.utils import timezone

from emailcheck.common.errors import Conflict
from emailcheck.common.queue.models import Heartbeat
from emailcheck.common.queue.tasks import Queue

_SUPERVISOR, _ASKED = "supervisor", "restart asked"
_LOOKED_WITHIN = timedelta(minutes=1)
NO_SUPERVISOR = "No supervisor runs here, so nobody can restart the workers. Use what you started them with."


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of a queue: when they were started, when they last showed that they work."""

    queue: Queue
    started_at: datetime | None
    seen_at: datetime | None


def request_restart() -> None:
    """Have all workers finish their task and restart. Raises `Conflict` without a supervisor."""
    now = timezone.now()
    if not Heartbeat.objects.filter(name=_SUPERVISOR, at__gte=now - _LOOKED_WITHIN).exists():
        raise Conflict(NO_SUPERVISOR, code="NO_SUPERVISOR")
    _record_time(_ASKED, now)


def find_restart_request() -> datetime | None:
    """When a restart was last requested."""
    return _find_time(_ASKED)


def record_supervisor() -> None:
    """Record that a supervisor runs."""
    _record_time(_SUPERVISOR, timezone.now())


def record_workers_started(queue: Queue, at: datetime) -> None:
    """Note when the workers of a queue were started."""
    _record_time(f"started:{queue}", at)


def list_workers() -> list[Workers]:
    """Of every queue."""
    times = dict(Heartbeat.objects.values_list("name", "at"))
    return [Workers(queue, times.get(f"started:{queue}"), times.get(f"queue:{queue}")) for queue in get_args(Queue)]


def _find_time(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()


def _record_time(name: str, at: datetime) -> None:
    Heartbeat.objects.update_or_create(name=name, defaults={"at": at})
