"""What goes wrong at a provider has a name, costs no more than it must, and shows no key."""

import json
import logging
import time
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emailcheck.env import Env, SettingError
from validation.providers.clients import base
from validation.providers.clients.base import Opinion, ProviderError
from validation.providers.clients.configuration import SERVICES, read_access
from validation.providers.clients.registry import load_providers
from validation.providers.clients.tests.conftest import KEY, NAMES, Played, Scripted

WRONG: dict[str, type[ProviderError]] = {
    "down": base.Unavailable,
    "html": base.Unavailable,
    "rate_limited": base.RateLimited,
    "out_of_credit": base.OutOfCredit,
    "bad_key": base.BadKey,
    "schema": base.BadAnswer,
    "garbled": base.BadAnswer,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", sorted(WRONG))
def test_trouble_has_a_name_and_costs_nothing(
    kind: str, name: str, played: Played, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    played.trouble(name, kind)
    with pytest.raises(ProviderError) as raised:
        played[name].check("anna@lanternoak.org", timeout=20)
    assert type(raised.value) is WRONG[kind]
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("uvicorn")]
    told = "".join([*traceback.format_exception(raised.value), repr(raised.value), *ours])
    assert played.accounts[name].key not in told
    assert "anna" not in str(raised.value)
    assert raised.value.charged in {False, None}


@pytest.mark.parametrize("name", NAMES)
def test_a_slow_provider_is_left_in_time_and_may_have_charged(name: str, played: Played) -> None:
    played.trouble(name, "slow", seconds=5.0)
    begun = time.monotonic()
    with pytest.raises(base.Unavailable) as raised:
        played[name].check("anna@lanternoak.org", timeout=0.2)
    assert time.monotonic() - begun < 5
    assert raised.value.charged is None


@pytest.mark.parametrize("name", NAMES)
def test_where_nobody_listens_nothing_is_charged(name: str) -> None:
    adapter = Scripted("http://127.0.0.1:9").adapter(name)
    with pytest.raises(base.Unavailable) as raised:
        adapter.check("anna@lanternoak.org", timeout=1)
    assert raised.value.charged is False


def test_a_liar_is_believed_and_quoted(played: Played) -> None:
    """What it says is passed on with its words; weighing it is not the adapter's business."""
    for name in NAMES:
        played.trouble(name, "lying")
    said = {name: played[name].check("anna@lanternoak.org", timeout=20).category for name in NAMES}
    assert said == dict.fromkeys(NAMES, "invalid")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": "Invalid API key or your account ran out of credits"}, base.Refused),
        ({"error": ["Missing parameter: email"]}, base.Refused),
        ({"message": "The email is being re-validated."}, base.StillRunning),
        ({"Message": "The email is being re-validated."}, base.StillRunning),
        ({"status": None, "sub_status": None}, base.BadAnswer),
        ({"status": {"value": "valid"}}, base.BadAnswer),
    ],
)
def test_zerobounce_complains_with_status_200(body: Any, kind: type[ProviderError], scripted: Scripted) -> None:
    """Its one text for a wrong key and an empty account is told apart by the balance, here of 7 credits."""
    scripted.bodies = [json.dumps(body).encode()]
    scripted.body = b'{"Credits": "7"}'
    with pytest.raises(ProviderError) as raised:
        scripted.adapter("zerobounce").check("anna@alder.com", timeout=20)
    assert type(raised.value) is kind


def test_credits_of_minus_one_are_a_wrong_key(scripted: Scripted) -> None:
    scripted.body = b'{"Credits": -1}'
    with pytest.raises(base.BadKey):
        scripted.adapter("zerobounce").balance()


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        ("general_failure", "Insufficient credit balance. This transaction requires 1 credits", base.OutOfCredit),
        ("general_failure", "Missing required parameter 'email'", base.Refused),
        ("auth_failure", "Invalid API key", base.BadKey),
        ("bad_referrer", "Not from here", base.BadKey),
        ("temp_unavail", "Come back", base.Unavailable),
        ("throttle_triggered", "Slower", base.RateLimited),
        ("moon_phase", "New", base.BadAnswer),
    ],
)
def test_neverbounce_fails_with_status_200(
    status: str, message: str, kind: type[ProviderError], scripted: Scripted
) -> None:
    scripted.body = json.dumps({"status": status, "message": message, "execution_time": 3}).encode()
    with pytest.raises(ProviderError) as raised:
        scripted.adapter("neverbounce").check("anna@alder.com", timeout=20)
    assert type(raised.value) is kind
    assert raised.value.charged is (None if kind is base.BadAnswer else False)


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (403, "Insufficient balance", base.OutOfCredit),
        (403, "Invalid API key", base.BadKey),
        (400, "Missing email", base.Refused),
        (415, "Unsupported", base.Refused),
        (200, "Something", base.Refused),
        (500, "Error", base.Unavailable),
        (301, "Elsewhere", base.BadAnswer),
    ],
)
def test_kickbox_refuses(status: int, message: str, kind: type[ProviderError], scripted: Scripted) -> None:
    scripted.status, scripted.body = status, json.dumps({"success": False, "message": message}).encode()
    with pytest.raises(ProviderError) as raised:
        scripted.adapter("kickbox").check("anna@alder.com", timeout=20)
    assert type(raised.value) is kind


def test_a_rate_limit_says_how_long(scripted: Scripted) -> None:
    scripted.status, scripted.headers = 429, {"Retry-After": "17"}
    with pytest.raises(base.RateLimited) as raised:
        scripted.adapter("kickbox").check("anna@alder.com", timeout=20)
    assert raised.value.retry_after == 17


def test_an_answer_without_end_is_left(scripted: Scripted) -> None:
    scripted.body = b" " * 300_000
    with pytest.raises(base.BadAnswer):
        scripted.adapter("kickbox").check("anna@alder.com", timeout=20)


_PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
_JSON = st.recursive(_PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner))
_NAMES = ["status", "sub_status", "result", "reason", "flags", "credits_info", "Credits", "success", "message", "error"]
_BODIES = (
    st.binary(max_size=80)
    | _JSON.map(lambda value: json.dumps(value).encode())
    | st.dictionaries(st.sampled_from(_NAMES), _JSON | st.sampled_from(["valid", "success", "risky", "1"])).map(
        lambda value: json.dumps(value).encode()
    )
    | st.sampled_from([b"[" * 50_000, b'{"status": 1' + b"0" * 5_000 + b"}", b'{"status": "\\ud800"}', b"NaN", b""])
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=_BODIES, status=st.sampled_from([200, 200, 200, 249, 400, 403, 404, 429, 520]))
def test_whatever_comes_is_an_opinion_or_a_named_error(name: str, scripted: Scripted, body: bytes, status: int) -> None:
    scripted.body, scripted.status = body, status
    adapter = scripted.adapter(name)
    for call in (lambda: adapter.check("anna@alder.com", timeout=20), adapter.balance, lambda: adapter.fetch("1")):
        found = _or_error(call)
        assert found is None or isinstance(found, Opinion | int | list | ProviderError)


@pytest.mark.spec("ADM-606")
def test_providers_are_those_with_a_key(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(load_providers()) == list(NAMES)
    monkeypatch.setenv("PROVIDER_NEVERBOUNCE_KEY", "none")
    assert list(load_providers()) == ["zerobounce", "kickbox"]
    settings.SANDBOX = False
    assert list(load_providers()) == []
    monkeypatch.setenv("PROVIDER_KICKBOX_KEY", KEY)
    assert list(load_providers()) == ["kickbox"]
    found = read_access(SERVICES[2])
    assert (found.url, found.key) == ("https://api.kickbox.com", KEY)
    assert KEY not in repr(found)


@pytest.mark.parametrize(
    "wrong",
    [
        {"PROVIDER_KICKBOX_KEY": "live_sandbox8fa14cdd754f91cc"},
        {"PROVIDER_KICKBOX_KEY": "two words"},
        {"PROVIDER_KICKBOX_KEY": KEY, "PROVIDER_KICKBOX_URL": "http://api.kickbox.com"},
        {"PROVIDER_KICKBOX_KEY": KEY, "PROVIDER_KICKBOX_URL": "https://127.0.0.1:8180"},
        {"PROVIDER_KICKBOX_KEY": KEY, "PROVIDER_KICKBOX_BULK_URL": "https://localhost"},
        {"PROVIDER_KICKBOX_KEY": KEY, "PROVIDER_KICKBOX_URL": "api.kickbox.com"},
    ],
)
def test_live_mode_refuses_what_only_a_sandbox_may_use(wrong: dict[str, str], settings: Any) -> None:
    settings.SANDBOX = False
    with pytest.raises(SettingError):
        read_access(SERVICES[2], Env(wrong))


def test_nothing_starts_in_live_mode_with_a_key_of_the_sandbox(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SANDBOX = False
    monkeypatch.setenv("PROVIDER_KICKBOX_KEY", "live_sandbox8fa14cdd754")
    with pytest.raises(SettingError, match="PROVIDER_KICKBOX_KEY"):
        apps.get_app_config("validation").ready()


def _or_error(call: Callable[[], object]) -> object:
    try:
        return call()
    except ProviderError as error:
        return error
