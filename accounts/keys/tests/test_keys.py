"""API keys: made, shown once, recognised, limited, revoked."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from rest_framework.test import APIClient

from accounts.access.authentication import admit_key, load_key
from accounts.access.models import ApiKey
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Organisation
from accounts.users.models import User
from conftest import client_with
from emailcheck.common.errors import BadInput, NotFound

KEYS = "/api/user/api-keys"
ME = "/api/auth/me"


@pytest.fixture
def made(alice: User) -> tuple[ApiKey, str]:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")


@pytest.mark.spec("DOC-041", "DOC-044")
def test_a_key_is_shown_once_and_stored_as_a_hash(alice: User, alice_api: APIClient) -> None:
    answer = alice_api.post(KEYS, {"name": "Shop"}, format="json")
    text = answer.json()["key"]
    key = ApiKey.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {
        "id": key.pk, "name": "Shop", "key": text, "prefix": text[:16], "mode": "live", "scopes": ["read", "write"],
        "expires_at": None, "daily_credit_cap": None, "allowed_ips": [],
    }  # fmt: skip
    assert (text[:8], len(text), key.key_hash) == ("ec_live_", 65, hashlib.sha256(text.encode()).hexdigest())
    listed = alice_api.get(KEYS)
    assert text not in listed.content.decode()
    assert listed.json()["keys"][0] | {"created_at": ""} == {
        "id": key.pk, "name": "Shop", "prefix": text[:16], "created_at": "", "last_used_at": None,
        "scopes": ["read", "write"], "expires_at": None, "daily_credit_cap": None, "allowed_ips": [], "test": False,
            "maker": "Alice Alder", "maker_has_left": False,
    }  # fmt: skip
    assert client_with(text).get(ME).json()["email"] == "alice@alder.com"
    assert client_with(text).get("/api/v1/auth/me").json()["email"] == "alice@alder.com"


@pytest.mark.spec("DOC-034", "DOC-044")
def test_a_test_key_says_so(alice_api: APIClient) -> None:
    text = alice_api.post(KEYS, {"name": "Trial", "test": True}, format="json").json()["key"]
    assert (text[:8], len(text)) == ("ec_test_", 65)
    assert [(key["prefix"], key["test"]) for key in alice_api.get(KEYS).json()["keys"]] == [(text[:16], True)]
    # The checksum covers the beginning: a live key cannot be made of it.
    assert client_with(text.replace("ec_test_", "ec_live_")).get(ME).status_code == 401


@pytest.mark.spec("DOC-044", "DOC-045")
def test_a_key_takes_scopes_end_cap_and_addresses(alice_api: APIClient) -> None:
    wish: dict[str, Any] = {
        "name": "Shop", "scopes": ["read", "read"], "expires_at": "2126-01-01T00:00:00Z", "daily_credit_cap": 5,
        "allowed_ips": ["203.0.113.7", "198.51.100.9/24", "2001:DB8::1"],
    }  # fmt: skip
    assert alice_api.post(KEYS, wish, format="json").status_code == 201
    key = ApiKey.objects.get()
    assert (key.scopes, key.daily_credit_cap) == (["read"], 5)
    assert key.expires_at == datetime(2126, 1, 1, tzinfo=UTC)
    assert key.allowed_ips == ["203.0.113.7", "198.51.100.0/24", "2001:db8::1"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"), ({"name": "x" * 101}, "name"), ({"name": None}, "name"), ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes"), ({"expires_at": "2001-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "soon"}, "expires_at"), ({"daily_credit_cap": 0}, "daily_credit_cap"),
        ({"daily_credit_cap": 10**12}, "daily_credit_cap"), ({"allowed_ips": ["here"]}, "allowed_ips"),
        ({"allowed_ips": "203.0.113.7"}, "allowed_ips"), ({"test": "perhaps"}, "test"),
    ],
)  # fmt: skip
def test_what_makes_no_key_is_named(alice_api: APIClient, change: dict[str, object], field: str) -> None:
    answer = alice_api.post(KEYS, {"name": "Shop", **change}, format="json")
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, field)
    assert not ApiKey.objects.exists()


@pytest.mark.spec("DOC-042")
@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "ec_live_", lambda text: text[:-1], lambda text: text + "x",
        lambda text: text[:8] + text[8:].swapcase(),
        lambda text: text.replace("live", "test"), lambda text: "ec_live_" + "a" * 57,
        lambda text: text[:-1] + "ä",
    ],
)  # fmt: skip
def test_a_wrong_key_is_401(made: tuple[ApiKey, str], spoil: Any) -> None:
    answer = APIClient().get(ME, HTTP_AUTHORIZATION="Bearer " + spoil(made[1]))
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        401, "INVALID_API_KEY", "Invalid or missing API key",
    )  # fmt: skip


@pytest.mark.spec("DOC-042", "DEC-031")
@pytest.mark.finding("J5")
@pytest.mark.parametrize("calls", ["/api/v1/validate", "/api/validate"])
def test_a_missing_key_is_401_on_the_calls_for_programs(db: None, anonymous_api: APIClient, calls: str) -> None:
    for program in (anonymous_api, client_with("sk_1234")):
        for answer in (program.get(f"{calls}/batches"), program.post(f"{calls}/single", {"email": "a@gmail.com"})):
            said = (answer.status_code, answer.json()["code"], answer.json()["detail"])
            assert said == (401, "INVALID_API_KEY", "Invalid or missing API key")


@pytest.mark.finding("J5")
def test_people_go_on_by_their_session_on_the_calls_for_programs(alice_api: APIClient) -> None:
    assert alice_api.get("/api/validate/batches").status_code == 200
    expired = client_with("eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl").get("/api/validate/batches")
    assert (expired.status_code, expired.json()["code"]) == (401, "NOT_AUTHENTICATED")


def test_a_key_in_a_query_string_or_another_header_is_no_credential(made: tuple[ApiKey, str]) -> None:
    for name in ("key", "api_key", "token", "access_token"):
        assert APIClient().get(f"{ME}?{name}={made[1]}").status_code == 401
    assert APIClient().get(ME, HTTP_X_API_KEY=made[1]).status_code == 401
    assert ApiKey.objects.get().last_used_at is None


@pytest.mark.spec("DOC-044")
def test_a_revoked_key_is_refused_from_the_next_call_on(alice_api: APIClient, made: tuple[ApiKey, str]) -> None:
    key, text = made
    program = client_with(text)
    assert program.get(ME).status_code == 200
    assert alice_api.delete(f"{KEYS}/{key.pk}").status_code == 200
    assert program.get(ME).json()["code"] == "INVALID_API_KEY"
    assert alice_api.get(KEYS).json() == {"keys": []}
    again = alice_api.delete(f"{KEYS}/{key.pk}")
    assert (again.status_code, again.json()["detail"]) == (404, "API key not found")


@pytest.mark.spec("DOC-044", "DOC-045")
def test_changes_of_a_key_hold_from_the_next_call_on(alice_api: APIClient, made: tuple[ApiKey, str]) -> None:
    key, text = made
    changed = alice_api.put(f"{KEYS}/{key.pk}", {"name": "Till", "scopes": ["read"]}, format="json")
    assert changed.json() == {"id": key.pk, "name": "Till", "prefix": key.prefix}
    refused = client_with(text).post("/api/validate/single", {"email": "a@b.com"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "PERMISSION_DENIED")
    assert client_with(text).get(ME).status_code == 200
    assert alice_api.put(f"{KEYS}/{key.pk}", {"expires_at": None}, format="json").status_code == 200
    key.refresh_from_db()
    assert (key.name, key.scopes, key.expires_at) == ("Till", ["read"], None)


def test_nobody_changes_or_revokes_the_key_of_another(bob: User, bob_api: APIClient, made: tuple[ApiKey, str]) -> None:
    path = f"{KEYS}/{made[0].pk}"
    for answer in (bob_api.put(path, {"name": "Mine"}, format="json"), bob_api.delete(path)):
        assert (answer.status_code, answer.json()["detail"]) == (404, "API key not found")
    assert client_with(made[1]).get(ME).status_code == 200
    assert ApiKey.objects.get().name == "Shop"


def test_a_key_ends_by_itself(alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        _, text = keys.create_key(
            organisation=alice.own_organisation,
            maker=alice,
            name="Shop",
            expires_at=datetime(2026, 3, 1, 13, tzinfo=UTC),
        )
        clock.shift(timedelta(minutes=59))
        assert client_with(text).get(ME).status_code == 200
        clock.shift(timedelta(minutes=1))
        assert client_with(text).get(ME).json()["code"] == "INVALID_API_KEY"


@pytest.mark.parametrize(
    ("address", "status"),
    [("203.0.113.7", 200), ("203.0.113.8", 403), ("198.51.100.200", 200), ("2001:db8::1", 200), ("2001:db8::2", 403)],
)
def test_a_key_works_from_its_addresses_only(alice: User, address: str, status: int) -> None:
    places = ["203.0.113.7", "198.51.100.0/24", "2001:db8::1"]
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", allowed_ips=places)
    answer = APIClient(REMOTE_ADDR=address).get(ME, HTTP_AUTHORIZATION=f"Bearer {text}")
    assert answer.status_code == status
    assert (ApiKey.objects.get().last_used_at is not None) is (status == 200)


def test_the_last_use_is_written_once_a_minute(made: tuple[ApiKey, str], django_assert_num_queries: Any) -> None:
    text = made[1]
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        admit_key(load_key(text), ip=None)
        clock.shift(timedelta(seconds=59))
        with django_assert_num_queries(1):
            admit_key(load_key(text), ip=None)
        assert ApiKey.objects.get().last_used_at == datetime(2026, 3, 1, 12, tzinfo=UTC)
        clock.shift(timedelta(seconds=1))
        admit_key(load_key(text), ip=None)
        assert ApiKey.objects.get().last_used_at == datetime(2026, 3, 1, 12, 1, tzinfo=UTC)


@pytest.mark.spec("DOC-045")
def test_a_suspended_account_s_key_is_refused(alice: User, made: tuple[ApiKey, str]) -> None:
    Organisation.objects.filter(pk=alice.pk).update(is_active=False)
    answer = client_with(made[1]).get(ME)
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        403, "ACCOUNT_SUSPENDED", "Account suspended",
    )  # fmt: skip


def test_an_account_has_at_most_fifty_keys(alice: User, alice_api: APIClient) -> None:
    for number in range(keys.MOST_KEYS):
        keys.create_key(organisation=alice.own_organisation, maker=alice, name=str(number))
    with pytest.raises(BadInput, match="You have 50 API keys"):
        keys.create_key(organisation=alice.own_organisation, maker=alice, name="one more")
    keys.revoke_key(organisation=alice.own_organisation, key_id=ApiKey.objects.earliest("pk").pk)
    assert alice_api.post(KEYS, {"name": "again"}, format="json").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_revocations_one_is_the_first(alice: User) -> None:
    key, _ = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")

    def revoke(_: int) -> bool:
        try:
            keys.revoke_key(organisation=alice.own_organisation, key_id=key.pk)
        except NotFound:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(revoke, range(16))).count(True) == 1
    assert Activity.objects.filter(action=f"API key {key.prefix} was revoked").count() == 1


@pytest.mark.spec("SDK-010")
def test_a_key_is_told_what_it_may_do(alice: User, alice_api: APIClient) -> None:
    ends = datetime(2031, 5, 6, tzinfo=UTC)
    limits: dict[str, Any] = {
        "expires_at": ends,
        "daily_credit_cap": 500,
        "allowed_ips": ["127.0.0.0/8"],
        "scopes": ["read"],
    }
    key, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", **limits)
    answer = client_with(text).get(ME).json()
    assert answer["key"] == limits | {
        "name": "Shop", "prefix": key.prefix, "test": False, "requests_per_minute": 100,
        "expires_at": "2031-05-06T00:00:00Z",
    }  # fmt: skip
    _, trial = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Trial", test=True)
    assert client_with(trial).get(ME).json()["key"]["test"] is True
    assert "key" not in alice_api.get(ME).json()
