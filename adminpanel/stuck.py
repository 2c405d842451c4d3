"""The work that hangs, of every kind. Whatever else can hang is added to `SOURCES`."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from accounts import activity
from accounts.models import ActivityKind, User
from billing import webhooks
from emailcheck.common import stuck as queue
from emailcheck.common.errors import NotFound
from emailcheck.common.stuck import Work
from validation import stuck as lists
from validation import webhook_stuck


@dataclass(frozen=True, slots=True)
class Source:
    """Where work of a kind comes from.

    `retry` and `cancel` get the id that `find` gave, and answer False when it is none of theirs or the work has ended;
    each may be repeated. `alerts` is false where the monitoring warns of such work already.
    """

    kind: str
    find: Callable[[], list[Work]]
    retry: Callable[[str], bool]
    cancel: Callable[[str], bool]
    alerts: bool = True


SOURCES: tuple[Source, ...] = (
    Source("batch", lists.batches, lists.retry_batch, lists.cancel_batch),
    Source("chunk", lists.chunks, lists.retry_chunk, lists.cancel_chunk),
    Source("task", queue.waiting_tasks, queue.retry_task, queue.cancel_task, alerts=False),
    Source("task", queue.failed_tasks, queue.retry_task, queue.cancel_task),
    Source("webhook", webhooks.late, webhooks.retry, webhooks.give_up),
    Source("webhook", webhook_stuck.late, webhook_stuck.retry, webhook_stuck.give_up),
)
KINDS = tuple(dict.fromkeys(source.kind for source in SOURCES))


def found(kind: str = "") -> list[Work]:
    """All work that hangs, or that of a kind, the oldest first."""
    work = [one for source in SOURCES if kind in ("", source.kind) for one in source.find()]
    return sorted(work, key=lambda one: one.since)


def alarming() -> int:
    """How much work hangs that no other alert speaks of."""
    return sum(len(source.find()) for source in SOURCES if source.alerts)


def retry(kind: str, work_id: str, *, staff: User) -> None:
    """Have a piece of work done again. Raises `NotFound` for one that is unknown or has ended."""
    _do(kind, work_id, [source.retry for source in SOURCES if source.kind == kind], "tried again", staff)


def cancel(kind: str, work_id: str, *, staff: User) -> None:
    """Give a piece of work up. Raises `NotFound` for one that is unknown or has ended, `Conflict` when it moves."""
    _do(kind, work_id, [source.cancel for source in SOURCES if source.kind == kind], "cancelled", staff)


def _do(kind: str, work_id: str, ways: list[Callable[[str], bool]], done: str, staff: User) -> None:
    if not any(way(work_id) for way in ways):
        raise NotFound("Work not found")
    with transaction.atomic():
        activity.record(
            user=None,
            kind=ActivityKind.STAFF,
            action=f"Stuck {kind} {done}",
            staff=staff,
            target=f"{kind} {work_id}",
        )
