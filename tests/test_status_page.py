"""The status page says what was measured, and nothing else."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.test import Client

from adminpanel.monitoring.incidents.models import Incident, IncidentKind
from adminpanel.monitoring.probes.models import ProbeDay, ProbeSample
from adminpanel.monitoring.targets import Service, State

NOW = datetime(2026, 11, 20, 10, 7, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def page(client: Client) -> str:
    answer = client.get("/status")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def sample(target: str, state: str = State.OPERATIONAL) -> None:
    ProbeSample.objects.create(at=NOW - timedelta(minutes=1), target=target, state=state, took_ms=12.5)


def day(target: str, on: date, up: int, samples: int = 1_000) -> None:
    ProbeDay.objects.create(date=on, target=target, samples=samples, up=up)


def service(text: str, name: str) -> str:
    """What the page shows of a service."""
    found = re.search(rf'<li class="card status-service">(?:(?!status-service).)*<h3>{name}</h3>.*?</p> </li>', text)
    assert found, name
    return found[0]


def badge(text: str) -> str:
    found = re.search(r'class="badge tone-(\w+)">([^<]+)</span>', text)
    assert found
    return f"{found[2]} {found[1]}"


@pytest.mark.spec("PUB-054", "PUB-056")
def test_before_the_first_check_nothing_is_claimed(client: Client) -> None:
    text = page(client)
    assert "<span data-refresh-heading>No data yet</span>" in text
    assert "No recent incidents" in text
    for name in Service.values:
        shown = service(text, name)
        assert badge(shown) == "No data yet unknown"
        assert shown.count('<li class="day day-none">') == 90
        assert shown.count("No data yet") == 3
    assert "day-valid" not in text.replace('<span class="day day-valid"></span>', "")


@pytest.mark.spec("PUB-051", "PUB-052", "LIM-030")
@pytest.mark.parametrize(
    ("worst", "overall", "shown"),
    [
        (State.OPERATIONAL, "All Systems Operational", "Operational valid"),
        (State.DEGRADED, "Partial System Outage", "Degraded risky"),
        (State.DOWN, "Partial System Outage", "Down invalid"),
    ],
)
def test_services_are_shown_as_measured(client: Client, worst: str, overall: str, shown: str) -> None:
    for name in Service.values:
        sample(name, worst if name == "API" else State.OPERATIONAL)
    day("API", NOW.date(), 998)
    text = page(client)
    assert f"<span data-refresh-heading>{overall}</span>" in text
    api = service(text, "API")
    assert badge(api) == shown
    assert "<dd>99.80%</dd>" in api
    assert "<dd>13 ms</dd>" in api
    assert badge(service(text, "Dashboard")) == "Operational valid"
    assert '<time datetime="2026-11-20T10:06:00+00:00">20 November 2026, 10:06 UTC</time>' in text
    legend = re.search(r'aria-label="Legend of states">(.*?)</ul>', text)
    assert legend
    states = re.findall(r'class="badge[^>]*>(\w+)</span>', legend[1])
    assert states == ["Operational", "Degraded", "Down", "Maintenance"]


@pytest.mark.spec("PUB-052", "LIM-030")
def test_two_of_four_are_a_major_outage(client: Client) -> None:
    for name in Service.values:
        sample(name, State.DOWN if name in ("API", "Dashboard") else State.OPERATIONAL)
    assert "<span data-refresh-heading>Major System Outage</span>" in page(client)


@pytest.mark.spec("PUB-056")
def test_each_of_ninety_days_has_its_mark(client: Client) -> None:
    day("Validation", NOW.date(), 1_000)
    day("Validation", NOW.date() - timedelta(days=1), 980)
    day("Validation", NOW.date() - timedelta(days=89), 500)
    day("Validation", NOW.date() - timedelta(days=90), 1_000)
    text = page(client)
    marks = re.findall(r'<li class="day day-(\w+)"><span>([^<]+)</span>', service(text, "Validation"))
    assert len(marks) == 90
    assert marks[0] == ("invalid", "23 Aug 2026: 50.00%")
    assert marks[1] == ("none", "24 Aug 2026: No data")
    assert marks[-2:] == [("risky", "19 Nov 2026: 98.00%"), ("valid", "20 Nov 2026: 100.00%")]
    assert {tone for tone, _ in marks[1:-2]} == {"none"}
    assert "measured on 3 of 90 days" in service(text, "Validation")
    row = '<th scope="row">19 Nov 2026</th><td>No data</td><td>No data</td><td>98.00%</td><td>No data</td>'
    assert row in text


@pytest.mark.spec("PUB-054", "PUB-056")
def test_incidents_and_maintenance_are_told_with_begin_end_and_note(client: Client) -> None:
    for title, kind, begin, end, note in (
        ("Slow <pages>", IncidentKind.INCIDENT, -30, -28, "A disk.\nReplaced."),
        ("API unreachable", IncidentKind.INCIDENT, -1, None, ""),
        ("New rack", IncidentKind.MAINTENANCE, 48, 50, "Two hours."),
        ("Overnight", IncidentKind.INCIDENT, -36, -12, ""),
        ("Long ago", IncidentKind.INCIDENT, -24 * 92, -24 * 91, ""),
    ):
        started, ended = NOW + timedelta(hours=begin), None if end is None else NOW + timedelta(hours=end)
        Incident.objects.create(title=title, kind=kind, services=["API"], started_at=started, ended_at=ended, note=note)
    text = page(client)
    told = re.findall(r"<h3>([^<]+)</h3> <span class=\"badge[^>]*>(\w+)</span>", text.split('id="incident"')[1])
    assert told == [
        ("API unreachable", "Ongoing"),
        ("Slow &lt;pages&gt;", "Ended"),
        ("Overnight", "Ended"),
        ("New rack", "Planned"),
    ]
    assert re.search(">19 Nov 2026, 04:07</time> to <time[^>]*>06:07</time> UTC", text)
    assert "<p>A disk.<br>Replaced.</p>" in text
    assert re.findall(r"<strong>([^<]+)</strong> concerns API right now", text) == ["API unreachable"]
    assert "Long ago" not in text
    assert "No recent incidents" not in text
