"""The mails about lists: once each, honest figures, and none where none is wanted."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from accounts.users.models import User
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation import tasks
from validation.batches import services as batches
from validation.batches.chunks.models import Chunk
from validation.batches.control import stopping
from validation.batches.models import Batch, BatchType
from validation.batches.retention import services as retention

LIST = ["ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "someone@not-in-this-world.com"]


@pytest.fixture
def batch(world: Sandbox, alice: User, settings: Any) -> Batch:
    """A list that goes to the workers."""
    settings.IMMEDIATE_ADDRESSES = 0
    drain_queue()
    mail.outbox.clear()
    return batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)


def sent() -> list[tuple[list[str], str]]:
    drain_queue()
    return [(message.to, str(message.subject)) for message in mail.outbox]


@pytest.mark.spec("VAL-007", "VAL-043")
def test_a_list_that_was_worked_on_in_the_background_is_announced_once(batch: Batch) -> None:
    drain_queue()
    tasks.sweep()
    assert sent() == [(["alice@alder.com"], "Your pasted list is ready: 1 of 3 valid")]
    text = str(mail.outbox[0].body)
    batch.refresh_from_db()
    for line in (
        "1 of 3 addresses is safe to send", "Safe to send: 1 (33.3%)", "Risky to send: 1 (33.3%)",
        "Do not send: 1 (33.3%)", "Valid: 1", "Invalid: 1", "Unknown: 1", "Credits used: 2", "Credits released: 1",
    ):  # fmt: skip
        assert f"\n{line}\n" in text
    assert f"/dashboard/batch/{batch.public_id}\n" in text
    link = text.partition("you will be asked to sign in): ")[2].splitlines()[0]
    assert f"\nNext steps: {link}/next-steps\n" in text
    assert "harborquill" not in text


def test_a_list_that_was_answered_at_once_is_not(world: Sandbox, alice: User) -> None:
    drain_queue()
    mail.outbox.clear()
    batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    assert sent() == []


def test_who_wants_no_mails_gets_none(batch: Batch) -> None:
    User.objects.update(email_notifications=False)
    assert sent() == []


@pytest.mark.spec("VAL-039")
def test_a_failed_list_says_why_and_what_came_back(batch: Batch) -> None:
    long_ago = timezone.now() - timedelta(hours=25)
    Batch.objects.update(started_at=long_ago, status="processing")
    tasks.sweep()
    tasks.sweep()
    assert sent() == [(["alice@alder.com"], "Your pasted list could not be finished")]
    text = str(mail.outbox[0].body)
    assert stopping.STUCK in text
    assert "Done: 0 of 3 addresses." in text
    assert "Credits released: 3" in text
    assert Chunk.objects.count() == 0


@pytest.mark.spec("VAL-044")
def test_what_will_be_deleted_is_announced_with_the_date(batch: Batch) -> None:
    drain_queue()
    mail.outbox.clear()
    ended = timezone.now() - timedelta(days=359)
    Batch.objects.update(completed_at=ended)
    retention.sweep_expired()
    retention.sweep_expired()
    date = ended + timedelta(days=365)
    assert sent() == [(["alice@alder.com"], f"Results of Your pasted list will be deleted on {date:%-d %B %Y}")]
    assert "the list and its 3 results" in str(mail.outbox[0].body)
