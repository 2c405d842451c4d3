"""Bad input: a clear 4xx in the one error shape for every call, nothing stored, nothing charged."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as profile
from hypothesis import strategies as st
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.users.models import User
from billing.ledger.models import CreditAccount, CreditHold
from billing.subscriptions import entitlements
from conftest import client_of
from emailcheck.common.api.models import IdempotentCall
from emailcheck.common.storage.statements import execute_together
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType
from validation.results import storage
from validation.results.models import Result
from validation.verifier.checker import checker

LOGIN, SINGLE, BULK, UPLOAD = "/api/auth/login", "/api/validate/single", "/api/validate/bulk", "/api/validate/upload"
HISTORY = "/api/validate/batches"
POSTS = (LOGIN, SINGLE, BULK)
SHAPE = {"detail", "error", "message", "code", "details", "request_id"}
JSON = "application/json"


def assert_refused(answer: Any, *statuses: int) -> dict[str, Any]:
    """The answer is a refusal in the one error shape."""
    assert answer.status_code in statuses, answer.content[:300]
    body: dict[str, Any] = json.loads(answer.content.decode())
    assert set(body) == SHAPE
    assert body["detail"] == body["message"] != ""
    assert body["error"] == body["code"].lower()
    return body


def assert_nothing_happened(user: User) -> None:
    assert (Batch.objects.count(), Result.objects.count(), CreditHold.objects.count()) == (0, 0, 0)
    assert IdempotentCall.objects.count() == 0
    assert CreditAccount.objects.get(organisation=user.own_organisation).balance == 100


def send(api: APIClient, path: str, body: str | bytes, content_type: str = JSON) -> Any:
    return api.post(path, body if isinstance(body, bytes) else body.encode(), content_type=content_type)


BODIES: dict[str, str | bytes] = {
    "deep": "[" * 100_000 + "]" * 100_000,
    "deep object": '{"emails":' * 50_000,
    "cut off": '{"email": "a@b.co',
    "not UTF-8": b'{"email": "\xff\xfe@b.com"}',
    "infinite": '{"email": [1e999], "password": [1e999], "emails": 1e999}',
    "a megabyte": json.dumps({"email": "a" * 1_000_000, "password": "x", "emails": ["a" * 1_000_000]}),
    "a number of 5,000 digits": f'{{"emails": {"9" * 5_000}}}',
    "a number of 4,000 digits": f'{{"email": [{"9" * 4_000}], "emails": {"9" * 4_000}}}',
    "numbers": '{"email": {"a": 1}, "password": 1, "emails": [1, 2, 3]}',
    "null": "null",
    "a list": "[]",
    "nothing": "",
    "a duplicate name": '{"email": "a@b.com", "email": [], "emails": ["a"], "emails": null}',
}


@pytest.mark.spec("VAL-025", "DOC-026", "DOC-028")
@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("kind", BODIES)
def test_a_body_of_any_other_shape_is_refused(alice: User, alice_api: APIClient, path: str, kind: str) -> None:
    assert_refused(send(alice_api, path, BODIES[kind]), 400)
    assert_nothing_happened(alice)


UNSTORABLE = {"NUL": "a\\u0000@harborquill.com", "surrogate": "a\\ud800@harborquill.com"}


@pytest.mark.spec("DOC-026")
@pytest.mark.parametrize("sent", UNSTORABLE.values(), ids=list(UNSTORABLE))
def test_a_sign_in_with_what_no_database_keeps_is_refused(alice: User, alice_api: APIClient, sent: str) -> None:
    assert_refused(send(alice_api, LOGIN, f'{{"email": "{sent}", "password": "x"}}'), 400)
    assert_nothing_happened(alice)


@pytest.mark.postgres
@pytest.mark.finding("C8")
@pytest.mark.parametrize("sent", UNSTORABLE.values(), ids=list(UNSTORABLE))
def test_one_row_that_no_database_keeps_is_judged_alone(world: Sandbox, alice_api: APIClient, sent: str) -> None:
    answer = send(alice_api, BULK, f'{{"emails": ["ida.holm@harborquill.com", "{sent}", "{sent}"]}}')
    assert answer.status_code == 200, answer.content
    rows = Result.objects.order_by("position").values_list("email", "category", "reason")
    assert list(rows) == [
        ("ida.holm@harborquill.com", "valid", "mailbox_exists"),
        ("a\x1a@harborquill.com", "invalid", "syntax"),
    ]
    batch = Batch.objects.get()
    assert (batch.total_emails, batch.duplicates_removed, batch.credits_used) == (2, 1, 1)


@pytest.mark.postgres
@pytest.mark.finding("C8")
@pytest.mark.parametrize("sent", UNSTORABLE.values(), ids=list(UNSTORABLE))
def test_a_single_check_of_what_no_database_keeps_is_a_verdict_and_free(
    world: Sandbox, alice: User, alice_api: APIClient, sent: str
) -> None:
    answer = send(alice_api, SINGLE, f'{{"email": "{sent}"}}')
    assert answer.status_code == 200, answer.content
    assert (answer.json()["email"], answer.json()["category"]) == ("a\x1a@harborquill.com", "invalid")
    assert Result.objects.get().email == "a\x1a@harborquill.com"
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 100


@pytest.mark.parametrize("path", [*POSTS, UPLOAD])
@pytest.mark.parametrize("content_type", ["text/plain", "application/xml", "multipart/form-data", "a;b;c"])
def test_a_body_of_another_type_is_refused(alice: User, alice_api: APIClient, path: str, content_type: str) -> None:
    assert_refused(send(alice_api, path, '{"email": "a@b.com"}', content_type), 400, 415)
    assert_nothing_happened(alice)


@pytest.mark.parametrize("charset", ["zlib", "rot13", "hex", "utf-7", "nonsense"])
def test_what_python_calls_a_charset_is_not_applied(alice_api: APIClient, charset: str) -> None:
    body = '{"email": "", "emails": [], "password": ""}'
    for path in POSTS:
        assert_refused(send(alice_api, path, body, f"{JSON}; charset={charset}"), 400)
    form = b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--\r\n'
    assert_refused(send(alice_api, UPLOAD, form, f"multipart/form-data; boundary=b; charset={charset}"), 400)


@pytest.mark.parametrize("fields", [1_001, 1])
def test_a_form_with_too_much_beside_the_file_is_refused(alice: User, alice_api: APIClient, fields: int) -> None:
    text = "y" * (9_000_000 // fields)
    part = f'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n{text}\r\n'
    answer = send(alice_api, UPLOAD, part * fields + "--b--\r\n", "multipart/form-data; boundary=b")
    assert_refused(answer, 400, 413)
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd.csv", "C:\\x\\list.csv", "li\x00st.csv", "名簿.csv", "a" * 400 + ".csv"]
)
def test_a_file_may_have_any_name(world: Sandbox, alice_api: APIClient, settings: Any, name: str) -> None:
    answer = alice_api.post(UPLOAD, {"file": SimpleUploadedFile(name, b"email\nida.holm@harborquill.com\n")})
    assert answer.status_code == 200, answer.content
    stored = [path.parent for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]
    assert stored == [settings.MEDIA_ROOT / "uploads"]
    kept = answer.json()["filename"]
    assert kept.isprintable()
    assert not set(kept) & {"/", "\\"}
    export = alice_api.get(f"/api/validate/batch/{answer.json()['batch_id']}/export")
    assert export["Content-Disposition"].startswith("attachment; filename")


@pytest.mark.parametrize("sent", ["NUL", "surrogate"])
def test_addresses_that_no_database_keeps_are_marked_and_judged(world: Sandbox, alice: User, sent: str) -> None:
    line = {"NUL": "a\0b@harborquill.com", "surrogate": "a\ud800b@harborquill.com"}[sent]
    batch = batches.start_list(organisation=alice.own_organisation, lines=[line], batch_type=BatchType.FILE_UPLOAD)
    result = Result.objects.get(batch=batch)
    assert (result.email, result.category, batch.credits_used) == ("a\x1ab@harborquill.com", "invalid", 0)


def test_a_mail_host_that_answers_nul_breaks_nothing(world: Sandbox, alice: User) -> None:
    verdict = checker().check("ida.holm@harborquill.com")
    hostile = replace(verdict, transcript=("S: 250 \0", "C: \\u0000"), sentence="It said \0.", mx_hosts=("a\0b",))
    writing = storage.SingleWriting(storage.build_row(hostile), took_ms=1, organisation_id=alice.pk)
    result = writing.build_result(execute_together([writing.inserting])[0])
    result.refresh_from_db()
    assert (result.sentence, result.details["mx"]) == ("It said \x1a.", ["a\x1ab"])
    assert result.details["transcript"][0] == "S: 250 \x1a"


def cursor(*values: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


QUERIES: dict[str, dict[str, str]] = {
    "page 0": {"page": "0"},
    "page -1": {"page": "-1"},
    "page one": {"page": "one"},
    "page 10 million": {"page": "10000000"},
    "page 1e9999": {"page": "1e9999"},
    "page of 5,000 digits": {"page": "9" * 5_000},
    "page size 0": {"page_size": "0"},
    "page size huge": {"page_size": "100000000"},
    "page size NaN": {"page_size": "NaN"},
    "NUL": {"search": "a\0b"},
    "long search": {"search": "a" * 201},
    "category": {"category": "excellent"},
    "categories": {"category": "VALID"},
    "sort": {"sort": "user__password"},
    "segment": {"segment": "all; DROP TABLE"},
    "format": {"format": "exe"},
    "active": {"active": "perhaps"},
    "cursor garbage": {"cursor": "%%%"},
    "cursor not base64": {"cursor": "ä"},
    "cursor text": {"cursor": base64.b64encode(b"hello").decode()},
    "cursor deep": {"cursor": base64.b64encode(b"[" * 1_400).decode()},
    "cursor short": {"cursor": cursor("row", 1)},
    "cursor dict": {"cursor": cursor("row", {"a": 1}, 1)},
    "cursor text as row": {"cursor": cursor("row", "x", 1)},
    "cursor bool as row": {"cursor": cursor("row", True, 1)},
    "cursor float as position": {"cursor": cursor("row", 1, 1.5)},
    "cursor of another sort": {"cursor": cursor("email", "a", 1)},
    "cursor number as e-mail": {"cursor": cursor("email", 5, 1), "sort": "email"},
    "cursor NUL as e-mail": {"cursor": cursor("email", "\0", 1), "sort": "email"},
    "cursor surrogate as e-mail": {"cursor": cursor("email", "\ud800", 1), "sort": "email"},
    "cursor huge confidence": {"cursor": cursor("-confidence", 10**400, 1), "sort": "-confidence"},
    "cursor infinite": {"cursor": cursor("confidence", float("inf"), 1), "sort": "confidence"},
    "cursor NaN": {"cursor": cursor("confidence", float("nan"), 1), "sort": "confidence"},
    "cursor bool as confidence": {"cursor": cursor("confidence", True, 1), "sort": "confidence"},
    "cursor text as id": {"cursor": cursor("-created", ["individual", "x"], 1)},
    "cursor number as name": {"cursor": cursor("name", ["batches", 1], 1), "sort": "name"},
    "cursor of another order": {"cursor": cursor("created", ["batches", 1], 1)},
    "cursor of no part": {"cursor": cursor("-created", ["everything", 1], 1)},
    "cursor list as order": {"cursor": cursor(["row"], 1, 1)},
}


@pytest.fixture
def stored(world: Sandbox, alice: User) -> Batch:
    lines = [f"{name}@harborquill.com" for name in ("ida.holm", "rosa.kent", "tom.reed")]
    return batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)


def understood(batch: Batch) -> dict[str, set[str]]:
    """The calls that read, and the parameters that they know."""
    own = f"/api/validate/batch/{batch.public_id}"
    return {
        HISTORY: {"page", "page_size", "search", "category", "active", "sort", "cursor"},
        own: {"page", "page_size"},
        f"{own}/results": {"cursor", "category", "search", "sort", "page_size"},
        f"{own}/export": {"format", "segment"},
    }


@pytest.mark.parametrize("kind", QUERIES)
def test_a_query_that_is_not_understood_is_refused(stored: Batch, alice_api: APIClient, kind: str) -> None:
    query = QUERIES[kind]
    asked = [path for path, names in understood(stored).items() if names & set(query)]
    assert asked != []
    for path in asked:
        body = assert_refused(alice_api.get(path, query), 400)
        assert body["details"]["field"] in query


@pytest.mark.parametrize("number", ["0", "9223372036854775808", "9" * 400, "9" * 5_000])
def test_an_id_that_no_result_can_have_is_not_found(alice_api: APIClient, number: str) -> None:
    assert_refused(alice_api.get(f"/api/validate/result/{number}"), 404)


@pytest.mark.parametrize("name", ["%00", "bat_%00", "%ED%A0%80", "%F0%9F%98%80", "..%2f..", "x" * 5_000])
@pytest.mark.parametrize("tail", ["", "/status", "/results", "/export"])
def test_an_id_that_no_batch_can_have_is_not_found(
    alice_api: APIClient, client: Client, alice: User, name: str, tail: str
) -> None:
    assert_refused(alice_api.get(f"/api/validate/batch/{name}{tail}"), 404)


@pytest.mark.postgres
@pytest.mark.parametrize("path", ["user/webhooks/1/deliveries/%00", "payments/paypal/status/a%00", "quotes/%00"])
def test_a_nul_names_nothing(alice_api: APIClient, path: str) -> None:
    assert_refused(alice_api.get(f"/api/{path}"), 404)


@pytest.mark.parametrize("accept", ["text/csv", "text/html", "application/xml", "nonsense"])
def test_every_call_answers_whatever_is_accepted(stored: Batch, alice_api: APIClient, accept: str) -> None:
    headers = {"Accept": accept}
    export = alice_api.get(f"/api/validate/batch/{stored.public_id}/export", headers=headers)
    assert (export.status_code, export["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert_refused(alice_api.get("/api/validate/batch/bat_unknown/export", headers=headers), 404)


@pytest.mark.parametrize("key", ["a" * 256, "\0", "é\x7f"])
def test_an_idempotency_key_is_short_and_printable(alice: User, alice_api: APIClient, key: str) -> None:
    answer = alice_api.post(SINGLE, {"email": "a@b.com"}, format="json", headers={"Idempotency-Key": key})
    assert_refused(answer, 400)
    assert_nothing_happened(alice)


@pytest.mark.parametrize("host", ["evil.com", "a b", "x" * 300])
def test_another_host_is_refused(alice: User, client: Client, host: str) -> None:
    assert_refused(client.post("/api/auth/refresh", headers={"Host": host, "Origin": f"http://{host}"}), 400)
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_a_fault_of_ours_is_told_in_the_one_shape(
    alice_api: APIClient, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entitlements, "build_account_summary", lambda user: 1 / 0)
    alice_api.raise_request_exception = False
    body = assert_refused(alice_api.get("/api/credits"), 500)
    assert (body["code"], "division" in str(body)) == ("INTERNAL_ERROR", False)


@pytest.mark.spec("DOC-026")
def test_the_details_name_the_field_and_show_what_was_sent(alice_api: APIClient) -> None:
    answer = send(alice_api, BULK, '{"emails": ["a@b.com", {"x": 1}]}')
    assert assert_refused(answer, 400)["details"] == {"field": "emails", "provided_value": {"x": 1}}
    answer = alice_api.get(HISTORY, {"page": "0"})
    assert assert_refused(answer, 400)["details"] == {"field": "page", "provided_value": "0"}


@pytest.mark.parametrize(
    "password", ['["hunter2"]', '{"a": "hunter2"}', json.dumps("hunter2" * 200), '"hunter2\\u0000"']
)
def test_a_password_is_never_repeated(alice: User, client: Client, password: str) -> None:
    answer = client.post(LOGIN, f'{{"email": "alice@alder.com", "password": {password}}}', content_type=JSON)
    assert assert_refused(answer, 400)["details"] == {"field": "password"}
    assert b"hunter2" not in answer.content
    assert not SignIn.objects.exists()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
unkeyed = st.fixed_dictionaries({}, optional={"email": anything, "password": anything, "emails": anything})


@pytest.fixture
def posted(alice: User) -> Callable[[str, object], Any]:
    api = client_of(alice)
    CreditAccount.objects.filter(organisation=alice.own_organisation).update(
        balance=0
    )  # nothing is asked of the engine
    return lambda path, body: send(api, path, json.dumps(body))


@profile(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=unkeyed | anything, path=st.sampled_from(POSTS))
def test_whatever_is_posted_is_refused(posted: Callable[[str, object], Any], body: object, path: str) -> None:
    assert_refused(posted(path, body), 400, 401, 403)
