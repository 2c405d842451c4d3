"""How old the newest good backup is, and whether it should be younger."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from django.utils import timezone

from adminpanel.jobs.models import Job, JobKind, JobStatus

_PATIENCE = 1.25
"""A backup may take a while, and timers spread their starts: it is late after a quarter more than expected."""


@dataclass(frozen=True, slots=True)
class BackupAge:
    """Seconds since the newest good backup was begun; since the installation was made, where there is none.

    `is_late` says that it is older than `BACKUP_EVERY_HOURS` and a quarter; never where nobody expects backups.
    """

    seconds: float
    exists: bool
    is_late: bool


def measure_backup_age() -> BackupAge:
    """The age as it is now."""
    made = Job.objects.filter(kind=JobKind.BACKUP, status=JobStatus.COMPLETED).order_by("-pk")
    newest = made.values_list("created_at", flat=True).first()
    seconds = (timezone.now() - (newest or _find_first_migration())).total_seconds()
    expected_s = settings.BACKUP_EVERY_HOURS * 3_600
    return BackupAge(seconds, newest is not None, 0 < expected_s * _PATIENCE < seconds)


def _find_first_migration() -> datetime:
    first: datetime = MigrationRecorder.Migration.objects.aggregate(at=Min("applied"))["at"]
    return first
