"""The log of calls with API keys: complete, one's own, without what is personal."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import tasks
from accounts.access.models import ApiKey
from accounts.keys import request_log
from accounts.keys import services as keys
from accounts.keys.models import ApiRequest
from accounts.users.models import User
from conftest import client_of, client_with
from validation.testmode import addresses

pytestmark = pytest.mark.postgres

REQUESTS = "/api/user/requests"
SINGLE = "/api/v1/validate/single"
SECRET = "ida.secret"


@pytest.fixture
def made(alice: User) -> tuple[ApiKey, str]:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Trial", test=True)


@pytest.fixture
def api(made: tuple[ApiKey, str]) -> APIClient:
    return client_with(made[1])


def listed(api: APIClient, **query: Any) -> list[Any]:
    return [line["request_id"] for line in api.get(REQUESTS, query).json()["requests"]]


@pytest.mark.spec("DOC-035")
def test_a_call_is_noted_as_it_was(api: APIClient, alice: User, made: tuple[ApiKey, str]) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        alice_api = client_of(alice)
        answer = api.post(
            SINGLE,
            {"email": f"valid+{SECRET}@{addresses.DOMAIN}"},
            format="json",
        )
        lines = alice_api.get(REQUESTS).json()
        assert lines["next"] is None
        [line] = lines["requests"]
        assert line | {"duration_ms": 0} == {
            "request_id": answer["X-Request-Id"], "time": "2026-03-01T12:00:00Z", "method": "POST", "path": SINGLE,
            "status": 200, "duration_ms": 0, "key_prefix": made[0].prefix, "deprecated": "",
        }  # fmt: skip
        detail = alice_api.get(f"{REQUESTS}/{answer['X-Request-Id']}").json()
    assert {name: detail[name] for name in line} == line
    assert (detail["error_code"], json.loads(detail["request_body"])) == (None, {"email": "[redacted]"})
    said = json.loads(detail["response_body"])
    assert (said["category"], said["is_valid"], said["email"]) == ("valid", True, "[redacted]")
    row = ApiRequest.objects.values().get()
    assert SECRET not in str(row)
    assert made[1] not in str(row)


@pytest.mark.spec("DOC-035")
def test_refusals_are_noted_with_their_code(api: APIClient, alice: User, alice_api: APIClient) -> None:
    api.raise_request_exception = False
    reader = client_with(
        keys.create_key(organisation=alice.own_organisation, maker=alice, name="Reader", scopes=["read"])[1]
    )
    ended = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Ended")
    keys.revoke_key(organisation=alice.own_organisation, key_id=ended[0].pk)
    answers = [
        api.post(SINGLE, {"email": f"rate_limited@{addresses.DOMAIN}"}, format="json"),
        api.post(SINGLE, {"email": f"failing@{addresses.DOMAIN}"}, format="json"),
        api.post(SINGLE, {"email": 1}, format="json"),
        api.post(SINGLE, b"{nonsense", content_type="application/json"),
        reader.post(SINGLE, {"email": "a@b.com"}, format="json"),
        client_with(ended[1]).get("/api/v1/credits"),
        api.get("/api/user/api-keys"),
    ]
    noted = [alice_api.get(f"{REQUESTS}/{answer['X-Request-Id']}").json() for answer in answers]
    assert [(one["status"], one["error_code"]) for one in noted] == [
        (429, "RATE_LIMIT_EXCEEDED"), (500, None), (400, "INVALID_EMAIL"), (400, "VALIDATION_ERROR"),
        (403, "PERMISSION_DENIED"), (401, "INVALID_API_KEY"), (403, "PERMISSION_DENIED"),
    ]  # fmt: skip
    assert [one["request_body"] for one in noted[-2:]] == ["", ""]
    assert listed(alice_api, status="5xx") == [answers[1]["X-Request-Id"]]
    assert listed(alice_api, status="429") == [answers[0]["X-Request-Id"]]


@pytest.mark.spec("DOC-035")
def test_each_sees_its_own_and_no_sign_in_is_noted(api: APIClient, alice_api: APIClient, bob_api: APIClient) -> None:
    request_id = api.get("/api/v1/credits")["X-Request-Id"]
    alice_api.get("/api/v1/credits")
    APIClient().get("/api/v1/credits")
    client_with("ec_live_x").get("/api/v1/credits")
    assert listed(alice_api) == [request_id]
    assert listed(bob_api) == listed(bob_api, request_id=request_id) == []
    for path in (request_id, "req_unknown"):
        answer = bob_api.get(f"{REQUESTS}/{path}")
        assert (answer.status_code, answer.json()["detail"]) == (404, "Request not found")


@pytest.mark.spec("DOC-035")
def test_filters(api: APIClient, alice: User, alice_api: APIClient) -> None:
    other = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Other")
    first = api.get("/api/v1/credits", HTTP_X_REQUEST_ID="my-own-id-1")["X-Request-Id"]
    second = client_with(other[1]).get("/api/v1/auth/me")["X-Request-Id"]
    assert first == "my-own-id-1"
    assert listed(alice_api) == [second, first]
    assert listed(alice_api, key=other[0].pk) == listed(alice_api, path="AUTH/me") == [second]
    assert listed(alice_api, request_id=first) == listed(alice_api, path="credits", status="2xx") == [first]
    assert listed(alice_api, status="4xx") == listed(alice_api, path="credits", key=other[0].pk) == []
    for query in ({"status": "9"}, {"status": "xx"}, {"key": "x"}, {"cursor": "x"}, {"key": 0}):
        assert alice_api.get(REQUESTS, query).status_code == 400


@pytest.mark.spec("DOC-035", "DOC-037")
def test_pages_skip_and_repeat_nothing_while_lines_come(alice: User, alice_api: APIClient) -> None:
    def fill(count: int) -> None:
        ApiRequest.objects.bulk_create(
            ApiRequest(organisation=alice.own_organisation, request_id=f"r{n}", time=timezone.now(), method="GET",
                       path="/", status=200, duration_ms=1)
            for n in range(count)
        )  # fmt: skip

    fill(120)
    expected = list(ApiRequest.objects.order_by("-pk").values_list("pk", flat=True))
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = alice_api.get(REQUESTS, {"cursor": cursor}).json()
        seen += [line["request_id"] for line in page["requests"]]
        cursor = page["next"]
        fill(10)
    assert seen == [f"r{n}" for n in range(119, -1, -1)]
    assert len(seen) == len(expected)


@pytest.mark.spec("DOC-035")
def test_after_thirty_days_it_is_gone(api: APIClient, alice: User, alice_api: APIClient) -> None:
    api.get("/api/v1/credits")
    assert len(listed(alice_api)) == 1
    with time_machine.travel(timezone.now() + timedelta(days=29, hours=23)):
        assert len(listed(client_of(alice))) == 1
    with time_machine.travel(timezone.now() + timedelta(days=30, minutes=1)):
        assert listed(client_of(alice)) == []
        tasks.delete_old_rows()
    assert not ApiRequest.objects.exists()


@pytest.mark.spec("DOC-035")
def test_a_call_writes_nothing_and_many_are_written_at_once(api: APIClient, django_assert_num_queries: Any) -> None:
    for _ in range(50):
        api.get("/api/v1/credits")
    assert not ApiRequest.objects.exists()
    with django_assert_num_queries(1):
        request_log.write_waiting()
    assert ApiRequest.objects.count() == 50


@pytest.mark.spec("DOC-035")
def test_a_flood_of_refusals_leaves_room(api: APIClient, alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        for _ in range(130):
            api.get("/api/v1/validate/batches")
    request_log.write_waiting()
    noted = ApiRequest.objects.filter(organisation=alice.own_organisation)
    assert (noted.filter(status=200).count(), noted.filter(status=429).count()) == (100, 20)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("DOC-035")
def test_sixteen_calls_at_once_are_sixteen_lines(made: tuple[ApiKey, str]) -> None:
    def call(_: int) -> str:
        try:
            return str(client_with(made[1]).get("/api/v1/credits")["X-Request-Id"])
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        ids = list(pool.map(call, range(16)))
    request_log.write_waiting()
    assert sorted(ApiRequest.objects.values_list("request_id", flat=True)) == sorted(ids)


def test_redaction_keeps_the_shape() -> None:
    body = {
        "emails": ["a@b.com", "c@d.com", "e@f.com", "g@h.com", "i@j.com"],
        "category": "valid", "status": "a@b.com", "detail": "The address a@b.com is bad.", "n": 1.5, "yes": True,
        "nothing": None, "a@b.com": 1, "nested": {"token": "abc", "code": "X"},
    }  # fmt: skip
    assert json.loads(request_log.redact_body(body)) == {
        "emails": ["[redacted]", "[redacted]", "[redacted]", "… 2 more"],
        "category": "valid", "status": "[redacted]", "detail": "The address [address] is bad.", "n": 1.5, "yes": True,
        "nothing": None, "[address]": 1, "nested": {"token": "[redacted]", "code": "X"},
    }  # fmt: skip
    assert request_log.redact_body(None) == request_log.redact_body({}) == ""
    assert len(request_log.redact_body({f"name{n}": [["x"] * 3] * 3 for n in range(60)})) == request_log.MOST_CHARACTERS
    deep: Any = "a@b.com"
    for _ in range(50):
        deep = [deep]
    assert "a@b.com" not in request_log.redact_body(deep)
