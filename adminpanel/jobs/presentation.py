"""Jobs as the API presents them."""

from django.utils import timezone

from adminpanel.jobs.models import Job


def measure_duration(job: Job) -> float:
    """How long a job took, or has taken so far."""
    return round(((job.ended_at or timezone.now()) - job.created_at).total_seconds(), 1)
