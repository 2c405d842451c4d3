"""Rows that greylisting hosts turned away: kept in the database, asked again by the same triplet, upgraded."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation import tasks
from validation.batches import services as batches
from validation.batches.chunks import greylisted_rows, leases, pipeline
from validation.batches.chunks.greylisted_rows import GreylistedRow
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchType
from validation.engine import FollowUp
from validation.results import storage
from validation.results.models import Result
from validation.results.presentation import present_result_in_full

LIST = ["ida.holm@patientpine.org", "gone.holm@patientpine.org", "rosa.kent@harborquill.com"]


@pytest.fixture
def grey_world(world: Sandbox, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """Hosts that turn a new triplet away for a minute, and lists that have the patience for it."""
    settings.GREYLIST_SECONDS = 600
    settings.IMMEDIATE_ADDRESSES = 0
    monkeypatch.setattr(world.simulation.switches, "greylist_s", 60.0)
    return world


@pytest.fixture
def batch(grey_world: Sandbox, alice: User) -> Batch:
    """A list of which two rows wait for a greylisting host."""
    started = batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    drain_queue()
    return started


def let_the_minute_pass(world: Sandbox) -> None:
    world.simulation.switches.greylist_s = 0.0
    Chunk.objects.exclude(not_before=None).update(not_before=timezone.now())
    tasks.sweep()


def verdicts(batch: Batch) -> list[tuple[int, str, str]]:
    return list(batch.results.order_by("position").values_list("position", "category", "reason"))


def greylisting_of(result: Result) -> tuple[str, str]:
    checks = present_result_in_full(result)["evidence"]
    return next((check["outcome"], check["detail"]) for check in checks if check["check"] == "greylisting")


def follow_up(*, waited_s: float = 0.0, tries: int = 1, wait_s: float = 60.0) -> FollowUp:
    first_at = timezone.now().timestamp() - waited_s
    return FollowUp("direct", "probe@ours.net", "", first_at, tries, wait_s)


def test_the_others_are_written_and_the_batch_waits(batch: Batch) -> None:
    batch.refresh_from_db()
    assert batch.status == "processing"
    assert verdicts(batch) == [(3, "valid", "mailbox_exists")]
    waiting = batch.chunks.get(state="pending")
    assert (waiting.size, sum(batch.chunks.values_list("processed", flat=True))) == (2, 1)
    assert sum(batch.chunks.values_list("size", flat=True)) == batch.total_emails
    assert waiting.not_before is not None
    assert 30 < (waiting.not_before - timezone.now()).total_seconds() <= 62
    assert [row[2]["sender"] for row in waiting.rows] == ["probe@emailcheck.app"] * 2


def test_nobody_may_ask_before_the_time_has_come(batch: Batch) -> None:
    OrmQ.objects.all().delete()
    tasks.sweep()
    assert (leases.claim_chunk(batch.pk), leases.claim_fairly(), OrmQ.objects.count()) == (None, [], 0)
    assert Batch.objects.get(pk=batch.pk).status == "processing"


@pytest.mark.spec("VAL-029", "VAL-043")
def test_the_verdict_upgrades_and_says_so(grey_world: Sandbox, batch: Batch) -> None:
    let_the_minute_pass(grey_world)
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.processed, batch.credits_used) == ("completed", 3, 3)
    assert verdicts(batch) == [
        (1, "valid", "mailbox_exists"),
        (2, "invalid", "mailbox_not_found"),
        (3, "valid", "mailbox_exists"),
    ]
    said = [greylisting_of(result) for result in batch.results.order_by("position")]
    assert [outcome for outcome, _ in said] == ["pass"] * 3
    assert [detail.partition(" s ")[2] for _, detail in said] == [
        "from the same address, then accepted",
        "from the same address, then answered",
        "",
    ]
    assert (CreditAccount.objects.get(organisation=batch.organisation).balance, ledger.reconcile_ledger()) == (97, [])


@pytest.mark.spec("VAL-023")
def test_a_list_answered_at_once_waits_where_the_time_allows(
    grey_world: Sandbox, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMMEDIATE_ADDRESSES = 100
    monkeypatch.setattr(grey_world.simulation.switches, "greylist_s", 0.01)
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    assert (batch.status, batch.valid_count, batch.invalid_count) == ("completed", 2, 1)


def test_a_list_answered_at_once_does_not_wait_for_a_minute(grey_world: Sandbox, alice: User, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 100
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    assert (batch.status, verdicts(batch)) == ("processing", [(3, "valid", "mailbox_exists")])


@pytest.mark.spec("VAL-043")
def test_no_patience_means_the_first_answer(grey_world: Sandbox, alice: User, settings: Any) -> None:
    settings.GREYLIST_SECONDS = 30
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.unknown_count, batch.credits_used) == ("completed", 2, 1)
    assert verdicts(batch)[:2] == [(1, "unknown", "greylisted"), (2, "unknown", "greylisted")]


def test_who_is_turned_away_again_and_again_stays_unknown(grey_world: Sandbox, batch: Batch) -> None:
    for tries in (2, 3, 4):
        Chunk.objects.exclude(not_before=None).update(not_before=timezone.now())
        tasks.sweep()
        drain_queue()
        assert [row[2]["tries"] for row in batch.chunks.get(state="pending").rows] == [tries, tries]
    Chunk.objects.exclude(not_before=None).update(not_before=timezone.now())
    tasks.sweep()
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.processed, batch.unknown_count) == ("completed", 3, 2)
    assert "from the same address, again asked to come back" in greylisting_of(batch.results.get(position=1))[1]


def test_a_worker_that_dies_with_them_loses_nothing(grey_world: Sandbox, batch: Batch) -> None:
    let_the_minute_pass(grey_world)
    late = leases.claim_chunk(batch.pk)
    assert late is not None
    Chunk.objects.filter(pk=late.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    drain_queue()
    with pytest.raises(leases.LeaseLost):
        leases.complete_chunk(late, [storage.build_unchecked_row("x", position=1)])
    batch.refresh_from_db()
    assert (batch.status, batch.processed, Result.objects.count()) == ("completed", 3, 3)


def test_a_fenced_off_worker_adds_no_rows_that_wait(batch: Batch) -> None:
    OrmQ.objects.all().delete()
    waiting = batch.chunks.get(state="pending")
    waiting.lease = "somebody else's"
    rows = [GreylistedRow(1, LIST[0], follow_up())]
    with pytest.raises(leases.LeaseLost):
        leases.complete_chunk(waiting, [], rows)
    assert batch.chunks.count() == 2


@pytest.mark.django_db(transaction=True)
def test_sixteen_workers_at_once_ask_again_once(grey_world: Sandbox, batch: Batch) -> None:
    let_the_minute_pass(grey_world)

    def work(_: int) -> None:
        pipeline.run_worker()
        connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(16)))
    batch.refresh_from_db()
    assert (batch.status, batch.processed, Result.objects.count()) == ("completed", 3, 3)
    said = [greylisting_of(row)[1] for row in batch.results.filter(position__lt=3).order_by("position")]
    assert [detail.partition(" s ")[2] for detail in said] == [
        f"from the same address, then {word}" for word in ("accepted", "answered")
    ]
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_chunks_that_end_at_once_take_other_numbers(grey_world: Sandbox, alice: User, settings: Any) -> None:
    """Sixteen chunks of one batch end together, each with rows that have to wait."""
    settings.CHUNK_ROWS = 1
    lines = [f"ida.holm{number}@patientpine.org" for number in range(16)]
    batch = batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    claimed = [leases.claim_chunk(batch.pk) for _ in lines]

    def end(chunk: Chunk) -> None:
        leases.complete_chunk(chunk, [], [GreylistedRow(chunk.rows[0][0], chunk.rows[0][1], follow_up())])
        connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(end, [chunk for chunk in claimed if chunk is not None]))
    waiting = batch.chunks.exclude(not_before=None)
    assert (waiting.count(), sorted(chunk.number for chunk in waiting)) == (16, list(range(16, 32)))
    assert sum(batch.chunks.values_list("size", flat=True)) == 16


def test_rows_are_asked_again_together_and_none_waits_twice_as_long(grey_world: Sandbox) -> None:
    waits = (3.0, 5.0, 60.0, 100.0, 300.0)
    rows = [GreylistedRow(number, LIST[0], follow_up(wait_s=wait)) for number, wait in enumerate(waits)]
    with time_machine.travel(timezone.now(), tick=False):
        groups = [
            ((due - timezone.now()).total_seconds(), [row.position for row in group])
            for due, group in greylisted_rows.group_by_due_time(rows)
        ]
    assert groups == [(4, [0]), (6, [1]), (61, [2]), (101, [3]), (301, [4])]


@pytest.mark.parametrize(
    ("tries", "announced", "expected"), [(1, 3.0, 4.0), (2, 3.0, 31.0), (3, 300.0, 301.0), (4, 3.0, 481.0)]
)
def test_nobody_is_asked_more_and_more_often(tries: int, announced: float, expected: float) -> None:
    assert greylisted_rows.seconds_to_wait(follow_up(tries=tries, wait_s=announced)) == expected


def test_the_row_keeps_all_that_is_needed_to_ask_again() -> None:
    asked = follow_up(tries=2)
    row = GreylistedRow(7, "ida.holm@patientpine.org", asked).as_row
    assert greylisted_rows.parse_follow_ups([[1, "x@y.com"], row]) == {1: asked}
