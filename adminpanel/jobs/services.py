"""Long work in the background: begun once, done by one worker, ended whatever becomes of that worker.

start ── a row, and a call in the queue `bulk`
claim:   the first worker takes the lease; the queue hands the call out again after a while, which changes nothing
beat:    the worker renews it, and finds out that it may not go on
end:     completed or failed; a row whose lease has fallen is failed by the next caller
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.activity import actors, audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from adminpanel.jobs.models import Job, JobKind, JobStatus
from emailcheck.common.errors import Conflict
from emailcheck.common.queue import tasks, workers

log = logging.getLogger(__name__)
RUN = "adminpanel.tasks.run_job"
TIME_LIMIT_S = 6 * 3600
BEAT_EVERY_S = 2.0
SILENT_FOR = timedelta(minutes=1)
# Workers that are busy with lists come to it after their turn.
WAITS_FOR = timedelta(minutes=15)
INTERRUPTED = "It was interrupted: its worker ended. Start it again."
NOT_CLAIMED = "No worker took it up. See whether the workers run, then start it again."


class JobLost(Exception):
    """The job has ended meanwhile: nothing more may be done for it."""


def start_job(*, kind: JobKind, staff: User | None, action: str, busy: Conflict) -> Job:
    """Begin a job. Raises `busy` when one of the kind runs; nothing changes then."""
    fail_silent_jobs()
    try:
        with transaction.atomic():
            job = Job.objects.create(kind=kind, **actors.snapshot_actor(staff))
            record_job_act(staff, action, job)
            tasks.enqueue(RUN, job.pk, queue="bulk", time_limit_s=TIME_LIMIT_S)
    except IntegrityError as error:
        raise busy from error
    return job


def record_job_act(staff: User | None, action: str, job: Job) -> None:
    """Write what staff did about a job into the activity log."""
    target = f"{job.kind} {job.public_id}"
    audit_log.record_activity(user=None, kind=ActivityKind.STAFF, action=action, staff=staff, target=target)


def run_job(job_id: int, work: Callable[[Job, "JobHeartbeat"], None]) -> None:
    """Do the work of an unclaimed job. `work` fills in the result."""
    job = _claim_job(job_id)
    if job is None:
        fail_silent_jobs()
        return
    try:
        work(job, JobHeartbeat(job))
        ended = _end_job(job, JobStatus.COMPLETED, size=job.size, file=job.file, note=job.note)
    except Exception as error:
        log.exception("job %s failed", job.public_id)
        ended = _end_job(job, JobStatus.FAILED, error=_describe_error(error))
    if not ended:
        log.warning("job %s had ended before its work was done", job.public_id)


def fail_silent_jobs() -> None:
    """Fail the jobs whose worker fell silent, and those that no worker took up."""
    now = timezone.now()
    endless = Job.objects.running().filter(lease_until=None, created_at__lt=now - WAITS_FOR)
    for silent, error in (
        (Job.objects.running().fallen(), INTERRUPTED),
        (endless.exclude(lease=""), INTERRUPTED),  # claimed by the version before, whose leases have no end
        (endless.filter(lease=""), NOT_CLAIMED),
    ):
        silent.revoke(status=JobStatus.FAILED, ended_at=now, error=error)


class JobHeartbeat:
    """Beats for a job while its worker works."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.next_at = 0.0

    def record(self) -> None:
        """Show that the work goes on; cheap enough for every step. Raises `JobLost` when the job has ended."""
        if time.monotonic() < self.next_at:
            return
        self.next_at = time.monotonic() + BEAT_EVERY_S
        workers.show_progress()
        if not Job.objects.running().renew(self.job, lasts=SILENT_FOR):
            raise JobLost


def _claim_job(job_id: int) -> Job | None:
    """Take the lease on a job that nobody had: it is done once, or not at all."""
    return Job.objects.running().filter(lease="", lease_until=None).claim_row(job_id, lasts=SILENT_FOR)


def _end_job(job: Job, status: JobStatus, **fields: object) -> bool:
    """False when the job had ended."""
    return Job.objects.running().complete(job, status=status, ended_at=timezone.now(), **fields)


def _describe_error(error: Exception) -> str:
    """A sentence for staff; expected errors bring their own."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:300]
    return (str(error) or type(error).__name__)[:300]


def measure_duration(job: Job) -> float:
    """How long a job took, or has taken so far."""
    return round(((job.ended_at or timezone.now()) - job.created_at).total_seconds(), 1)
