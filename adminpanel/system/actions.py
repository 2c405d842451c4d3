"""What staff do to the running system, each with a line in the activity log."""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from redis import Redis

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from adminpanel.jobs import services as jobs
from adminpanel.jobs.models import Job, JobKind, JobStatus
from emailcheck.common.errors import Conflict, NotFound
from emailcheck.common.queue import restarts

_KEYS_AT_ONCE = 1_000
BUSY = "A backup or an optimisation is running. Restart the workers when it has ended."


class ActionResult(NamedTuple):
    """The message, and the id of what runs in the background."""

    message: str
    task_id: str | None = None


def run_action(action: str, *, staff: User) -> ActionResult:
    """Run an action of staff. Raises `NotFound` for an unknown one, and the refusals of the known ones."""
    do = _ACTIONS.get(action)
    if do is None:
        raise NotFound("Not found.")
    return do(staff)


def start_optimisation(staff: User) -> ActionResult:
    """Begin to optimise the database. Raises `Conflict` while that goes on."""
    busy = Conflict("The database is being optimised already", code="OPTIMIZE_RUNNING")
    job = jobs.start_job(kind=JobKind.OPTIMIZE, staff=staff, action="Database optimisation started", busy=busy)
    return ActionResult("Optimisation started", job.public_id)


@transaction.atomic
def clear_cache(staff: User) -> ActionResult:
    """Empty the application's cache, and nothing else that Redis holds: limits and places at mail operators stay."""
    if settings.REDIS_URL:
        with Redis.from_url(settings.REDIS_URL) as redis:
            for key in redis.scan_iter(match=cache.make_key("*"), count=_KEYS_AT_ONCE):
                redis.delete(key)
    else:
        cache.clear()
    _record_action(staff, "Cache cleared")
    return ActionResult("Cache cleared")


@transaction.atomic
def restart_workers(staff: User) -> ActionResult:
    """Have the workers end what they are at, and start anew; the web goes on.

    Raises `Conflict` where no supervisor runs, and while a worker does long work, which would be lost.
    """
    jobs.fail_silent_jobs()
    if Job.objects.filter(status=JobStatus.RUNNING).exists():
        raise Conflict(BUSY, code="JOB_RUNNING")
    restarts.request_restart()
    _record_action(staff, "Worker restart asked for")
    return ActionResult("The workers restart when they have ended what they are at")


def find_last_optimisation() -> Job | None:
    """The newest optimisation, finished or not."""
    jobs.fail_silent_jobs()
    return Job.objects.filter(kind=JobKind.OPTIMIZE).order_by("-pk").first()


def _record_action(staff: User, action: str) -> None:
    audit_log.record_activity(user=None, kind=ActivityKind.STAFF, action=action, staff=staff, target="system")


_ACTIONS: dict[str, Callable[[User], ActionResult]] = {
    "optimize": start_optimisation,
    "clear-cache": clear_cache,
    "restart-services": restart_workers,
}
NAMES = tuple(_ACTIONS)
