"""Speed and time left, from what was measured."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from validation import leases, progress, services
from validation.models import Batch, BatchType, Chunk


@pytest.fixture
def batch(alice: User, settings: Any) -> Batch:
    """Ten chunks of ten rows; nobody works on them."""
    settings.IMMEDIATE_ADDRESSES = 0
    settings.CHUNK_ROWS = 10
    lines = [f"someone{number}@harborquill.com" for number in range(100)]
    return services.start_list(user=alice, lines=lines, batch_type=BatchType.BULK_TEXTAREA)


def done(batch: Batch, number: int, *, seconds_ago: float) -> None:
    Chunk.objects.filter(batch=batch, number=number).update(
        state="done", processed=10, done_at=timezone.now() - timedelta(seconds=seconds_ago)
    )
    batch.processed += 10


def start(batch: Batch, *, seconds_ago: float) -> None:
    batch.status, batch.started_at = "processing", timezone.now() - timedelta(seconds=seconds_ago)
    batch.save()


def test_nothing_is_told_before_something_was_measured(batch: Batch) -> None:
    assert progress.of(batch) == progress.Progress()
    start(batch, seconds_ago=10)
    assert progress.of(batch) == progress.Progress()


@pytest.mark.spec("VAL-036")
def test_the_speed_at_the_beginning_counts_what_is_under_way(batch: Batch) -> None:
    start(batch, seconds_ago=10)
    done(batch, 0, seconds_ago=1)
    Chunk.objects.filter(batch=batch, number=1).update(state="running", processed=5)
    batch.processed += 5
    now = progress.of(batch)
    assert (now.rate, now.seconds_left) == (1.5, 57)


@pytest.mark.spec("VAL-036")
def test_later_the_speed_is_that_of_the_last_two_minutes(batch: Batch) -> None:
    start(batch, seconds_ago=3_600)
    for number in range(4):
        done(batch, number, seconds_ago=600)
    for number in range(4, 7):
        done(batch, number, seconds_ago=30)
    now = progress.of(batch)
    assert (now.rate, now.seconds_left) == (0.2, 120)


@pytest.mark.spec("VAL-033")
def test_the_status_tells_what_waits_for_greylisting_hosts(batch: Batch, alice_api: APIClient) -> None:
    start(batch, seconds_ago=10)
    for number in range(9):
        done(batch, number, seconds_ago=1)
    due = timezone.now() + timedelta(seconds=300)
    Chunk.objects.filter(batch=batch, number=9).update(not_before=due)
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/status").json()
    assert (answer["waiting"], answer["waiting_until"]) == (10, due.isoformat().replace("+00:00", "Z"))
    assert 298 <= answer["seconds_left"] <= 300
    assert leases.claim(batch.pk) is None


def test_a_batch_that_has_ended_has_no_speed(batch: Batch) -> None:
    start(batch, seconds_ago=10)
    batch.status = "completed"
    assert progress.of(batch) == progress.Progress()
