"""One process at a time works on a row, and only the holder of the newest lease writes it."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction

from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.queue.leases import begin_lease
from emailcheck.common.testing import age_leases, run_sixteen

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
MINUTE = timedelta(minutes=1)
rows = OutgoingMail.objects


@pytest.fixture
def three(db: None) -> list[OutgoingMail]:
    """Three rows that nobody holds, in order."""
    return [rows.create(key=f"of-leases-{number}", name="n") for number in range(3)]


def stored() -> list[tuple[str, str, int]]:
    """What each row has of a claim: its name, its lease, its attempts."""
    return list(rows.order_by("pk").values_list("name", "lease", "attempts"))


def test_a_claim_takes_the_first_free_rows_with_its_changes(three: list[OutgoingMail]) -> None:
    first, second = rows.order_by("pk").claim(2, lasts=MINUTE, name="taken")
    assert [first.pk, second.pk] == [three[0].pk, three[1].pk]
    assert stored() == [("taken", first.lease, 1), ("taken", second.lease, 1), ("n", "", 0)]
    assert (len(first.lease), first.attempts) == (32, 1)
    (third,) = rows.order_by("pk").claim(2, lasts=MINUTE)
    assert third.pk == three[2].pk
    assert rows.claim(2, lasts=MINUTE) == []
    assert (rows.held().count(), rows.free().count(), rows.fallen().count()) == (3, 0, 0)


def test_a_lease_ends_with_the_outcome_once(three: list[OutgoingMail]) -> None:
    row = rows.claim_row(three[0].pk, lasts=MINUTE)
    assert row is not None
    assert [rows.complete(row, name="done"), rows.complete(row, name="again")] == [True, False]
    assert stored()[0] == ("done", "", 1)
    assert rows.free().count() == 3


def test_what_is_given_back_does_not_count_as_an_attempt(three: list[OutgoingMail]) -> None:
    row = rows.claim_row(three[0].pk, lasts=MINUTE)
    assert row is not None
    assert [rows.release(row, name="back"), rows.release(row)] == [True, False]
    assert stored()[0] == ("back", "", 0)


def test_a_row_that_nobody_holds_is_written_by_nobody(three: list[OutgoingMail]) -> None:
    before = stored()
    row = three[0]
    assert [rows.renew(row, lasts=MINUTE), rows.complete(row, name="x"), rows.release(row, name="x")] == [False] * 3
    assert stored() == before


def test_a_renewed_lease_lasts_from_then_on(three: list[OutgoingMail]) -> None:
    row = rows.claim_row(three[0].pk, lasts=MINUTE)
    assert row is not None
    age_leases(OutgoingMail, MINUTE)
    assert rows.fallen().count() == 1
    assert rows.renew(row, lasts=MINUTE, name="goes on")
    assert rows.fallen().count() == 0
    assert stored()[0] == ("goes on", row.lease, 1)
    age_leases(OutgoingMail, 3 * MINUTE)
    assert (rows.fallen(MINUTE).count(), rows.fallen(3 * MINUTE).count()) == (1, 0)


def test_a_lease_that_was_taken_away_writes_nothing(three: list[OutgoingMail]) -> None:
    row = rows.claim_row(three[0].pk, lasts=MINUTE)
    assert row is not None
    assert rows.filter(pk=row.pk).revoke(name="taken away") == 1
    assert rows.complete(row, name="late") is False
    assert stored()[0] == ("taken away", "", 1)


def test_a_row_may_be_created_with_a_lease_on_it(db: None) -> None:
    row = rows.create(key="of-leases-begun", name="n", **begin_lease(lasts=MINUTE))
    assert (rows.claim_row(row.pk, lasts=MINUTE), rows.held().count()) == (None, 1)
    assert rows.complete(row, name="done")


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_sixteen_at_once_get_different_rows(three: list[OutgoingMail]) -> None:
    claimed = [row for some in run_sixteen(lambda _: rows.claim(lasts=MINUTE)) for row in some]
    claimed += rows.claim(3, lasts=MINUTE)  # PostgreSQL leaves out what another has locked at the moment
    assert sorted(row.pk for row in claimed) == [row.pk for row in three]
    assert {(name, attempts) for name, _, attempts in stored()} == {("n", 1)}
    assert [lease for _, lease, _ in stored()] == [row.lease for row in sorted(claimed, key=lambda row: row.pk)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_who_end_one_lease_one_does(three: list[OutgoingMail]) -> None:
    row = rows.claim_row(three[0].pk, lasts=MINUTE)
    assert row is not None
    assert run_sixteen(lambda _: rows.complete(row)).count(True) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_locked_row_is_left_out_or_waited_for(three: list[OutgoingMail]) -> None:
    found: list[OutgoingMail | None] = []

    def wait_for_it() -> None:
        found.append(rows.claim_row(three[0].pk, lasts=MINUTE))
        connection.close()

    def take_others() -> None:
        found.extend(rows.order_by("pk").claim(3, lasts=MINUTE))
        connection.close()

    with transaction.atomic():
        rows.select_for_update().get(pk=three[0].pk)
        others = threading.Thread(target=take_others)
        others.start()
        others.join()
        assert [row.pk for row in found if row] == [three[1].pk, three[2].pk]
        waits = threading.Thread(target=wait_for_it)
        waits.start()
    waits.join()
    assert [row.pk for row in found[2:] if row] == [three[0].pk]
