"""The public description: exactly what programs can call, with examples that are true."""

import json
import re
from typing import Any

import jsonschema_rs
import pytest
from rest_framework.test import APIClient

from accounts.access.models import Scope
from accounts.keys import services as keys
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from conftest import client_of, client_with
from emailcheck.contract import description
from emailcheck.contract.groups import WITH_A_KEY, WITH_A_SIGN_IN, WITHOUT_A_KEY
from emailcheck.contract.marks import SCOPE, SPENDS
from emailcheck.public.documentation.error_catalogue import CATALOGUE

V1 = "/api/v1"


def operations() -> list[tuple[str, str, Any]]:
    return list(description.iterate_operations(description.build_contract()))


def names(calls: list[tuple[str, str, Any]]) -> set[tuple[str, str]]:
    return {(method, path) for path, method, _ in calls}


@pytest.mark.spec("API-001")
def test_it_holds_exactly_what_a_key_can_call(alice: User, settings: Any) -> None:
    settings.SITE_REQUESTS_PER_MINUTE = settings.AUTH_REQUESTS_PER_MINUTE = 1_000_000
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.ENTERPRISE)
    key = keys.create_key(organisation=alice.own_organisation, maker=alice, name="All", scopes=list(Scope))[1]
    api, stranger, reached = client_with(key), APIClient(), set()
    internal = json.loads(description.load_internal()[0])
    for path, method, operation in description.iterate_operations(internal):
        address = V1 + re.sub(r"\{\w*(\w)\w*\}", "0", path).removeprefix("/api")
        answer = api.generic(method.upper(), address, "{}", content_type="application/json")
        is_open = operation.get("x-open") and stranger.generic(method.upper(), address).status_code != 401
        if is_open or (answer.status_code not in {401, 403} and not _takes_no_key(operation)):
            reached.add((method, path.removeprefix("/api")))
    assert reached == names(operations())


def _takes_no_key(operation: Any) -> bool:
    """Whether it is open to visitors as a part of pages, a key makes no difference to it."""
    return {} in operation.get("security", [{}]) or operation.get("security") == []


@pytest.mark.finding("G1")
@pytest.mark.spec("API-001")
def test_it_is_small_and_says_where_it_is(anonymous_api: APIClient, db: None, settings: Any) -> None:
    answer = anonymous_api.get(f"{V1}/openapi.json")
    text = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert len(answer.content) <= description.MOST_BYTES
    assert json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False) == text
    assert json.loads(text)["servers"] == [{"url": f"{settings.SITE_URL}/api/v1"}]
    assert json.loads(text)["openapi"].startswith("3.1")
    again = anonymous_api.get(f"{V1}/openapi.json", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    paths = " ".join(json.loads(text)["paths"])
    assert not re.search(r"admin|monitoring|payment|paypal|quotes|team|auth/login|user/", paths)


@pytest.mark.spec("API-002")
def test_each_call_says_what_it_is_needs_and_spends() -> None:
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(ids)) == len(ids)
    spending = {operation["operationId"] for _, _, operation in operations() if operation.get(SPENDS)}
    assert spending == {
        "validate_single", "validate_bulk", "validate_upload", "validate_upload_start",
        "validate_batch_check_in_full", "validate_batch_check_rest",
    }  # fmt: skip
    tags = {group.title for group in (*WITH_A_KEY, *WITHOUT_A_KEY)}
    for _, method, operation in operations():
        assert 0 < len(operation["summary"]) <= 80
        assert operation["description"]
        assert set(operation["tags"]) <= tags
        if operation.get("security") == []:
            assert SCOPE not in operation
        else:
            assert (operation[SCOPE] == "read") == (method == "get")
            assert isinstance(operation[SPENDS], bool)
    listed = [name for group in (*WITH_A_KEY, *WITHOUT_A_KEY, *WITH_A_SIGN_IN) for name in group.calls]
    assert len(set(listed)) == len(listed)


@pytest.mark.spec("API-002")
@pytest.mark.parametrize("name", [operation["operationId"] for _, _, operation in operations()])
def test_each_call_has_examples_that_are_as_described(name: str) -> None:
    contract = description.build_contract()
    operation = next(one for _, _, one in operations() if one["operationId"] == name)
    shown = 0
    for status, answer in operation["responses"].items():
        for media in answer.get("content", {}).values():
            for example in _list_examples(contract, media):
                _validate(contract, media.get("schema", {}), example)
                shown += status.startswith("2")
    body = operation.get("requestBody", {}).get("content", {})
    if "application/json" in body and body["application/json"].get("example") is not None:
        _validate(contract, body["application/json"]["schema"], body["application/json"]["example"])
    refusal = operation.get("x-example-refusal")
    if refusal:
        _validate(contract, {"$ref": "#/components/schemas/Error"}, refusal["answer"])
        assert str(refusal["status"]) in operation["responses"]
    assert shown or refusal or name == "validate_batch_report"  # a PDF


def _list_examples(contract: Any, media: Any) -> list[Any]:
    shared = [contract["components"]["examples"][one["$ref"].rpartition("/")[2]]["value"]
              for one in media.get("examples", {}).values()]  # fmt: skip
    return [*shared, *([media["example"]] if "example" in media else [])]


def _validate(contract: Any, schema: Any, example: Any) -> None:
    jsonschema_rs.Draft202012Validator({**schema, "components": contract["components"]}).validate(example)


@pytest.mark.spec("API-003")
def test_refusals_stand_once_with_their_codes() -> None:
    contract = description.build_contract()
    for _, _, operation in operations():
        refusals = {status: one for status, one in operation["responses"].items() if not status.startswith("2")}
        assert refusals == {status: {"$ref": f"#/components/responses/{status}"} for status in refusals}
        assert {"400", "429", "503"} <= set(refusals)
        assert ("401" in refusals) == (operation.get("security") != [])
    for status, answer in contract["components"]["responses"].items():
        codes = set(re.findall(r"`([A-Z_]+)`", answer["description"]))
        assert codes == {one.code for one in CATALOGUE if str(one.status) == status}


@pytest.mark.spec("API-005")
def test_the_whole_description_is_for_staff_and_named_readers(
    alice: User, bob: User, sam: User, anonymous_api: APIClient, settings: Any
) -> None:
    settings.SCHEMA_READERS = (bob.email,)
    key = client_with(keys.create_key(organisation=bob.own_organisation, maker=bob, name="Bob")[1])
    refused = {anonymous_api: 401, client_of(alice): 403, key: 403}
    for api, status in refused.items():
        answer = api.get("/api/schema")
        assert answer.status_code == status
        assert "/api/v1/openapi.json" in answer.json()["detail"]
    for reader in (client_of(sam), client_of(bob)):
        answer = reader.get("/api/schema")
        assert answer.status_code == 200
        assert "/api/admin/api-credits" in json.loads(answer.content)["paths"]


@pytest.mark.spec("API-005")
@pytest.mark.parametrize("path", ["/api-docs", "/llms.txt", "/llms-full.txt", "/documentation", "/sitemap.xml"])
def test_no_public_page_leads_to_it(db: None, client: Any, path: str) -> None:
    assert b"/api/schema" not in client.get(path).content
