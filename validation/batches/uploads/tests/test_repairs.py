"""A messy file before its start: repaired, reviewed, undone, started, found again."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.batches.uploads.models import Upload
from validation.batches.uploads.tests.test_uploads import LIVING, assert_nothing_started, send
from validation.engine.repair import RepairKind
from validation.results.models import RepairedAddress, Result

MESSY = (
    "Name,E-mail\n"
    f"Ida,Ida Holm <{LIVING[0]}>\n"
    f"Hannah,mailto:{LIVING[1]}?subject=Hi\n"
    f"both,{LIVING[0]}; {LIVING[2]}\n"
    "typo,anna@gmial.com\n"
    "nothing,call me\n"
    "invisible,\u200b\n"
).encode()
PRESENTED = ("rows", "unique", "duplicates", "blank", "bad_syntax", "cost", "repaired_count")


def review(api: APIClient, content: bytes = MESSY, **fields: Any) -> tuple[str, dict[str, Any]]:
    answer = send(api, content, **{"repair": "true", **fields})
    body = answer.json()
    assert answer.status_code == 200, body
    return f"/api/validate/upload/{body['upload_id']}", body


def counts(body: dict[str, Any]) -> dict[str, Any]:
    return {name: body[name] for name in PRESENTED}


@pytest.mark.spec("REP-005", "REP-009")
@pytest.mark.finding("E1")
def test_a_messy_file_is_repaired_before_duplicates_are_counted(alice: User, alice_api: APIClient) -> None:
    url, body = review(alice_api)
    assert counts(body) == {
        "rows": 6, "unique": 5, "duplicates": 1, "blank": 1, "bad_syntax": 1, "cost": 4, "repaired_count": 4,
    }  # fmt: skip
    kinds = [(kind["kind"], kind["count"], kind["undone"]) for kind in body["repair_kinds"]]
    assert kinds == [("name", 1, 0), ("mailto", 1, 0), ("several", 1, 0)]
    assert (body["suggestions_count"], body["suggestions_used"], body["overfull_count"]) == (1, 0, 0)
    assert body["columns_found"] == [{"column": "2", "name": "E-mail", "letter": "B", "addresses": 6}]
    page = alice_api.get(f"{url}/repairs").json()
    assert [(row["row"], row["column"], row["source"], row["addresses"], row["kinds"]) for row in page["repairs"]] == [
        (1, "2", f"Ida Holm <{LIVING[0]}>", [LIVING[0]], ["name"]),
        (2, "2", f"mailto:{LIVING[1]}?subject=Hi", [LIVING[1]], ["mailto"]),
        (3, "2", f"{LIVING[0]}; {LIVING[2]}", [LIVING[0], LIVING[2]], ["several"]),
        (4, None, "anna@gmial.com", ["anna@gmail.com"], ["typing"]),
    ]
    assert [row["applied"] for row in page["repairs"]] == [True, True, True, False]
    assert page["next_cursor"] is None
    assert_nothing_started(alice)


@pytest.mark.spec("REP-009")
def test_without_repair_the_verdicts_are_as_before(alice_api: APIClient) -> None:
    body = send(alice_api, MESSY).json()
    assert counts(body) == {
        "rows": 6, "unique": 6, "duplicates": 0, "blank": 0, "bad_syntax": 5, "cost": 1, "repaired_count": 0,
    }  # fmt: skip
    assert (body["repair"], body["repair_kinds"]) == (False, [])


@pytest.mark.spec("REP-005", "REP-009")
@pytest.mark.parametrize(
    ("choices", "unique", "cost", "repaired", "undone"),
    [
        ({"undo_repairs": [1]}, 6, 4, 3, {"name": 1}),
        ({"undo_repairs": [3]}, 5, 3, 2, {"several": 1}),
        ({"undo_kinds": ["name"]}, 6, 4, 3, {"name": 1}),
        ({"undo_kinds": ["name", "mailto", "several"]}, 5, 1, 0, {"name": 1, "mailto": 1, "several": 1}),
    ],
)
def test_counts_and_cost_follow_each_undone_repair(
    alice_api: APIClient, choices: dict[str, Any], unique: int, cost: int, repaired: int, undone: dict[str, int]
) -> None:
    url, before = review(alice_api)
    body = alice_api.put(url, {"repair": True, **choices}, format="json").json()
    assert (body["unique"], body["cost"], body["repaired_count"]) == (unique, cost, repaired)
    assert {kind["kind"]: kind["undone"] for kind in body["repair_kinds"] if kind["undone"]} == undone
    assert alice_api.get(url).json() == body
    again = alice_api.put(url, {"repair": True}, format="json").json()
    assert again == before


@pytest.mark.spec("REP-021")
def test_a_typing_suggestion_is_used_only_when_chosen_and_may_be_undone(alice_api: APIClient) -> None:
    url, body = review(alice_api)
    assert (body["suggestions_count"], body["suggestions_used"]) == (1, 0)
    chosen: tuple[dict[str, Any], ...] = ({"use_suggestions": True}, {"suggestion_rows": [4]})
    for choices in chosen:
        used = alice_api.put(url, {"repair": True, **choices}, format="json").json()
        assert (used["suggestions_count"], used["suggestions_used"], used["cost"]) == (0, 1, body["cost"])
        (row,) = alice_api.get(f"{url}/repairs?kind=typing").json()["repairs"]
        assert (row["row"], row["source"], row["addresses"], row["applied"]) == (
            4, "anna@gmial.com", ["anna@gmail.com"], True,
        )  # fmt: skip
    left: tuple[dict[str, Any], ...] = (
        {"suggestion_rows": [3]},
        {"use_suggestions": True, "undo_repairs": [4]},
        {"use_suggestions": True, "undo_suggestions": [4]},
    )
    for choices in left:
        unused = alice_api.put(url, {"repair": True, **choices}, format="json").json()
        assert (unused["suggestions_count"], unused["suggestions_used"]) == (1, 0)


@pytest.mark.spec("REP-006", "REP-009")
def test_results_keep_what_was_handed_in_beside_what_was_checked(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    url, _ = review(alice_api)
    chosen = alice_api.put(url, {"repair": True, "use_suggestions": True}, format="json").json()
    started = alice_api.post(f"{url}/start").json()
    batch = Batch.objects.get(public_id=started["batch_id"])
    body = alice_api.get(f"/api/validate/batch/{batch.public_id}").json()
    assert (body["repaired_count"], body["credits_used"] <= chosen["cost"], body["total_emails"]) == (4, True, 5)
    told = [(row["row"], row["email"], row["email_checked"], row["repaired_from"]) for row in body["emails"]]
    assert told == [
        (1, f"Ida Holm <{LIVING[0]}>", LIVING[0], f"Ida Holm <{LIVING[0]}>"),
        (2, f"mailto:{LIVING[1]}?subject=Hi", LIVING[1], f"mailto:{LIVING[1]}?subject=Hi"),
        (3, f"{LIVING[0]}; {LIVING[2]}", LIVING[2], f"{LIVING[0]}; {LIVING[2]}"),
        (4, "anna@gmial.com", "anna@gmail.com", "anna@gmial.com"),
        (5, "call me", "call me", None),
    ]
    assert [row["repairs"] for row in body["emails"]] == [["name"], ["mailto"], ["several"], ["typing"], []]
    assert RepairedAddress.objects.filter(batch=batch).count() == 4


@pytest.mark.spec("REP-006")
@pytest.mark.parametrize(
    ("search", "rows"),
    [("ida holm", [1]), ("mailto:", [2]), ("ida.holm@", [1, 3]), ("@gmail.com", [4]), ("anna@gm", [4]), ("call", [5])],
)
def test_a_search_finds_source_and_address_once(
    world: Sandbox, alice: User, alice_api: APIClient, search: str, rows: list[int]
) -> None:
    url, _ = review(alice_api)
    alice_api.put(url, {"repair": True, "use_suggestions": True}, format="json")
    batch = alice_api.post(f"{url}/start").json()["batch_id"]
    for sort in ("row", "-row", "email", "confidence"):
        page = alice_api.get(f"/api/validate/batch/{batch}/results", {"search": search, "sort": sort}).json()
        assert sorted(row["row"] for row in page["results"]) == rows
        assert page["total"] == len(rows)


@pytest.mark.spec("REP-023")
def test_unique_addresses_are_counted_and_charged_once_over_all_columns(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    content = f"work,private\n{LIVING[0]},{LIVING[1]}\n{LIVING[1]},{LIVING[2]}\n,{LIVING[0]}\n,\n".encode()
    upload_id = send(alice_api, content).json()["upload_id"]
    url = f"/api/validate/upload/{upload_id}"
    body = alice_api.put(url, {"email_columns": ["work", "2"]}, format="json").json()
    assert (body["email_columns"], body["email_column"]) == (["1", "2"], "1")
    assert (body["rows"], body["unique"], body["duplicates"], body["blank"], body["cost"]) == (4, 3, 2, 1, 3)
    assert [(found["letter"], found["addresses"]) for found in body["columns_found"]] == [("A", 2), ("B", 3)]
    batch = alice_api.post(f"{url}/start").json()["batch_id"]
    detail = alice_api.get(f"/api/validate/batch/{batch}").json()
    assert [(row["row"], row["email"]) for row in detail["emails"]] == [
        (1, LIVING[0]), (1, LIVING[1]), (2, LIVING[2]),
    ]  # fmt: skip
    assert detail["credits_used"] == 3


@pytest.mark.spec("REP-023", "REP-022", "REP-009")
@pytest.mark.parametrize(
    ("choices", "field"),
    [
        ({"email_column": "1", "email_columns": ["1"]}, "email_columns"),
        ({"email_columns": []}, "email_columns"),
        ({"email_columns": [str(n) for n in range(1, 12)]}, "email_columns"),
        ({"header_row": 90}, "header_row"),
        ({"header_row": 1, "has_header": False}, "header_row"),
        ({"repair": "yes"}, "repair"),
        ({"repair": 1}, "repair"),
        ({"repair": None}, "repair"),
        ({"undo_kinds": ["spelling"]}, "undo_kinds"),
        ({"undo_repairs": [0]}, "undo_repairs"),
    ],
)
def test_choices_that_do_not_fit_change_nothing(
    alice: User, alice_api: APIClient, choices: dict[str, Any], field: str
) -> None:
    url, body = review(alice_api)
    answer = alice_api.put(url, choices, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"]["field"].split(".")[0] == field
    assert alice_api.get(url).json() == body
    assert_nothing_started(alice)


@pytest.mark.spec("REP-005")
def test_repairs_come_in_pages_that_hold_each_once(alice_api: APIClient) -> None:
    content = "".join(f"P{n} <p{n}@harborquill.com>\n" for n in range(250)).encode()
    url, body = review(alice_api, content)
    first = alice_api.get(f"{url}/repairs", {"kind": "name"}).json()["next_cursor"]
    rows, pages = list[int](), 0
    page: dict[str, Any] = {"next_cursor": ""}
    while page["next_cursor"] is not None:
        page = alice_api.get(f"{url}/repairs", {"cursor": page["next_cursor"], "kind": "name"}).json()
        rows += [row["row"] for row in page["repairs"]]
        pages += 1
    assert (rows, pages, body["repaired_count"]) == (list(range(1, 251)), 3, 250)
    for wrong in ({"cursor": "x"}, {"cursor": first, "kind": "comment"}, {"cursor": first}):
        assert alice_api.get(f"{url}/repairs", wrong).status_code == 400
    alice_api.put(url, {"repair": True, "undo_repairs": [1]}, format="json")
    assert alice_api.get(f"{url}/repairs", {"cursor": first, "kind": "name"}).status_code == 400


@pytest.mark.spec("REP-003")
def test_a_cell_with_too_many_addresses_says_so(alice_api: APIClient) -> None:
    cell = "; ".join(f"p{n}@harborquill.com" for n in range(73))
    _, body = review(alice_api, f'email\nida@harborquill.com\n"{cell}"\n'.encode())
    assert (body["overfull"], body["overfull_count"], body["unique"]) == ([{"row": 2, "found": 73}], 1, 51)


@pytest.mark.spec("REP-009")
def test_a_list_by_the_api_is_repaired_before_it_is_charged(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    emails = [f"Ida <{LIVING[0]}>", LIVING[0], f"{LIVING[1]}, {LIVING[2]}", "call me"]
    plain = alice_api.post("/api/validate/bulk", {"emails": emails}, format="json").json()
    assert (plain["total_emails"], plain["repaired_count"], plain["duplicates_removed"]) == (4, 0, 0)
    assert [row["category"] for row in plain["results"]] == ["invalid", "valid", "invalid", "invalid"]
    body = alice_api.post("/api/validate/bulk", {"emails": emails, "repair": True}, format="json").json()
    assert (body["total_emails"], body["repaired_count"], body["duplicates_removed"]) == (4, 3, 1)
    assert [(row["row"], row["email_checked"], row["repairs"]) for row in body["results"]] == [
        (1, LIVING[0], [RepairKind.NAME]), (3, LIVING[1], [RepairKind.SEVERAL]), (3, LIVING[2], [RepairKind.SEVERAL]),
        (4, "call me", []),
    ]  # fmt: skip
    assert Result.objects.filter(batch__public_id=body["batch_id"], charged=True).count() == body["credits_used"] == 3


@pytest.mark.spec("REP-003", "REP-009")
def test_a_list_and_a_file_by_the_api_say_which_addresses_were_left(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    cell = "; ".join(f"p{n}@b.co" for n in range(60))
    asked = {"emails": [LIVING[0], cell], "repair": True}
    listed = alice_api.post("/api/validate/bulk", asked, format="json").json()
    content = f'email\n{LIVING[0]}\n"{cell}"\n'.encode()
    filed = send(alice_api, content, path="/api/validate/upload", repair="true").json()
    for body in (listed, filed):
        assert (body["overfull"], body["total_emails"]) == ([{"row": 2, "found": 60}], 51)
        detail = alice_api.get(f"/api/validate/batch/{body['batch_id']}").json()
        assert detail["overfull"] == [{"row": 2, "found": 60}]
    plain = alice_api.post("/api/validate/bulk", {"emails": [LIVING[1]]}, format="json").json()
    assert plain["overfull"] == []


@pytest.mark.spec("REP-009")
@pytest.mark.parametrize("value", ["true", 1, None, [], "no"])
def test_a_list_refuses_any_other_value_than_true_and_false(alice: User, alice_api: APIClient, value: object) -> None:
    answer = alice_api.post("/api/validate/bulk", {"emails": LIVING, "repair": value}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert_nothing_started(alice)


@pytest.mark.spec("REP-006")
def test_repairs_go_with_the_results_of_their_list(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    url, _ = review(alice_api)
    batch = alice_api.post(f"{url}/start").json()["batch_id"]
    assert RepairedAddress.objects.count() == 3
    alice_api.delete("/api/user/validation-history")
    assert (RepairedAddress.objects.count(), Batch.objects.filter(public_id=batch).count()) == (0, 0)


@pytest.mark.spec("REP-005")
def test_a_typed_list_is_reviewed_like_a_file_and_has_no_name(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    text = f"Ida <{LIVING[0]}>\n{LIVING[1]}\n".encode()
    url, body = review(alice_api, text, name="list.txt", pasted="true")
    assert (body["filename"], body["pasted"], body["unique"], body["repaired_count"]) == ("", True, 2, 1)
    batch = alice_api.post(f"{url}/start").json()["batch_id"]
    detail = alice_api.get(f"/api/validate/batch/{batch}").json()
    assert (detail["filename"], detail["batch_type"]) == (None, "bulk_textarea")


@pytest.mark.spec("REP-003", "REP-005")
def test_each_line_of_a_typed_list_is_read_alone(alice_api: APIClient) -> None:
    text = (
        f'"Keller, Anna" <{LIVING[0]}>; Peter <{LIVING[1]}>\nBob\t{LIVING[2]}\n"a b"@harborquill.com\n"open\nx@y.com\n'
    )
    url, body = review(alice_api, text.encode(), name="list.txt", pasted="true")
    assert (body["rows"], body["unique"], body["cost"], body["bad_syntax"]) == (5, 6, 5, 1)
    again = alice_api.put(url, {"repair": True, "undo_repairs": [1]}, format="json").json()
    assert (again["rows"], again["unique"], again["delimiter"]) == (5, 5, "")


@pytest.mark.spec("REP-009")
def test_a_test_key_reviews_test_uploads_alone(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    live, _ = review(alice_api)
    key = alice_api.post("/api/user/api-keys", {"name": "t", "scopes": ["read", "write"], "test": True}, format="json")
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {key.json()['key']}")
    assert client.get(live).status_code == 404
    body = send(client, MESSY, repair="true").json()
    mine = f"/api/validate/upload/{body['upload_id']}"
    assert alice_api.get(mine).status_code == 404
    assert client.put(mine, {"repair": True}, format="json").status_code == 200
    started = client.post(f"{mine}/start").json()
    assert Batch.objects.get(public_id=started["batch_id"]).test
    assert Upload.objects.get(public_id=body["upload_id"]).test


@pytest.mark.spec("REP-009", "REP-032")
def test_spellings_of_a_repaired_address_are_one_and_go_to_programs_as_checked(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    content = f"E-mail\nIda <{LIVING[0].upper()}>\nIda <{LIVING[0]}>\nmailto:{LIVING[0].title()}\n".encode()
    url, body = review(alice_api, content)
    assert (body["unique"], body["duplicates"], body["cost"]) == (1, 2, 1)
    batch = alice_api.post(f"{url}/start").json()["batch_id"]
    file = alice_api.get(f"/api/validate/batch/{batch}/export", {"format": "hubspot"})
    written: Any = file
    assert b"".join(written.streaming_content).decode().splitlines()[1].startswith(f'"{LIVING[0].upper()}"')
