"""Reach against risk: every step recounted from the results, and downloaded as exactly these addresses."""

import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from emailcheck.common.testing import drain_queue
from validation.batches import rankings
from validation.batches.models import Batch
from validation.results.models import Result
from validation.tests import stored
from validation.tests.team import add_member, client_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("REP-034")]

CONFIDENCES = [0.6, 0.59, 0.55, 0.5, 0.35, 0.3, 0.07, 0.05, 0.04, 0.0]


@pytest.fixture
def batch(alice: User) -> Batch:
    risky = [(f"r{number}@x.org", ("catch_all", "unknown")[number % 2]) for number in range(len(CONFIDENCES))]
    others = [("a@x.org", "valid"), ("b@x.org", "valid"), ("c@x.org", "invalid"), ("d@x.org", "disposable")]
    batch = stored.finished(alice, [*risky, *others])
    for position, confidence in enumerate(CONFIDENCES, start=1):
        Result.objects.filter(batch=batch, position=position).update(confidence=confidence)
    return batch


def load(api: APIClient, batch: Batch) -> list[dict[str, Any]]:
    answer = api.get(f"/api/validate/batch/{batch.public_id}/reach")
    assert answer.status_code == 200, answer.content
    choices: list[dict[str, Any]] = answer.json()["choices"]
    return choices


def recount(batch: Batch, risky_from: float | None) -> tuple[int, float]:
    """The addresses of a choice and 1 - confidence over them, row by row."""
    rows = batch.results.exclude(category__in=["invalid", "disposable", "spam_trap"])
    sent = [
        row.confidence for row in rows if row.safe_to_send or (risky_from is not None and row.confidence >= risky_from)
    ]
    return len(sent), float(sum((1 - Decimal(str(confidence)) for confidence in sent), Decimal(0)))


def test_every_step_is_what_its_rows_add_up_to(batch: Batch, alice_api: APIClient) -> None:
    choices = load(alice_api, batch)
    assert [choice["risky_from"] for choice in choices] == [None, *(step / 20 for step in range(12, -1, -1))]
    for choice in choices:
        assert (choice["addresses"], choice["expected_bounces"]) == recount(batch, choice["risky_from"])
    assert (choices[0]["addresses"], choices[0]["expected_bounces"]) == (2, 0.06)
    assert (choices[-1]["addresses"], choices[-1]["expected_bounces"]) == (12, 7.01)


def test_exactly_the_chosen_addresses_are_downloaded(batch: Batch, alice_api: APIClient) -> None:
    path = f"/api/validate/batch/{batch.public_id}/export"
    for choice in load(alice_api, batch):
        risky_from = choice["risky_from"]
        query: dict[str, Any] = {"segment": "safe"} | ({} if risky_from is None else {"risky_from": risky_from})
        for file_format in ("csv", "hubspot"):
            answer: Any = alice_api.get(path, {**query, "format": file_format})
            lines = list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode(), newline="")))
            assert len(lines) - 1 == choice["addresses"]
    answer = alice_api.get(path, {"segment": "safe", "risky_from": "0.35"})
    assert 'filename="batch-list-safe-risky-from-0.35-20' in answer["Content-Disposition"]


@pytest.mark.parametrize(
    "query",
    [{"segment": "all"}, {"segment": "risky"}, {}, {"segment": "safe", "format": "original"}, {"format": "zip"}],
)
def test_risky_ones_are_added_to_the_safe_ones_alone(batch: Batch, alice_api: APIClient, query: dict[str, str]) -> None:
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", query | {"risky_from": "0.5"})
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, "risky_from")
    for wrong in ("1.1", "-0.1", "nan", "much"):
        answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export?segment=safe&risky_from={wrong}")
        assert answer.status_code == 400


def test_without_risky_ones_there_is_one_choice(alice: User, alice_api: APIClient) -> None:
    batch = stored.finished(alice, [("a@x.org", "valid"), ("b@x.org", "invalid")])
    assert load(alice_api, batch) == [{"risky_from": None, "addresses": 1, "expected_bounces": 0.03}]


def test_a_long_list_is_counted_once(batch: Batch, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load(alice_api, batch)
    monkeypatch.setattr(rankings, "KEPT_FROM_ROWS", 3)
    assert load(alice_api, batch) == before
    Result.objects.filter(batch=batch).update(confidence=0.1)
    assert load(alice_api, batch) == before
    drain_queue()


def test_only_ended_lists_with_results_have_it(batch: Batch, alice_api: APIClient) -> None:
    path = f"/api/validate/batch/{batch.public_id}/reach"
    for status in ("queued", "processing", "paused"):
        Batch.objects.update(status=status)
        answer = alice_api.get(path)
        assert (answer.status_code, answer.json()["code"]) == (409, "BATCH_RUNNING")
    Batch.objects.update(status="completed", expired_at=batch.completed_at)
    answer = alice_api.get(path)
    assert (answer.status_code, answer.json()["code"]) == (410, "EXPIRED")


def test_viewers_see_it_and_billing_does_not(batch: Batch, alice: User, bob_api: APIClient) -> None:
    org = alice.own_organisation
    viewer, billing = (
        client_in(org, add_member(org, role)) for role in (OrganisationRole.VIEWER, OrganisationRole.BILLING)
    )
    path = f"/api/validate/batch/{batch.public_id}/reach"
    assert [one.get(path).status_code for one in (viewer, billing, bob_api)] == [200, 403, 404]
