"""Takes what this machine has counted into the database, once a minute; and forgets what is old."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from adminpanel.monitoring import machine
from adminpanel.monitoring.models import MachineSample, ProbeSample, RequestFailure, RequestSample, RouteSample
from emailcheck.common import metrics
from emailcheck.common.counters import Sums
from emailcheck.common.text import storable
from validation.profile_file import profile_problem

KEPT = timedelta(days=8)
_MOST_FAILURES = 1_000


def take() -> None:
    """Store what was counted on this machine since the last time, and how it is now."""
    with metrics.handing_over() as (sums, failures), transaction.atomic():
        now, here = timezone.now(), machine.name()
        RequestSample.objects.bulk_create(
            [_of_group(sums, group, at=now, machine=here) for group in metrics.GROUPS if sums[f"{group}.requests"]]
        )
        RequestFailure.objects.bulk_create(
            [
                RequestFailure(
                    at=failure.at,
                    what=failure.what,
                    status=failure.status,
                    user_id=failure.user_id,
                    request_id=failure.request_id,
                )
                for failure in failures
            ]
        )
        figures = machine.look()
        MachineSample.objects.create(
            at=now,
            machine=here,
            cpu_percent=figures.cpu_percent,
            memory_percent=figures.memory_percent,
            disk_percent=figures.disk_percent,
            active_requests=metrics.active(),
            rows=round(sums["work.rows"]),
            chunks=round(sums["work.chunks"]),
            work_ms=sums["work.time_ms"],
            profiles_problem=storable(profile_problem())[:300],
        )


def forget_old() -> None:
    """Delete samples that no figure needs any more; of failures the latest are kept, in a storm as well."""
    before = timezone.now() - KEPT
    for model in (RequestSample, RequestFailure, MachineSample, ProbeSample, RouteSample):
        model._default_manager.filter(at__lt=before).delete()
    if last := RequestFailure.objects.order_by("-pk").values_list("pk", flat=True)[_MOST_FAILURES:].first():
        RequestFailure.objects.filter(pk__lte=last).delete()


def _of_group(sums: Sums, group: str, **fields: object) -> RequestSample:
    counts = {name: round(sums[f"{group}.{name}"]) for name in ("requests", "refused", "failed")}
    times = {name: sums[f"{group}.{name}"] for name in ("time_ms", "probing_ms")}
    buckets = [round(sums[f"{group}.{bucket}"]) for bucket in metrics.BUCKETS]
    return RequestSample(group=group, buckets=buckets, **counts, **times, **fields)
