"""Rows that nobody could be asked about yet, because of a limit of ours: in the database, once, until their turn."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.users.models import User
from billing.ledger import services as ledger
from emailcheck.common.testing import drain_queue
from validation import tasks
from validation.batches import services as batches
from validation.batches.chunks import free_chunks, leases, open_chunk, pipeline, polling, rate_limited_rows
from validation.batches.chunks.greylisted_rows import GreylistedRow, should_wait
from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.chunks.open_chunk import OpenChunk
from validation.batches.chunks.rate_limited_rows import LineTail, RateLimitedRow
from validation.batches.control import rechecks, stopping, stuck
from validation.batches.models import Batch, BatchType
from validation.engine import FollowUp, Wait, WaitCause
from validation.engine.limits.shared_limits import Lane
from validation.results import storage
from validation.results.models import Result
from validation.single import services as single
from validation.tests.limited import LimitedEngine, accepted
from validation.verifier import checker

pytestmark = pytest.mark.postgres

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
YAHOO = Wait("yahoo", WaitCause.RATE, 12.0, 20.0)
OTHERS = [f"someone{number}@harborquill.com" for number in range(4)]
THEIRS = [f"someone{number}@yahoo.com" for number in range(60)]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, settings: Any) -> LimitedEngine:
    """An engine that asks Yahoo about nobody for now."""
    settings.IMMEDIATE_ADDRESSES = 0
    limited = LimitedEngine({"yahoo": 0})
    for place in (pipeline, single):
        monkeypatch.setattr(place, "checker", lambda: limited)
    monkeypatch.setattr(checker, "checker", lambda: limited)
    return limited


@pytest.fixture
def batch(engine: LimitedEngine, alice: User, settings: Any) -> Batch:
    """Sixty rows of Yahoo and four others, in one chunk."""
    return start(alice)


def start(user: User) -> Batch:
    return batches.start_list(
        organisation=user.own_organisation, lines=[*OTHERS, *THEIRS], batch_type=BatchType.BULK_TEXTAREA
    )


def opened(batch: Batch) -> OpenChunk:
    """The next chunk of a batch, at work, with all that has arrived of it."""
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    (item,) = pipeline._open_chunks([chunk])
    item.collect_arrivals()
    return item


def in_line(batch: Batch) -> list[Chunk]:
    return list(batch.chunks.filter(state="pending").exclude(wait_cause="").order_by("not_before"))


def let_their_turn_come(batch: Batch) -> None:
    batch.chunks.exclude(not_before=None).update(not_before=timezone.now())
    tasks.sweep()


def every_row_once(batch: Batch) -> bool:
    """Whether each row of a batch is in one chunk, or has its result."""
    rows = Counter(row[0] for chunk in batch.chunks.all() for row in chunk.rows)
    rows.update(batch.results.values_list("position", flat=True))
    return rows == Counter(range(1, batch.total_emails + 1))


def put_in_line(item: OpenChunk) -> set[int]:
    return leases.put_in_line(item.chunk.batch_id, [item.leaving_rows()])


def row(number: int, wait: Wait = YAHOO) -> RateLimitedRow:
    return RateLimitedRow(number, f"someone{number}@yahoo.com", wait)


@pytest.mark.finding("A1")
def test_rows_leave_a_chunk_while_it_is_at_work(engine: LimitedEngine, batch: Batch) -> None:
    engine.holds = True
    window: list[OpenChunk] = []
    assert pipeline._fill_window(window, polling.ChunkPoller())
    before = timezone.now()
    pipeline._advance_window(window, polling.ChunkPoller())
    (item,) = window
    assert (item.rows_awaited, item.in_line, len(item.lined_up)) == (0, [], 60)
    running = batch.chunks.get(state="running")
    assert (running.size, [row[1] for row in running.rows]) == (4, OTHERS)
    (waiting,) = in_line(batch)
    assert (waiting.size, waiting.waits_for, waiting.wait_cause, waiting.attempts) == (60, "yahoo", "rate", 0)
    assert waiting.rows == [[number, address] for number, address in enumerate(THEIRS, start=5)]
    assert waiting.not_before is not None
    assert 55.5 < (waiting.not_before - before).total_seconds() < 57
    assert every_row_once(batch)
    assert not Result.objects.exists()


@pytest.mark.finding("A1")
@pytest.mark.spec("VAL-043")
def test_every_row_gets_its_true_answer_however_often_it_stood_in_line(engine: LimitedEngine, batch: Batch) -> None:
    drain_queue()
    assert (sorted(engine.asked), batch.results.count()) == (sorted(OTHERS), 4)
    for _ in range(5):
        let_their_turn_come(batch)
        drain_queue()
    assert [(chunk.size, chunk.attempts) for chunk in in_line(batch)] == [(60, 0)]
    engine.takes = {"yahoo": 40}
    let_their_turn_come(batch)
    drain_queue()
    assert (batch.results.count(), [chunk.size for chunk in in_line(batch)]) == (44, [20])
    engine.takes = {}
    let_their_turn_come(batch)
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.processed, batch.valid_count, batch.credits_used) == ("completed", 64, 64, 64)
    assert (Counter(engine.asked), ledger.reconcile_ledger()) == (Counter([*OTHERS, *THEIRS]), [])
    assert batch.chunks.count() == 3


def test_portions_follow_one_another_at_the_rate_a_little_early() -> None:
    made = rate_limited_rows.split_portions([row(number) for number in range(250)], None, now=NOW)
    assert [(len(portion.rows), (portion.due - NOW).total_seconds()) for portion in made] == [
        (100, 8.0),
        (100, 13.0),
        (50, 18.0),
    ]


def test_a_line_grows_behind_its_tail() -> None:
    tail = LineTail(NOW + timedelta(seconds=30), 100)
    made = rate_limited_rows.split_portions([row(number) for number in range(120)], tail, now=NOW)
    assert [(len(portion.rows), (portion.due - NOW).total_seconds()) for portion in made] == [(100, 35.0), (20, 40.0)]


@pytest.mark.parametrize(("per_s", "sizes", "due_s"), [(0.0, [25, 5], [2.0, 2.0]), (1_000.0, [30], [2.0])])
def test_without_a_rate_rows_wait_as_long_as_the_engine_says(
    per_s: float, sizes: list[int], due_s: list[float]
) -> None:
    wait = Wait("", WaitCause.SESSION, 6.0, per_s)
    made = list(rate_limited_rows.split_portions([row(number, wait) for number in range(30)], None, now=NOW))
    assert [len(portion.rows) for portion in made] == sizes
    assert [(portion.due - NOW).total_seconds() for portion in made] == due_s


def test_nobody_is_due_at_once() -> None:
    (made,) = rate_limited_rows.split_portions([row(1, Wait("yahoo", WaitCause.RATE, 0.5, 20.0))], None, now=NOW)
    assert made.due == NOW + timedelta(seconds=1)


@pytest.mark.finding("A1")
def test_what_comes_later_stands_behind_what_came_before(batch: Batch) -> None:
    item = opened(batch)
    first, item.in_line = item.in_line[:40], item.in_line[40:]
    rest, item.in_line = item.in_line, first
    assert put_in_line(item) == set()
    item.forget_lined_up()
    item.in_line = rest
    assert put_in_line(item) == set()
    one, other = in_line(batch)
    assert one.not_before is not None
    assert other.not_before == one.not_before + timedelta(seconds=2)
    assert ([one.size, other.size], every_row_once(batch)) == ([40, 20], True)


@pytest.mark.spec("SCA-005")
def test_a_worker_that_dies_in_between_leaves_every_row_once(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    item = opened(batch)
    with monkeypatch.context() as patch:
        patch.setattr(leases, "create_chunk", died)
        with pytest.raises(RuntimeError):
            put_in_line(item)
    assert (batch.chunks.get().size, every_row_once(batch)) == (64, True)
    assert put_in_line(item) == set()
    assert every_row_once(batch)


def died(*_: object, **__: object) -> None:
    raise RuntimeError


@pytest.mark.spec("SCA-005")
def test_what_was_written_already_is_not_written_twice(batch: Batch) -> None:
    item = opened(batch)
    assert put_in_line(item) == set()
    assert put_in_line(item) == {item.chunk.pk}
    assert (len(in_line(batch)), every_row_once(batch)) == (1, True)


@pytest.mark.spec("SCA-005")
def test_a_late_worker_moves_nothing(batch: Batch) -> None:
    late = opened(batch)
    Chunk.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    item = opened(batch)
    assert (put_in_line(late), put_in_line(item)) == ({late.chunk.pk}, set())
    assert (len(in_line(batch)), every_row_once(batch)) == (1, True)


@pytest.mark.spec("SCA-005")
def test_a_worker_that_cannot_write_lets_go_of_its_chunk(
    engine: LimitedEngine, batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.holds = True
    window: list[OpenChunk] = []
    pipeline._fill_window(window, polling.ChunkPoller())
    with monkeypatch.context() as patch:
        patch.setattr(leases, "create_chunk", died)
        pipeline._advance_window(window, polling.ChunkPoller())
    assert (window, batch.chunks.get().state, every_row_once(batch)) == ([], ChunkState.PENDING, True)


@pytest.mark.spec("SCA-005")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_put_each_row_in_line_once(engine: LimitedEngine, alice: User, settings: Any) -> None:
    settings.CHUNK_ROWS = 4
    batch = start(alice)
    items = [opened(batch) for _ in range(16)]
    both = [item for item in items for _ in range(2)]

    def leave(item: OpenChunk) -> set[int]:
        try:
            return put_in_line(item)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        lost = list(pool.map(leave, both))
    assert (sum(map(len, lost)), every_row_once(batch)) == (15, True)
    waiting = in_line(batch)
    assert len({chunk.number for chunk in waiting}) == len(waiting) == 15


@pytest.mark.finding("A1")
def test_nobody_takes_more_for_an_operator_that_is_crowded(engine: LimitedEngine, batch: Batch) -> None:
    drain_queue()
    let_their_turn_come(batch)
    assert leases.claim_fairly(crowded={"yahoo", ""}) == []
    assert [chunk.waits_for for chunk in leases.claim_fairly(crowded={"google"})] == ["yahoo"]


@pytest.mark.finding("A1")
def test_what_is_due_in_line_comes_before_what_is_new(engine: LimitedEngine, alice: User, settings: Any) -> None:
    settings.CHUNK_ROWS = 32
    batch = start(alice)
    item = opened(batch)
    item.write_results()
    batch.chunks.exclude(not_before=None).update(not_before=timezone.now())
    claimed = [leases.claim_fairly(crowded=crowded)[0] for crowded in (("yahoo",), ())]
    assert [chunk.waits_for for chunk in claimed] == ["", "yahoo"]
    leases.release_chunk(claimed[0])
    leases.release_chunk(claimed[1])
    assert leases.claim_fairly()[0].waits_for == "yahoo"


def test_the_one_that_is_worked_on_least_still_comes_first(engine: LimitedEngine, batch: Batch, bob: User) -> None:
    drain_queue()
    another = start(bob)
    let_their_turn_come(batch)
    assert {chunk.batch_id for chunk in leases.claim_fairly(rows=1_000)} == {batch.pk, another.pk}


def asked_before(*, seconds_ago: float) -> FollowUp:
    return FollowUp("direct", "probe@ours.net", "", timezone.now().timestamp() - seconds_ago, 1, 60.0)


@pytest.mark.finding("A1")
def test_a_greylisted_row_in_line_keeps_its_triplet_and_its_patience(engine: LimitedEngine, alice: User) -> None:
    """It was turned away 50 s ago, then stood in line for an hour, twice."""
    batch = batches.start_list(
        organisation=alice.own_organisation, lines=THEIRS[:1], batch_type=BatchType.BULK_TEXTAREA
    )
    with time_machine.travel(timezone.now(), tick=False) as clock:
        before = asked_before(seconds_ago=50)
        item = opened(batch)
        leases.complete_chunk(item.chunk, [], in_line=[RateLimitedRow(1, THEIRS[0], YAHOO, before)])
        for hours in (1, 2):
            clock.shift(3_600)
            item = opened(batch)
            assert [(one.follow_up, one.stood_s) for one in item.in_line] == [(before, hours * 3_600)]
            item.write_results()
    assert [one.sender for one in engine.follow_ups] == ["probe@ours.net"] * 2
    assert [chunk.size for chunk in batch.chunks.all()] == [1]


def test_the_time_in_line_is_not_taken_from_the_time_for_greylisting(settings: Any) -> None:
    settings.GREYLIST_SECONDS = 600
    verdict = replace(accepted("ida@patientpine.org"), follow_up=asked_before(seconds_ago=3_650))
    assert (should_wait(verdict), should_wait(verdict, stood_s=3_600)) == (False, True)
    kept = GreylistedRow(1, "ida@patientpine.org", asked_before(seconds_ago=1), 12.5)
    assert kept.as_row[3] == 12.5


def test_what_stands_in_line_does_not_stand_still(batch: Batch, settings: Any) -> None:
    drain_queue()
    long_ago = timezone.now() - timedelta(days=3)
    Batch.objects.update(started_at=long_ago)
    Chunk.objects.filter(state="done").update(done_at=long_ago)
    batch.chunks.exclude(wait_cause="").update(not_before=long_ago)
    assert (stuck.list_stuck_batches(), list(stopping._filter_stuck())) == ([], [])
    batch.chunks.update(wait_cause="")
    assert [work.id for work in stuck.list_stuck_batches()] == [batch.public_id]
    assert list(stopping._filter_stuck()) == [batch]


@pytest.mark.spec("VAL-042")
def test_a_cancelled_list_pays_for_what_was_asked(batch: Batch) -> None:
    drain_queue()
    assert stopping.cancel_batch(batch=batch) == 60
    batch.refresh_from_db()
    assert (batch.status, batch.processed, batch.credits_used, batch.chunks.count()) == ("cancelled", 4, 4, 1)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("VAL-046")
def test_a_list_that_pauses_in_line_goes_on_where_it_was(engine: LimitedEngine, batch: Batch) -> None:
    drain_queue()
    assert stopping.pause_batch(batch=batch, reason="Until tomorrow.")
    assert not free_chunks.has_free_chunks(within_s=1_000)
    batch.refresh_from_db()
    stopping.resume_batch(batch=batch)
    engine.takes = {}
    let_their_turn_come(batch)
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.valid_count, batch.credits_used, ledger.reconcile_ledger()) == ("completed", 64, 64, [])


def test_a_list_answered_at_once_waits_in_line_too(engine: LimitedEngine, alice: User, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES, settings.IMMEDIATE_SECONDS = 100, 1
    batch = start(alice)
    assert (batch.status, [chunk.size for chunk in in_line(batch)], every_row_once(batch)) == ("processing", [60], True)
    engine.takes = {}
    let_their_turn_come(batch)
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.valid_count) == ("completed", 64)


@pytest.mark.parametrize(("longest", "lane"), [(64, Lane.SHORT), (63, Lane.LONG)])
def test_short_lists_have_a_lane_of_their_own(
    engine: LimitedEngine, batch: Batch, settings: Any, longest: int, lane: Lane
) -> None:
    settings.SHORT_LIST_ADDRESSES = longest
    opened(batch)
    assert engine.lanes == [lane]


def test_rows_are_put_in_line_once_a_second(batch: Batch) -> None:
    item = opened(batch)
    item.forget_lined_up()
    item.in_line = [row(1)]
    assert pipeline._put_items_in_line([item]) == []
    assert item.in_line == [row(1)]
    item.line_up_at -= open_chunk.PUT_IN_LINE_EVERY_S
    assert pipeline._put_items_in_line([item]) == [item]


@pytest.mark.spec("VAL-047")
def test_a_second_look_waits_in_line_too(engine: LimitedEngine, batch: Batch) -> None:
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    leases.complete_chunk(
        chunk, [storage.build_unchecked_row(address, position=number) for number, address in chunk.rows]
    )
    assert pipeline.finish_batch(batch.pk)
    batch.refresh_from_db()
    assert (rechecks.recheck_unknown(batch=batch), Batch.objects.get(pk=batch.pk).operators) == (64, None)
    drain_queue()
    assert ([chunk.size for chunk in in_line(batch)], batch.results.filter(category="valid").count()) == ([60], 4)
    engine.takes = {}
    let_their_turn_come(batch)
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.valid_count, batch.credits_used, ledger.reconcile_ledger()) == ("completed", 64, 0, [])
