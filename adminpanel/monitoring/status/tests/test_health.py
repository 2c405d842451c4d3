"""The three figures of System Health follow what was recorded."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.users.models import User
from adminpanel.monitoring.measurements.models import RequestSample
from adminpanel.monitoring.probes.models import ProbeSample
from adminpanel.monitoring.targets import Service, State
from conftest import client_of

NOW = datetime(2026, 11, 20, 10, 7, tzinfo=UTC)


def store_probe(ago: timedelta, state: State) -> None:
    ProbeSample.objects.create(at=NOW - ago, target=Service.API, state=state)


def store_requests(ago: timedelta, group: str, count: int, failed: int) -> None:
    RequestSample.objects.create(
        at=NOW - ago, machine="web-1", group=group, requests=count, refused=0, failed=failed, time_ms=1.0,
        probing_ms=0.0, buckets=[0] * 12,
    )  # fmt: skip


@pytest.mark.spec("ADM-121", "ADM-127")
def test_health_is_measured(alice: User, sam: User) -> None:
    with time_machine.travel(NOW, tick=False):
        staff, mine = client_of(sam), client_of(alice)

        def health() -> dict[str, Any] | None:
            found: dict[str, Any] | None = staff.get("/api/analytics/advanced?range=7d").json()["systemHealth"]
            return found

        before = health()
        assert before is not None
        calls = before["apiCallsToday"]
        assert (before["uptime"], before["errorRate"]) == (None, 0.0)
        for hours, state in ((1, State.OPERATIONAL), (2, State.DOWN), (3, State.DEGRADED), (4, State.OPERATIONAL)):
            store_probe(timedelta(hours=hours), state)
        store_probe(timedelta(hours=25), State.DOWN)
        store_requests(timedelta(hours=1), "validation", 10_000, 2_500)
        store_requests(timedelta(hours=1), "pages", 500, 500)  # no API
        store_requests(timedelta(hours=11), "validation", 700, 700)  # yesterday
        after = health()
        assert after is not None
        assert after["uptime"] == 75.0
        assert after["errorRate"] == pytest.approx(25.0, abs=0.1)  # the calls of this test count too
        assert after["apiCallsToday"] - calls - 10_000 in range(1, 5)
        assert mine.get("/api/analytics/advanced?range=7d&scope=me").json()["systemHealth"] is None
