"""Each figure changes with what was measured, and with nothing else."""

from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from django_q.models import OrmQ
from rest_framework.test import APIClient

from accounts.users.models import User
from adminpanel.monitoring.alerts.models import Alert, Severity
from adminpanel.monitoring.measurements import figures, machine, queues, samples
from adminpanel.monitoring.measurements.figures import Window
from adminpanel.monitoring.measurements.models import MachineSample, RequestFailure, RequestSample
from adminpanel.monitoring.retention import delete_old_samples
from conftest import client_of
from emailcheck.common.queue import tasks
from emailcheck.common.web import metrics
from emailcheck.common.web.metrics import MetricsMiddleware

NOW = datetime(2026, 11, 20, 10, 7, tzinfo=UTC)
pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _no_answers_from_before() -> None:
    cache.clear()


def store_sample(*, minutes_ago: float, group: str = "validation", **counts: Any) -> RequestSample:
    fields: dict[str, Any] = {"requests": 10, "refused": 0, "failed": 0, "time_ms": 1_000.0, "probing_ms": 0.0}
    buckets = counts.pop("buckets", [0] * 12)
    at = timezone.now() - timedelta(minutes=minutes_ago)
    return RequestSample.objects.create(at=at, machine="web-1", group=group, buckets=buckets, **fields | counts)


def count_answer(path: str, status: int = 200, times: int = 1) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(status=status)

    for _ in range(times):
        MetricsMiddleware(view)(RequestFactory().get(path))


def test_what_was_counted_is_stored_once() -> None:
    count_answer("/api/plans", times=3)
    count_answer("/api/plans", status=404)
    count_answer("/api/plans", status=500)
    count_answer("/dashboard")
    metrics.count_work(rows=250, time_ms=4_000)
    samples.store_samples()
    samples.store_samples()
    rows = RequestSample.objects.order_by("group").values_list("group", "requests", "refused", "failed", "machine")
    assert list(rows) == [("billing", 5, 1, 1, machine.machine_name()), ("pages", 1, 0, 0, machine.machine_name())]
    assert sum(RequestSample.objects.get(group="billing").buckets) == 5
    assert list(MachineSample.objects.order_by("pk").values_list("rows", "chunks", "work_ms")) == [
        (250, 1, 4_000.0),
        (0, 0, 0.0),
    ]
    assert RequestFailure.objects.count() == 1
    first = MachineSample.objects.earliest("pk")
    assert 0 < first.memory_percent <= 100
    assert 0 <= first.cpu_percent <= 100
    assert 0 < first.disk_percent <= 100


def test_a_window_adds_the_stored_to_what_was_not_stored_yet() -> None:
    store_sample(minutes_ago=61, requests=500)
    store_sample(minutes_ago=5, requests=30, failed=3, time_ms=6_000.0)
    store_sample(minutes_ago=5, requests=10, group="pages")
    count_answer("/api/validate/single", status=500, times=10)
    hour = figures.sum_window(timezone.now() - figures.HOUR, ("validation",))
    assert (hour.requests, hour.failed) == (40, 13)
    assert hour.error_rate == 32.5
    assert hour.time_ms == pytest.approx(6_000, abs=100)
    samples.store_samples()
    assert figures.sum_window(timezone.now() - figures.HOUR, ("validation",)).requests == 40


@pytest.mark.parametrize(
    ("buckets", "share", "expected"),
    [
        ([0] * 12, 0.5, None),
        ([10] + [0] * 11, 0.5, 2.5),
        ([50, 50] + [0] * 10, 0.95, 9.5),
        ([0, 0, 0, 0, 0, 100] + [0] * 6, 0.5, 175.0),
        ([99] + [0] * 10 + [1], 0.999, 10_000.0),
    ],
)
def test_percentiles_are_read_off_the_histogram(buckets: list[int], share: float, expected: float | None) -> None:
    assert Window(buckets=buckets).percentile_ms(share) == expected


@pytest.mark.spec("MON-030", "MON-038", "MON-025")
def test_staff_see_the_last_hour(sam: User) -> None:
    api = client_of(sam)
    empty = api.get("/api/monitoring/metrics").json()
    assert set(empty["overview"]) >= {
        "total_requests",
        "error_rate",
        "avg_response_time",
        "requests_per_minute",
        "uptime_hours",
        "status",
    }
    assert (empty["overview"]["total_requests"], empty["overview"]["p95_ms"]) == (0, None)
    RequestSample.objects.all().delete()
    with metrics.handing_over_sums():
        pass
    store_sample(
        minutes_ago=10, requests=120, failed=6, time_ms=24_000.0, buckets=[0, 0, 0, 0, 100, 20, 0, 0, 0, 0, 0, 0]
    )
    told = api.get("/api/monitoring/metrics").json()
    overview = told["overview"]
    assert (overview["total_requests"], overview["error_rate"], overview["avg_response_time"]) == (120, 5.0, 200.0)
    assert (overview["requests_per_minute"], overview["p50_ms"], overview["p95_ms"]) == (2.0, 80.0, 205.0)
    assert [(group["name"], group["requests"]) for group in overview["groups"]] == [("validation", 120)]
    assert told["system_info"] == machine.describe_machine()
    assert told["system_info"]["memory_total_gb"] > 0


@pytest.mark.spec("MON-030")
def test_queues_and_lists_are_measured(sam: User) -> None:
    tasks.enqueue("validation.tasks.work", queue="bulk")
    tasks.enqueue("validation.tasks.work", queue="bulk")
    with time_machine.travel(NOW, tick=False) as clock:
        first, second = OrmQ.objects.order_by("pk")
        OrmQ.objects.filter(pk=first.pk).update(lock=NOW)
        clock.shift(90)
        OrmQ.objects.filter(pk=second.pk).update(lock=timezone.now())
        OrmQ.objects.create(key="high", payload="x", lock=timezone.now() + timedelta(seconds=60))  # taken by a worker
        assert [(line.name, line.waiting, line.oldest_s) for line in queues.measure_queues()] == [
            ("high", 0, 0.0),
            ("mail", 0, 0.0),
            ("bulk", 2, 90.0),
            ("hooks", 0, 0.0),
        ]
        metrics.count_work(rows=2_500, time_ms=5_000)
        metrics.count_work(rows=500, time_ms=2_000)
        assert figures.measure_throughput(NOW) == {"rows": 3_000, "chunks": 2, "seconds_per_chunk": 3.5}
        samples.store_samples()
        assert figures.measure_throughput(NOW)["rows"] == 3_000
        clock.shift(7_200)
        assert figures.measure_throughput(timezone.now() - figures.HOUR)["rows"] == 0


@pytest.mark.spec("MON-028", "MON-021", "MON-022")
def test_health_needs_no_token_and_tells_no_words(anonymous_api: APIClient) -> None:
    Alert.objects.create(
        key="cpu:web-1",
        severity=Severity.WARNING,
        category="system",
        title="CPU of web-1 is nearly used up",
        message="secret",
        raised_at=NOW,
    )
    store_sample(minutes_ago=5, requests=40, failed=10, time_ms=4_000.0)
    told = anonymous_api.get("/api/monitoring/health").json()
    assert told["status"] == "warning"
    assert told["application"] == {
        "total_requests": 40,
        "error_rate": 25.0,
        "avg_response_time": 100.0,
        "active_requests": 1,
    }
    assert told["alerts"] == [{"severity": "warning", "category": "system", "timestamp": "2026-11-20T10:07:00Z"}]
    assert set(told["system"]) == {
        "memory_percent",
        "memory_available_gb",
        "cpu_percent",
        "disk_percent",
        "disk_available_gb",
        "uptime_hours",
    }
    assert set(told) == {"status", "system", "application", "alerts"}
    assert all(value >= 0 for value in told["system"].values())


@pytest.mark.spec("MON-033")
def test_health_is_kept_for_some_seconds(anonymous_api: APIClient, django_assert_num_queries: Any) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        anonymous_api.get("/api/monitoring/health")
        store_sample(minutes_ago=1, requests=77)
        assert anonymous_api.get("/api/monitoring/health").json()["application"]["total_requests"] == 0
        clock.shift(6)
        assert anonymous_api.get("/api/monitoring/health").json()["application"]["total_requests"] == 79


@pytest.mark.spec("MON-033")
def test_health_is_rate_limited(anonymous_api: APIClient) -> None:
    with time_machine.travel(NOW, tick=False):
        statuses = [anonymous_api.get("/api/monitoring/health").status_code for _ in range(121)]
    assert statuses == [200] * 120 + [429]


@pytest.mark.spec("MON-001", "MON-005", "ADM-127")
def test_the_api_monitor_counts_calls_of_the_last_day(sam: User, alice: User) -> None:
    with time_machine.travel(NOW, tick=False):
        api = client_of(sam)
        store_sample(minutes_ago=11 * 60, requests=400)  # yesterday in UTC, still in the last 24 hours
        store_sample(minutes_ago=60, requests=100, failed=10, time_ms=20_000.0)
        store_sample(minutes_ago=60, requests=900, group="pages")
        store_sample(minutes_ago=25 * 60, requests=9_000)
        RequestFailure.objects.create(
            at=NOW - timedelta(hours=2),
            description="POST /api/validate/single: X",
            status=500,
            user_id=alice.pk,
            request_id="r",
        )
        told = api.get("/api/admin/api-health").json()
    assert (told["dailyVolume"], told["errorRate"], told["successRate"]) == (100, 2.0, 98.0)
    assert told["avgResponseTime"] == pytest.approx(42.0)
    assert told["recentErrors"] == [
        {
            "timestamp": "2026-11-20T08:07:00Z",
            "error": "POST /api/validate/single: X",
            "email": "a***@alder.com",
            "severity": "critical",
        }
    ]
    assert told["uptime"] is None


@pytest.mark.spec("MON-005")
def test_recent_errors_come_at_once_and_name_no_deleted_caller(sam: User, client: Client) -> None:
    count_answer("/api/plans", status=502)
    RequestFailure.objects.create(at=timezone.now(), description="GET /x: Y", status=500, user_id=9_999, request_id="r")
    live, stored = sorted(client_of(sam).get("/api/admin/api-health").json()["recentErrors"], key=itemgetter("error"))
    assert (stored["error"], stored["email"], stored["severity"]) == ("GET /x: Y", None, "critical")
    assert (live["error"], live["severity"]) == ("GET /api/plans: INTERNAL_ERROR", "warning")


@pytest.mark.spec("MON-007")
def test_the_chart_has_a_point_for_each_quarter_of_an_hour_with_calls(sam: User) -> None:
    with time_machine.travel(NOW, tick=False):
        api = client_of(sam)
        assert api.get("/api/admin/api-health").json()["performanceData"] == []
        with metrics.handing_over_sums():
            pass
        store_sample(minutes_ago=8, requests=10, time_ms=500.0)  # 09:59
        store_sample(minutes_ago=6, requests=30, time_ms=600.0, failed=1)  # 10:01
        store_sample(minutes_ago=2, requests=10, time_ms=1_400.0)
        count_answer("/api/plans", times=1)
        points = api.get("/api/admin/api-health").json()["performanceData"]
    assert [(point["time"], point["requests"], point["errors"]) for point in points] == [
        ("2026-11-20T09:45:00Z", 10, 0),
        ("2026-11-20T10:00:00Z", 41, 1),
    ]
    assert points[0]["avg_response"] == 50.0
    assert points[1]["avg_response"] == pytest.approx(2_000 / 41, abs=0.5)


def test_what_is_old_is_forgotten() -> None:
    store_sample(minutes_ago=9 * 24 * 60)
    kept = store_sample(minutes_ago=60)
    for number in range(1_003):
        RequestFailure.objects.create(at=timezone.now(), description=f"GET /{number}", status=500, request_id="r")
    delete_old_samples()
    assert list(RequestSample.objects.all()) == [kept]
    assert RequestFailure.objects.count() == 1_000
    assert not RequestFailure.objects.filter(description="GET /2").exists()


@pytest.mark.parametrize("path", ["/api/monitoring/metrics", "/api/admin/api-health", "/api/monitoring/alerts"])
def test_more_samples_cost_no_more_queries(sam: User, path: str, django_assert_max_num_queries: Any) -> None:
    api = client_of(sam)
    api.get(path)
    for minute in range(1, 40):
        store_sample(minutes_ago=minute)
    with django_assert_max_num_queries(22):
        assert api.get(path).status_code == 200
