"""The tasks that staff start, and what is proved regularly; each may run twice, late, or concurrently."""

from adminpanel.backups import services as backups
from adminpanel.jobs import services as jobs
from adminpanel.jobs.models import Job, JobKind
from adminpanel.monitoring.routines.models import RoutineName
from adminpanel.monitoring.routines.services import record_result
from adminpanel.reports import providers
from adminpanel.system import database
from billing import tasks as billing

_WORK = {JobKind.BACKUP: backups.run_backup, JobKind.OPTIMIZE: database.optimise_database}


def run_job(job_id: int) -> None:
    """Run a job that staff started."""
    kind = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    if kind is not None:
        jobs.run_job(job_id, _WORK[JobKind(kind)])


def refresh_balances() -> None:
    """Keep what outside providers say of our credits there."""
    providers.refresh_balances()


def fail_silent_jobs() -> None:
    """Fail the jobs whose worker fell silent."""
    jobs.fail_silent_jobs()


def recount_credits() -> None:
    """Recount all credits, and let the monitoring know what differs."""
    record_result(RoutineName.RECOUNT, billing.reconcile())
