"""The tab API Credits: what providers say of our credits, what they cost, the switch, the budget, the alerts."""

import time
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from adminpanel import tasks
from adminpanel.monitoring.alerts import services as alerts
from adminpanel.monitoring.alerts.models import Alert
from adminpanel.reports import providers
from conftest import client_of
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import date_queue
from validation.providers import health
from validation.providers.clients.base import BadAnswer, BadKey, Unavailable
from validation.providers.models import ProviderDay, ProviderState
from validation.tests.outside import Outside, connect

PATH = "/api/admin/api-credits"
TODAY = date(2030, 1, 31)
NOW = "2030-01-31T04:05:06Z"


@pytest.fixture(autouse=True)
def _clock() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def staff(sam: User) -> APIClient:
    return client_of(sam)


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Outside:
    return connect(monkeypatch)


@pytest.mark.spec("ADM-602", "ADM-603", "ADM-604")
def test_without_keys_nothing_is_made_up(staff: APIClient) -> None:
    body = staff.get(PATH).json()
    assert body["last_check"] == NOW
    assert {name: (one["credits"], one["status"]) for name, one in body["providers"].items()} == dict.fromkeys(
        ("ZeroBounce", "NeverBounce", "Kickbox"), ("Unknown", "not_configured")
    )
    assert {name: one["plans"] for name, one in body["providers"].items()} == {
        "ZeroBounce": ["starter", "growth", "pro", "enterprise"],
        "NeverBounce": ["growth", "pro", "enterprise"],
        "Kickbox": ["pro", "enterprise"],
    }
    assert body["providers"]["NeverBounce"]["error"] == (
        "NeverBounce is not connected. The built-in checks answer by themselves."
    )


@pytest.mark.spec("ADM-602", "ADM-604", "ADM-606")
def test_the_providers_themselves_are_asked(staff: APIClient, outside: Outside) -> None:
    outside["zerobounce"].credits, outside["neverbounce"].credits = 1_337, BadKey("who")
    outside["kickbox"].credits = None
    told = {name: (one["credits"], one["status"], one["error"]) for name, one in providers_of(staff).items()}
    assert told == {
        "ZeroBounce": (1_337, "ok", None),
        "NeverBounce": ("Error", "error", "NeverBounce does not accept our key."),
        "Kickbox": ("Unknown", "ok", "This account is billed by use, so there is no number of credits left."),
    }
    kept = ProviderState.objects.get(name="zerobounce")
    assert (kept.balance, kept.balance_error, kept.balance_at) == (1_337, "", timezone.now())


def providers_of(staff: APIClient) -> dict[str, Any]:
    found: dict[str, Any] = staff.get(PATH).json()["providers"]
    return found


@pytest.mark.spec("ADM-606")
@pytest.mark.parametrize("error", [Unavailable("down"), BadAnswer("page"), KeyError("schema")])
def test_one_that_fails_says_so_and_holds_up_nobody(staff: APIClient, outside: Outside, error: Exception) -> None:
    outside["kickbox"].credits = error
    told = providers_of(staff)
    assert (told["Kickbox"]["credits"], told["Kickbox"]["status"], told["ZeroBounce"]["credits"]) == (
        "Error", "error", 1_000,
    )  # fmt: skip


@pytest.mark.spec("ADM-606")
def test_one_that_hangs_is_not_waited_for(staff: APIClient, outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "ANSWER_WITHIN_S", 0.1)
    monkeypatch.setattr(outside["kickbox"], "balance", lambda: time.sleep(0.5), raising=False)
    told = providers_of(staff)["Kickbox"]
    assert (told["credits"], told["error"]) == ("Error", "Kickbox did not answer in time.")


@pytest.mark.spec("ADM-608")
def test_staff_see_what_providers_cost_and_are_worth(staff: APIClient, outside: Outside) -> None:
    ProviderDay.objects.create(
        provider="zerobounce", date=TODAY, calls=12, spent=10, answers=8, hits=6, disagreements=1, time_ms=2_000
    )
    ProviderDay.objects.create(provider="zerobounce", date=TODAY - timedelta(days=6), calls=1, spent=1)
    ProviderDay.objects.create(provider="zerobounce", date=TODAY - timedelta(days=7), calls=100, spent=100)
    week = staff.get(f"{PATH}/stats?range=7d").json()["providers"]
    assert week["ZeroBounce"] == {
        "calls": 13, "spent": 11, "hit_rate": 75.0, "disagreement_rate": 16.7, "latency_ms": 250.0,
        "daily_budget": health.DAILY_BUDGET, "enabled": True, "breaker": "closed",
    }  # fmt: skip
    assert (week["Kickbox"]["calls"], week["Kickbox"]["hit_rate"], week["Kickbox"]["latency_ms"]) == (0, None, None)
    assert staff.get(f"{PATH}/stats").json()["providers"]["ZeroBounce"]["spent"] == 111
    assert staff.get(f"{PATH}/stats?range=1y").status_code == 400


@pytest.mark.spec("ADM-608", "SEC-014")
def test_staff_switch_a_provider_off_and_set_its_budget(staff: APIClient, sam: User, outside: Outside) -> None:
    body = {"enabled": False, "daily_budget": 250}
    for _ in range(2):
        told = staff.put(f"{PATH}/ZeroBounce", body, format="json")
        assert told.json() == {"name": "ZeroBounce", **body}
    line = Activity.objects.get(action="Outside provider changed")  # the second call changed nothing
    assert (line.staff_id, line.target) == (sam.pk, "provider ZeroBounce")
    assert line.changes == {"enabled": [True, False], "daily_budget": [health.DAILY_BUDGET, 250]}
    assert staff.put(f"{PATH}/ZeroBounce", {"daily_budget": None}, format="json").json()["daily_budget"] is None
    assert staff.get(f"{PATH}/stats").json()["providers"]["ZeroBounce"]["enabled"] is False


@pytest.mark.spec("ADM-608")
@pytest.mark.parametrize("body", [{"daily_budget": -1}, {"daily_budget": "many"}, {"enabled": "perhaps"}])
def test_what_makes_no_sense_changes_nothing(staff: APIClient, body: dict[str, Any]) -> None:
    assert staff.put(f"{PATH}/Kickbox", body, format="json").status_code == 400
    assert not Activity.objects.filter(action="Outside provider changed").exists()
    answer = staff.put(f"{PATH}/Bouncer", {"enabled": False}, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (404, "Provider not found")


def list_raised() -> dict[str, tuple[str, str]]:
    date_queue()
    alerts.update_alerts()
    return {alert.key: (alert.severity, alert.message) for alert in alerts.list_open_alerts()}


@pytest.mark.spec("ADM-608", "MON-035")
def test_what_stands_in_a_providers_way_is_an_alert_once(outside: Outside, sam: User) -> None:
    outside["kickbox"].credits = 120
    tasks.refresh_balances()
    goes_on = "; its questions go to the others, or our own answer stands"
    ProviderState.objects.filter(name="zerobounce").update(enabled=False)
    ProviderState.objects.filter(name="neverbounce").update(daily_budget=3)
    ProviderDay.objects.create(provider="neverbounce", date=TODAY, calls=3, spent=3)
    for _ in range(health.FAILURES):
        health.record_failure("kickbox", Unavailable("it is down"))
    for _ in range(2):
        assert list_raised() == {
            "provider_off:zerobounce": ("warning", f"by staff{goes_on}"),
            "provider_budget:neverbounce": ("warning", f"3 questions today{goes_on}"),
            "provider_breaker:kickbox": ("warning", f"it is down{goes_on}"),
            "provider_credits:kickbox": ("warning", "120 credits left (threshold 500)"),
        }
    assert (Alert.objects.count(), OutgoingMail.objects.filter(key__startswith="staff_alert").count()) == (4, 4)
    outside["kickbox"].credits = 0
    tasks.refresh_balances()
    assert list_raised()["provider_credits:kickbox"] == ("critical", "0 credits left (threshold 500)")
    outside["kickbox"].credits = 5_000
    tasks.refresh_balances()
    health.record_success("kickbox")
    ProviderState.objects.update(enabled=True, daily_budget=None)
    assert list_raised() == {}
