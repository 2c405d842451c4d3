"""Takes what this machine has counted into the database, once a minute; and forgets what is old."""

from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from adminpanel.monitoring.measurements import machine
from adminpanel.monitoring.measurements.models import MachineSample, RequestFailure, RequestSample
from emailcheck.common.text.cleaning import make_storable
from emailcheck.common.web import metrics
from validation.egress.polling import profile_problem


def store_samples() -> None:
    """Store what was counted on this machine since the last time, and how it is now."""
    with metrics.handing_over_sums() as (sums, failures), transaction.atomic():
        now, here = timezone.now(), machine.machine_name()
        groups = {group: metrics.read_requests(sums, group) for group in metrics.GROUPS}
        RequestSample.objects.bulk_create(
            [
                RequestSample(group=group, at=now, machine=here, **asdict(counts))
                for group, counts in groups.items()
                if counts.requests
            ]
        )
        RequestFailure.objects.bulk_create(
            [
                RequestFailure(
                    at=failure.at,
                    description=failure.description,
                    status=failure.status,
                    user_id=failure.user_id,
                    request_id=failure.request_id,
                )
                for failure in failures
            ]
        )
        figures, work = machine.measure_machine(), metrics.read_work(sums)
        MachineSample.objects.create(
            at=now,
            machine=here,
            cpu_percent=figures.cpu_percent,
            memory_percent=figures.memory_percent,
            disk_percent=figures.disk_percent,
            active_requests=metrics.count_active_requests(),
            rows=work.rows,
            chunks=work.chunks,
            work_ms=work.time_ms,
            profiles_problem=make_storable(profile_problem())[:300],
        )
