"""Backups: started by staff, made in the background, deleted when newer ones replace them."""

from django.conf import settings
from django.core.files import File
from django.db.models import QuerySet
from django.utils import timezone

from accounts.users.models import User
from adminpanel.backups import archive
from adminpanel.jobs import services as jobs
from adminpanel.jobs.models import Job, JobKind, JobStatus
from emailcheck.common.errors import Conflict, NotFound
from emailcheck.common.files import backup_store

NOT_FOUND = "Backup not found"
_PREFIX = "emailcheck-"


def start_backup(*, staff: User | None) -> Job:
    """Begin a backup. Raises `Conflict` (`BACKUP_RUNNING`) while one runs."""
    busy = Conflict("A backup is already running", code="BACKUP_RUNNING")
    return jobs.start_job(kind=JobKind.BACKUP, staff=staff, action="Backup started", busy=busy)


def list_backups() -> list[Job]:
    """Every backup on record, newest first."""
    jobs.fail_silent_jobs()
    return list(_backup_jobs().order_by("-pk"))


def open_backup(backup_id: str, *, staff: User) -> File[bytes]:
    """The file of a completed backup, which leaves the house now: that is recorded. Raises `NotFound`."""
    job = _backup_jobs().filter(public_id=backup_id, status=JobStatus.COMPLETED).first()
    if job is None or not job.file:
        raise NotFound(NOT_FOUND)
    try:
        file = backup_store().open(job.file)
    except FileNotFoundError as error:
        raise NotFound(NOT_FOUND) from error
    jobs.record_job_act(staff, "Backup downloaded", job)
    return file


def delete_backup(backup_id: str, *, staff: User) -> None:
    """Delete a backup with its file. Raises `NotFound`, or `Conflict` (`BACKUP_RUNNING`) while it runs."""
    jobs.fail_silent_jobs()
    job = _backup_jobs().filter(public_id=backup_id).first()
    if job is None:
        raise NotFound(NOT_FOUND)
    if job.status == JobStatus.RUNNING:
        raise Conflict("This backup is still running", code="BACKUP_RUNNING")
    if _delete_files(job):
        jobs.record_job_act(staff, "Backup deleted", job)


def run_backup(job: Job, heart: jobs.JobHeartbeat) -> None:
    """Make the file, then drop the backups that are too many."""
    now = timezone.now()
    job.file = f"{_PREFIX}{now:%Y%m%dT%H%M%SZ}-{job.public_id[-6:]}.tar.gz"
    job.size = archive.write_archive(job.file, now=now, step=heart.record)
    _drop_surplus(newest=job)


def _backup_jobs() -> QuerySet[Job]:
    return Job.objects.filter(kind=JobKind.BACKUP)


def _drop_surplus(*, newest: Job) -> None:
    """Keep the newest `BACKUPS_KEPT` with this one, and as many failures."""
    others = _backup_jobs().exclude(pk=newest.pk).order_by("-pk")
    for surplus in others.filter(status=JobStatus.COMPLETED)[max(settings.BACKUPS_KEPT - 1, 0) :]:
        _delete_files(surplus)
    for surplus in others.filter(status=JobStatus.FAILED)[settings.BACKUPS_KEPT :]:
        _delete_files(surplus)


def _delete_files(job: Job) -> bool:
    """Delete file and record; the file first, so that no unknown file remains. False when it was deleted before."""
    if job.file:
        backup_store().delete(job.file)
    return bool(Job.objects.filter(pk=job.pk).delete()[0])
