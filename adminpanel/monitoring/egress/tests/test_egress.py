"""Egress addresses: known from the routes, warm from the first start, changed by staff, never to the last one."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.db import connection

from accounts.activity.models import Activity
from accounts.users.models import User
from adminpanel.monitoring.egress import addresses as staff_egress
from adminpanel.monitoring.egress import routes
from conftest import client_of
from emailcheck.common.testing import run_sixteen
from validation.egress import addresses
from validation.egress.addresses import GONE_AFTER
from validation.egress.models import EgressAddress, EgressUse
from validation.egress.polling import READ_EVERY_S, EgressReader, current_profiles, refresh_egress
from validation.engine import RouteReport, RouteState
from validation.engine.egress.addresses import EgressState
from validation.engine.profiles import Profile, Profiles

NOW = datetime(2026, 11, 23, 10, 7, tzinfo=UTC)
FIRST, SECOND, THIRD = "direct:203.0.113.7;helo=out7.example.com", "direct:203.0.113.8", "socks5://u:secret@192.0.2.1"


@pytest.fixture
def two(db: None, settings: Any) -> tuple[EgressAddress, EgressAddress]:
    settings.VERIFIER_ROUTES = (FIRST, SECOND)
    settings.VERIFIER_HELO = "verify.example.com"
    addresses.sync_egress()
    first, second = EgressAddress.objects.order_by("pk")
    return first, second


@pytest.mark.django_db
@pytest.mark.spec("SCA-011", "SCA-013")
def test_addresses_of_the_first_start_are_warm_and_later_ones_warm_up(settings: Any) -> None:
    settings.VERIFIER_HELO = "verify.example.com"
    settings.VERIFIER_ROUTES = (FIRST, SECOND)
    with time_machine.travel(NOW, tick=False) as clock:
        assert [one["name"] for one in staff_egress.list_addresses()] == [
            "source address 203.0.113.7",
            "source address 203.0.113.8",
        ]
        clock.shift(86_400)
        settings.VERIFIER_ROUTES = (FIRST, SECOND, THIRD)
        addresses.sync_egress()
        addresses.sync_egress()
        added = NOW + timedelta(days=1)
        assert list(EgressAddress.objects.order_by("pk").values_list("key", "name", "helo", "warms_since")) == [
            ("203.0.113.7", "source address 203.0.113.7", "out7.example.com", None),
            ("203.0.113.8", "source address 203.0.113.8", "verify.example.com", None),
            ("socks5:u@192.0.2.1:1080", "proxy 3", "verify.example.com", added),
        ]
        assert addresses.read_states() == {
            "203.0.113.7": EgressState(),
            "203.0.113.8": EgressState(),
            "socks5:u@192.0.2.1:1080": EgressState(warms_since=added.timestamp()),
        }


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("SCA-013")
def test_sixteen_processes_that_start_at_once_make_each_address_once(settings: Any) -> None:
    settings.VERIFIER_ROUTES = (FIRST, SECOND)
    run_sixteen(lambda _: addresses.sync_egress())
    found = EgressAddress.objects.order_by("key").values_list("key", "warms_since")
    assert list(found) == [("203.0.113.7", None), ("203.0.113.8", None)]


@pytest.mark.django_db
@pytest.mark.spec("SCA-013")
def test_an_address_that_nobody_has_any_more_stays_on_record(settings: Any) -> None:
    settings.VERIFIER_ROUTES = (FIRST, SECOND)
    with time_machine.travel(NOW, tick=False) as clock:
        addresses.sync_egress()
        settings.VERIFIER_ROUTES = (FIRST,)
        clock.shift(GONE_AFTER)
        assert [(one["name"], one["configured"], one["last"]) for one in staff_egress.list_addresses()] == [
            ("source address 203.0.113.7", True, True),
            ("source address 203.0.113.8", False, False),
        ]


@pytest.mark.spec("SCA-013")
@pytest.mark.parametrize(
    ("action", "state", "words"),
    [
        ("rest", "resting", "Egress address rested"),
        ("drain", "draining", "Egress address drained"),
        ("remove", "removed", "Egress address removed"),
    ],
)
def test_staff_take_an_address_away_and_bring_it_back(
    two: tuple[EgressAddress, EgressAddress], sam: User, action: str, state: str, words: str
) -> None:
    api, path = client_of(sam), f"/api/monitoring/egress/{two[0].pk}"
    body = {"reason": "Told off by Yahoo"}
    answers = [api.post(f"{path}/{action}", body, format="json") for _ in range(2)]  # the second changes nothing
    told = [
        (answer.status_code, answer.json()["egress"]["state"], answer.json()["egress"]["note"]) for answer in answers
    ]
    assert told == [(200, state, "Told off by Yahoo")] * 2
    assert addresses.read_states() == {"203.0.113.7": EgressState(rests=True), "203.0.113.8": EgressState()}
    done = Activity.objects.filter(target="egress address source address 203.0.113.7")
    assert list(done.values_list("action", "staff_id", "changes")) == [
        (words, sam.pk, {"state": ["active", state], "reason": [None, "Told off by Yahoo"]})
    ]
    answer = api.post(f"{path}/resume", {"reason": "Forgiven"}, format="json")
    assert (answer.status_code, answer.json()["egress"]["state"]) == (200, "active")
    assert addresses.read_states() == {"203.0.113.7": EgressState(), "203.0.113.8": EgressState()}
    row = EgressAddress.objects.get(pk=two[0].pk)
    assert (row.note, row.staff_id, row.staff_email, done.count()) == ("Forgiven", sam.pk, sam.email, 2)


@pytest.mark.spec("SCA-013")
def test_the_last_one_that_works_cannot_be_taken_away(two: tuple[EgressAddress, EgressAddress], sam: User) -> None:
    api = client_of(sam)
    body = {"reason": "Moves house"}
    assert api.post(f"/api/monitoring/egress/{two[0].pk}/drain", body, format="json").status_code == 200
    done = Activity.objects.count()
    for action in ("rest", "drain", "remove"):
        refused = api.post(f"/api/monitoring/egress/{two[1].pk}/{action}", body, format="json")
        assert (refused.status_code, refused.json()["code"]) == (409, "EGRESS_LAST")
        assert refused.json()["detail"] == addresses.LAST_ONE
    assert (EgressAddress.objects.get(pk=two[1].pk).state, Activity.objects.count()) == ("active", done)


@pytest.mark.parametrize(
    ("number", "action", "body", "status"),
    [
        (0, "rest", {}, 400),
        (0, "rest", {"reason": " "}, 400),
        (0, "burn", {"reason": "x"}, 404),
        (9, "rest", {"reason": "x"}, 404),
    ],
)
@pytest.mark.spec("SCA-013")
def test_what_cannot_be_done_is_refused(
    two: tuple[EgressAddress, EgressAddress], sam: User, number: int, action: str, body: dict[str, str], status: int
) -> None:
    answer = client_of(sam).post(f"/api/monitoring/egress/{two[0].pk + number}/{action}", body, format="json")
    assert answer.status_code == status
    assert set(EgressAddress.objects.values_list("state", "note")) == {("active", "")}
    assert not Activity.objects.filter(target__startswith="egress").exists()


@pytest.mark.spec("SCA-013")
def test_an_address_that_is_configured_no_more_cannot_be_resumed(
    two: tuple[EgressAddress, EgressAddress], sam: User
) -> None:
    EgressAddress.objects.filter(pk=two[0].pk).update(state=EgressUse.REMOVED, seen_at=NOW - timedelta(days=1))
    refused = client_of(sam).post(f"/api/monitoring/egress/{two[0].pk}/resume", {"reason": "x"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "EGRESS_GONE")
    assert EgressAddress.objects.get(pk=two[0].pk).state == "removed"


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("SCA-013")
def test_of_sixteen_who_take_the_last_two_away_one_address_is_left(settings: Any) -> None:
    settings.VERIFIER_ROUTES = (FIRST, SECOND)
    addresses.sync_egress()
    ids = list(EgressAddress.objects.order_by("pk").values_list("pk", flat=True))

    together = Barrier(16)

    def rest(number: int) -> str:
        connection.ensure_connection()
        together.wait()
        address, _ = addresses.change_use(
            address_id=ids[number % 2], use=EgressUse.RESTING, reason="x", staff=User(pk=1)
        )
        return str(address.state)

    assert sorted(set(run_sixteen(rest))) == ["EGRESS_LAST", "resting"]
    assert sorted(EgressAddress.objects.values_list("state", flat=True)) == ["active", "resting"]


@pytest.mark.spec("SCA-013")
def test_a_process_reads_states_every_ten_seconds(two: tuple[EgressAddress, EgressAddress]) -> None:
    now = [100.0]
    reader = EgressReader(lambda: now[0])
    assert reader.states() == {"203.0.113.7": EgressState(), "203.0.113.8": EgressState()}
    addresses.change_use(address_id=two[0].pk, use=EgressUse.RESTING, reason="x", staff=User(pk=1))
    now[0] += READ_EVERY_S - 0.1
    assert reader.states()["203.0.113.7"] == EgressState()
    now[0] += 0.1
    assert reader.states() == {"203.0.113.7": EgressState(rests=True), "203.0.113.8": EgressState()}


@pytest.mark.spec("SCA-013")
def test_the_first_look_of_a_process_makes_its_addresses_known(
    two: tuple[EgressAddress, EgressAddress], settings: Any
) -> None:
    settings.VERIFIER_ROUTES = (THIRD,)
    assert EgressReader().states()["socks5:u@192.0.2.1:1080"].warms_since is not None


class Engine:
    """Remembers what it is handed."""

    def set_egress(self, states: Mapping[str, EgressState]) -> None:
        self.states = states

    def set_profiles(self, profiles: Profiles) -> None:
        self.profiles = profiles


@pytest.mark.spec("SCA-012", "SCA-013")
def test_an_engine_is_handed_states_and_limits(two: tuple[EgressAddress, EgressAddress], settings: Any) -> None:
    settings.VERIFIER_ROUTES = (THIRD, FIRST)
    engine = Engine()
    refresh_egress(engine)
    assert sorted(engine.states) == ["203.0.113.7", "203.0.113.8", "socks5:u@192.0.2.1:1080"]
    assert engine.profiles is current_profiles()


@pytest.mark.django_db
@pytest.mark.spec("SCA-012", "SCA-013")
def test_staff_see_each_pair_with_rate_rest_complaint_and_warm_up(settings: Any, sam: User) -> None:
    profile: Profile = Profiles.shipped().named("yahoo")
    settings.EGRESS_PROFILES = settings.BASE_DIR / "validation" / "engine" / "profiles.toml"
    settings.VERIFIER_ROUTES = (FIRST,)
    with time_machine.travel(NOW, tick=False) as clock:
        addresses.sync_egress()
        settings.VERIFIER_ROUTES = (FIRST, SECOND)
        addresses.sync_egress()
        name = "source address 203.0.113.8"
        routes.record_reports([RouteReport(name, "yahoo", probes=500)])
        clock.shift(86_400)
        addresses.sync_egress()
        until = NOW.timestamp() + 86_430
        routes.record_reports([RouteReport(name, "yahoo", RouteState.BACKING_OFF, 7, 1, "421 4.7.0 [TSS04]", until)])
        told = client_of(sam).get("/api/monitoring/routes").json()
        clock.shift(60)
        assert routes.list_routes()[0]["probes_minute"] == 0
    (pair,) = told["routes"]
    assert (profile.per_minute, profile.sessions, profile.warm_up) == (1_200, 3, (0.1, 0.2, 0.5, 1))
    second = EgressAddress.objects.get(name=name)
    assert pair == {
        "route": name,
        "operator": "yahoo",
        "operator_name": "Yahoo",
        "egress_id": second.pk,
        "state": "backing_off",
        "probes_minute": 7,
        "rate_limit": 240,
        "sessions_limit": 1,
        "warm_up": {"day": 2, "days": 4, "share": 0.2},
        "probes_hour": 7,
        "refusals_hour": 1,
        "probes_day": 7,
        "refusals_day": 1,
        "last_refusal": "421 4.7.0 [TSS04]",
        "refused_at": "2026-11-24T10:07:00Z",
        "next_attempt_at": "2026-11-24T10:07:30Z",
    }
    first, other = told["egress"]
    assert (first["warms_since"], first["probes_minute"], other["probes_minute"]) == (None, 0, 7)
    assert other["warms_since"] == "2026-11-23T10:07:00Z"
    assert (other["address"], first["helo"], other["last"]) == ("203.0.113.8", "out7.example.com", False)
