"""Days of the history and recommendations of a list are ranges of an index, however many results there are."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.users.models import User
from validation.tests.stored import finished, single

HISTORY = "/api/validate/batches"


def plans_of(client: APIClient, path: str, query: dict[str, str]) -> list[str]:
    """How PostgreSQL goes about the call's statements that take the first results in an order, if it sorts nothing."""
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path, query)
    assert answer.status_code == 200
    told = []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        for one in asked:
            if 'FROM "validation_result"' in one["sql"] and "ORDER BY" in one["sql"] and "LIMIT" in one["sql"]:
                cursor.execute(f"EXPLAIN {one['sql']}")
                told.append("\n".join(line for (line,) in cursor.fetchall()))
    return told


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="the plans of PostgreSQL")
@pytest.mark.spec("VAL-027")
def test_the_results_of_some_days_are_ranges_of_an_index(alice: User, alice_api: APIClient) -> None:
    single(alice, "a@b.com", "valid")
    plans = plans_of(alice_api, HISTORY, {"from": "2026-03-02", "to": "2099-03-02"})
    of_days = [plan for plan in plans if "result_history_day" in plan]
    assert len(of_days) == 6
    assert not any("Sort" in plan for plan in of_days)


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="the plans of PostgreSQL")
@pytest.mark.spec("SCA-022")
@pytest.mark.parametrize("decision", ["safe", "risky"])
def test_a_recommendation_is_found_among_the_undecided_by_an_index(
    alice: User, alice_api: APIClient, decision: str
) -> None:
    batch = finished(alice, [("a@b.com", "catch_all"), ("c@b.com", "unknown")])
    path = f"/api/validate/batch/{batch.public_id}/results"
    plans = plans_of(alice_api, path, {"decision": decision, "sort": "row"})
    undecided = [plan for plan in plans if "result_undecided" in plan]
    assert len(undecided) == 2
    assert not any("Sort" in plan or "Filter" in plan for plan in undecided)
