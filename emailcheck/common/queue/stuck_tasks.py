"""Work that is past its deadline: what staff are shown of it, and the tasks of the queue that are."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_q.models import Failure, OrmQ

from emailcheck.common.errors import Conflict
from emailcheck.common.queue import tasks
from emailcheck.common.text.cleaning import redact_text

LISTED = 100
"""Of one sort, the oldest first."""
WAITS_FOR = timedelta(minutes=5)
FAILED_WITHIN = timedelta(days=7)
_QUEUED = "q"


@dataclass(frozen=True, slots=True)
class StuckWork:
    """Stuck work: since when, how often it was tried, its last error, its state."""

    kind: str
    id: str
    since: datetime
    attempts: int
    error: str | None
    state: str


def build_not_stuck_error() -> Conflict:
    """The refusal to cancel work that is no longer stuck."""
    return Conflict("This work goes on by itself again. Nothing was changed.", code="NOT_STUCK")


def list_waiting_tasks() -> list[StuckWork]:
    """Tasks that no worker has taken."""
    late = OrmQ.objects.filter(lock__lte=timezone.now() - WAITS_FOR).order_by("lock")[:LISTED]
    return [
        StuckWork("task", f"{_QUEUED}{row.pk}", row.lock, 0, _describe_waiting(row), "waiting")
        for row in late
        if row.lock is not None
    ]


def list_failed_tasks() -> list[StuckWork]:
    """Tasks that ended with an error."""
    failed = Failure.objects.filter(stopped__gte=timezone.now() - FAILED_WITHIN).order_by("stopped")[:LISTED]
    return [
        StuckWork("task", row.pk, row.stopped, row.attempt_count, f"{row.func}: {_last_line(row.result)}", "failed")
        for row in failed
    ]


@transaction.atomic
def retry_task(work_id: str) -> bool:
    """Queue a task again; a failed one once. False for one that is not there."""
    if work_id.startswith(_QUEUED):
        return bool(_find_queued(work_id).update(lock=timezone.now()))
    failed = Failure.objects.filter(pk=work_id).first()
    if failed is None or not Failure.objects.filter(pk=work_id).delete()[0]:
        return False
    tasks.enqueue(failed.func, *(failed.args or ()), queue=tasks.find_queue(failed.cluster or "") or "high")
    return True


def cancel_task(work_id: str) -> bool:
    """Take a task out of the queue, or a failed one out of the list. False for one that is not there."""
    found = _find_queued(work_id) if work_id.startswith(_QUEUED) else Failure.objects.filter(pk=work_id)
    return bool(found.delete()[0])


def _find_queued(work_id: str) -> QuerySet[OrmQ]:
    """A task that waits; one that a worker has taken is not touched."""
    number = work_id.removeprefix(_QUEUED)
    return OrmQ.objects.filter(pk=int(number) if number.isdecimal() else 0, lock__lte=timezone.now())


def _describe_waiting(row: OrmQ) -> str:
    queue, _, path = row.key.partition(":")
    return f"No worker of {queue} takes {path or row.func()}"


def _last_line(result: object) -> str:
    lines = [line for line in str(result).splitlines() if line.strip()]
    return redact_text(lines[-1])[:200] if lines else ""
