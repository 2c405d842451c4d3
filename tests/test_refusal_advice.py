"""Advice about refused calls: each refusal is made for real, and the mended call is sent for real."""

import shlex
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.access.models import ApiKey
from accounts.keys import services as keys
from accounts.keys.models import ApiRequest
from accounts.users.models import User
from conftest import client_with
from emailcheck.contract import mended_calls
from emailcheck.contract.commands import KEY
from emailcheck.contract.mended_calls import Refusal, mend_call
from validation.testmode import addresses

V1 = "/api/v1"
SECRET = "ida.secret"


@pytest.fixture
def made(alice: User) -> tuple[ApiKey, str]:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", test=True)


@pytest.fixture
def api(made: tuple[ApiKey, str]) -> APIClient:
    return client_with(made[1])


def ask_advice(reader: APIClient, refused: Any) -> Any:
    return reader.get(f"/api/user/requests/{refused['X-Request-Id']}/advice").json()


def send_command(api: APIClient, command: str) -> Any:
    """Send what curl would send."""
    words = shlex.split(command)
    assert words[0] == "curl"
    assert f"Authorization: Bearer {KEY}" in words
    (url,) = [word for word in words if word.startswith(settings.SITE_URL)]
    after = {one: words[words.index(one) + 1] for one in ("-X", "-d", "-F") if one in words}
    parts = urlsplit(url)
    address = f"{parts.path}?{parts.query}" if parts.query else parts.path
    if "-F" in after:
        assert after["-F"] == "file=@customers.csv"
        return api.post(address, {"file": SimpleUploadedFile("customers.csv", b"email\nvalid@test.emailcheck.app\n")})
    method = after.get("-X", "POST" if "-d" in after else "GET")
    return api.generic(method, address, after.get("-d", ""), content_type="application/json")


@pytest.mark.spec("DOC-035", "API-015", "API-016")
@pytest.mark.parametrize(
    ("method", "path", "body", "status", "sent"),
    [
        ("GET", "/validate/batches?next=x", None, 400, 'batches?cursor="'),
        ("GET", "/validate/batches?limits=7", None, 400, 'batches?limit=1"'),
        ("GET", "/validate/batches?limit=many", None, 400, 'batches?limit=1"'),
        ("GET", "/credits?verbose=1", None, 400, f"{V1}/credits \\"),
        ("POST", "/validate/single", {"emial": f"{SECRET}@b.com"}, 400, '{"email": "valid@test.emailcheck.app"}'),
        ("POST", "/validate/bulk", {"emails": ["a@b.com"], "max_credit": 3}, 400, '"max_credits": 1}'),
        ("POST", "/validate/single", {"email": SECRET}, 400, '{"email": "valid@test.emailcheck.app"}'),
        ("POST", "/validate/single", {}, 400, '{"email": "valid@test.emailcheck.app"}'),
        ("POST", "/validate/bulk", {"emails": []}, 400, '{"emails": ["valid@test.emailcheck.app"]}'),
        ("POST", "/validate/upload", {}, 400, "-F file=@customers.csv"),
        ("GET", "/validate/single", None, 405, '{"email": "valid@test.emailcheck.app"}'),
        ("PUT", "/credits", {}, 405, f"{V1}/credits \\"),
        ("GET", "/credit", None, 404, f"{V1}/credits \\"),
        ("GET", "/credits/", None, 404, f"{V1}/credits \\"),
        ("POST", "/single", {"email": f"{SECRET}@b.com"}, 404, f"{V1}/validate/single \\"),
        ("POST", "/validate/sinlge", {"email": f"{SECRET}@b.com"}, 404, f"{V1}/validate/single \\"),
        ("POST", "/validate/single", {"adress": f"{SECRET}@b.com"}, 400, '{"email": "valid@test.emailcheck.app"}'),
        ("POST", "/validate/single", {"email": f"rate_limited@{addresses.DOMAIN}"}, 429, "curl --retry 3 "),
    ],
)
def test_the_mended_call_is_answered(
    api: APIClient, alice_api: APIClient, method: str, path: str, body: Any, status: int, sent: str
) -> None:
    if path.endswith("upload"):
        refused = api.post(f"{V1}{path}", body, format="multipart")
    else:
        refused = getattr(api, method.lower())(f"{V1}{path}", body, format="json")
    assert refused.status_code == status
    advice = ask_advice(alice_api, refused)
    assert advice["sentence"]
    assert SECRET not in str(advice)
    assert sent in advice["mended_call"]["command"]
    assert advice["mended_call"]["missing_scope"] is None
    assert send_command(api, advice["mended_call"]["command"]).status_code in {200, 202}


@pytest.mark.spec("DOC-035")
def test_a_key_without_the_scope_is_told_which(alice: User, alice_api: APIClient) -> None:
    key, text = keys.create_key(
        organisation=alice.own_organisation, maker=alice, name="Reader", test=True, scopes=["read"]
    )
    reader = client_with(text)
    refused = reader.post(f"{V1}/validate/single", {"email": "a@b.com"}, format="json")
    mended = ask_advice(alice_api, refused)["mended_call"]
    assert (refused.status_code, mended["missing_scope"]) == (403, "write")
    assert send_command(reader, mended["command"]).status_code == 403
    keys.update_key(organisation=alice.own_organisation, key_id=key.pk, scopes=["read", "write"])
    assert send_command(client_with(text), mended["command"]).status_code == 200


@pytest.mark.spec("DOC-035")
def test_the_explanation_is_that_of_the_catalogue(api: APIClient, alice_api: APIClient) -> None:
    refused = api.post(f"{V1}/validate/single", {"email": f"out_of_credits@{addresses.DOMAIN}"}, format="json")
    advice = ask_advice(alice_api, refused)
    assert advice["explanation"] == {
        "meaning": "The credits do not suffice; nothing was started.", "remedy": "Buy credits, or send less.",
    }  # fmt: skip
    assert advice["mended_call"] is None
    ApiRequest.objects.update(error_code="NEVER_HEARD_OF")
    assert ask_advice(alice_api, refused) == advice | {"explanation": None}


@pytest.mark.spec("DOC-035")
def test_where_nothing_can_be_known_no_call_is_offered(api: APIClient, alice_api: APIClient) -> None:
    answered = api.get(f"{V1}/credits")
    assert ask_advice(alice_api, answered) == {"sentence": "", "explanation": None, "mended_call": None}
    refusals = [
        api.get(f"{V1}/validate/batch/bat_none/status"),
        api.get(f"{V1}/validate/batches", {"colour": "red"}),
        api.get("/api/user/api-keys"),
        api.get(f"{V1}/mailboxes"),
        api.get(f"{V1}/validate/batch/bat_none/$(id)"),
    ]
    assert [one.status_code for one in refusals] == [404, 400, 403, 404, 404]
    for refused in refusals:
        advice = ask_advice(alice_api, refused)
        assert (advice["sentence"], advice["mended_call"]) == (refused.json()["detail"], None)


@pytest.mark.spec("DOC-035")
@pytest.mark.parametrize(
    ("method", "path", "meant"),
    [
        ("GET", "/validate/batch/bat_1/status/", "/validate/batch/bat_1/status"),
        ("GET", "/validate/batch/bat_1/reslts", "/validate/batch/bat_1/results"),
        ("GET", "/validate/batch/bat_1;id/status/", None),
        ("DELETE", "/webhook/5", None),
        ("POST", "/credit", None),
    ],
)
def test_a_mistyped_path_keeps_its_id_and_never_deletes(method: str, path: str, meant: str | None) -> None:
    mended = mend_call(Refusal(method, f"{V1}{path}", 404, "NOT_FOUND"))
    url = mended and next(word for word in shlex.split(mended.command) if word.startswith(settings.SITE_URL))
    assert url == (meant and f"{settings.SITE_URL}{V1}{meant}")


@pytest.mark.spec("DOC-035")
def test_others_and_keys_get_no_advice(api: APIClient, alice_api: APIClient, bob_api: APIClient) -> None:
    refused = api.post(f"{V1}/validate/single", {}, format="json")
    path = f"/api/user/requests/{refused['X-Request-Id']}/advice"
    answers = [reader.get(path).status_code for reader in (alice_api, bob_api, api, APIClient())]
    assert answers == [200, 404, 403, 401]
    assert alice_api.get("/api/user/requests/req_unknown/advice").status_code == 404


@pytest.mark.spec("DOC-035")
def test_a_command_holds_no_path_of_other_letters_and_no_deletion() -> None:
    for path in (f"{V1}/validate/batch/$(id)/cancel", f"{V1}/validate/batch/a;b/cancel", "/elsewhere", "/api"):
        refusal = Refusal("POST", path, 429, "RATE_LIMIT_EXCEEDED")
        assert mend_call(refusal) is None
    for path in ("validate/batch/bat_1", "validate/result/res_1"):
        mended = mend_call(Refusal("POST", f"{V1}/{path}", 405, "METHOD_NOT_ALLOWED"))
        assert mended is not None
        assert "-X" not in mended.command
    assert mend_call(Refusal("POST", f"{V1}/webhooks/whk_1", 405, "METHOD_NOT_ALLOWED")) is not None
    assert mend_call(Refusal("PUT", f"{V1}/webhooks", 405, "METHOD_NOT_ALLOWED")) is None
    waiting = mend_call(Refusal("POST", f"{V1}/validate/batch/bat_1/cancel", 429, "RATE_LIMIT_EXCEEDED"))
    assert waiting is not None
    assert waiting.notes == (mended_calls.WAITS,)
