"""What programs rely on: streams of results, the description of the API, ids and limits on every answer."""

import json
from typing import Any

import pytest
import yaml
from django.conf import settings
from rest_framework.test import APIClient

from accounts.keys import services as keys
from accounts.users.models import User
from conftest import client_of, client_with
from emailcheck.common.testing import drain_queue
from emailcheck.contract.description import load_internal
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.chunks import leases
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchType
from validation.results import storage
from validation.testmode import verdicts

LINES = {"Accept": "application/x-ndjson"}
NAMES = ("valid", "invalid", "catch_all")


@pytest.fixture
def api_in_test_mode(alice: User) -> APIClient:
    return client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Trial", test=True)[1])


def lines_of(answer: Any) -> list[dict[str, Any]]:
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.getvalue().decode().splitlines()]


def started(alice: User, count: int) -> Batch:
    """A list of test mode that no worker has come to."""
    alice.own_organisation.in_test_mode = True
    lines = [f"{NAMES[n % 3]}+{n}@test.emailcheck.app" for n in range(count)]
    return batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)


@pytest.mark.spec("DOC-037")
def test_results_stream_as_lines_in_the_order_of_the_list(alice: User, api_in_test_mode: APIClient) -> None:
    batch = started(alice, 2_300)
    drain_queue()
    address = f"/api/v1/validate/batch/{batch.public_id}/results"
    found = lines_of(api_in_test_mode.get(address, headers=LINES))
    assert [row["row"] for row in found] == list(range(1, 2_301))
    assert [row["category"] for row in found] == [NAMES[n % 3] for n in range(2_300)]
    assert {row["test"] for row in found} == {True}
    page = api_in_test_mode.get(address, {"page_size": 1}).json()["results"]
    assert found[0] == page[0] | {"test": True}
    valid = lines_of(api_in_test_mode.get(address, {"category": "valid"}, headers=LINES))
    assert [row["row"] for row in valid] == list(range(1, 2_301, 3))


@pytest.mark.spec("DOC-037", "DOC-045")
def test_what_is_done_can_be_read_while_the_rest_runs(alice: User, api_in_test_mode: APIClient, settings: Any) -> None:
    settings.CHUNK_ROWS = 100
    batch = started(alice, 250)
    address = f"/api/v1/validate/batch/{batch.public_id}"
    assert lines_of(api_in_test_mode.get(f"{address}/results", headers=LINES)) == []
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    run = verdicts.start_run([row[1] for row in chunk.rows])
    made = [storage.build_row(verdict, position=chunk.rows[index][0]) for index, verdict in run.pop_arrived()]
    leases.complete_chunk(chunk, made)
    rows = [row["row"] for row in lines_of(api_in_test_mode.get(f"{address}/results", headers=LINES))]
    assert rows == sorted(row.position for row in made)
    assert len(rows) == 100
    status = api_in_test_mode.get(f"{address}/status").json()
    assert (status["status"], status["processed_emails"]) == ("processing", 100)
    assert api_in_test_mode.get(f"{address}/results").json()["total"] == 100
    cancelled = api_in_test_mode.post(f"{address}/cancel").json()
    assert (cancelled["status"], cancelled["processed_emails"], cancelled["released"]) == ("cancelled", 100, 0)
    assert api_in_test_mode.delete(address).status_code == 200
    assert not Chunk.objects.filter(batch=batch, state="pending").exists()


@pytest.mark.spec("DOC-037")
def test_a_strangers_stream_is_not_found(alice: User, bob: User) -> None:
    batch = started(alice, 1)
    for api in (
        client_of(bob),
        client_of(alice),
        client_with(keys.create_key(organisation=bob.own_organisation, maker=bob, name="Bob", test=True)[1]),
    ):
        assert api.get(f"/api/validate/batch/{batch.public_id}/results", headers=LINES).status_code == 404


def test_the_description_is_the_one_of_the_file() -> None:
    text, _ = load_internal()
    made = (settings.BASE_DIR / "openapi.yaml").read_text()
    assert json.loads(text) == yaml.load(made, Loader=yaml.CSafeLoader)


@pytest.mark.spec("DOC-012")
def test_the_description_is_openapi_31_and_kept(db: None, anonymous_api: APIClient) -> None:
    answer = anonymous_api.get("/api/v1/openapi.json")
    described = json.loads(answer.content)
    assert (answer.status_code, answer["Content-Type"], described["openapi"]) == (200, "application/json", "3.1.1")
    assert answer["Cache-Control"] == "public, max-age=300"
    again = anonymous_api.get("/api/v1/openapi.json", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])
    taking = {
        (method, path)
        for path, calls in described["paths"].items()
        for method, call in calls.items()
        if "x-scope" in call
    }
    assert {("post", "/validate/single"), ("get", "/credits"), ("get", "/auth/me")} <= taking
    assert ("put", "/validate/batch/{batch_id}") not in taking
    assert not any("api-keys" in path or "requests" in path or "admin" in path for _, path in taking)
    whole = json.loads(load_internal()[0])
    assert whole["components"]["schemas"]["Result"]["properties"]["test"]["type"] == "boolean"


@pytest.mark.spec("DOC-035", "DOC-036")
@pytest.mark.parametrize("path", ["/api/schema", "/api/plans", "/api/credits", "/api/v1/credits"])
def test_every_answer_has_an_id_and_says_how_many_more(alice: User, anonymous_api: APIClient, path: str) -> None:
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1])
    for client in (anonymous_api, api):
        answer = client.get(path, headers={"X-Request-Id": "my-own-id-1"})
        assert answer["X-Request-Id"] == "my-own-id-1"
        limit, left = int(answer["X-RateLimit-Limit"]), int(answer["X-RateLimit-Remaining"])
        assert f"q={limit};" in answer["RateLimit-Policy"]
        assert f"r={left};" in answer["RateLimit"]
        assert 0 <= left < limit
        if answer.status_code >= 400:
            assert answer.json()["request_id"] == "my-own-id-1"
    strange = api.get(path, headers={"X-Request-Id": "bad id\x7f"})
    assert strange["X-Request-Id"].startswith("req_")


@pytest.mark.spec("DOC-021", "DOC-029", "DOC-030")
@pytest.mark.parametrize("base", ["/api", "/api/v1"])
def test_the_six_calls_have_the_documented_fields(world: Sandbox, alice: User, base: str) -> None:
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1])
    single = api.post(f"{base}/validate/single", {"email": "ida.holm@harborquill.com"}, format="json").json()
    assert single.keys() >= {
        "valid", "email", "disposable", "free_email", "mx_records", "smtp_valid", "credits_used",
        "validation_provider",
    }  # fmt: skip
    assert (single["valid"], single["email"], single["credits_used"]) == (True, "ida.holm@harborquill.com", 1)
    bulk = api.post(f"{base}/validate/bulk", {"emails": ["ida.holm@harborquill.com"]}, format="json").json()
    assert (bulk["total_emails"], bulk["valid_count"], bulk["invalid_count"], bulk["credits_used"]) == (1, 1, 0, 1)
    assert (bulk["results"][0]["email"], bulk["results"][0]["valid"]) == ("ida.holm@harborquill.com", True)
    for call in ("auth/me", "analytics/dashboard"):
        said = api.get(f"{base}/{call}").json()
        assert (said["credits"], said["subscription_plan"], said["monthly_usage"]) == (98, "growth", 2)
    history = api.get(f"{base}/validate/batches").json()
    assert (history["total"], history["page"]) == (2, 1)
    assert history["validations"][0].keys() == {"id", "email", "valid", "validated_at"}


@pytest.mark.spec("DOC-033")
@pytest.mark.parametrize("test", [True, False])
def test_programs_are_refused_what_is_no_address_at_all(alice: User, alice_api: APIClient, test: bool) -> None:
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", test=test)[1])
    path, bad = "/api/v1/validate/single", {"email": "no-at-sign"}
    refused = api.post(path, bad, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_EMAIL")
    assert refused.json()["details"] == {"field": "email", "provided_value": "no-at-sign"}
    for nothing in ("", "  ", None, 7, ["a@b.com"]):
        assert api.post(path, {"email": nothing}, format="json").json()["code"] == "INVALID_EMAIL"
    assert api.get("/api/v1/validate/batches").json()["total"] == 0
    two_signs = api.post(path, {"email": "no@at@all"}, format="json").json()
    assert (two_signs["valid"], two_signs["reason"], two_signs["credits_used"]) == (False, "syntax", 0)
    by_person = alice_api.post("/api/validate/single", bad, format="json").json()
    assert (by_person["category"], by_person["reason"]) == ("invalid", "syntax")
