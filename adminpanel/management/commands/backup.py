"""`manage.py backup`: a backup now, in the foreground; for timers."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from adminpanel import tasks
from adminpanel.backups import services as backups
from adminpanel.jobs.models import JobStatus
from emailcheck.common.errors import Conflict
from emailcheck.common.files import backup_store


class Command(BaseCommand):
    help = "Back up the database and the uploaded files, and say where."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            job = backups.start_backup(staff=None)
        except Conflict as error:
            raise CommandError(error.detail) from error
        tasks.run_job(job.pk)
        job.refresh_from_db()
        if job.status != JobStatus.COMPLETED:
            raise CommandError(job.error or "A worker makes it.")
        self.stdout.write(backup_store().address_of(job.file))
