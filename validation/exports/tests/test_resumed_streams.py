"""A stream of results that broke off goes on behind a row."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.users.models import User
from conftest import client_of
from validation.batches.models import Batch
from validation.engine import Category
from validation.exports.tests.lists import store_list, store_verdicts

LINES = {"Accept": "application/x-ndjson"}
ROWS = 2_500


def stored(user: User, count: int) -> Batch:
    batch = store_list(user, b"email\nida@alder.com\n")
    store_verdicts(batch, {row: (f"a{row}@alder.com", list(Category)[row % 2]) for row in range(1, count + 1)})
    return batch


def rows_of(api: APIClient, batch: Batch, **query: Any) -> list[int]:
    answer = api.get(f"/api/v1/validate/batch/{batch.public_id}/results", query, headers=LINES)
    assert answer.status_code == 200, answer.content
    return [json.loads(line)["row"] for line in answer.getvalue().decode().splitlines()]


@pytest.mark.spec("SDK-007")
@pytest.mark.parametrize("after", [0, 1, 999, 1_000, 1_001, ROWS - 1, ROWS, 100_000_000])
def test_a_stream_goes_on_behind_the_row_that_was_read_last(alice: User, after: int) -> None:
    api, batch = client_of(alice), stored(alice, ROWS)
    assert rows_of(api, batch, after_row=after) == list(range(after + 1, ROWS + 1))
    valid = rows_of(api, batch, after_row=after, category="valid")
    assert valid == [row for row in range(after + 1, ROWS + 1) if list(Category)[row % 2] == "valid"]


@pytest.mark.spec("SDK-007")
def test_a_row_with_several_addresses_is_behind_or_not_as_a_whole(alice: User) -> None:
    batch = store_list(alice, b"a,b\nida@alder.com,bob@birch.net\n", email_columns=["1", "2"])
    positions = [512, 513, 1_023, 1_024, 1_535, 1_536]
    store_verdicts(batch, {one: (f"a{one}@alder.com", Category.VALID) for one in positions})
    api = client_of(alice)
    assert [rows_of(api, batch, after_row=row) for row in range(4)] == [[1, 1, 1, 2, 2, 3], [2, 2, 3], [3], []]


@pytest.mark.spec("SDK-007")
def test_it_begins_by_a_range_of_the_index_and_passes_over_nothing(alice: User) -> None:
    """The last 100 rows cost the queries of one page, whatever stands before them."""
    api, batch = client_of(alice), stored(alice, ROWS)
    with CaptureQueriesContext(
        connection,
    ) as first:
        rows_of(api, batch, category="valid")
    with CaptureQueriesContext(connection) as last:
        assert len(rows_of(api, batch, after_row=ROWS - 200, category="valid")) == 100
    reading = [query["sql"] for query in last.captured_queries if '"position" > 2300' in query["sql"]]
    assert (len(reading), any("OFFSET" in sql for sql in reading)) == (1, False)
    assert len(last) < len(first)
    plan = "".join(str(row) for row in connection.cursor().execute(f"EXPLAIN QUERY PLAN {reading[0]}").fetchall())
    assert ("INDEX" in plan, "position>?" in plan) == (True, True)


@pytest.mark.spec("SDK-007")
@pytest.mark.parametrize("value", ["-1", "x", "1.5", "100000001"])
def test_what_is_no_row_is_refused_by_name(alice: User, value: str) -> None:
    batch = stored(alice, 1)
    path = f"/api/v1/validate/batch/{batch.public_id}/results"
    answer = client_of(alice).get(path, {"after_row": value}, headers=LINES)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"] == {"field": "after_row", "provided_value": value}


@pytest.mark.spec("SDK-007")
def test_pages_take_a_cursor_and_no_row(alice: User) -> None:
    batch = stored(alice, 1)
    path = f"/api/v1/validate/batch/{batch.public_id}/results"
    answer = client_of(alice).get(path, {"after_row": 0})
    assert (answer.status_code, answer.json()["details"]) == (400, {"field": "after_row", "provided_value": 0})
    assert answer.json()["message"] == (
        "after_row belongs to a stream of lines: send Accept: application/x-ndjson, or take cursor for pages."
    )
