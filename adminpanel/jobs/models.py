"""Long work that staff start, and what became of it."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.activity.actors import StaffAct
from emailcheck.common import secrecy
from emailcheck.common.queue.leases import Leased, LeasedQuerySet


class JobKind(models.TextChoices):
    BACKUP = "backup"
    OPTIMIZE = "optimize"


class JobStatus(models.TextChoices):
    RUNNING = "running", "waits for a worker, or runs"
    COMPLETED = "completed"
    FAILED = "failed"


def new_job_id() -> str:
    return secrecy.generate_id("job")


class JobQuerySet(LeasedQuerySet["Job"]):
    """Jobs of staff."""

    def running(self) -> Self:
        return self.filter(status=JobStatus.RUNNING)


class Job(Leased, StaffAct):
    """One run of long work on the whole installation, under a lease. Of each kind at most one runs."""

    public_id = models.CharField(max_length=32, unique=True, default=new_job_id, editable=False)
    kind = models.CharField(max_length=10, choices=JobKind)
    status = models.CharField(max_length=10, choices=JobStatus, default=JobStatus.RUNNING)
    staff_id = models.BigIntegerField(null=True, blank=True, help_text="Empty: the server's own command line.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField(null=True, blank=True, help_text="Bytes of the file that was made.")
    file = models.CharField(max_length=255, blank=True, help_text="Its name below BACKUP_DIR.")
    note = models.CharField(max_length=300, blank=True, help_text="What was done.")
    error = models.CharField(max_length=300, blank=True, help_text="Why it failed.")

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind"], condition=Q(status="running"), name="job_runs_once")]
        indexes = [models.Index(fields=["kind", "-id"], name="job_newest")]

    def __str__(self) -> str:
        return self.public_id
