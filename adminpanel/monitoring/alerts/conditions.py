"""What is watched: figures with the thresholds at which an alert is raised, and those at which it is over.

A figure is over a threshold only when it was so at every one of its last readings, and is back only when every one of
them was well below: so an alert does not flap.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from adminpanel.monitoring.alerts.models import Severity
from adminpanel.monitoring.measurements import figures, queues
from adminpanel.monitoring.measurements.models import MachineSample
from adminpanel.monitoring.probes.models import ProbeSample
from adminpanel.monitoring.targets import Part, Service, State

Description = Callable[[float], str]
READINGS = 3
ERROR_RATE, AVERAGE_MS = 5.0, 500.0
# Fewer requests say nothing about a share.
_FEWEST_REQUESTS = 20
_WINDOW = timedelta(minutes=5)
_QUEUE_LATE_S, _QUEUE_STUCK_S = 600.0, 1_800.0


@dataclass(frozen=True, slots=True)
class Condition:
    """One figure with its last readings, newest first.

    All readings above `warning` or `critical` raise an alert, all below `clear_below` clear it; without readings
    neither happens. `describe` turns the newest reading into the alert's message.
    """

    key: str
    category: str
    title: str
    readings: Sequence[float]
    warning: float
    critical: float
    clear_below: float
    describe: Description

    @property
    def severity(self) -> Severity | None:
        """What the readings say: beyond which threshold all of them are."""
        lowest = min(self.readings, default=None)
        if lowest is None or lowest <= self.warning:
            return None
        return Severity.CRITICAL if lowest > self.critical else Severity.WARNING

    @property
    def is_over(self) -> bool:
        return bool(self.readings) and max(self.readings) < self.clear_below


Source = Callable[[], Iterable[Condition]]
_sources: list[Source] = []


def add_source(source: Source) -> None:
    """Watch what an app above knows, such as failed backups. Harmless when it is watched already."""
    if source not in _sources:
        _sources.append(source)


def list_conditions() -> Iterator[Condition]:
    """Everything that is watched, as it is now."""
    now = timezone.now()
    yield from _machine_conditions(now)
    yield from _profile_conditions(now)
    yield from _request_conditions(now)
    yield from _probe_conditions()
    yield from _queue_conditions()
    for source in _sources:
        yield from source()


def _machine_conditions(now: datetime) -> Iterator[Condition]:
    """Of those that were there in the last hour; one that is silent for minutes has no readings."""
    samples = MachineSample.objects.filter(at__gt=now - timedelta(hours=1))
    for machine in sorted(set(samples.values_list("machine", flat=True))):
        fresh = samples.filter(machine=machine, at__gt=now - 2 * READINGS * timedelta(minutes=1))
        latest = list(fresh.order_by("-at")[:READINGS])
        for name, field in (("memory", "memory_percent"), ("CPU", "cpu_percent"), ("disk", "disk_percent")):
            readings = [getattr(sample, field) for sample in latest]
            yield Condition(
                key=f"{name.lower()}:{machine}",
                category="system",
                title=f"{name[0].upper()}{name[1:]} of {machine} is nearly used up",
                readings=readings if len(readings) == READINGS else (),
                warning=80,
                critical=95,
                clear_below=75,
                describe=_format_percent(name),
            )


def _profile_conditions(now: datetime) -> Iterator[Condition]:
    """The file of operators' limits on each machine: whether the last sample found something wrong with it."""
    samples = MachineSample.objects.filter(at__gt=now - timedelta(hours=1))
    for machine in sorted(set(samples.values_list("machine", flat=True))):
        last = samples.filter(machine=machine).order_by("-at").values_list("profiles_problem", flat=True)[0]
        yield Condition(
            key=f"profiles:{machine}",
            category="system",
            title=f"The file of operators' limits on {machine} cannot be used",
            readings=[float(bool(last))],
            warning=0.5,
            critical=1.0,
            clear_below=0.5,
            describe=_describe_old_limits(last),
        )


def _request_conditions(now: datetime) -> Iterator[Condition]:
    """Of the last five minutes as they slide on; too few requests say that nothing is wrong."""
    window = figures.sum_window(now - _WINDOW)
    counts = window.requests >= _FEWEST_REQUESTS
    yield Condition(
        key="error_rate",
        category="application",
        title="Many requests fail",
        readings=[window.error_rate if counts else 0.0],
        warning=ERROR_RATE,
        critical=4 * ERROR_RATE,
        clear_below=0.8 * ERROR_RATE,
        describe=lambda value: (
            f"{value:.1f}% of the requests of the last 5 minutes failed (threshold {ERROR_RATE:.0f}%)"
        ),
    )
    yield Condition(
        key="response_time",
        category="application",
        title="Answers are slow",
        readings=[window.average_ms if counts else 0.0],
        warning=AVERAGE_MS,
        critical=4 * AVERAGE_MS,
        clear_below=0.8 * AVERAGE_MS,
        describe=lambda value: (
            f"requests of the last 5 minutes took {value:.0f} ms on average (threshold {AVERAGE_MS:.0f} ms)"
        ),
    )


def _probe_conditions() -> Iterator[Condition]:
    """Down at the last readings: 1, else 0."""
    for target in (*Service, *Part):
        ended = ProbeSample.objects.filter(target=target, in_maintenance=False).exclude(state=State.PENDING)
        latest = list(ended.order_by("-at").values_list("state", "detail")[: READINGS - 1])
        yield Condition(
            key=f"probe:{target}",
            category="provider" if target == Part.PAYMENT else "service",
            title=f"{target} is down",
            readings=[float(state == State.DOWN) for state, _ in latest] if len(latest) == READINGS - 1 else (),
            warning=0.5,
            critical=1.0 if target == Part.PAYMENT else 0.5,
            clear_below=0.5,
            describe=_describe_failed_checks(latest[0][1] if latest else ""),
        )


def _queue_conditions() -> Iterator[Condition]:
    for queue in queues.measure_queues():
        yield Condition(
            key=f"queue:{queue.name}",
            category="queue",
            title=f"Tasks of the queue {queue.name} are stuck",
            readings=[queue.oldest_s],
            warning=_QUEUE_LATE_S,
            critical=_QUEUE_STUCK_S,
            clear_below=_QUEUE_LATE_S / 2,
            describe=_describe_waiting_tasks(queue.waiting),
        )


def _format_percent(name: str) -> Description:
    return lambda value: f"{name} at {value:.0f}% for {READINGS} minutes (thresholds 80% and 95%)"


def _describe_old_limits(problem: str) -> Description:
    return lambda _: f"The limits of before stay until it is right: {problem}"[:300]


def _describe_failed_checks(detail: str) -> Description:
    return lambda _: f"the last {READINGS - 1} checks failed: {detail or 'no answer'}"


def _describe_waiting_tasks(count: int) -> Description:
    return lambda value: (
        f"{count} waiting, the oldest for {value / 60:.0f} minutes (threshold {_QUEUE_LATE_S / 60:.0f} minutes)"
    )
