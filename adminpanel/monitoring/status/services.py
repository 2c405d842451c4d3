"""The data of the status page: the newest samples, the days before, incidents and maintenance."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from adminpanel.monitoring.incidents.models import Incident, IncidentKind
from adminpanel.monitoring.incidents.services import is_in_maintenance
from adminpanel.monitoring.measurements import figures
from adminpanel.monitoring.probes.models import ProbeDay, ProbeSample
from adminpanel.monitoring.targets import Service, State
from emailcheck.common.registry import Health

HISTORY_DAYS = 90
RECENT = timedelta(days=14)
# A sample older than this does not count as current: the probes have stopped.
SAMPLE_LIFETIME = timedelta(minutes=10)
MAINTENANCE = "maintenance"
NO_DATA = "No data yet"
ALL, PARTIAL, MAJOR = "All Systems Operational", "Partial System Outage", "Major System Outage"
_PARTIAL_SHARE = 0.7
_DAY = timedelta(days=1)


def summarize_states(states: Iterable[str | None]) -> str:
    """One sentence for the states of all services (PUB-052); None is a service without a fresh sample."""
    listed = list(states)
    up = sum(state == State.OPERATIONAL for state in listed)
    if not any(listed):
        return NO_DATA
    if up == len(listed):
        return ALL
    return PARTIAL if up > _PARTIAL_SHARE * len(listed) else MAJOR


def measure_status() -> dict[str, Any]:
    """How the services are now."""
    now = timezone.now()
    newest = {service: find_newest_sample(service) for service in Service}
    states = {service: _service_state(service, sample, now) for service, sample in newest.items()}
    uptimes = _measure_uptimes(now)
    services = [
        {
            "name": service.value,
            "status": states[service],
            "uptime": uptimes.get(service),
            "response_ms": sample.took_ms if sample and is_fresh(sample, now) else None,
        }
        for service, sample in newest.items()
    ]
    incidents = Incident.objects.during(now - RECENT, now).filter(kind=IncidentKind.INCIDENT)
    return {
        "overall": summarize_states(states.values()),
        "services": services,
        "incidents": list(incidents.order_by("-started_at")),
        "checked_at": max((sample.at for sample in newest.values() if sample), default=None),
    }


def build_history(days: int = HISTORY_DAYS) -> dict[str, Any]:
    """The last `days` days (UTC) of each service, today included; `uptime` is None on days without a sample."""
    today = timezone.now().astimezone(UTC).date()
    dates = [today - timedelta(days=back) for back in reversed(range(days))]
    known: dict[str, dict[date, float]] = defaultdict(dict)
    for row in ProbeDay.objects.filter(date__gte=dates[0], target__in=Service.values, samples__gt=0):
        known[row.target][row.date] = _to_percent(row.up, row.samples)
    services = [
        {"name": name, "days": [{"date": day, "uptime": known[name].get(day)} for day in dates]}
        for name in Service.values
    ]
    begin = datetime.combine(dates[0], datetime.min.time(), UTC)
    incidents = Incident.objects.filter(Q(ended_at=None) | Q(ended_at__gt=begin)).order_by("-started_at")
    return {"services": services, "incidents": list(incidents)}


def find_newest_sample(target: str) -> ProbeSample | None:
    """The last sample that has ended."""
    ended = ProbeSample.objects.filter(target=target).exclude(state=State.PENDING)
    return ended.order_by("-at").first()


def is_fresh(sample: ProbeSample, now: datetime) -> bool:
    """Whether a sample is recent enough to count as current."""
    return sample.at > now - SAMPLE_LIFETIME


def measure_uptime(target: str, since: datetime) -> float | None:
    """Percent of the samples since a moment that were not down; None without any."""
    found = _count_samples(ProbeSample.objects.filter(target=target, at__gt=since).exclude(state=State.PENDING))
    return _to_percent(found["up"], found["samples"]) if found["samples"] else None


@transaction.atomic
def store_days() -> None:
    """Count the samples of today and yesterday anew; what the day before holds stays."""
    today = timezone.now().astimezone(UTC).date()
    begin = datetime.combine(today - timedelta(days=1), datetime.min.time(), UTC)
    ended = ProbeSample.objects.filter(at__gte=begin, in_maintenance=False).exclude(state=State.PENDING)
    rows: Any = ended.annotate(day=TruncDate("at", tzinfo=UTC)).values("day", "target").annotate(**_COUNTS).order_by()
    ProbeDay.objects.bulk_create(
        [
            ProbeDay(date=row["day"], target=row["target"], samples=row["samples"], up=row["up"])
            for row in sorted(rows, key=lambda row: (row["target"], row["day"]))
        ],
        update_conflicts=True,
        unique_fields=["target", "date"],
        update_fields=["samples", "up"],
    )


_COUNTS = {"samples": Count("pk"), "up": Count("pk", filter=~Q(state=State.DOWN))}


def _count_samples(samples: Any) -> dict[str, int]:
    counted: dict[str, int] = samples.filter(in_maintenance=False).aggregate(**_COUNTS)
    return counted


def _service_state(service: Service, sample: ProbeSample | None, now: datetime) -> str | None:
    """The state of a service, or None without a recent sample: then no worker runs."""
    if is_in_maintenance(service, now):
        return MAINTENANCE
    if sample is None:
        return None
    if is_fresh(sample, now):
        return sample.state
    return State.DOWN if service == Service.VALIDATION else None


def _measure_uptimes(now: datetime) -> dict[str, float]:
    since = now.astimezone(UTC).date() - timedelta(days=HISTORY_DAYS - 1)
    counted = ProbeDay.objects.filter(date__gte=since, samples__gt=0).values("target").order_by()
    sums = counted.annotate(all_up=Sum("up"), every=Sum("samples")).values_list("target", "all_up", "every")
    return {target: _to_percent(up, samples) for target, up, samples in sums}


def _to_percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2)


def measure_health() -> Health:
    """Uptime of the last 24 hours by probes; failures and calls since midnight UTC by recorded requests."""
    moment = timezone.now()
    midnight = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    requests = figures.sum_window(midnight, figures.API)
    uptime = measure_uptime(Service.API, moment - _DAY)
    return Health(uptime=uptime, error_rate=requests.error_rate, calls=requests.requests)
