"""What is answered is what the schema says; intake and exports keep every octet."""

from datetime import UTC, datetime

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches import presentation, services
from validation.batches import serializers as shapes
from validation.batches.intake import addresses
from validation.batches.models import Batch, BatchType
from validation.daily.models import TALLY_FIELDS
from validation.engine import Category as EngineCategory
from validation.exports import tables
from validation.exports.choices import ExportChoices
from validation.history.serializers import HistorySerializer
from validation.results import storage
from validation.results.ids import write_result_id
from validation.results.models import Category, Result
from validation.results.presentation import present_result, present_result_in_full
from validation.results.serializers import CheckSerializer, ResultRowSerializer, ResultSerializer

LINES = ["ida.holm@harborquill.com", "gone.holm@harborquill.com", "anna_dawson@yopmail.com", "+tag@harborquill.com"]


@pytest.fixture
def batch(world: Sandbox, alice: User) -> Batch:
    return services.start_list(organisation=alice.own_organisation, lines=LINES, batch_type=BatchType.BULK_TEXTAREA)


@pytest.mark.spec("VAL-031")
def test_a_batch_says_what_it_is_and_how_it_stands() -> None:
    at = datetime(2032, 3, 1, tzinfo=UTC)
    counts = {name: number for number, name in enumerate(TALLY_FIELDS, start=1)}
    made = Batch(
        public_id="bat_1", batch_type=BatchType.FILE_UPLOAD, filename="customers.csv", total_emails=10,
        status="processing", created_at=at, completed_at=None, **counts,
    )  # fmt: skip
    summary = presentation.present_batch(made)
    told = ("id", "batch_type", "filename", "processing_status", "total_emails", "created_at", "completed_at")
    assert [summary[name] for name in told] == ["bat_1", "file_upload", "customers.csv", "processing", 10, at, None]
    shown = {name: number for name, number in counts.items() if name != "processed"}
    assert {name: summary[name] for name in shown} == shown
    assert (summary["processed_emails"], summary["progress_percentage"]) == (1, 10.0)


def names(shape: type) -> list[str]:
    return sorted(shape().fields)


@pytest.mark.spec("VAL-017")
def test_the_categories_are_the_engines() -> None:
    assert set(Category.values) == {category.value for category in EngineCategory}
    assert set(Category.values) == {"valid", "invalid", "unknown", "catch_all", "disposable", "spam_trap"}


def test_every_answer_has_exactly_the_fields_of_its_schema(batch: Batch, alice_api: APIClient) -> None:
    result = batch.results.order_by("position")[0]
    assert sorted(present_result(result, None, write_result_id)) == names(ResultRowSerializer)
    assert sorted(present_result_in_full(result)) == names(ResultSerializer)
    assert sorted(present_result_in_full(result)["evidence"][0]) == names(CheckSerializer)
    assert sorted(presentation.present_batch(batch)) == names(shapes.BatchSerializer)
    assert sorted(presentation.present_progress(batch)) == names(shapes.BatchStatusSerializer)
    assert sorted(presentation.present_list_answer(batch, [])) == names(shapes.ListAnswerSerializer)
    detail = alice_api.get(f"/api/validate/batch/{batch.public_id}").json()
    assert sorted(detail) == names(shapes.BatchDetailSerializer)
    assert sorted(alice_api.get("/api/validate/batches").json()) == names(HistorySerializer)


@pytest.mark.spec("VAL-031")
def test_counts_add_up(batch: Batch) -> None:
    summary = presentation.present_batch(batch)
    assert {name: summary[name] for name in ("total_emails", "processed_emails", "progress_percentage")} == {
        "total_emails": 4, "processed_emails": 4, "progress_percentage": 100.0,
    }  # fmt: skip
    assert (summary["valid_count"], summary["invalid_count"], summary["disposable_count"]) == (1, 2, 1)
    assert (summary["safe_to_send_count"], summary["risky_count"], summary["credits_used"]) == (1, 0, 4)


@pytest.mark.parametrize(
    ("category", "safe", "expected"),
    [
        ("valid", True, "Safe to send"),
        ("catch_all", True, "Safe to send"),
        ("catch_all", False, "Risky to send"),
        ("unknown", False, "Risky to send"),
        ("invalid", False, "Do not send"),
        ("disposable", False, "Do not send"),
        ("spam_trap", False, "Do not send"),
    ],
)
def test_each_verdict_has_its_label(category: str, safe: bool, expected: str) -> None:
    assert storage.result_label(category=category, safe_to_send=safe) == expected


def test_duplicates_are_found_on_the_normalised_address() -> None:
    lines = ["Ida@BÜCHER.de", " ida@xn--bcher-kva.de ", "", "not an address", "NOT AN ADDRESS", "b@x.com"]
    taken = addresses.sort_lines(lines)
    assert list(taken.chunks(9)) == [[(6, "b@x.com"), (1, "Ida@BÜCHER.de"), (4, "not an address")]]
    assert (taken.rows, taken.duplicates, taken.blank, taken.unique, taken.possible) == (6, 2, 1, 3, 2)


def test_chunks_keep_a_domain_together_and_every_row() -> None:
    taken = addresses.sort_lines([f"p{number}@d{number % 7}.com" for number in range(70)])
    chunks = list(taken.chunks(10))
    assert sorted(position for chunk in chunks for position, _ in chunk) == list(range(1, 71))
    assert [len({address.rpartition("@")[2] for _, address in chunk}) for chunk in chunks] == [1] * 7


def test_an_exported_address_can_be_read_back(batch: Batch) -> None:
    text = "".join(tables.stream_csv(batch, ExportChoices()))
    assert '"+tag@harborquill.com"' in text
    assert text.count("\r\n") == 5


def test_an_export_name_is_safe_for_every_file_system(batch: Batch) -> None:
    batch.filename = '../..\\a "b"\r\n;c.csv'
    assert tables.build_filename(batch, suffix="csv").startswith("batch-.._.._a__b____c-20")


@pytest.mark.parametrize("size", [2, 12])
def test_a_page_costs_the_same_number_of_queries_whatever_it_holds(
    world: Sandbox, alice: User, alice_api: APIClient, django_assert_num_queries: DjangoAssertNumQueries, size: int
) -> None:
    lines = [f"person{letter}@harborquill.com" for letter in "abcdefghijkl"[:size]]
    batches = [
        services.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
        for _ in range(size // 2)
    ]
    assert Result.objects.count() == size * (size // 2)
    counted = {
        "/api/validate/batches": 15,
        f"/api/validate/batch/{batches[0].public_id}/results": 10,
        "/api/analytics/dashboard": 9,
    }
    alice_api.get("/api/credits")  # notes that she is there
    for path, queries in counted.items():
        with django_assert_num_queries(queries):
            assert alice_api.get(path).status_code == 200
