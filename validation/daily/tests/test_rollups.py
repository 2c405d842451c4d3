"""Daily counts: with the results or not at all, kept when results go, recounted by a command."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, close_old_connections, connection, transaction

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType
from validation.daily import rollups
from validation.daily.models import TALLY_FIELDS, Day, DayOfAll, Source
from validation.results import storage
from validation.results.counting import recount_account
from validation.results.models import Result
from validation.results.removal import delete_in_slices
from validation.single.services import validate_single
from validation.tests.stored import finished, row, single

pytestmark = pytest.mark.postgres

LINES = ["ida.holm@harborquill.com", "gone.holm@harborquill.com", "anna_dawson@yopmail.com", "no address"]


def days(user: User) -> list[tuple[str, int, int, int, int]]:
    """Source, results, valid, invalid and credits of each row."""
    columns = ("source", "processed", "valid_count", "invalid_count", "credits_used")
    return list(Day.objects.filter(organisation=user.own_organisation).order_by("date", "source").values_list(*columns))


@pytest.mark.spec("DASH-007", "VAL-051")
def test_what_is_checked_is_counted_on_its_day(world: Sandbox, alice: User, bob: User) -> None:
    batch = batches.start_list(organisation=alice.own_organisation, lines=LINES, batch_type=BatchType.BULK_TEXTAREA)
    validate_single(organisation=alice.own_organisation, address="gone.kent@harborquill.com")
    validate_single(organisation=alice.own_organisation, address="rosa.kent@harborquill.com")
    assert days(alice) == [("list", 4, 1, 2, 3), ("single", 2, 1, 1, 2)]
    assert {name: getattr(Day.objects.get(source="list"), name) for name in TALLY_FIELDS} == {
        name: getattr(batch, name) for name in TALLY_FIELDS
    }
    one = Day.objects.get(source="single")
    assert (one.timed, one.time_ms > 0, one.date) == (2, True, datetime.now(UTC).date())
    assert days(bob) == []


def test_a_write_that_fails_counts_nothing(alice: User) -> None:
    batch = finished(alice, [("a@b.com", "valid")])
    before = days(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        storage.insert_results(
            storage.prepare_results([row("a@b.com", position=1)]), organisation_id=alice.pk, batch_id=batch.pk
        )
    assert (days(alice), Result.objects.count()) == (before, 1)


@pytest.mark.spec("VAL-046")
def test_what_is_deleted_leaves_the_history_and_stays_in_the_totals(alice: User) -> None:
    batch = finished(alice, [("a@b.com", "valid"), ("c@b.com", "unknown")])
    single(alice, "d@b.com", "invalid")
    assert delete_in_slices(Result.objects.filter(batch=batch)) == 2
    assert delete_in_slices(Result.objects.filter(batch=batch)) == 0
    assert days(alice) == [("deleted", 2, 1, 0, 1), ("list", 0, 0, 0, 0), ("single", 1, 0, 1, 1)]
    assert rollups.sum_days(organisation=alice.own_organisation)["processed"] == 3
    assert rollups.sum_days(organisation=alice.own_organisation, source=Source.LIST)["processed"] == 0


@pytest.mark.spec("VAL-047")
def test_a_second_verdict_takes_the_place_of_the_first_in_the_counts(alice: User) -> None:
    batch = finished(alice, [("a@b.com", "valid"), ("c@b.com", "unknown"), ("d@b.com", "unknown")])
    again = storage.prepare_results([row("d@b.com", "invalid", position=3), row("c@b.com", position=2)], free=True)
    for _ in range(2):
        with transaction.atomic():
            storage.replace_results(again, organisation_id=alice.pk, batch_id=batch.pk)
    assert days(alice) == [("list", 3, 2, 1, 1)]
    assert recount_account(alice.pk) == 0


def test_the_command_recounts_and_is_harmless_twice(alice: User, bob: User) -> None:
    batch = finished(alice, [("a@b.com", "valid"), ("b@b.com", "spam_trap"), ("c@b.com", "catch_all")])
    single(alice, "d@b.com", "disposable", took_ms=70)
    single(bob, "e@b.com")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    rollups.add_counts(
        {"processed": 5, "valid_count": 5}, organisation_id=alice.pk, on=yesterday.date(), source=Source.DELETED
    )
    right = list(Day.objects.order_by("pk").values())

    def command() -> str:
        said = StringIO()
        call_command("rebuild_rollups", stdout=said)
        return said.getvalue()

    assert command() == "0 days differed, and 0 of all accounts together\n"
    Day.objects.filter(source="single").update(processed=9, valid_count=7)
    Day.objects.filter(source="list").delete()
    assert command() == "3 days differed, and 0 of all accounts together\n"
    assert command() == "0 days differed, and 0 of all accounts together\n"
    found = {(day["organisation_id"], day["source"]): day for day in Day.objects.values()}
    assert [day | {"id": 0} for day in right] == [
        found[day["organisation_id"], day["source"]] | {"id": 0} for day in right
    ]
    Result.objects.filter(batch=batch).delete()
    assert command() == "1 days differed, and 1 of all accounts together\n"
    assert Day.objects.get(source="list").processed == 0


def of_all() -> tuple[int, int, int, int]:
    """Results, valid, credits and milliseconds of all accounts together."""
    found = rollups.sum_all_days()
    return found["processed"], found["valid_count"], found["credits_used"], found["time_ms"]


@pytest.mark.spec("ADM-101", "ADM-103")
def test_the_days_of_all_follow_each_write_and_no_deletion(alice: User, bob: User) -> None:
    assert of_all() == (0, 0, 0, 0)
    batch = finished(alice, [("a@b.com", "valid"), ("c@b.com", "unknown")])
    single(bob, "d@b.com", "invalid", took_ms=30)
    single(bob, "e@b.com", took_ms=12)
    assert of_all() == (4, 2, 3, 42)
    delete_in_slices(Result.objects.filter(batch=batch))
    assert of_all() == (4, 2, 3, 42)
    for _ in range(2):
        rollups.erase_days(bob.pk)
        assert (of_all(), days(bob)) == ((4, 2, 3, 42), [])
    assert rollups.recount_all() == 0
    assert of_all() == (4, 2, 3, 42)


def test_the_days_of_all_are_recounted_from_those_of_the_accounts(alice: User, bob: User) -> None:
    single(alice, "a@b.com")
    single(bob, "b@b.com", "invalid")
    rollups.erase_days(bob.pk)
    right = of_all()
    DayOfAll.objects.filter(shard=alice.pk % DayOfAll.SHARDS).delete()
    DayOfAll.objects.create(date=date(2020, 1, 1), shard=3, processed=7)
    assert rollups.recount_all() == 2
    assert (of_all(), rollups.recount_all()) == (right, 0)


def test_the_day_is_that_of_utc() -> None:
    assert rollups.day_of(datetime.fromisoformat("2026-03-01T00:30:00+02:00")) == date(2026, 2, 28)


@pytest.mark.django_db(transaction=True)
def test_sixteen_writers_at_once_lose_no_count(alice: User) -> None:
    batch = Batch.objects.create(
        organisation=alice.own_organisation, batch_type=BatchType.BULK_TEXTAREA, total_emails=16
    )

    def write(position: int) -> None:
        close_old_connections()
        with transaction.atomic():
            storage.insert_results(
                storage.prepare_results([row("a@b.com", position=position)]),
                organisation_id=alice.pk,
                batch_id=batch.pk,
            )
        connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(1, 17)))
    assert days(alice) == [("list", 16, 16, 0, 16)]
    assert of_all() == (16, 16, 16, 0)
