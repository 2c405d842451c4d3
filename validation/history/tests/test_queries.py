"""The history: its five keys, searches, orders and cursors; and searches of a list."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import Q
from rest_framework.test import APIClient

from accounts.users.models import User
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.history import queries
from validation.results import index_ranges
from validation.results.ids import write_result_id
from validation.results.models import Category, Result
from validation.results.removal import delete_in_slices
from validation.tests.stored import finished, single

pytestmark = pytest.mark.postgres

HISTORY = "/api/validate/batches"


def emails(rows: list[dict[str, str]]) -> list[str]:
    return [row["email"] for row in rows]


@pytest.fixture
def mixed(alice: User, bob: User) -> Batch:
    """A list and some single checks of Alice, and the same of Bob."""
    lists = []
    for user in (bob, alice):
        batch = finished(
            user,
            [("Anna@gmail.com", "valid"), ("ben@Acme.org", "invalid"), ("gmail.com@acme.org", "unknown")],
            filename="spring.csv",
        )
        finished(user, [("carla@gmail.com", "catch_all")], filename="autumn.csv")
        single(user, "annabel@acme.org", "disposable")
        single(user, "zoe@gmail.com", "valid")
        lists.append(batch)
    return lists[-1]


@pytest.mark.spec("VAL-027", "VAL-051")
def test_one_answer_carries_all_five_keys(mixed: Batch, alice_api: APIClient) -> None:
    body = alice_api.get(HISTORY).json()
    assert [batch["filename"] for batch in body["batches"]] == ["autumn.csv", "spring.csv"]
    assert emails(body["individual_validations"]) == ["zoe@gmail.com", "annabel@acme.org"]
    assert emails(body["validations"]) == [
        "zoe@gmail.com", "annabel@acme.org", "carla@gmail.com", "gmail.com@acme.org", "ben@Acme.org", "Anna@gmail.com",
    ]  # fmt: skip
    assert sorted(body["validations"][0]) == ["email", "id", "valid", "validated_at"]
    assert (body["total"], body["page"], body["batches_total"], body["individual_total"]) == (6, 1, 2, 2)
    assert (body["batches_next"], body["individual_next"]) == (None, None)


@pytest.mark.spec("VAL-027")
def test_the_flat_view_is_paged_by_number(mixed: Batch, alice_api: APIClient) -> None:
    pages = [alice_api.get(HISTORY, {"page": page, "page_size": 4}).json() for page in (1, 2, 3)]
    assert [(len(body["validations"]), body["total"], body["page"]) for body in pages] == [
        (4, 6, 1),
        (2, 6, 2),
        (0, 6, 3),
    ]
    searched = [alice_api.get(HISTORY, {"page": n, "page_size": 2, "search": "gmail.com"}).json() for n in (1, 2)]
    assert [emails(body["validations"]) for body in searched] == [
        ["zoe@gmail.com", "carla@gmail.com"], ["gmail.com@acme.org", "Anna@gmail.com"],
    ]  # fmt: skip


@pytest.mark.spec("VAL-027", "VAL-048")
@pytest.mark.parametrize(
    ("search", "category", "flat", "singles", "lists"),
    [
        ("ann", None, ["annabel@acme.org", "Anna@gmail.com"], 1, 0),
        ("ANNA@", None, ["Anna@gmail.com"], 0, 0),
        ("@gmail.com", None, ["zoe@gmail.com", "carla@gmail.com", "Anna@gmail.com"], 1, 0),
        ("@gmail.com", "valid", ["zoe@gmail.com", "Anna@gmail.com"], 1, 0),
        ("gmail.com", None, ["zoe@gmail.com", "carla@gmail.com", "gmail.com@acme.org", "Anna@gmail.com"], 1, 0),
        ("acme.org", "invalid", ["ben@Acme.org"], 0, 0),
        ("spring", None, [], 0, 1),
        ("", "catch_all", ["carla@gmail.com"], 0, 1),
        ("", "spam_trap", [], 0, 0),
        ("gmail", None, ["gmail.com@acme.org"], 0, 0),
        ("%", None, [], 0, 0),
    ],
)
def test_a_search_finds_addresses_by_beginning_or_domain_and_files_by_a_part_of_the_name(
    mixed: Batch, alice_api: APIClient, search: str, category: str | None, flat: list[str], singles: int, lists: int
) -> None:
    body = alice_api.get(HISTORY, {"search": search, **({"category": category} if category else {})}).json()
    assert (emails(body["validations"]), body["total"]) == (flat, len(flat))
    assert (len(body["individual_validations"]), body["individual_total"]) == (singles, singles)
    assert (len(body["batches"]), body["batches_total"]) == (lists, lists)


@pytest.mark.spec("VAL-048")
@pytest.mark.parametrize(
    ("search", "found"),
    [("gmail.com", ["Anna@gmail.com", "gmail.com@acme.org"]), ("@ACME.org", ["ben@Acme.org", "gmail.com@acme.org"]),
     ("a", ["Anna@gmail.com"]), ("anna@gmail.com", ["Anna@gmail.com"]), ("carla", [])],
)  # fmt: skip
@pytest.mark.parametrize("sort", ["row", "-row", "email", "-email", "category", "confidence", "-confidence"])
def test_the_explorer_searches_in_every_order(
    mixed: Batch, alice_api: APIClient, search: str, found: list[str], sort: str
) -> None:
    body = alice_api.get(f"/api/validate/batch/{mixed.public_id}/results", {"search": search, "sort": sort}).json()
    assert (sorted(emails(body["results"])), body["total"]) == (found, len(found))


@pytest.fixture
def decided(alice: User) -> Batch:
    """A list with results of each category; of the undecided ones those of `likely.com` are safe to send to."""
    batch = finished(alice, [(f"{name}@{host}", name) for name in Category.values for host in ("a.com", "likely.com")])
    batch.results.filter(category__in=["catch_all", "unknown"], domain="likely.com").update(safe_to_send=True)
    Batch.objects.filter(pk=batch.pk).update(safe_to_send_count=4, risky_count=2)
    return batch


@pytest.mark.spec("VAL-048", "VAL-067", "VAL-068")
@pytest.mark.parametrize("sort", ["row", "-email", "category", "-confidence"])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"decision": "safe"}, ["catch_all@likely.com", "unknown@likely.com", "valid@a.com", "valid@likely.com"]),
        ({"decision": "risky"}, ["catch_all@a.com", "unknown@a.com"]),
        ({"decision": "do_not_send"}, [
            "disposable@a.com", "disposable@likely.com", "invalid@a.com", "invalid@likely.com", "spam_trap@a.com",
            "spam_trap@likely.com",
        ]),
        ({"decision": "safe", "category": "unknown"}, ["unknown@likely.com"]),
        ({"decision": "risky", "category": "valid"}, []),
        ({"decision": "risky", "category": "valid", "search": "@a.com"}, []),
        ({"decision": "risky", "search": "@a.com"}, ["catch_all@a.com", "unknown@a.com"]),
        ({"decision": "do_not_send", "search": "inv"}, ["invalid@a.com", "invalid@likely.com"]),
    ],
)  # fmt: skip
def test_the_explorer_shows_one_recommendation(
    decided: Batch, alice_api: APIClient, query: dict[str, str], found: list[str], sort: str
) -> None:
    address = f"/api/validate/batch/{decided.public_id}/results"
    body = alice_api.get(address, {**query, "sort": sort}).json()
    assert (sorted(emails(body["results"])), body["total"]) == (found, len(found))
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = alice_api.get(address, {**query, "sort": sort, "page_size": "1", "cursor": cursor}).json()
        seen += emails(page["results"])
        cursor = page["next"]
    assert seen == emails(body["results"])


@pytest.mark.spec("VAL-027")
@pytest.mark.parametrize("sort", ["created", "-created", "name", "-name"])
@pytest.mark.parametrize("category", ["", "valid"])
def test_each_part_goes_on_with_its_own_cursor(alice: User, alice_api: APIClient, sort: str, category: str) -> None:
    categories = ["valid", *Category.values]
    for number in range(120):
        single(alice, f"{number * 7919 % 120:03}@b.com", categories[number % 7])
        finished(alice, [(f"{number}@b.com", "valid")], filename=f"{number * 7919 % 120 // 2:03}.csv")
    query = {"sort": sort} | ({"category": category} if category else {})

    def walk(rows: str, cursor: str) -> list[str]:
        seen: list[str] = []
        after: str | None = ""
        while after is not None:
            body = alice_api.get(HISTORY, {**query, "cursor": after}).json()
            seen += [str(row["id"]) for row in body[rows]]
            after = body[cursor]
            if after:
                assert len(body[rows]) == queries.DASHBOARD_ROWS
        return seen

    sign, by_name = "-" if sort.startswith("-") else "", "name" in sort
    singles = Result.objects.filter(batch=None, **({"category": category} if category else {}))
    expected = singles.order_by(f"{sign}{'email' if by_name else 'id'}").values_list("pk", flat=True)
    assert walk("individual_validations", "individual_next") == [write_result_id(pk) for pk in expected]
    lists = Batch.objects.order_by(f"{sign}{'filename' if by_name else 'id'}", f"{sign}id")
    assert walk("batches", "batches_next") == list(lists.values_list("public_id", flat=True))


@pytest.fixture
def dated(alice: User) -> None:
    """A single check and a list on each of the first three days of March; the second list ran into the next day."""
    for day in (1, 2, 3):
        at = datetime(2026, 3, day, 23, 59, 59, tzinfo=UTC)
        check = single(alice, f"{day}@b.com", "valid" if day == 2 else "invalid")
        batch = finished(alice, [(f"list{day}@b.com", "valid")], filename=f"{day}.csv")
        ended = at + timedelta(days=1 if day == 2 else 0)
        Batch.objects.filter(pk=batch.pk).update(created_at=at, completed_at=ended)
        Result.objects.filter(Q(pk=check.pk) | Q(batch=batch)).update(created_at=at)


@pytest.mark.spec("VAL-027")
@pytest.mark.parametrize(
    ("query", "singles", "lists", "flat"),
    [
        ({"from": "2026-03-02", "to": "2026-03-02"}, [2], [2], ["list2", "2"]),
        ({"from": "2026-03-03"}, [3], [3, 2], ["list3", "3"]),
        ({"to": "2026-03-01"}, [1], [1], ["list1", "1"]),
        ({"from": "2026-03-04"}, [], [], []),
        ({"from": "2026-03-02", "to": "2026-03-03", "category": "invalid"}, [3], [], ["3"]),
        ({"from": "2026-03-01", "search": "2"}, [2], [2], ["2"]),
        ({"to": "9999-12-31", "from": "0001-01-01", "category": "invalid"}, [3, 1], [], ["3", "1"]),
    ],
)
def test_days_narrow_it_to_what_was_checked_then_and_to_lists_that_ran_then(
    dated: None, alice_api: APIClient, query: dict[str, str], singles: list[int], lists: list[int], flat: list[str]
) -> None:
    body = alice_api.get(HISTORY, query).json()
    assert emails(body["individual_validations"]) == [f"{day}@b.com" for day in singles]
    assert [batch["filename"] for batch in body["batches"]] == [f"{day}.csv" for day in lists]
    assert body["batches_total"] == len(lists)
    assert emails(body["validations"]) == [f"{name}@b.com" for name in flat]


@pytest.mark.spec("VAL-027")
@pytest.mark.parametrize(
    ("days", "total"),
    [
        ({}, 3),
        ({"from": "2026-03-02"}, 2),
        ({"from": "2026-03-03"}, 1),  # the second list went on, its result is of the day before
        ({"from": "2026-03-02", "to": "2026-03-02"}, 1),
        ({"to": "2026-03-02"}, 2),
        ({"from": "2026-03-02", "to": "9999-12-31"}, 2),
    ],
)
def test_a_search_counts_what_was_checked_on_these_days(
    dated: None, alice_api: APIClient, days: dict[str, str], total: int
) -> None:
    body = alice_api.get(HISTORY, {"search": "list", **days}).json()
    assert (len(body["validations"]), body["total"], body["total_is_least"]) == (total, total, False)


@pytest.mark.spec("VAL-027", "VAL-051")
@pytest.mark.parametrize(("most", "total", "of_list"), [(1, (1, True), (1, True)), (2, (2, True), (2, False)),
                                                        (3, (3, False), (2, False))])  # fmt: skip
def test_a_search_that_finds_very_many_says_that_there_are_more(
    alice: User, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch,
    most: int, total: tuple[int, bool], of_list: tuple[int, bool],
) -> None:  # fmt: skip
    monkeypatch.setattr(index_ranges, "MOST_COUNTED", most)
    single(alice, "anna@b.com")
    batch = finished(alice, [("anna.1@b.com", "valid"), ("anna.2@b.com", "invalid"), ("ben@b.com", "valid")])
    body = alice_api.get(HISTORY, {"search": "anna"}).json()
    assert (body["individual_total"], body["individual_total_is_least"]) == (1, False)
    assert (body["total"], body["total_is_least"], len(body["validations"])) == (*total, 3)
    page = alice_api.get(f"/api/validate/batch/{batch.public_id}/results", {"search": "anna"}).json()
    assert (page["total"], page["total_is_least"], len(page["results"])) == (*of_list, 2)
    every = alice_api.get(f"/api/validate/batch/{batch.public_id}/results").json()
    assert (every["total"], every["total_is_least"]) == (3, False)


@pytest.mark.spec("VAL-027")
def test_the_totals_of_days_come_from_their_counts(alice: User, alice_api: APIClient) -> None:
    single(alice, "a@b.com", "valid")
    finished(alice, [("c@b.com", "valid"), ("d@b.com", "invalid")])
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    body = alice_api.get(HISTORY, {"from": today, "to": today, "category": "valid"}).json()
    assert (body["individual_total"], body["total"]) == (1, 2)
    tomorrow = alice_api.get(HISTORY, {"from": f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%d}"}).json()
    assert (tomorrow["individual_total"], tomorrow["total"]) == (0, 0)
    assert alice_api.get(HISTORY, {"from": "yesterday"}).status_code == 400


@pytest.mark.spec("VAL-027")
def test_a_cursor_asks_for_one_part_alone(alice: User, alice_api: APIClient) -> None:
    for number in range(51):
        single(alice, f"{number}@b.com")
        finished(alice, [(f"{number}@b.com", "valid")])
    first = alice_api.get(HISTORY).json()
    more = alice_api.get(HISTORY, {"cursor": first["individual_next"]}).json()
    assert emails(more["individual_validations"]) == ["0@b.com"]
    assert (more["batches"], more["validations"], more["individual_next"], more["batches_next"]) == ([], [], None, None)
    assert (more["batches_total"], more["individual_total"]) == (51, 51)


@pytest.mark.spec("VAL-027")
@pytest.mark.parametrize("sort", ["-created", "created"])
def test_single_checks_of_some_days_go_on_behind_a_cursor_in_the_order_of_time(
    alice: User, alice_api: APIClient, sort: str
) -> None:
    """Those of one moment stand in the order of their storing; what was stored late stands where its time is."""
    days = {"from": "2026-03-02", "to": "2026-03-03", "sort": sort}
    moment = datetime(2026, 3, 2, 12, tzinfo=UTC)
    at = {n: moment - timedelta(seconds=30) if n == 59 else moment + timedelta(seconds=n // 8) for n in range(60)}
    for n, time in at.items():
        Result.objects.filter(pk=single(alice, f"{n}@b.com").pk).update(created_at=time)
    Result.objects.filter(pk=single(alice, "before@b.com").pk).update(created_at=moment - timedelta(days=1))
    single(alice, "now@b.com")
    first = alice_api.get(HISTORY, days).json()
    more = alice_api.get(HISTORY, {**days, "cursor": first["individual_next"]}).json()
    in_order = [f"{n}@b.com" for n in (59, *range(59))]
    expected = in_order if sort == "created" else in_order[::-1]
    assert emails(first["individual_validations"]) == expected[:50]
    assert emails(more["individual_validations"]) == expected[50:]
    assert more["individual_next"] is None


@pytest.mark.spec("VAL-027")
@pytest.mark.spec("VAL-027", "VAL-056")
def test_the_poll_asks_for_running_lists_alone(mixed: Batch, alice: User, alice_api: APIClient) -> None:
    Batch.objects.filter(pk=mixed.pk).update(status=BatchStatus.PROCESSING)
    body = alice_api.get(HISTORY, {"active": "1"}).json()
    assert [batch["id"] for batch in body["batches"]] == [mixed.public_id]
    assert (body["batches_total"], body["individual_validations"], body["validations"]) == (1, [], [])


@pytest.mark.spec("VAL-046")
def test_what_was_deleted_is_counted_in_no_total_of_the_history(
    mixed: Batch, alice: User, alice_api: APIClient
) -> None:
    delete_in_slices(Result.objects.filter(batch=mixed))
    mixed.delete()
    body = alice_api.get(HISTORY).json()
    assert (body["total"], len(body["validations"]), body["individual_total"]) == (3, 3, 2)


@pytest.mark.spec("VAL-048")
def test_of_a_running_list_the_stored_results_are_counted(alice: User, alice_api: APIClient) -> None:
    batch = finished(alice, [("a@b.com", "valid"), ("c@b.com", "invalid")])
    Batch.objects.filter(pk=batch.pk).update(
        status="processing", processed=0, valid_count=0, batch_type="bulk_textarea"
    )
    done = {"processed": 2, "valid_count": 1, "invalid_count": 1}
    Chunk.objects.create(batch=batch, number=0, rows=[], size=2, state="done", **done)
    Chunk.objects.create(
        batch=batch, number=1, rows=[[3, "d@b.com"]], size=1, state="running", processed=1, valid_count=1
    )
    url = f"/api/validate/batch/{batch.public_id}"
    assert alice_api.get(f"{url}/results").json()["total"] == 2
    assert alice_api.get(f"{url}/results", {"category": "valid"}).json()["total"] == 1
    assert alice_api.get(url).json()["total"] == 2
    assert alice_api.get(url).json()["batch_type"] == BatchType.BULK_TEXTAREA


@pytest.mark.spec("VAL-027")
@pytest.mark.parametrize("newest", [1, 3, 20_000])
def test_a_search_finds_the_same_wherever_it_looks_first(
    mixed: Batch, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch, newest: int
) -> None:
    monkeypatch.setattr(queries, "_NEWEST", newest)
    pages = [
        emails(alice_api.get(HISTORY, {"search": "gmail.com", "page": page, "page_size": 2}).json()["validations"])
        for page in (1, 2, 3)
    ]
    assert pages == [["zoe@gmail.com", "carla@gmail.com"], ["gmail.com@acme.org", "Anna@gmail.com"], []]
