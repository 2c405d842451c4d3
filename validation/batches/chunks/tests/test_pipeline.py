"""The pipeline under faults: late workers, poison rows, lost wake-ups, sixteen at once."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import DjangoAssertNumQueries

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditHold
from emailcheck.common.queue import tasks as tasks_queue
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation import tasks
from validation.batches import services as batches
from validation.batches.chunks import leases, pipeline, polling
from validation.batches.chunks.leases import LeaseLost
from validation.batches.chunks.models import Chunk
from validation.batches.chunks.open_chunk import OpenChunk
from validation.batches.models import Batch, BatchType
from validation.results import storage
from validation.results.models import Result
from validation.signals import batch_finished

pytestmark = pytest.mark.postgres

LIVING = [f"{name}@harborquill.com" for name in ("ida.holm", "rosa.kent", "tom.reed", "anna.bell")]


@pytest.fixture
def batch(world: Sandbox, alice: User, settings: Any) -> Batch:
    """Four addresses in two chunks that wait for workers."""
    settings.IMMEDIATE_ADDRESSES = 0
    settings.CHUNK_ROWS = 2
    return batches.start_list(organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)


def rows_of(chunk: Chunk) -> list[storage.ResultRow]:
    return [storage.build_unchecked_row(address, position=position) for position, address in chunk.rows]


def news_of(chunk: Chunk, rows: list[storage.ResultRow]) -> leases.ChunkProgress:
    return leases.ChunkProgress(chunk, storage.tally_rows(rows))


def claimed(batch: Batch) -> Chunk:
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    return chunk


def claimed_twice(batch: Batch) -> tuple[Chunk, Chunk]:
    """The same chunk in the hands of a worker that is late and of the one that took it over."""
    late, _ = claimed(batch), claimed(batch)
    let_leases_end()
    return late, claimed(batch)


def let_leases_end() -> None:
    Chunk.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def assert_finished_once(batch: Batch, charged: int) -> None:
    batch.refresh_from_db()
    assert (batch.status, batch.processed, batch.credits_used) == ("completed", 4, charged)
    assert list(batch.results.order_by("position").values_list("position", "email")) == list(enumerate(LIVING, 1))
    account = CreditAccount.objects.get(organisation=batch.organisation)
    assert (account.balance, account.held) == (100 - charged, 0)
    assert ledger.reconcile_ledger() == []


def test_accepting_a_list_holds_queues_and_stores_in_one_transaction(batch: Batch) -> None:
    assert CreditHold.objects.get().amount == 4
    assert OrmQ.objects.count() == 2
    assert [chunk.size for chunk in batch.chunks.order_by("number")] == [2, 2]
    assert batch.status == "queued"


def test_workers_bring_it_to_an_end(batch: Batch) -> None:
    heard: list[Any] = []
    batch_finished.connect(lambda batch, **_: heard.append(batch.pk), weak=False, dispatch_uid="test")
    drain_queue()
    batch_finished.disconnect(dispatch_uid="test")
    assert_finished_once(batch, charged=4)
    assert heard == [batch.pk]


def test_a_late_worker_is_fenced_off(batch: Batch) -> None:
    late, other = claimed_twice(batch)
    assert other.pk == late.pk
    assert leases.renew_leases([news_of(late, [])]) == {late.pk}
    with pytest.raises(LeaseLost):
        leases.complete_chunk(late, rows_of(late))
    assert not Result.objects.exists()
    leases.complete_chunk(other, rows_of(other))
    with pytest.raises(LeaseLost):
        leases.complete_chunk(other, rows_of(other))
    assert Result.objects.count() == 2


def test_a_release_by_a_late_worker_changes_nothing(batch: Batch) -> None:
    late, other = claimed_twice(batch)
    leases.release_chunk(late)
    assert leases.renew_leases([news_of(other, rows_of(other))]) == set()
    assert Chunk.objects.get(pk=other.pk).processed == 2


def test_a_released_chunk_counts_as_untried(batch: Batch) -> None:
    chunk = claimed(batch)
    leases.renew_leases([news_of(chunk, rows_of(chunk))])
    leases.release_chunk(chunk)
    again = Chunk.objects.get(pk=chunk.pk)
    assert (again.state, again.attempts, again.processed, again.lease) == ("pending", 0, 0, "")


def test_a_dead_workers_chunk_is_taken_over_by_the_next(batch: Batch) -> None:
    claimed(batch)
    let_leases_end()
    drain_queue()
    assert_finished_once(batch, charged=4)


def test_a_row_that_kills_its_worker_gets_a_result_of_its_own(batch: Batch) -> None:
    poison = LIVING[1]

    def die_on_poison() -> None:
        """Workers die of the poison row, and do their work otherwise."""
        while chunk := leases.claim_chunk(batch.pk):
            if poison in dict(chunk.rows).values():
                let_leases_end()
            else:
                leases.complete_chunk(chunk, rows_of(chunk))

    die_on_poison()
    pipeline.finish_batch(batch.pk)
    assert_finished_once(batch, charged=0)
    result = Result.objects.get(email=poison)
    assert (result.category, result.reason, result.sentence) == ("unknown", "not_probed", storage.NOT_CHECKED)
    assert batch.chunks.count() == 3


def turn_with(poison: str) -> None:
    """A worker takes what it may, and dies with all of it when the poison row is there."""
    window: list[OpenChunk] = []
    pipeline._fill_window(window, polling.ChunkPoller())
    if poison in [address for item in window for _, address in item.chunk.rows]:
        let_leases_end()
    else:
        for item in window:
            item.write_results()


def test_what_shares_a_worker_with_a_poison_row_is_not_blamed(batch: Batch) -> None:
    for _ in range(10):
        turn_with(LIVING[1])
    tasks.sweep()
    assert_finished_once(batch, charged=3)
    reasons = dict(batch.results.values_list("email", "reason"))
    assert reasons == {**dict.fromkeys(LIVING, "mailbox_exists"), LIVING[1]: "not_probed"}


def test_a_chunk_that_fails_holds_up_no_other(batch: Batch, caplog: pytest.LogCaptureFixture) -> None:
    intruder = [storage.build_unchecked_row("somebody@else.com", position=3)]
    storage.insert_results(
        storage.prepare_results(intruder), organisation_id=batch.organisation_id, batch_id=batch.pk
    )  # in the place of a row of the second chunk
    window: list[OpenChunk] = []
    pipeline._fill_window(window, polling.ChunkPoller())
    while window:
        pipeline._advance_window(window, polling.ChunkPoller())
    states = batch.chunks.order_by("number").values_list("state", "attempts")
    assert sorted(states) == [("done", 1), ("pending", 1)]
    assert "failed" in caplog.text
    Result.objects.filter(email="somebody@else.com").delete()
    drain_queue()
    assert_finished_once(batch, charged=4)


def test_a_list_answered_at_once_survives_a_fault(world: Sandbox, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(storage, "insert_results", fail)
        batch = batches.start_list(
            organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA
        )
    assert (batch.status, OrmQ.objects.count()) == ("processing", 1)
    drain_queue()
    assert_finished_once(batch, charged=4)


def test_short_lists_leave_half_of_the_web_servers_threads_free(world: Sandbox, alice: User) -> None:
    """Eight lists wait for slow hosts: the ninth goes to the workers."""
    with ExitStack() as busy:
        for _ in range(8):
            busy.enter_context(batches._at_once)
        batch = batches.start_list(
            organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA
        )
    assert (batch.status, OrmQ.objects.count()) == ("queued", 1)
    drain_queue()
    assert_finished_once(batch, charged=4)


def test_a_short_list_in_several_chunks_is_brought_to_an_end(world: Sandbox, alice: User, settings: Any) -> None:
    settings.CHUNK_ROWS = 2
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)
    assert (batch.status, OrmQ.objects.count()) == ("processing", 1)
    drain_queue()
    assert_finished_once(batch, charged=4)


def test_a_batch_that_cannot_end_holds_up_no_other(batch: Batch, alice: User) -> None:
    other = batches.start_list(organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)
    for one in (batch, other):
        while chunk := leases.claim_chunk(one.pk):
            leases.complete_chunk(chunk, rows_of(chunk))
    Chunk.objects.filter(batch=batch).update(credits_used=1_000)
    tasks.sweep()
    other.refresh_from_db()
    assert (other.status, Batch.objects.get(pk=batch.pk).status) == ("completed", "processing")


def test_wake_ups_do_not_pile_up_beside_a_long_list(batch: Batch, settings: Any) -> None:
    settings.WORKERS = 2
    for _ in range(20):
        tasks.sweep()
    assert OrmQ.objects.count() == 2
    OrmQ.objects.update(lock=timezone.now() + timedelta(seconds=180))
    tasks.sweep()
    assert OrmQ.objects.count() == 3


def test_a_batch_deleted_while_it_runs_ends_the_work_on_it(batch: Batch, alice: User) -> None:
    window: list[OpenChunk] = []
    pipeline._fill_window(window, polling.ChunkPoller())
    alice.own_organisation.delete()
    alice.delete()
    for item in window:
        with pytest.raises(LeaseLost):
            item.write_results()
    assert pipeline.finish_batch(batch.pk) is False
    drain_queue()
    assert (Batch.objects.count(), Result.objects.count(), CreditHold.objects.count()) == (0, 0, 0)


def test_addresses_are_kept_once(batch: Batch) -> None:
    drain_queue()
    assert list(batch.chunks.order_by("number").values_list("rows", "size")) == [([], 2), ([], 2)]


def test_a_claim_costs_the_same_however_many_batches_run(
    batch: Batch, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(8):
        batches.start_list(organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)
    with django_assert_num_queries(11):  # three of them because the batch begins
        assert len(leases.claim_fairly()) == 1
    assert len(leases.claim_fairly(rows=1_000)) == 17
    with django_assert_num_queries(1):
        assert leases.claim_fairly() == []


@pytest.mark.finding("A1")
def test_a_worker_that_took_all_does_not_ask_for_more_all_the_time(
    batch: Batch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    window: list[OpenChunk] = []
    looks = polling.ChunkPoller()
    assert pipeline._fill_window(window, looks)
    assert (len(window), looks.is_due) == (2, False)
    with django_assert_num_queries(0):
        assert pipeline._fill_window(window, looks)
    with django_assert_num_queries(1):  # whether its turn ends is known from one look
        assert [pipeline._fill_window([], looks) for _ in range(3)] == [False] * 3
    for item in window:
        item.run.stop()


def test_a_lost_wake_up_is_made_good_by_the_sweep(batch: Batch) -> None:
    OrmQ.objects.all().delete()
    tasks.sweep()
    assert drain_queue()[0] == "validation.tasks.work"
    assert_finished_once(batch, charged=4)


def test_a_batch_that_only_lacks_its_end_is_finished_by_the_sweep(batch: Batch) -> None:
    OrmQ.objects.all().delete()
    for _ in range(2):
        chunk = claimed(batch)
        leases.complete_chunk(chunk, rows_of(chunk))
    tasks.sweep()
    tasks.sweep()
    assert_finished_once(batch, charged=0)


def test_the_sweep_leaves_what_is_worked_on(batch: Batch) -> None:
    OrmQ.objects.all().delete()
    claimed(batch)
    claimed(batch)
    tasks.sweep()
    assert not OrmQ.objects.exists()


def test_the_batch_that_is_worked_on_least_comes_first(batch: Batch, alice: User) -> None:
    (first,) = leases.claim_fairly()
    short = batches.start_list(
        organisation=alice.own_organisation, lines=LIVING[:1], batch_type=BatchType.BULK_TEXTAREA
    )
    (second,) = leases.claim_fairly()
    assert (first.batch_id, second.batch_id) == (batch.pk, short.pk)


def test_what_takes_too_long_now_goes_to_the_workers(
    world: Sandbox, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMMEDIATE_SECONDS = 0
    monkeypatch.setattr(world.simulation.switches, "latency_ms", 200.0)
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)
    assert (batch.status, batch.processed) == ("processing", 0)
    drain_queue()
    assert_finished_once(batch, charged=4)


def test_the_credits_of_a_cut_off_single_check_come_back(alice: User) -> None:
    hold = ledger.open_hold(organisation_id=alice.pk, amount=1, reason="Single check", key="single:lost")
    kept = ledger.open_hold(organisation_id=alice.pk, amount=1, reason="Batch", key="bat_x")
    tasks.sweep()
    assert CreditHold.objects.get(pk=hold.pk).state == "open"
    CreditHold.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    tasks.sweep()
    assert CreditHold.objects.get(pk=hold.pk).state == "settled"
    assert CreditHold.objects.get(pk=kept.pk).state == "open"
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 99


@pytest.mark.django_db(transaction=True)
def test_sixteen_claims_at_once_get_each_chunk_once(batch: Batch) -> None:
    def claim(_: int) -> int | None:
        try:
            chunk = leases.claim_chunk(batch.pk)
        finally:
            connection.close()
        return chunk.pk if chunk else None

    with ThreadPoolExecutor(16) as pool:
        got = list(pool.map(claim, range(16)))
    assert sorted(pk for pk in got if pk) == sorted(batch.chunks.values_list("pk", flat=True))


@pytest.mark.django_db(transaction=True)
def test_sixteen_ends_at_once_settle_once(batch: Batch) -> None:
    for _ in range(2):
        chunk = claimed(batch)
        leases.complete_chunk(chunk, rows_of(chunk))

    def finish(_: int) -> bool:
        try:
            return pipeline.finish_batch(batch.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(finish, range(16))).count(True) == 1
    assert_finished_once(batch, charged=0)


@pytest.mark.spec("VAL-042")
@pytest.mark.parametrize(("window", "woken"), [(2, 1), (4, 0)])
def test_whoever_leaves_chunks_to_others_wakes_one_more_at_once(
    batch: Batch, settings: Any, window: int, woken: int
) -> None:
    settings.WINDOW_ROWS = window
    OrmQ.objects.all().delete()
    pipeline.run_worker()
    batch.refresh_from_db()
    assert (batch.status, tasks_queue.count_waiting(pipeline.WORK, "bulk")) == ("completed", woken)
