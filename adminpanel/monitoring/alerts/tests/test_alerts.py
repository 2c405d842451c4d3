"""Alerts are raised, mailed once, and cleared when the cause ends."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail as outbox
from django.utils import timezone

from accounts.users.models import User
from adminpanel.monitoring.alerts import conditions
from adminpanel.monitoring.alerts import services as alerts
from adminpanel.monitoring.alerts.conditions import Condition
from adminpanel.monitoring.alerts.models import Alert
from adminpanel.monitoring.measurements.models import MachineSample, RequestSample
from adminpanel.monitoring.probes.models import ProbeSample
from adminpanel.monitoring.targets import Part, Service, State
from conftest import client_of, make_user
from emailcheck.common.queue import tasks
from emailcheck.common.testing import date_queue, drain_queue

NOW = datetime(2026, 11, 20, 10, 7, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions, "_sources", [])


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def store_machine_sample(clock: Any, name: str, *readings: float) -> None:
    """A minute each."""
    for value in readings:
        figures = {"cpu_percent": 10.0, "memory_percent": 10.0, "disk_percent": 10.0} | {name: value}
        MachineSample.objects.create(
            at=timezone.now(), machine="web-1", active_requests=0, rows=0, chunks=0, work_ms=0, **figures
        )
        alerts.update_alerts()
        clock.shift(60)


def list_raised() -> list[tuple[str, str]]:
    return [(alert.key, alert.severity) for alert in alerts.list_open_alerts()]


def list_subjects() -> list[str]:
    drain_queue()
    return [str(mail.subject) for mail in outbox.outbox]


@pytest.mark.spec("MON-035")
@pytest.mark.parametrize("name", ["memory_percent", "cpu_percent", "disk_percent"])
def test_a_machine_over_a_threshold_for_three_minutes_raises_an_alert(clock: Any, name: str) -> None:
    key = f"{name.removesuffix('_percent')}:web-1"
    store_machine_sample(clock, name, 81, 99, 80, 85, 85)
    assert list_raised() == []
    store_machine_sample(clock, name, 85)
    assert list_raised() == [(key, "warning")]
    store_machine_sample(clock, name, 96, 96, 96)
    assert list_raised() == [(key, "critical")]
    store_machine_sample(clock, name, 76, 79, 81, 74, 74, 76)
    assert list_raised() == [(key, "critical")]  # not well below for three minutes: it does not flap
    store_machine_sample(clock, name, 74, 74, 74)
    assert list_raised() == []
    assert Alert.objects.count() == 1


@pytest.mark.spec("MON-035")
def test_staff_get_a_mail_for_each_step(clock: Any, sam: User, alice: User) -> None:
    former = make_user("former@emailcheck.app", "Former", role="admin")
    User.objects.filter(pk=former.pk).update(is_active=False)
    store_machine_sample(clock, "disk_percent", 90, 90, 90, 90, 90)
    assert list_subjects() == ["[warning] Disk of web-1 is nearly used up"]
    assert outbox.outbox[0].to == ["sam@emailcheck.app"]
    assert "disk at 90% for 3 minutes (thresholds 80% and 95%)" in outbox.outbox[0].body
    assert "Raised on 20 November 2026, 10:09 UTC" in outbox.outbox[0].body
    assert "/admin?tab=monitoring" in outbox.outbox[0].body
    store_machine_sample(clock, "disk_percent", 10, 10, 10, 10)
    assert list_subjects()[1:] == ["[warning] Disk of web-1 is nearly used up: over"]
    assert "Over since 20 November 2026, 10:14 UTC" in outbox.outbox[1].body


def store_requests(**counts: Any) -> None:
    fields = {"requests": 100, "refused": 0, "failed": 0, "time_ms": 1_000.0, "probing_ms": 0.0} | counts
    buckets = [0] * 12
    RequestSample.objects.create(at=timezone.now(), machine="web-1", group="validation", buckets=buckets, **fields)
    alerts.update_alerts()


@pytest.mark.spec("MON-035", "MON-032")
def test_failing_requests_raise_an_alert_until_they_do_not(clock: Any) -> None:
    store_requests(failed=5)  # 5.0% is not over 5
    assert list_raised() == []
    store_requests(failed=7)
    assert list_raised() == [("error_rate", "warning")]
    store_requests(requests=40)  # 5.0% of 240: not well below
    assert list_raised() == [("error_rate", "warning")]
    store_requests(requests=200)
    assert list_raised() == []
    store_requests(requests=100, failed=100)
    assert list_raised() == [("error_rate", "critical")]


@pytest.mark.spec("MON-035", "MON-039")
def test_slow_answers_raise_an_alert_but_slow_mail_hosts_do_not(clock: Any) -> None:
    store_requests(time_ms=40_000.0, probing_ms=900_000.0)
    assert list_raised() == []
    store_requests(time_ms=70_000.0)
    assert list_raised() == [("response_time", "warning")]
    clock.shift(360)
    alerts.update_alerts()
    assert list_raised() == []


@pytest.mark.spec("MON-035")
def test_a_few_failures_in_the_night_are_no_alert(clock: Any) -> None:
    store_requests(requests=19, failed=19, time_ms=190_000.0)
    assert list_raised() == []


@pytest.mark.spec("MON-035")
@pytest.mark.parametrize(
    ("target", "severity"), [(Part.PAYMENT, "warning"), (Service.API, "critical"), (Part.DATABASE, "critical")]
)
def test_what_probes_find_down_twice_raises_an_alert(clock: Any, target: str, severity: str) -> None:
    def probe(state: str) -> None:
        ProbeSample.objects.create(at=timezone.now(), target=target, state=state, detail="no token: 401")
        alerts.update_alerts()
        clock.shift(60)

    probe(State.DOWN)
    assert list_raised() == []
    probe(State.DOWN)
    assert list_raised() == [(f"probe:{target}", severity)]
    assert Alert.objects.get().message == "the last 2 checks failed: no token: 401"
    probe(State.OPERATIONAL)
    probe(State.DOWN)
    assert list_raised() == [(f"probe:{target}", severity)]
    probe(State.OPERATIONAL)
    probe(State.DEGRADED)
    assert list_raised() == []


@pytest.mark.spec("MON-035")
def test_tasks_that_wait_for_long_raise_an_alert(clock: Any) -> None:
    tasks.enqueue("validation.tasks.work", queue="bulk")
    date_queue()
    clock.shift(590)
    alerts.update_alerts()
    assert list_raised() == []
    clock.shift(20)
    alerts.update_alerts()
    assert list_raised() == [("queue:bulk", "warning")]
    assert Alert.objects.get().message == "1 waiting, the oldest for 10 minutes (threshold 10 minutes)"
    clock.shift(1_300)
    alerts.update_alerts()
    assert list_raised() == [("queue:bulk", "critical")]
    drain_queue()
    alerts.update_alerts()
    assert list_raised() == []


@pytest.mark.spec("MON-035")
def test_apps_above_can_have_something_watched() -> None:
    failed = [1.0]

    def backups() -> list[Condition]:
        return [Condition("backup", "backup", "The last backup failed", failed, 0.5, 1.0, 0.5, lambda _: "disk full")]

    conditions.add_source(backups)
    conditions.add_source(backups)
    alerts.update_alerts()
    assert list_raised() == [("backup", "warning")]
    failed[:] = [0.0]
    alerts.update_alerts()
    assert list_raised() == []


@pytest.mark.spec("MON-029", "MON-024", "MON-021")
def test_the_first_ten_are_listed_the_gravest_first(sam: User) -> None:
    api = client_of(sam)
    assert api.get("/api/monitoring/alerts").json() == {
        "alerts": [],
        "summary": {"total": 0, "critical": 0, "warning": 0},
    }
    for number in range(12):
        Alert.objects.create(
            key=f"k{number}",
            severity="critical" if number == 3 else "warning",
            category="system",
            title=f"Alert {number}",
            message="m",
            raised_at=NOW + timedelta(minutes=number),
        )
    Alert.objects.create(key="old", severity="critical", category="system", title="Over", message="m", raised_at=NOW,
                         cleared_at=NOW)  # fmt: skip
    told = api.get("/api/monitoring/alerts").json()
    assert [alert["title"] for alert in told["alerts"]] == [
        "Alert 3", *(f"Alert {number}" for number in (11, 10, 9, 8, 7, 6, 5, 4, 2)),
    ]  # fmt: skip
    assert told["summary"] == {"total": 12, "critical": 1, "warning": 11}
    assert told["alerts"][0] == {
        "id": str(Alert.objects.get(key="k3").pk),
        "severity": "critical",
        "title": "Alert 3",
        "message": "m",
        "timestamp": "2026-11-20T10:10:00Z",
        "category": "system",
    }
    assert api.get("/api/monitoring/metrics").json()["overview"]["status"] == "error"
