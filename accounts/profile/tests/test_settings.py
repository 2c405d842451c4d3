"""Profile, preferences, retention, the tour, and what the account's log says of it."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User

PROFILE = "/api/user/profile"
ACTIVITY = "/api/user/activity"


@pytest.mark.spec("SET-004", "SET-005", "SET-009")
def test_a_profile_is_stored(alice: User, alice_api: APIClient) -> None:
    wish = {"name": " Alice A. ", "company": "Alder & Ash", "address": "1 Elm Row\nLeeds", "vat_id": " gb 123 456 789 "}
    kept = {"name": "Alice A.", "company": "Alder & Ash", "address": "1 Elm Row\nLeeds", "vat_id": "GB123456789"}
    answer = alice_api.put(PROFILE, wish, format="json")
    assert answer.status_code == 200
    assert answer.json() == {**kept, "email": "alice@alder.com", "message": "Profile updated successfully!"}
    me = alice_api.get("/api/auth/me").json()
    assert {field: me[field] for field in kept} == kept


@pytest.mark.spec("SET-007", "SEC-007")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""), ("name", "   "), ("name", None), ("name", "x" * 151), ("company", "x" * 256),
        ("address", "x" * 501), ("name", "A\x00"), ("company", ["x"]),
    ],
)  # fmt: skip
def test_a_profile_out_of_bounds_changes_nothing(alice: User, alice_api: APIClient, field: str, value: object) -> None:
    answer = alice_api.put(PROFILE, {"name": "Other", field: value}, format="json")
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, field)
    alice.refresh_from_db()
    assert (alice.name, alice.own_organisation.company, alice.own_organisation.address) == ("Alice Alder", "", "")
    assert not Activity.objects.filter(kind=ActivityKind.SETTINGS).exists()


@pytest.mark.spec("SET-007")
def test_nothing_but_the_profile_can_be_changed_by_it(alice: User, alice_api: APIClient) -> None:
    before = User.objects.values().get(pk=alice.pk)
    more = {
        "email": "x@evil.com", "role": "admin", "is_active": False, "is_superuser": True, "credits": 1_000_000, "id": 1,
        "plan": "enterprise", "subscription_plan": "enterprise", "email_verified_at": None, "password": "x", "user": 7,
    }  # fmt: skip
    assert alice_api.put(PROFILE, {"name": "Alice A.", **more}, format="json").status_code == 200
    assert User.objects.values().get(pk=alice.pk) == before | {"name": "Alice A."}
    assert alice_api.get("/api/auth/me").json()["credits"] == 100


@pytest.mark.spec("SET-051", "SET-056")
def test_preferences_begin_as_documented_and_each_is_stored_alone(alice_api: APIClient) -> None:
    path = "/api/user/preferences"
    assert alice_api.get(path).json() == {"email_notifications": True, "analytics": True, "marketing": False}
    assert alice_api.put(path, {"analytics": False}, format="json").json()["analytics"] is False
    assert alice_api.put(path, {"marketing": True}, format="json").status_code == 200
    assert alice_api.get(path).json() == {"email_notifications": True, "analytics": False, "marketing": True}
    refused = alice_api.put(path, {"marketing": "perhaps"}, format="json")
    assert (refused.status_code, refused.json()["details"]["field"]) == (400, "marketing")


@pytest.mark.spec("VAL-044", "SET-060")
def test_retention_and_in_house_choice_are_stored(alice_api: APIClient) -> None:
    path = "/api/user/retention"
    assert alice_api.get(path).json() == {"uploads_days": 30, "results_days": 365, "use_providers": True}
    wish = {"uploads_days": 1, "results_days": 90, "use_providers": False}
    assert alice_api.put(path, wish, format="json").json() == wish
    for days in (0, 2, 366, -1, "week"):
        refused = alice_api.put(path, {"results_days": days}, format="json")
        assert (refused.status_code, refused.json()["details"]["field"]) == (400, "results_days")
    assert alice_api.put(path, {}, format="json").json() == wish


@pytest.mark.spec("DASH-016")
def test_the_tour_is_remembered_by_the_account(alice_api: APIClient) -> None:
    path = "/api/user/onboarding"
    assert alice_api.get(path).json() == {"completed": False}
    assert alice_api.put(path, {"completed": True}, format="json").json() == {"completed": True}
    assert alice_api.get(path).json() == {"completed": True}
    assert alice_api.put(path, {}, format="json").status_code == 400


@pytest.mark.spec("SET-061")
def test_the_log_says_what_happened_when_and_from_where(alice: User, bob: User, sam: User) -> None:
    api = APIClient(REMOTE_ADDR="203.0.113.7")
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        api.credentials(HTTP_AUTHORIZATION="Bearer " + start_sign_in(user=alice, device="test").access)
        api.put(PROFILE, {"name": "Alice A."}, format="json")
        api.put(PROFILE, {"name": "Alice A."}, format="json")
        audit_log.record_activity(user=alice, kind=ActivityKind.STAFF, action="Signed out everywhere", staff=sam)
        audit_log.record_activity(user=bob, kind=ActivityKind.KEY, action="Of Bob")
        answer = api.get(ACTIVITY)
    noon = "2026-03-01T12:00:00Z"
    assert answer.json() == {
        "activity": [
            {"time": noon, "action": "Signed out everywhere", "ip": None, "by_staff": True},
            {"time": noon, "action": "Profile changed", "ip": "203.0.113.7", "by_staff": False},
            {"time": noon, "action": "Signed in with Unknown device", "ip": None, "by_staff": False},
        ],
        "next": None,
    }
    assert Activity.objects.get(kind=ActivityKind.SETTINGS).created_at == datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.spec("SET-061")
def test_the_log_is_read_by_kind(alice: User, alice_api: APIClient) -> None:
    for kind in (ActivityKind.KEY, ActivityKind.SETTINGS):
        audit_log.record_activity(user=alice, kind=kind, action=f"Of {kind}")
    answer = alice_api.get(ACTIVITY, {"kind": "settings"})
    assert [line["action"] for line in answer.json()["activity"]] == ["Of settings"]
    assert alice_api.get(ACTIVITY, {"kind": "other"}).status_code == 400


@pytest.mark.spec("SET-061")
def test_the_log_is_read_page_by_page(alice: User, alice_api: APIClient) -> None:
    for number in range(audit_log.PAGE_ROWS + 1):
        audit_log.record_activity(user=alice, kind=ActivityKind.KEY, action=str(number))
    first: Any = alice_api.get(ACTIVITY, {"kind": "key"}).json()
    audit_log.record_activity(user=alice, kind=ActivityKind.KEY, action="meanwhile")
    second: Any = alice_api.get(ACTIVITY, {"kind": "key", "cursor": first["next"]}).json()
    read = [line["action"] for line in first["activity"] + second["activity"]]
    assert read == [str(number) for number in reversed(range(audit_log.PAGE_ROWS + 1))]
    assert second["next"] is None
    for cursor in ("x", "W10=", "WyJuZXdlc3QiLCIiLCJ4Il0="):
        assert alice_api.get(ACTIVITY, {"cursor": cursor}).status_code == 400
