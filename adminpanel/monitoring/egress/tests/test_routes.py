"""Whether mail operators answer us, as the engine's processes tell it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.users.models import User
from adminpanel.monitoring.egress import routes
from adminpanel.monitoring.egress.models import Route, RouteSample
from conftest import client_of
from tests.world import Sandbox
from validation.egress.addresses import sync_egress
from validation.egress.models import EgressAddress
from validation.egress.polling import current_profiles
from validation.engine import RouteReport, RouteState
from validation.engine.egress.route_reports import EVERY_OPERATOR, OTHERS
from validation.engine.hosts.behaviour import RouteLog
from validation.engine.profiles import Profiles
from validation.verifier import checker as checkers

NOW = datetime(2026, 11, 20, 10, 7, tzinfo=UTC)


class Clock:
    def monotonic(self) -> float:
        return 0.0

    def time(self) -> float:
        return NOW.timestamp()


@pytest.fixture
def log() -> RouteLog:
    return RouteLog(Clock(), Profiles.shipped())


def test_news_are_told_once(log: RouteLog) -> None:
    log.answered("direct", "google", 20)
    log.answered("direct", "google", 5)
    log.refused("direct", "google", RouteState.BACKING_OFF, "421 4.7.0 slow down", 2.0)
    (news,) = log.pop_reports()
    assert (news.route, news.operator, news.probes, news.refusals) == ("direct", "google", 25, 1)
    assert (news.state, news.refusal) == (RouteState.BACKING_OFF, "421 4.7.0 slow down")
    assert news.next_attempt_at == NOW.timestamp() + 2
    assert log.pop_reports() == []


def test_whoever_answers_works_again(log: RouteLog) -> None:
    log.refused("direct", "google", RouteState.BLOCKED, "550 5.7.1 blocked", 15.0)
    log.answered("direct", "google", 1)
    (news,) = log.pop_reports()
    assert (news.state, news.next_attempt_at, news.refusal) == (RouteState.WORKING, None, "550 5.7.1 blocked")


def test_hosts_without_a_name_count_as_one(log: RouteLog) -> None:
    for number in range(1_000):
        log.answered("direct", f"mx.{number}.example", 1)
    (news,) = log.pop_reports()
    assert (news.operator, news.probes) == (OTHERS, 1_000)


def test_a_closed_way_is_open_again_when_anybody_answers_on_it(log: RouteLog) -> None:
    log.refused("proxy 1", EVERY_OPERATOR, RouteState.BLOCKED, "the proxy cannot be reached", 15.0)
    assert [one.state for one in log.pop_reports()] == [RouteState.BLOCKED]
    log.answered("proxy 1", "google", 1)
    assert {one.operator: one.state for one in log.pop_reports()} == {
        "google": RouteState.WORKING,
        EVERY_OPERATOR: RouteState.WORKING,
    }
    log.answered("proxy 1", "google", 1)
    assert [one.operator for one in log.pop_reports()] == ["google"]


def check_address(api: APIClient, address: str) -> str:
    answer = api.post("/api/validate/single", {"email": address}, format="json")
    assert answer.status_code == 200
    category: str = answer.json()["category"]
    return category


@pytest.mark.spec("MON-042")
def test_checks_write_down_how_operators_answer(
    world: Sandbox, alice_api: APIClient, sam: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VERIFIER_HELO = "routes.emailcheck.app"  # an engine of its own
    sync_egress()
    monkeypatch.setattr(checkers, "REPORTS_EVERY_S", -1.0)
    assert check_address(alice_api, "anna.keller@gmail.com") == "valid"
    assert check_address(alice_api, "anybody@brickwallbank.com") == "unknown"
    profile = current_profiles().named("google")
    google, others = client_of(sam).get("/api/monitoring/routes").json()["routes"]
    assert google == {
        "route": "proxy 1",
        "operator": "google",
        "operator_name": "Google",
        "egress_id": EgressAddress.objects.get().pk,
        "state": "working",
        "probes_minute": 2,  # the address, and one that cannot exist
        "rate_limit": profile.per_minute,
        "sessions_limit": profile.sessions,
        "warm_up": None,
        "probes_hour": 2,
        "refusals_hour": 0,
        "probes_day": 2,
        "refusals_day": 0,
        "last_refusal": None,
        "refused_at": None,
        "next_attempt_at": None,
    }
    assert (others["operator"], others["state"], others["probes_day"]) == ("other mail hosts", "blocked", 0)
    assert others["refusals_hour"] > 0
    assert others["last_refusal"].startswith("554 5.7.1")
    assert others["next_attempt_at"] is not None


def build_report(**fields: Any) -> RouteReport:
    return RouteReport(**({"route": "direct", "operator": "google"} | fields))


@pytest.mark.spec("MON-042")
def test_hours_and_days_are_counted_and_pauses_end(sam: User) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        until = NOW.timestamp() + 30
        refused = build_report(refusals=1, state=RouteState.BACKING_OFF, refusal="421 too fast", next_attempt_at=until)
        refused.probes = 100
        routes.record_reports([refused])
        (row,) = routes.list_routes()
        assert (row["state"], row["next_attempt_at"]) == (RouteState.BACKING_OFF, NOW + timedelta(seconds=30))
        clock.shift(3_599)
        routes.record_reports([build_report(probes=7)])
        (row,) = routes.list_routes()
        assert (row["probes_hour"], row["refusals_hour"], row["probes_day"]) == (107, 1, 107)
        assert (row["state"], row["last_refusal"], row["next_attempt_at"]) == ("working", "421 too fast", None)
        clock.shift(1)
        (row,) = routes.list_routes()
        assert (row["probes_hour"], row["refusals_hour"], row["probes_day"]) == (7, 0, 107)
        clock.shift(25 * 3_600)
        assert routes.list_routes() == []
    assert (Route.objects.count(), RouteSample.objects.count()) == (1, 2)


@pytest.mark.spec("MON-042")
def test_replies_are_kept_without_the_addresses_in_them(sam: User) -> None:
    routes.record_reports(
        [build_report(refusals=1, refusal="550 5.7.1 <ida@example.com>: rejected", state=RouteState.BLOCKED)]
    )
    assert client_of(sam).get("/api/monitoring/routes").json()["routes"][0]["last_refusal"] == (
        "550 5.7.1 <[address]>: rejected"
    )
