"""Speed and time left, from what was measured."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from validation.batches import services as batches
from validation.batches.chunks import leases
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchType
from validation.batches.progress import tracking
from validation.engine.profiles import SHIPPED
from validation.exports import downloads
from validation.exports.choices import ExportChoices
from validation.results import storage


@pytest.fixture(autouse=True)
def as_in_life(settings: Any) -> None:
    """The limits that come with the engine, not the quicker pace of the sandbox."""
    settings.EGRESS_PROFILES = SHIPPED


@pytest.fixture
def batch(alice: User, settings: Any) -> Batch:
    """Ten chunks of ten rows; nobody works on them."""
    settings.IMMEDIATE_ADDRESSES = 0
    settings.CHUNK_ROWS = 10
    lines = [f"someone{number}@harborquill.com" for number in range(100)]
    return batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)


def done(batch: Batch, number: int, *, seconds_ago: float) -> None:
    Chunk.objects.filter(batch=batch, number=number).update(
        state="done", processed=10, done_at=timezone.now() - timedelta(seconds=seconds_ago)
    )
    batch.processed += 10


def start(batch: Batch, *, seconds_ago: float) -> None:
    batch.status, batch.started_at = "processing", timezone.now() - timedelta(seconds=seconds_ago)
    batch.save()


def test_nothing_is_told_before_something_was_measured(batch: Batch) -> None:
    assert tracking.measure_progress(batch) == tracking.Progress()
    start(batch, seconds_ago=10)
    assert tracking.measure_progress(batch) == tracking.Progress()


@pytest.mark.spec("VAL-036")
def test_the_speed_at_the_beginning_counts_what_is_under_way(batch: Batch) -> None:
    start(batch, seconds_ago=10)
    done(batch, 0, seconds_ago=1)
    Chunk.objects.filter(batch=batch, number=1).update(
        state="running", processed=5, lease_until=timezone.now() + timedelta(seconds=30)
    )
    batch.processed += 5
    now = tracking.measure_progress(batch)
    assert (now.rate, now.seconds_left) == (1.5, 57)


@pytest.mark.spec("VAL-036")
def test_later_the_speed_is_that_of_the_last_two_minutes(batch: Batch) -> None:
    start(batch, seconds_ago=3_600)
    for number in range(4):
        done(batch, number, seconds_ago=600)
    for number in range(4, 7):
        done(batch, number, seconds_ago=30)
    now = tracking.measure_progress(batch)
    assert (now.rate, now.seconds_left) == (0.2, 120)


@pytest.mark.spec("VAL-033")
def test_the_status_tells_what_waits_for_greylisting_hosts(batch: Batch, alice_api: APIClient) -> None:
    start(batch, seconds_ago=10)
    for number in range(9):
        done(batch, number, seconds_ago=1)
    due = timezone.now() + timedelta(seconds=300)
    Chunk.objects.filter(batch=batch, number=9).update(not_before=due)
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/status").json()
    assert answer["filename"] is None
    assert (answer["waiting"], answer["waiting_until"]) == (10, f"{due:%Y-%m-%dT%H:%M:%SZ}")
    assert 299 <= answer["seconds_left"] <= 301
    assert leases.claim_chunk(batch.pk) is None


def test_a_batch_that_has_ended_has_no_speed(batch: Batch) -> None:
    start(batch, seconds_ago=10)
    batch.status = "completed"
    assert tracking.measure_progress(batch) == tracking.Progress()


def in_line(batch: Batch, number: int, *, due_s: float, **fields: Any) -> Any:
    due = timezone.now() + timedelta(seconds=due_s)
    fields = {"waits_for": "yahoo", "wait_cause": "rate"} | fields
    Chunk.objects.filter(batch=batch, number=number).update(not_before=due, **fields)
    return f"{due:%Y-%m-%dT%H:%M:%SZ}"


@pytest.mark.finding("A6")
def test_the_status_says_what_rows_wait_for(batch: Batch, alice_api: APIClient) -> None:
    start(batch, seconds_ago=10)
    overdue = in_line(batch, 0, due_s=-5)
    until = in_line(batch, 1, due_s=20)
    other = in_line(batch, 2, due_s=3, waits_for="", wait_cause="session")
    grey = in_line(batch, 3, due_s=300, waits_for="", wait_cause="")
    asks = in_line(batch, 4, due_s=7, waits_for="", wait_cause="", asks_providers=True)
    in_line(batch, 5, due_s=-1, waits_for="", wait_cause="")
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/status").json()
    assert answer["waiting_for"] == [
        {"operator": "yahoo", "name": "Yahoo", "reason": "rate", "rows": 20, "until": until},
        {"operator": "", "name": "", "reason": "greylisting", "rows": 10, "until": grey},
        {"operator": "", "name": "", "reason": "providers", "rows": 10, "until": asks},
        {"operator": "", "name": "other mail hosts", "reason": "session", "rows": 10, "until": other},
    ]
    assert (answer["waiting"], answer["waiting_until"]) == (50, grey)
    assert overdue < until


@pytest.mark.finding("A6")
def test_the_time_left_is_no_less_than_what_the_rates_need(batch: Batch) -> None:
    """9,000 rows at Yahoo's 1,200 a minute are 450 s, though all of them are due in 20 s."""
    start(batch, seconds_ago=10)
    for number in range(9):
        done(batch, number, seconds_ago=1)
    Batch.objects.filter(pk=batch.pk).update(total_emails=9_090)
    batch.total_emails = 9_090
    in_line(batch, 9, due_s=20, size=9_000)
    assert tracking.measure_progress(batch).seconds_left == 450


@pytest.mark.finding("A6")
def test_greylisted_rows_count_until_they_are_answered(batch: Batch) -> None:
    """Ten rows are asked when they are due, at ten a second."""
    start(batch, seconds_ago=10)
    for number in range(9):
        done(batch, number, seconds_ago=1)
    in_line(batch, 9, due_s=300, waits_for="", wait_cause="")
    assert tracking.measure_progress(batch).seconds_left == 301


@pytest.mark.finding("A6")
def test_the_time_left_does_not_grow_when_rows_get_into_line(batch: Batch) -> None:
    """1,000 rows of Yahoo are known before the start: 50 s, of which ten have passed."""
    batch.operators = {"yahoo": 1_000}
    start(batch, seconds_ago=10)
    done(batch, 0, seconds_ago=1)
    before = tracking.measure_progress(batch).seconds_left
    in_line(batch, 1, due_s=20)
    assert before == 90
    batch.processed = 99
    assert tracking.measure_progress(batch).seconds_left == 40


@pytest.mark.finding("A6")
def test_what_is_done_can_be_downloaded_meanwhile(batch: Batch, alice_api: APIClient) -> None:
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    leases.complete_chunk(
        chunk, [storage.build_unchecked_row(address, position=position) for position, address in chunk.rows]
    )
    in_line(batch, 1, due_s=20)
    for kind in ("csv", "xlsx"):
        answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export?format={kind}")
        assert answer.status_code == 200
        assert f"{batch.public_id}-partial-" in answer["Content-Disposition"]
    text = "".join(map(str, downloads.build_file(batch, ExportChoices("csv", "all")).content))
    assert text.count("\r\n") == 11
    Batch.objects.filter(pk=batch.pk).update(status="completed")
    batch.refresh_from_db()
    assert "partial" not in downloads.build_file(batch, ExportChoices("csv", "all")).name
