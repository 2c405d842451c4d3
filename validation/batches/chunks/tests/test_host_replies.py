"""What mail hosts said last about a list that is being checked."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from validation.batches import services as batches
from validation.batches.chunks import host_replies, leases
from validation.batches.chunks.host_replies import Arrival
from validation.batches.chunks.leases import ChunkProgress
from validation.batches.models import Batch, BatchType
from validation.engine import Category, Check, Outcome, Reason, Verdict
from validation.results import storage

AT = datetime.fromisoformat("2026-05-01T12:00:00+00:00")


def verdict(
    reply: str, *, source: str = "SMTP RCPT TO 550 5.1.1, by words", host: str = "mx1.harborquill.com"
) -> Verdict:
    checks = (
        Check("mail_host_address", Outcome.PASS, f"{host} is 10.1.2.3", "DNS A, AAAA"),
        Check("mailbox", Outcome.FAIL, reply, source, 84.5),
    )
    return Verdict(
        email="anna@harborquill.com",
        category=Category.INVALID,
        reason=Reason.MAILBOX_NOT_FOUND,
        sentence="It does not exist.",
        checks=checks,
    )


def arrivals(*replies: str) -> list[Arrival]:
    return [Arrival(verdict(reply), AT + timedelta(seconds=second)) for second, reply in enumerate(replies)]


def test_a_reply_is_told_in_the_hosts_words_without_the_address() -> None:
    assert host_replies.list_replies(arrivals("550 5.1.1 <anna@harborquill.com>: no such user")) == [
        {
            "host": "mx1.harborquill.com",
            "reply": "550 5.1.1 <[address]>: no such user",
            "category": "invalid",
            "time_ms": 84.5,
            "at": "2026-05-01T12:00:00+00:00",
        }
    ]


def test_the_newest_come_first_and_older_ones_are_left_out() -> None:
    found = host_replies.list_replies(arrivals(*(f"250 {number}" for number in range(8))))
    assert [reply["reply"] for reply in found] == ["250 7", "250 6", "250 5", "250 4", "250 3"]
    other = host_replies.list_replies([Arrival(verdict("250 other"), AT + timedelta(seconds=6))])
    merged = host_replies.merge_replies([found, other])
    assert [reply["reply"] for reply in merged] == ["250 7", "250 6", "250 other", "250 5", "250 4"]


def test_what_a_host_says_again_is_told_once() -> None:
    found = host_replies.list_replies(arrivals("250 OK", "550 no", "250 OK"))
    assert [reply["reply"] for reply in found] == ["250 OK", "550 no"]
    assert len(host_replies.merge_replies([found, found])) == 2


def test_a_verdict_without_a_reply_is_no_reply() -> None:
    silent = verdict("timeout", source="SMTP connect")
    bare = Verdict(email="x", category=Category.INVALID, reason=Reason.SYNTAX, sentence="No address.")
    assert host_replies.list_replies([Arrival(silent, AT), Arrival(bare, AT)]) == []


@pytest.fixture
def batch(alice: User, settings: Any) -> Batch:
    settings.IMMEDIATE_ADDRESSES = 0
    settings.CHUNK_ROWS = 10
    lines = [f"someone{number}@harborquill.com" for number in range(20)]
    return batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)


def ask(api: APIClient, batch: Batch) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = api.get(f"/api/validate/batch/{batch.public_id}/status").json()["latest_replies"]
    return answer


@pytest.mark.spec("VAL-033")
def test_the_status_tells_them_while_their_rows_are_under_work(batch: Batch, alice_api: APIClient) -> None:
    assert ask(alice_api, batch) == []
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    replies = host_replies.list_replies([Arrival(verdict("550 5.1.1 no such user"), timezone.now())])
    assert leases.renew_leases([ChunkProgress(chunk, storage.tally_rows([]), replies)]) == set()
    told = ask(alice_api, batch)
    assert [(reply["host"], reply["reply"]) for reply in told] == [("mx1.harborquill.com", "550 5.1.1 no such user")]
    leases.complete_chunk(
        chunk, [storage.build_unchecked_row(address, position=position) for position, address in chunk.rows]
    )
    assert ask(alice_api, batch) == []
    chunk.refresh_from_db()
    assert chunk.latest_replies is None
