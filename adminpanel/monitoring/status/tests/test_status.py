"""What probes find, and what the status page tells of it."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django_q.models import OrmQ
from rest_framework.test import APIClient

from adminpanel.monitoring import tasks
from adminpanel.monitoring.incidents.models import Incident, IncidentKind
from adminpanel.monitoring.probes import services as probes
from adminpanel.monitoring.probes.models import ProbeDay, ProbeSample
from adminpanel.monitoring.probes.outages import update_outages
from adminpanel.monitoring.retention import delete_old_samples
from adminpanel.monitoring.status import services as status
from adminpanel.monitoring.targets import Part, Service, State
from emailcheck.common.testing import drain_queue
from tests.paypal import Buyer
from tests.stack import free_port
from tests.world import Sandbox

NOW = datetime(2026, 11, 20, 10, 7, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def closed(settings: Any) -> None:
    """Nobody listens at the public address."""
    settings.SITE_URL = f"http://127.0.0.1:{free_port()}"


def store_sample(target: str, state: str = State.OPERATIONAL, *, minutes_ago: float = 1, **fields: Any) -> ProbeSample:
    at = NOW - timedelta(minutes=minutes_ago)
    return ProbeSample.objects.create(at=at, target=target, state=state, **{"took_ms": 12.5, **fields})


def get_status(api: APIClient) -> dict[str, Any]:
    answer = api.get("/api/status")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.spec("PUB-054")
def test_before_the_first_check_there_is_no_data(anonymous_api: APIClient) -> None:
    answer = get_status(anonymous_api)
    assert (answer["overall"], answer["checked_at"], answer["incidents"]) == ("No data yet", None, [])
    assert answer["services"] == [
        {"name": name, "status": None, "uptime": None, "response_ms": None}
        for name in ("Email Validation", "Dashboard", "Validation", "API")
    ]


@pytest.mark.spec("PUB-052")
@pytest.mark.parametrize(
    ("states", "text"),
    [
        (["operational"] * 4, "All Systems Operational"),
        (["operational"] * 3 + ["down"], "Partial System Outage"),
        (["operational"] * 3 + ["maintenance"], "Partial System Outage"),
        (["operational"] * 2 + ["degraded"] * 2, "Major System Outage"),
        (["operational"] * 7 + ["down"] * 3, "Major System Outage"),
        (["operational", None, None, None], "Major System Outage"),
        ([None] * 4, "No data yet"),
    ],
)
def test_the_overall_text_follows_the_states(states: list[str | None], text: str) -> None:
    assert status.summarize_states(states) == text


@pytest.mark.spec("PUB-051", "PUB-053", "SET-038")
def test_the_newest_samples_are_told(anonymous_api: APIClient, clock: Any) -> None:
    for service in Service:
        store_sample(service, State.DOWN, minutes_ago=3)
        store_sample(service, minutes_ago=2)
    store_sample(Service.DASHBOARD, State.DEGRADED, minutes_ago=1, took_ms=2_500.0)
    store_sample(Service.VALIDATION, State.PENDING, minutes_ago=1, took_ms=None)
    status.store_days()
    answer = get_status(anonymous_api)
    assert (answer["overall"], answer["checked_at"]) == ("Partial System Outage", "2026-11-20T10:06:00Z")
    assert [(one["name"], one["status"], one["uptime"], one["response_ms"]) for one in answer["services"]] == [
        ("Email Validation", "operational", 50.0, 12.5),
        ("Dashboard", "degraded", 66.67, 2_500.0),
        ("Validation", "operational", 50.0, 12.5),
        ("API", "operational", 50.0, 12.5),
    ]


@pytest.mark.spec("PUB-054")
def test_old_samples_say_nothing_about_now(anonymous_api: APIClient, clock: Any) -> None:
    for service in Service:
        store_sample(service, minutes_ago=11)
    assert {one["name"]: one["status"] for one in get_status(anonymous_api)["services"]} == {
        "Email Validation": None,
        "Dashboard": None,
        "Validation": "down",  # who looks is a worker
        "API": None,
    }


@pytest.mark.spec("PUB-055")
def test_everything_is_probed(world: Sandbox, buyer: Buyer, settings: Any, live_server: Any) -> None:
    settings.SITE_URL = live_server.url
    probes.probe_all()
    assert drain_queue() == ["adminpanel.monitoring.tasks.confirm_workers"]
    found = ProbeSample.objects.values_list("target", "state", "detail")
    assert set(found) == {(name, "operational", "") for name in (*Service.values, *Part.values)}
    assert all(one.took_ms > 0 for one in ProbeSample.objects.all() if one.took_ms is not None)


@pytest.mark.spec("PUB-055", "MON-008")
def test_what_does_not_work_is_down(world: Sandbox, closed: None, settings: Any) -> None:
    settings.PAYPAL_API_BASE = settings.SITE_URL
    settings.VERIFIER_MAIL_FROM = "nobody.of.that.name@gone-for-good.example"
    probes.probe_all()
    found = dict(ProbeSample.objects.exclude(target=Service.VALIDATION).values_list("target", "state"))
    assert found == {
        "Database": "operational",
        "Dashboard": "down",
        "API": "down",
        "Email Validation": "down",
        "Payment provider": "down",
    }
    details = dict(ProbeSample.objects.values_list("target", "detail"))
    assert (details["Dashboard"], details["API"]) == ("NotSent", "NotSent")


@pytest.mark.spec("MON-008")
def test_wrong_keys_are_found_and_missing_ones_are_not_checked(buyer: Buyer, closed: None, settings: Any) -> None:
    settings.VERIFIER_MAIL_FROM = ""
    settings.PAYPAL_CLIENT_SECRET = "wrong"
    probes.probe_all()
    assert ProbeSample.objects.get(target=Part.PAYMENT).state == State.DOWN
    ProbeSample.objects.all().delete()
    settings.PAYPAL_CLIENT_ID = settings.PAYPAL_CLIENT_SECRET = ""
    probes.probe_all()
    assert not ProbeSample.objects.filter(target__in=[Part.PAYMENT, Service.EMAIL_VALIDATION]).exists()


@pytest.mark.spec("PUB-055")
@pytest.mark.parametrize(
    ("after_s", "state", "took_ms"), [(2, "operational", 2_000.0), (90, "degraded", 90_000.0), (200, "pending", None)]
)
def test_workers_answer_in_time_or_late(clock: Any, after_s: int, state: str, took_ms: float | None) -> None:
    store_sample(Service.VALIDATION, State.PENDING, minutes_ago=0, took_ms=None)
    clock.shift(after_s)
    probes.record_worker_answer()
    probes.record_worker_answer()
    found = ProbeSample.objects.get()
    assert (found.state, found.took_ms) == (state, took_ms)


@pytest.mark.spec("PUB-055")
@pytest.mark.usefixtures("closed")
def test_workers_that_do_not_answer_are_down_and_no_tasks_pile_up(clock: Any, settings: Any) -> None:
    settings.VERIFIER_MAIL_FROM = settings.PAYPAL_CLIENT_ID = ""
    for _ in range(5):
        probes.probe_all()
        clock.shift(60)
    assert OrmQ.objects.count() == 1
    states = ProbeSample.objects.filter(target=Service.VALIDATION).order_by("at").values_list("state", flat=True)
    assert list(states) == ["down", "down", "pending", "pending", "pending"]
    drain_queue()
    assert list(states.all()) == ["down", "down", "pending", "degraded", "degraded"]


def create_outage(clock: Any, *states: str) -> None:
    for state in states:
        ProbeSample.objects.create(at=clock_now(), target=Service.API, state=state, took_ms=1.0)
        update_outages()
        update_outages()
        clock.shift(60)


def clock_now() -> datetime:
    return datetime.now(UTC)


@pytest.mark.spec("PUB-054")
def test_an_outage_is_recorded_once_and_ended_by_two_good_probes(anonymous_api: APIClient, clock: Any) -> None:
    create_outage(clock, "down")
    assert get_status(anonymous_api)["incidents"] == []
    create_outage(clock, "down", "down", "operational")
    assert get_status(anonymous_api)["incidents"] == [
        {"title": "API is down", "started_at": "2026-11-20T10:07:00Z", "ended_at": None}
    ]
    create_outage(clock, "operational")
    assert get_status(anonymous_api)["incidents"] == [
        {"title": "API is down", "started_at": "2026-11-20T10:07:00Z", "ended_at": "2026-11-20T10:10:00Z"}
    ]
    create_outage(clock, "down", "operational", "down", "operational")  # never two in a row
    assert Incident.objects.count() == 1


def create_maintenance(**fields: Any) -> Incident:
    window = {
        "title": "New database",
        "kind": IncidentKind.MAINTENANCE,
        "services": ["API"],
        "started_at": NOW - timedelta(minutes=5),
        "ended_at": NOW + timedelta(minutes=30),
    }
    return Incident.objects.create(**window | fields)


@pytest.mark.spec("PUB-053", "PUB-056")
@pytest.mark.usefixtures("closed")
def test_maintenance_is_told_and_not_counted(anonymous_api: APIClient, clock: Any, settings: Any) -> None:
    settings.VERIFIER_MAIL_FROM = settings.PAYPAL_CLIENT_ID = ""
    create_maintenance()
    for _ in range(3):
        tasks.run_monitoring()
        clock.shift(60)
    states = {one["name"]: (one["status"], one["uptime"]) for one in get_status(anonymous_api)["services"]}
    assert (states["API"], states["Dashboard"]) == (("maintenance", None), ("down", 0.0))
    titles = Incident.objects.filter(opened_by_probes=True).values_list("title", flat=True)
    assert sorted(titles) == ["Dashboard is down"]
    clock.shift(3_600)
    assert {one["name"]: one["status"] for one in get_status(anonymous_api)["services"]}["API"] is None


@pytest.mark.spec("PUB-056")
def test_ninety_days_have_a_mark_each(anonymous_api: APIClient, clock: Any) -> None:
    store_sample(Service.API, minutes_ago=5)
    store_sample(Service.API, State.DOWN, minutes_ago=4)
    store_sample(Service.API, State.DOWN, minutes_ago=4, in_maintenance=True)
    store_sample(Service.API, State.DEGRADED, minutes_ago=24 * 60)
    status.store_days()
    status.store_days()
    ProbeDay.objects.create(date=date(2026, 8, 23), target=Service.API, samples=1_440, up=1_439)
    ProbeDay.objects.create(date=date(2026, 8, 22), target=Service.API, samples=10, up=0)
    Incident.objects.create(title="Long ago", kind="incident", services=["API"], started_at=NOW - timedelta(days=100),
                            ended_at=NOW - timedelta(days=91))  # fmt: skip
    window = create_maintenance(note="One hour.")
    answer = anonymous_api.get("/api/status/history").json()
    assert [one["name"] for one in answer["services"]] == Service.values
    (days,) = [one["days"] for one in answer["services"] if one["name"] == "API"]
    assert (len(days), days[0], days[-2], days[-1]) == (
        90,
        {"date": "2026-08-23", "uptime": 99.93},
        {"date": "2026-11-19", "uptime": 100.0},
        {"date": "2026-11-20", "uptime": 50.0},
    )
    assert {day["uptime"] for day in days[1:-2]} == {None}  # not measured is not operational
    assert answer["incidents"] == [
        {
            "title": "New database",
            "kind": "maintenance",
            "started_at": "2026-11-20T10:02:00Z",
            "ended_at": "2026-11-20T10:37:00Z",
            "note": window.note,
        }
    ]
    short = anonymous_api.get("/api/status/history?days=7").json()
    assert len(short["services"][0]["days"]) == 7
    assert anonymous_api.get("/api/status/history?days=91").status_code == 400


def test_a_day_is_kept_when_its_samples_are_gone(clock: Any) -> None:
    store_sample(Service.API, minutes_ago=5)
    status.store_days()
    clock.shift(9 * 24 * 3_600)
    delete_old_samples()
    status.store_days()
    assert (ProbeSample.objects.count(), ProbeDay.objects.get().samples) == (0, 1)
