"""The work that hangs, of every kind. Whatever else can hang is added to `SOURCES`."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from billing.provider_sync import webhooks
from emailcheck.common.errors import NotFound
from emailcheck.common.files import deletions
from emailcheck.common.queue import stuck_tasks as queue
from emailcheck.common.queue.stuck_tasks import StuckWork
from validation.batches.control import stuck as stuck_lists
from validation.webhooks import stuck


@dataclass(frozen=True, slots=True)
class WorkSource:
    """Where work of a kind comes from.

    `retry_work` and `cancel_work` get the id that `find` gave, and answer False when it is none of theirs or the
    work has ended; each may be repeated. `alerts` is false where the monitoring warns of such work already.
    """

    kind: str
    find: Callable[[], list[StuckWork]]
    retry: Callable[[str], bool]
    cancel: Callable[[str], bool]
    alerts: bool = True


SOURCES: tuple[WorkSource, ...] = (
    WorkSource("batch", stuck_lists.list_stuck_batches, stuck_lists.retry_batch, stuck_lists.cancel_batch),
    WorkSource("chunk", stuck_lists.list_stuck_chunks, stuck_lists.retry_chunk, stuck_lists.cancel_chunk),
    WorkSource("task", queue.list_waiting_tasks, queue.retry_task, queue.cancel_task, alerts=False),
    WorkSource("task", queue.list_failed_tasks, queue.retry_task, queue.cancel_task),
    WorkSource("webhook", webhooks.list_late_events, webhooks.retry_event, webhooks.give_up_event),
    WorkSource("webhook", stuck.list_late, stuck.retry_delivery, stuck.give_up_delivery),
    WorkSource("file", deletions.list_stuck_deletions, deletions.retry_deletion, deletions.give_up_deletion),
)
KINDS = tuple(dict.fromkeys(source.kind for source in SOURCES))


def list_work(kind: str = "") -> list[StuckWork]:
    """All work that hangs, or that of a kind, the oldest first."""
    work = [one for source in SOURCES if kind in ("", source.kind) for one in source.find()]
    return sorted(work, key=lambda one: one.since)


def count_alarming_work() -> int:
    """How much work hangs that no other alert speaks of."""
    return sum(len(source.find()) for source in SOURCES if source.alerts)


def retry_work(kind: str, work_id: str, *, staff: User) -> None:
    """Have a piece of work done again. Raises `NotFound` for one that is unknown or has ended."""
    _apply_to_work(kind, work_id, [source.retry for source in SOURCES if source.kind == kind], "tried again", staff)


def cancel_work(kind: str, work_id: str, *, staff: User) -> None:
    """Give a piece of work up. Raises `NotFound` for one that is unknown or has ended, `Conflict` when it moves."""
    _apply_to_work(kind, work_id, [source.cancel for source in SOURCES if source.kind == kind], "cancelled", staff)


def _apply_to_work(kind: str, work_id: str, ways: list[Callable[[str], bool]], done: str, staff: User) -> None:
    if not any(way(work_id) for way in ways):
        raise NotFound("Work not found")
    with transaction.atomic():
        audit_log.record_activity(
            user=None, kind=ActivityKind.STAFF, action=f"Stuck {kind} {done}", staff=staff, target=f"{kind} {work_id}"
        )
