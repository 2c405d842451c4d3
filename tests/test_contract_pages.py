"""What the contract promises of every public call: pages, names, ids."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.users.models import User
from emailcheck.common.api.deprecations import NUMBER_IDS
from tests.keyed_clients import HISTORY, V1, client_of_key
from validation.batches.models import Batch
from validation.results.ids import write_result_id
from validation.results.models import Result
from validation.tests.stored import finished, single

pytestmark = pytest.mark.postgres


@pytest.fixture
def api(alice: User) -> APIClient:
    return client_of_key(alice)


@pytest.fixture
def early_api(alice: User) -> APIClient:
    return client_of_key(alice, early=True)


@pytest.fixture
def batch(alice: User) -> Batch:
    return finished(alice, [(f"{number}@b.com", "valid") for number in range(7)])


def read_stream(api: APIClient, batch: Batch) -> bytes:
    """All results of a list, a line each."""
    path = f"{V1}/validate/batch/{batch.public_id}/results"
    answer: Any = api.get(path, headers={"Accept": "application/x-ndjson"})
    return b"".join(answer.streaming_content)


def walk(api: APIClient, path: str, rows: str, **query: Any) -> list[list[Any]]:
    """The pages of a list by its cursor."""
    pages: list[list[Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = api.get(path, {**query, "cursor": cursor})
        assert answer.status_code == 200, answer.content
        pages.append(answer.json()[rows])
        cursor = answer.json()["next_cursor"]
    return pages


# Pages


@pytest.mark.spec("API-011")
def test_every_list_is_paged_by_cursor_and_limit(api: APIClient, batch: Batch) -> None:
    of_batch = f"{V1}/validate/batch/{batch.public_id}"
    for path, rows in ((f"{of_batch}/results", "results"), (of_batch, "emails")):
        pages = walk(api, path, rows, limit=3)
        assert [[row["row"] for row in page] for page in pages] == [[1, 2, 3], [4, 5, 6], [7]]


@pytest.mark.spec("API-011", "API-012")
def test_each_part_of_the_history_is_bounded_and_goes_on(alice: User, api: APIClient) -> None:
    for number in range(5):
        single(alice, f"one{number}@b.com")
        finished(alice, [(f"list{number}@b.com", "valid")], filename=f"{number}.csv")
    for rows, names in (("batches", 5), ("individual_validations", 5), ("validations", 10)):
        pages = walk(api, HISTORY, rows, limit=2)
        seen = [row.get("batch_id", row["id"]) for page in pages for row in page]
        assert (len(seen), len(set(seen))) == (names, names)
        assert all(len(page) <= 2 for page in pages)


@pytest.mark.spec("API-011")
def test_nothing_is_skipped_or_repeated_while_rows_are_added(alice: User, api: APIClient) -> None:
    first = [single(alice, f"{number}@b.com").email for number in range(4)]
    page = api.get(HISTORY, {"limit": 2}).json()
    single(alice, "new@b.com")
    rest = api.get(HISTORY, {"limit": 3, "cursor": page["next_cursor"]}).json()
    for rows in ("individual_validations", "validations"):
        assert [row["email"] for row in (*page[rows], *rest[rows])] == first[::-1]


@pytest.mark.spec("API-011")
@pytest.mark.parametrize("limit", ["0", "1001", "-1", "many", "1.5"])
def test_a_limit_beyond_its_bounds_is_refused(api: APIClient, batch: Batch, limit: str) -> None:
    for path in (HISTORY, f"{V1}/validate/batch/{batch.public_id}", f"{V1}/validate/batch/{batch.public_id}/results"):
        answer = api.get(path, {"limit": limit})
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
        assert answer.json()["details"]["field"] == "limit"


@pytest.mark.spec("API-011")
def test_a_cursor_is_good_for_its_list_filter_and_order_alone(alice: User, bob: User, api: APIClient) -> None:
    mine, other = (finished(alice, [(f"{number}@b.com", "valid") for number in range(3)]) for _ in range(2))
    path = f"{V1}/validate/batch/{mine.public_id}/results"
    cursor = api.get(path, {"limit": 1}).json()["next_cursor"]
    assert api.get(path, {"limit": 1, "cursor": cursor}).json()["results"][0]["row"] == 2
    for number in range(2):
        single(alice, f"{number}@b.com")
    of_history = api.get(HISTORY, {"limit": 1}).json()["next_cursor"]
    wrong = [
        (path, {"cursor": cursor, "category": "valid"}),
        (path, {"cursor": cursor, "sort": "-row"}),
        (path, {"cursor": cursor, "search": "a"}),
        (path, {"cursor": of_history}),
        (f"{V1}/validate/batch/{other.public_id}/results", {"cursor": cursor}),
        (f"{V1}/validate/batch/{mine.public_id}", {"cursor": cursor}),
        (HISTORY, {"cursor": cursor}),
        (HISTORY, {"cursor": of_history, "sort": "created"}),
        (HISTORY, {"cursor": of_history, "active": "true"}),
        (HISTORY, {"cursor": of_history[:-1]}),
        (HISTORY, {"cursor": f"{of_history}A"}),
        (HISTORY, {"cursor": "x"}),
        (HISTORY, {"cursor": "ä"}),
    ]
    for asked, query in wrong:
        answer = api.get(asked, query)
        assert (answer.status_code, answer.json()["code"], answer.json()["details"]["field"]) == (
            400, "VALIDATION_ERROR", "cursor",
        ), query  # fmt: skip
    for stranger in (client_of_key(bob), client_of_key(alice, test=True)):
        assert stranger.get(HISTORY, {"cursor": of_history}).json()["details"]["field"] == "cursor"


@pytest.mark.spec("API-012")
def test_the_former_pages_go_on_and_say_that_they_end(api: APIClient, batch: Batch) -> None:
    path = f"{V1}/validate/batch/{batch.public_id}"
    numbered = api.get(path, {"page": 2, "page_size": 3})
    body = numbered.json()
    assert ([row["row"] for row in body["emails"]], body["page"], body["page_size"]) == ([4, 5, 6], 2, 3)
    assert (body["total"], body["next"]) == (7, 3)
    assert numbered["Deprecation"] == "@1795824000"
    assert numbered["Sunset"] == "Tue, 30 Nov 2027 00:00:00 GMT"
    assert 'changelog#cursors-and-limits>; rel="deprecation"' in numbered["Link"]
    results = api.get(f"{path}/results", {"page_size": 3})
    assert results.json()["next"] == results.json()["next_cursor"] is not None
    assert "Deprecation" in results
    assert "Deprecation" not in api.get(f"{path}/results", {"limit": 3})
    assert "page" not in api.get(path, {"limit": 3}).json()


@pytest.mark.spec("API-012")
@pytest.mark.parametrize(("old", "new"), [("page", "cursor"), ("page_size", "limit")])
def test_former_and_present_pages_exclude_each_other(api: APIClient, batch: Batch, old: str, new: str) -> None:
    for path in (HISTORY, f"{V1}/validate/batch/{batch.public_id}"):
        answer = api.get(path, {old: "1", new: "1"})
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, old)


# Names and ids


@pytest.mark.spec("API-013")
def test_each_name_has_the_value_of_its_former_one(api: APIClient, batch: Batch, alice: User) -> None:
    of_batch = f"{V1}/validate/batch/{batch.public_id}"
    former = {"id": "batch_id", "processing_status": "status", "processed_emails": "processed"}
    for shown in (
        api.get(of_batch).json(),
        api.get(f"{of_batch}/status").json(),
        api.get(HISTORY).json()["batches"][0],
    ):
        pairs = [(shown[old], shown[new]) for old, new in former.items() if old in shown]
        assert len(pairs) >= 2
        assert all(old == new for old, new in pairs)
    (row, *_) = api.get(f"{of_batch}/results").json()["results"]
    assert (row["is_valid"], row["is_disposable"]) == (row["valid"], row["disposable"])
    overview = api.get(f"{V1}/analytics/dashboard").json()
    assert overview["current_plan"] == overview["subscription_plan"]


@pytest.mark.spec("API-013")
def test_moments_are_utc_with_whole_seconds(api: APIClient, batch: Batch) -> None:
    Result.objects.filter(batch=batch).update(created_at=datetime(2026, 3, 1, 11, 59, 58, 999_999, UTC))
    of_batch = f"{V1}/validate/batch/{batch.public_id}"
    (row, *_) = api.get(f"{of_batch}/results").json()["results"]
    assert (row["created_at"], row["validated_at"]) == ("2026-03-01T11:59:58Z", "2026-03-01T11:59:58Z")
    assert b'"created_at": "2026-03-01T11:59:58Z"' in read_stream(api, batch)
    assert api.get(of_batch).json()["created_at"].endswith("Z")
    assert len(api.get(f"{V1}/credits").json()["resets_at"]) == len("2026-03-01T11:59:58Z")


@pytest.mark.spec("API-014")
def test_newer_keys_never_see_a_number(api: APIClient, batch: Batch, alice: User) -> None:
    found = single(alice, "one@b.com")
    row = api.get(HISTORY).json()["individual_validations"][0]
    assert row["id"] == write_result_id(found.pk)
    assert api.get(f"{V1}/validate/result/{row['id']}").json()["id"] == row["id"]
    assert read_stream(api, batch).count(b'"id": "res_') == 7


@pytest.mark.spec("API-014", "API-051")
def test_earlier_keys_keep_numbers_until_their_end(early_api: APIClient, batch: Batch, alice: User) -> None:
    found = single(alice, "one@b.com")
    answer = early_api.get(HISTORY, {"limit": 10})
    assert answer.json()["individual_validations"][0]["id"] == found.pk
    assert "changelog#opaque-ids" in answer["Link"]
    lines = read_stream(early_api, batch)
    assert f'"id": {batch.results.earliest("position").pk}, "row": 1'.encode() in lines
    with time_machine.travel(datetime(2027, 12, 1, tzinfo=UTC)):
        assert NUMBER_IDS.is_over
        rows = early_api.get(HISTORY, {"limit": 10}).json()["individual_validations"]
        assert [row["id"] for row in rows] == [write_result_id(found.pk)]
        assert early_api.get(f"{V1}/validate/result/{found.pk}").status_code == 404


@pytest.mark.spec("API-014")
def test_an_id_finds_nothing_for_others(bob: User, alice: User, api: APIClient) -> None:
    found = single(alice, "one@b.com")
    for result_id in (str(found.pk), write_result_id(found.pk)):
        assert api.get(f"{V1}/validate/result/{result_id}").status_code == 200
        for stranger in (client_of_key(bob), client_of_key(alice, test=True)):
            assert stranger.get(f"{V1}/validate/result/{result_id}").status_code == 404
    for nothing in ("0", "res_", "res_7", str(10**30), "-1", "１", "bat_x"):
        assert api.get(f"{V1}/validate/result/{nothing}").status_code == 404
