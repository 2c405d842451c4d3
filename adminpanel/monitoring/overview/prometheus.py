"""The figures of this machine in Prometheus' text format, from the same counters that the pages show."""

from collections.abc import Iterator

from django.db import Error
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from adminpanel.monitoring.alerts.services import list_open_alerts
from adminpanel.monitoring.measurements import machine, queues
from emailcheck.common.web import metrics

_ENDS = (*(f"{end / 1_000:g}" for end in metrics.BUCKETS_MS), "+Inf")


class _MachineCollector(Collector):
    """Reads everything when it is collected."""

    def collect(self) -> Iterator[Metric]:
        yield from _request_metrics()
        yield from _work_metrics()
        yield from _system_metrics()
        try:
            yield from _stored_metrics()
        except Error:
            yield GaugeMetricFamily("emailcheck_database_up", "Whether the database answers.", value=0)


def render_metrics() -> bytes:
    """All figures in the format of Prometheus."""
    registry = CollectorRegistry()
    registry.register(_MachineCollector())
    return generate_latest(registry)


def _request_metrics() -> Iterator[Metric]:
    sums = metrics.total_sums()
    answered = CounterMetricFamily("emailcheck_requests", "Requests by how they ended.", labels=["group", "outcome"])
    times = HistogramMetricFamily(
        "emailcheck_request_seconds", "What requests took without waiting for mail hosts.", labels=["group"]
    )
    probing = CounterMetricFamily(
        "emailcheck_probing_seconds", "What requests waited for mail hosts.", labels=["group"]
    )
    for group in metrics.GROUPS:
        count, refused, failed = (sums[f"{group}.{name}"] for name in ("requests", "refused", "failed"))
        for outcome, number in (("answered", count - refused - failed), ("refused", refused), ("failed", failed)):
            answered.add_metric([group, outcome], number)
        reached, buckets = 0.0, []
        for end, bucket in zip(_ENDS, metrics.BUCKETS, strict=True):
            reached += sums[f"{group}.{bucket}"]
            buckets.append((end, reached))
        times.add_metric([group], buckets=buckets, sum_value=sums[f"{group}.time_ms"] / 1_000)
        probing.add_metric([group], sums[f"{group}.probing_ms"] / 1_000)
    yield from (answered, times, probing)
    yield GaugeMetricFamily(
        "emailcheck_requests_active", "Requests being answered.", value=metrics.count_active_requests()
    )


def _work_metrics() -> Iterator[Metric]:
    sums = metrics.total_sums()
    yield CounterMetricFamily("emailcheck_list_rows", "Rows of lists that were checked.", value=sums["work.rows"])
    yield CounterMetricFamily("emailcheck_list_chunks", "Chunks of lists that were checked.", value=sums["work.chunks"])
    seconds = sums["work.time_ms"] / 1_000
    yield CounterMetricFamily("emailcheck_list_chunk_seconds", "How long chunks were worked on.", value=seconds)


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
    yield GaugeMetricFamily("emailcheck_database_up", "Whether the database answers.", value=1)
