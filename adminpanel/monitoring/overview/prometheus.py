"""The figures of this machine in Prometheus' text format, from the same counters that the pages show.

Those that are read from the database are the same at every machine.
"""

from collections.abc import Callable, Iterable, Iterator

from django.db import Error
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from adminpanel.monitoring.alerts.services import list_open_alerts
from adminpanel.monitoring.measurements import machine, queues
from emailcheck.common.web import metrics

Source = Callable[[], Iterable[Metric]]
_sources: list[Source] = []


def add_source(source: Source) -> None:
    """Show figures of the database that an app above knows. Harmless when they are shown already."""
    if source not in _sources:
        _sources.append(source)


class _MachineCollector(Collector):
    """Reads everything when it is collected."""

    def collect(self) -> Iterator[Metric]:
        yield from metrics.collect_metrics()
        yield from _system_metrics()
        try:
            yield from _stored_metrics()
            for source in _sources:
                yield from source()
            yield GaugeMetricFamily("emailcheck_database_up", "Whether the database answers.", value=1)
        except Error:
            yield GaugeMetricFamily("emailcheck_database_up", "Whether the database answers.", value=0)


def render_metrics() -> bytes:
    """All figures in the format of Prometheus."""
    registry = CollectorRegistry()
    registry.register(_MachineCollector())
    return generate_latest(registry)


def _system_metrics() -> Iterator[Metric]:
    here = machine.measure_machine()
    for name, what, value in (
        ("cpu", "Processor in use", here.cpu_percent),
        ("memory", "Memory in use", here.memory_percent),
        ("disk", "Disk of VAR_DIR in use", here.disk_percent),
    ):
        yield GaugeMetricFamily(f"emailcheck_{name}_ratio", f"{what}, 0 to 1.", value=value / 100)


def _stored_metrics() -> Iterator[Metric]:
    waiting = GaugeMetricFamily("emailcheck_queue_waiting", "Tasks that nobody has taken.", labels=["queue"])
    oldest = GaugeMetricFamily("emailcheck_queue_oldest_seconds", "How long the oldest waits.", labels=["queue"])
    for line in queues.measure_queues():
        waiting.add_metric([line.name], line.waiting)
        oldest.add_metric([line.name], line.oldest_s)
    yield from (waiting, oldest)
    yield GaugeMetricFamily("emailcheck_alerts_open", "Alerts that are open.", value=len(list_open_alerts()))
