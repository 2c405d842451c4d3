"""What the queue does for staff; each call may come twice, late, or at once with itself."""

from adminpanel import backups, database, jobs, providers
from adminpanel.models import Job, JobKind

_WORK = {JobKind.BACKUP: backups.work, JobKind.OPTIMIZE: database.optimise}


def run_job(job_id: int) -> None:
    """Do long work that staff asked for."""
    kind = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    if kind is not None:
        jobs.run(job_id, _WORK[JobKind(kind)])


def ask_balances() -> None:
    """Keep what outside providers say of our credits there."""
    providers.ask_balances()


def fail_silent_jobs() -> None:
    """Fail the jobs whose worker fell silent."""
    jobs.fail_silent()
