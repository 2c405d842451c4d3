"""Days of the history and recommendations of a list are ranges of an index, however many results there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.users.models import User
from validation.tests.stored import finished, single

pytestmark = pytest.mark.postgres
HISTORY = "/api/validate/batches"


def explain(asked: CaptureQueriesContext, *words: str) -> list[str]:
    """How PostgreSQL goes about the statements with these words that take the first results in an order."""
    told = []
    with connection.cursor() as cursor:
        for one in asked:
            sql = one["sql"]
            if all(word in sql for word in ('FROM "validation_result"', "ORDER BY", "LIMIT", *words)):
                cursor.execute(f"EXPLAIN {sql}")
                told.append("\n".join(line for (line,) in cursor.fetchall()))
    return told


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the plans of PostgreSQL")
@pytest.mark.spec("VAL-027")
def test_the_results_of_some_days_are_ranges_of_an_index(alice: User, alice_api: APIClient) -> None:
    single(alice, "a@b.com", "valid")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    with CaptureQueriesContext(connection) as asked:
        assert alice_api.get(HISTORY, {"from": "2026-03-02", "to": "2099-03-02"}).status_code == 200
    plans = explain(asked)
    for index in ("result_history_day", "result_single_by_day"):
        of_days = [plan for plan in plans if index in plan]
        assert len(of_days) == 6
        assert not any("Sort" in plan for plan in of_days)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the plans of PostgreSQL")
@pytest.mark.spec("VAL-027", "SCA-022")
def test_a_search_of_single_checks_of_some_days_reads_its_index_alone(alice: User, alice_api: APIClient) -> None:
    for number in range(300):
        single(alice, f"{'ben' if number % 20 else 'anna'}{number}@b.com", "valid")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE validation_result")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    with CaptureQueriesContext(connection) as asked:
        assert len(alice_api.get(HISTORY, {"search": "anna", "from": "2026-03-02"}).json()["validations"]) == 15
    plans = [plan for plan in explain(asked, '"batch_id" IS NULL', '"created_at" >=') if "single" in plan]
    assert plans
    assert all("Index Only Scan using result_search_single_address" in plan for plan in plans)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the plans of PostgreSQL")
@pytest.mark.spec("SCA-022")
@pytest.mark.parametrize("sort", ["row", "email", "-confidence"])
def test_the_safe_among_many_undecided_are_found_by_an_index(alice: User, alice_api: APIClient, sort: str) -> None:
    rows = [(f"p{n}@b.com", category) for category in ("valid", "unknown") for n in range(400)]
    batch = finished(alice, rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE validation_result")
        cursor.execute("SET LOCAL enable_seqscan = off")
    path = f"/api/validate/batch/{batch.public_id}/results"
    with CaptureQueriesContext(connection) as asked:
        assert len(alice_api.get(path, {"decision": "safe", "sort": sort}).json()["results"]) == 100
    plans = explain(asked, "'unknown'")
    assert len(plans) == 1
    assert "result_undecided" in plans[0]
    assert "Filter" not in plans[0]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the plans of PostgreSQL")
@pytest.mark.spec("SCA-022")
@pytest.mark.parametrize(
    ("decision", "category", "sort"), [("safe", "valid", "confidence"), ("risky", "unknown", "-confidence")]
)
def test_few_of_a_recommendation_at_the_other_end_of_confidence_are_found_without_reading_rows(
    alice: User, alice_api: APIClient, decision: str, category: str, sort: str
) -> None:
    batch = finished(alice, [(f"p{n}@b.com", category) for n in range(400)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE validation_result")
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    path = f"/api/validate/batch/{batch.public_id}/results"
    with CaptureQueriesContext(connection) as asked:
        assert alice_api.get(path, {"decision": decision, "sort": sort}).status_code == 200
    plans = explain(asked, f"'{category}'")
    assert plans
    assert all("Index Only Scan" in plan and "result_confidence_decision" in plan for plan in plans)
