"""Takes what this machine has counted into the database, once a minute; and forgets what is old."""

from django.db import transaction
from django.utils import timezone

from adminpanel.monitoring.measurements import machine
from adminpanel.monitoring.measurements.models import MachineSample, RequestFailure, RequestSample
from emailcheck.common.shared_state.counters import Sums
from emailcheck.common.text.database_text import make_storable
from emailcheck.common.web import metrics
from validation.egress.profile_file import profile_problem


def store_samples() -> None:
    """Store what was counted on this machine since the last time, and how it is now."""
    with metrics.handing_over_sums() as (sums, failures), transaction.atomic():
        now, here = timezone.now(), machine.machine_name()
        RequestSample.objects.bulk_create(
            [
                _build_request_sample(sums, group, at=now, machine=here)
                for group in metrics.GROUPS
                if sums[f"{group}.requests"]
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
        figures = machine.measure_machine()
        MachineSample.objects.create(
            at=now,
            machine=here,
            cpu_percent=figures.cpu_percent,
            memory_percent=figures.memory_percent,
            disk_percent=figures.disk_percent,
            active_requests=metrics.count_active_requests(),
            rows=round(sums["work.rows"]),
            chunks=round(sums["work.chunks"]),
            work_ms=sums["work.time_ms"],
            profiles_problem=make_storable(profile_problem())[:300],
        )


def _build_request_sample(sums: Sums, group: str, **fields: object) -> RequestSample:
    counts = {name: round(sums[f"{group}.{name}"]) for name in ("requests", "refused", "failed")}
    times = {name: sums[f"{group}.{name}"] for name in ("time_ms", "probing_ms")}
    buckets = [round(sums[f"{group}.{bucket}"]) for bucket in metrics.BUCKETS]
    return RequestSample(group=group, buckets=buckets, **counts, **times, **fields)
