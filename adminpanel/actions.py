"""What staff do to the running system, each with a line in the activity log."""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from redis import Redis

from accounts import activity
from accounts.models import ActivityKind, User
from adminpanel import jobs
from adminpanel.models import Job, JobKind, JobStatus
from emailcheck.common import restarts
from emailcheck.common.errors import Conflict, NotFound

_KEYS_AT_ONCE = 1_000
BUSY = "A backup or an optimisation is running. Restart the workers when it has ended."


class Done(NamedTuple):
    """What to tell, and the id of what goes on in the background."""

    message: str
    task_id: str | None = None


def act(action: str, *, staff: User) -> Done:
    """Do what staff ask. Raises `NotFound` for what nobody can ask, and the refusals of what can be asked."""
    do = _ACTIONS.get(action)
    if do is None:
        raise NotFound("Not found.")
    return do(staff)


def optimise(staff: User) -> Done:
    """Begin to optimise the database. Raises `Conflict` while that goes on."""
    busy = Conflict("The database is being optimised already", code="OPTIMIZE_RUNNING")
    job = jobs.start(kind=JobKind.OPTIMIZE, staff=staff, action="Database optimisation started", busy=busy)
    return Done("Optimisation started", job.public_id)


@transaction.atomic
def clear_cache(staff: User) -> Done:
    """Empty the application's cache, and nothing else that Redis holds: limits and places at mail operators stay."""
    if settings.REDIS_URL:
        with Redis.from_url(settings.REDIS_URL) as redis:
            for key in redis.scan_iter(match=cache.make_key("*"), count=_KEYS_AT_ONCE):
                redis.delete(key)
    else:
        cache.clear()
    _record(staff, "Cache cleared")
    return Done("Cache cleared")


@transaction.atomic
def restart_services(staff: User) -> Done:
    """Have the workers end what they are at, and start anew; the web goes on.

    Raises `Conflict` where no supervisor runs, and while a worker does long work, which would be lost.
    """
    jobs.fail_silent()
    if Job.objects.filter(status=JobStatus.RUNNING).exists():
        raise Conflict(BUSY, code="JOB_RUNNING")
    restarts.ask()
    _record(staff, "Worker restart asked for")
    return Done("The workers restart when they have ended what they are at")


def last_optimised() -> Job | None:
    """The newest optimisation, whatever became of it."""
    jobs.fail_silent()
    return Job.objects.filter(kind=JobKind.OPTIMIZE).order_by("-pk").first()


def _record(staff: User, action: str) -> None:
    activity.record(user=None, kind=ActivityKind.STAFF, action=action, staff=staff, target="system")


_ACTIONS: dict[str, Callable[[User], Done]] = {
    "optimize": optimise,
    "clear-cache": clear_cache,
    "restart-services": restart_services,
}
NAMES = tuple(_ACTIONS)
