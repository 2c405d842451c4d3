"""Rankings of long lists are counted when a list ends, kept with it, and never older than its rows."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.users.models import User
from emailcheck.common.testing import drain_queue
from validation.batches import rankings
from validation.batches.chunks import pipeline
from validation.batches.models import Batch, BatchStatus
from validation.batches.rankings import KEPT_FROM_ROWS, RANK
from validation.batches.retention import services as retention
from validation.engine import Category, Reason, Verdict
from validation.reports import figures
from validation.results import storage
from validation.results.models import Result
from validation.results.storage import EvidenceWriter
from validation.tests import stored

REST = {"role": 0, "typo": 0, "reach": [[None, KEPT_FROM_ROWS, "150.00"]]}
pytestmark = [pytest.mark.django_db, pytest.mark.spec("REP-033")]


def running(alice: User, rows: int = KEPT_FROM_ROWS) -> Batch:
    """A list whose rows have all been checked and that has not ended yet."""
    batch = stored.finished(alice, [(f"a{number}@x.org", "valid") for number in range(rows)])
    Batch.objects.update(status=BatchStatus.PROCESSING, completed_at=None)
    return batch


def end(batch: Batch) -> list[str]:
    """End a list; the calls of the queue after that."""
    assert pipeline.finish_batch(batch.pk)
    return drain_queue()


def kept(batch: Batch) -> object:
    return Batch.objects.values_list("rankings", flat=True).get(pk=batch.pk)


def test_a_long_list_is_counted_when_it_ends(alice: User) -> None:
    batch = running(alice)
    assert end(batch).count(RANK) == 1
    assert kept(batch) == {"reasons": [["not_probed", KEPT_FROM_ROWS]], "hosts": []} | REST


def test_the_report_of_a_long_list_reads_none_of_its_rows(alice: User) -> None:
    batch = running(alice)
    end(batch)
    batch.refresh_from_db()
    with CaptureQueriesContext(connection) as queries:
        found = figures.load_figures(batch)
    assert [query["sql"] for query in queries] == []
    assert (found.reasons, found.hosts) == ([("not_probed", KEPT_FROM_ROWS)], [])


def test_a_short_list_is_counted_when_it_is_asked_for(alice: User) -> None:
    batch = running(alice, rows=3)
    assert RANK not in end(batch)
    batch.refresh_from_db()
    assert figures.load_figures(batch).reasons == [("not_probed", 3)]
    assert kept(batch) is None


def test_a_list_from_before_is_counted_once(alice: User) -> None:
    batch = stored.finished(alice, [(f"a{number}@x.org", "valid") for number in range(KEPT_FROM_ROWS)])
    first = figures.load_figures(batch)
    batch.refresh_from_db()
    with CaptureQueriesContext(connection) as queries:
        assert figures.load_figures(batch) == first
    assert len(queries) == 0


def test_a_second_end_counts_anew(alice: User) -> None:
    batch = running(alice)
    end(batch)
    Result.objects.filter(batch=batch, position__lte=10).update(reason="mailbox_exists")
    Batch.objects.update(status=BatchStatus.PROCESSING, rechecked_at=timezone.now())
    assert pipeline.finish_batch(batch.pk)
    assert kept(batch) is None
    assert drain_queue().count(RANK) == 1
    assert kept(batch) == {"reasons": [["not_probed", KEPT_FROM_ROWS - 10], ["mailbox_exists", 10]], "hosts": []} | REST


def test_what_was_counted_of_rows_that_are_replaced_meanwhile_is_not_kept(alice: User) -> None:
    batch = running(alice)
    pipeline.finish_batch(batch.pk)
    batch.refresh_from_db()
    Batch.objects.update(rechecked_at=timezone.now())
    rankings.load_rankings(batch)
    assert kept(batch) is None
    Batch.objects.update(status=BatchStatus.QUEUED)
    assert RANK in drain_queue()
    assert kept(batch) is None


def test_the_rankings_go_with_the_results(alice: User) -> None:
    batch = running(alice)
    end(batch)
    Batch.objects.update(completed_at=timezone.now() - timedelta(days=400))
    retention.sweep_expired()
    drain_queue()
    assert (Result.objects.count(), kept(batch)) == (0, None)


def test_a_row_of_a_full_check_that_was_stopped_counts_once_at_its_host(alice: User) -> None:
    batch = stored.finished(alice, [("a@x.org", "unknown"), ("b@x.org", "unknown")])
    Batch.objects.update(checks_left_out=["mailbox"])
    found = Verdict(
        email="a@x.org", category=Category.UNKNOWN, reason=Reason.TIMEOUT, sentence="No answer.", mx_hosts=("mx.x.org",)
    )
    for _ in range(2):
        rows = [storage.build_row(found, position=1, evidence_writer=EvidenceWriter())]
        storage.replace_results(storage.prepare_results(rows), organisation_id=alice.pk, batch_id=batch.pk)
    batch.refresh_from_db()
    assert figures.load_figures(batch).hosts == [("mx.x.org", 1)]
