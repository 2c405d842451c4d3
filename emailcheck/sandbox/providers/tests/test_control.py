"""The page over the played services, and the calls that move them."""

from typing import Any

import httpx2
import pytest

from emailcheck.sandbox.providers.rate_limits import CallLimiter, CallRate
from emailcheck.sandbox.providers.tests.conftest import Place


@pytest.fixture
def web(place: Place) -> Any:
    with httpx2.Client(base_url=place.site, trust_env=False) as client:
        yield client


def _verify(web: httpx2.Client) -> httpx2.Response:
    headers = {"Authorization": "Bearer live_sandbox8fa14cdd754f91cc"}
    return web.get("/sandbox/providers/kickbox/v2/verify", params={"email": "anna@lanternoak.org"}, headers=headers)


def test_trouble_comes_as_often_as_told_and_ends(web: httpx2.Client) -> None:
    asked = {"provider": "kickbox", "kind": "down", "times": 2}
    assert web.post("/sandbox/providers/trouble", json=asked).json()["troubles"][0]["times"] == 2
    assert [_verify(web).status_code for _ in range(3)] == [500, 500, 200]
    web.post("/sandbox/providers/trouble", json=asked | {"times": 0})
    assert [_verify(web).status_code for _ in range(3)] == [500, 500, 500]
    assert web.post("/sandbox/providers/calm", json={"provider": "kickbox"}).json()["troubles"] == []
    assert _verify(web).status_code == 200


def test_credits_are_set_and_filled_again(web: httpx2.Client) -> None:
    web.post("/sandbox/providers/credits", data={"provider": "kickbox", "credits": "1"})
    assert [_verify(web).status_code for _ in range(2)] == [200, 403]
    told = web.post("/sandbox/providers/reset", headers={"Accept": "application/json"}).json()
    assert [service["credits"] for service in told["services"]] == [10_000] * 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"provider": "nobody", "kind": "down"},
        {"provider": "kickbox", "kind": "sad"},
        {"provider": "kickbox", "kind": "down", "times": -1},
        {"provider": "kickbox", "kind": "slow", "seconds": 61},
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], web: httpx2.Client, place: Place) -> None:
    assert web.post("/sandbox/providers/trouble", json=wrong).status_code == 400
    assert place.world.accounts["kickbox"].troubles == []


def test_the_page_shows_accounts_and_their_trouble(web: httpx2.Client, place: Place) -> None:
    _verify(web)
    place.trouble("neverbounce", "out_of_credit")
    page = web.get("/sandbox/providers").text
    assert "All calls find no credit left" in page
    assert "<strong>9,999</strong> credits left; 1 call was made" in page
    told = web.get("/sandbox/providers", headers={"Accept": "application/json"}).json()
    assert [(service["name"], service["calls"]) for service in told["services"]] == [
        ("zerobounce", 0),
        ("neverbounce", 0),
        ("kickbox", 1),
    ]
    assert [len(service["asked"]) for service in told["services"]] == [0, 0, 1]
    assert f"<li>{told['services'][2]['asked'][0]}</li>" in page


def test_a_place_that_is_called_too_often_closes_for_a_while() -> None:
    moments = [0.0, 59.0, 61.0, 62.0, 100.0, 661.0, 662.0]
    clock = iter(moments)
    door = CallLimiter(CallRate("/batch", 2, seconds=60, closed_s=600), clock=lambda: next(clock))
    assert [_enter(door, "/v2/batch") for _ in moments] == [True, True, True, False, False, False, True]
    assert _enter(door, "/v2/other")


def test_only_so_many_are_inside() -> None:
    door = CallLimiter(at_once=2)
    with door.admitted("/a") as first, door.admitted("/a") as second, door.admitted("/a") as third:
        assert (first, second, third) == (True, True, False)
    assert _enter(door, "/a")


def _enter(door: CallLimiter, path: str) -> bool:
    with door.admitted(path) as is_let_in:
        return is_let_in


def test_zerobounce_closes_its_batches_after_thirty_a_minute(web: httpx2.Client) -> None:
    asked = {"api_key": "sandbox5d41402abc4b2a76b9719d91", "email_batch": [], "timeout": "10"}
    path = "/sandbox/providers/zerobounce/v2/validatebatch"
    assert [web.post(path, json=asked).status_code for _ in range(31)] == [200] * 30 + [429]
    assert web.get("/sandbox/providers/zerobounce/v2/getcredits").status_code == 200


def test_another_site_presses_no_buttons(web: httpx2.Client, place: Place) -> None:
    answer = web.post(
        "/sandbox/providers/trouble",
        json={"provider": "kickbox", "kind": "down"},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert answer.status_code == 403
    assert place.world.accounts["kickbox"].troubles == []


def test_g5_the_proxy_of_the_site_hands_on_the_key(db: None, client: Any, place: Place, settings: Any) -> None:
    settings.SANDBOX_HTTP_PORT = int(place.site.rpartition(":")[2])
    path = "/sandbox/providers/kickbox/v2/verify?email=anna@lanternoak.org"
    answer = client.get(path, headers={"Authorization": "Bearer live_sandbox8fa14cdd754f91cc"})
    assert (answer.status_code, answer.json()["result"]) == (200, "deliverable")
    assert client.get(path).status_code == 403
