"""What Prometheus reads from the database, so that its alerts can speak of it: the same at every machine."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Count, Min, Sum
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric

from adminpanel.backups.lateness import measure_backup_age
from adminpanel.jobs.models import Job, JobKind, JobStatus
from adminpanel.monitoring.egress.models import Route, RouteState
from adminpanel.monitoring.measurements import figures
from adminpanel.monitoring.routines.models import RoutineName
from adminpanel.monitoring.routines.services import find_result
from validation.batches.chunks.models import UNFINISHED, Chunk
from validation.batches.models import Batch
from validation.egress.addresses import is_configured
from validation.egress.models import EgressAddress, EgressUse
from validation.webhooks.models import WebhookDelivery

_WINDOW = timedelta(minutes=5)


def measure_gauges() -> Iterator[Metric]:
    """All, as they are now."""
    yield from _list_gauges()
    yield from _webhook_gauges()
    yield from _egress_gauges()
    yield from _backup_gauges()
    yield from _routine_gauges("reconcile", "Credits were recounted", RoutineName.RECOUNT)
    yield from _routine_gauges("restore_test", "The newest backup was restored elsewhere", RoutineName.RESTORE_TEST)


def _list_gauges() -> Iterator[Metric]:
    waiting = Chunk.objects.in_active_batches().filter(state__in=UNFINISHED).aggregate(rows=Sum("size"))["rows"]
    checked = figures.measure_throughput(timezone.now() - _WINDOW)["rows"]
    begun = Batch.objects.active().aggregate(at=Min("created_at"))["at"]
    yield GaugeMetricFamily("emailcheck_list_rows_waiting", "Rows of lists without a verdict.", value=waiting or 0)
    yield GaugeMetricFamily(
        "emailcheck_list_rows_per_second",
        "Rows of lists that all machines checked, on average of the last five minutes.",
        value=checked / _WINDOW.total_seconds(),
    )
    yield GaugeMetricFamily("emailcheck_list_oldest_seconds", "Age of the oldest unfinished list.", value=_age(begun))


def _webhook_gauges() -> Iterator[Metric]:
    due = WebhookDelivery.objects.due(timezone.now())
    found = due.aggregate(count=Count("pk"), oldest=Min("next_attempt_at"))
    yield GaugeMetricFamily(
        "emailcheck_webhooks_due", "Webhook deliveries that should be sent now.", value=found["count"]
    )
    yield GaugeMetricFamily(
        "emailcheck_webhook_oldest_seconds", "How long the oldest of them is overdue.", value=_age(found["oldest"])
    )


def _egress_gauges() -> Iterator[Metric]:
    """A pause that has ended does not count: the next attempt is the next address of that operator."""
    addresses = GaugeMetricFamily(
        "emailcheck_egress_addresses", "Configured egress addresses by the staff's decision.", labels=["state"]
    )
    known = [row.state for row in EgressAddress.objects.all() if is_configured(row)]
    for use in EgressUse:
        addresses.add_metric([use], known.count(use))
    pausing = Route.objects.filter(next_attempt_at__gt=timezone.now()).exclude(state=RouteState.WORKING)
    paused = GaugeMetricFamily(
        "emailcheck_egress_paused",
        "Egress addresses that leave an operator alone now.",
        labels=["operator", "state"],
    )
    counts = pausing.values_list("operator", "state").annotate(Count("pk")).order_by()
    for operator, state, count in counts:
        paused.add_metric([operator, state], count)
    yield from (addresses, paused)


def _backup_gauges() -> Iterator[Metric]:
    age = measure_backup_age()
    made = GaugeMetricFamily("emailcheck_backup_age_seconds", "Since the newest good backup was begun.")
    if age.exists:
        made.add_metric([], age.seconds)
    yield made
    ended = Job.objects.filter(kind=JobKind.BACKUP).exclude(status=JobStatus.RUNNING).order_by("-pk")
    failed = ended.values_list("status", flat=True).first() == JobStatus.FAILED
    for name, what, value in (
        ("failed", "Whether the last backup failed.", failed),
        ("late", "Whether the newest good backup is older than BACKUP_EVERY_HOURS allows.", age.is_late),
    ):
        yield GaugeMetricFamily(f"emailcheck_backup_{name}", what, value=value)


def _routine_gauges(metric: str, what: str, name: RoutineName) -> Iterator[Metric]:
    """Without a sample before the first run."""
    since = GaugeMetricFamily(f"emailcheck_{metric}_age_seconds", f"{what}: seconds since then.")
    found = GaugeMetricFamily(f"emailcheck_{metric}_differences", f"{what}: what was wrong then, 0: nothing.")
    result = find_result(name)
    if result:
        since.add_metric([], _age(result.ended_at))
        found.add_metric([], result.problems)
    yield from (since, found)


def _age(moment: datetime | None) -> float:
    """Seconds since a moment; 0 without one."""
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
