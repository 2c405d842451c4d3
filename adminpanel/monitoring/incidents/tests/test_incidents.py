"""Staff write incidents and maintenance."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from adminpanel.monitoring.incidents.models import Incident
from conftest import client_of

pytestmark = pytest.mark.postgres

INCIDENT = {
    "title": "Slow answers",
    "kind": "incident",
    "services": ["API", "Dashboard"],
    "started_at": "2026-11-20T10:00:00Z",
}


@pytest.fixture
def staff(sam: User) -> APIClient:
    return client_of(sam)


@pytest.mark.spec("PUB-054", "SEC-014")
def test_staff_tell_of_an_incident_and_end_it(staff: APIClient, sam: User, anonymous_api: APIClient) -> None:
    made = staff.post("/api/admin/incidents", INCIDENT, format="json")
    assert made.status_code == 201
    incident = made.json()["incident"]
    assert incident == INCIDENT | {"id": incident["id"], "ended_at": None, "note": ""}
    told = {"ended_at": "2026-11-20T11:00:00Z", "note": "A full disk."}
    changed = staff.put(f"/api/admin/incidents/{incident['id']}", told, format="json")
    assert changed.json()["incident"] == incident | told
    assert staff.get("/api/admin/incidents").json() == {"incidents": [incident | told]}
    lines = Activity.objects.filter(target=f"incident {incident['id']}").order_by("pk")
    assert [(line.action, line.staff_id) for line in lines] == [
        ("Created: incident", sam.pk),
        ("Changed: incident", sam.pk),
    ]
    assert lines[1].changes == {
        "ended_at": [None, "2026-11-20T11:00:00+00:00"],
        "note": ["", "A full disk."],
    }
    history = anonymous_api.get("/api/status/history").json()["incidents"]
    assert [(one["title"], one["note"]) for one in history] == [("Slow answers", "A full disk.")]


@pytest.mark.spec("PUB-056")
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"title": " "}, "title"),
        ({"kind": "party"}, "kind"),
        ({"services": []}, "services"),
        ({"services": ["Kitchen"]}, "services"),
        ({"ended_at": "2026-11-20T09:00:00Z"}, "ended_at"),
        ({"kind": "maintenance"}, "ended_at"),
        ({"started_at": "soon"}, "started_at"),
    ],
)
def test_what_makes_no_sense_is_refused(staff: APIClient, wrong: dict[str, Any], field: str) -> None:
    answer = staff.post("/api/admin/incidents", INCIDENT | wrong, format="json")
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, field)
    assert not Incident.objects.exists()
    assert not Activity.objects.filter(target__startswith="incident").exists()


def test_a_change_that_makes_no_sense_changes_nothing(staff: APIClient) -> None:
    made = staff.post("/api/admin/incidents", INCIDENT, format="json").json()["incident"]
    path = f"/api/admin/incidents/{made['id']}"
    assert staff.put(path, {"ended_at": "2026-11-20T09:00:00Z"}, format="json").status_code == 400
    assert staff.put(path, {"services": []}, format="json").status_code == 400
    assert staff.get("/api/admin/incidents").json()["incidents"] == [made]
    assert staff.put(path, {"title": made["title"]}, format="json").status_code == 200
    assert Activity.objects.filter(target=f"incident {made['id']}").count() == 1
