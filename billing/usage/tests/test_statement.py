"""The statement: every movement, and the balance after it."""

import csv
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions import entitlements
from billing.usage import statement
from conftest import client_of, make_user

pytestmark = pytest.mark.postgres

PATH = "/api/credits/statement"


@pytest.fixture
def sue(db: None) -> User:
    """From January to March: 100 credits, a list, a pack, a list that gives some back."""
    with time_machine.travel(datetime(2026, 1, 10, 8, tzinfo=UTC), tick=False) as clock:
        user = make_user("sue@sorrel.org", "Sue Sorrel", plan=Plan.FREE)
        hold = ledger.open_hold(organisation_id=user.pk, amount=40, reason="Batch: =list.csv", key="bat_one")
        clock.move_to(datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC), tick=False)
        ledger.close_hold(hold=hold, captured=30)
        clock.move_to(datetime(2026, 2, 1, tzinfo=UTC), tick=False)
        ledger.grant_credits(
            organisation_id=user.pk, kind=LotKind.PACK, amount=5_000, reason="Pack", key="p1", reference="pay_1"
        )
        clock.move_to(datetime(2026, 3, 1, tzinfo=UTC), tick=False)
        ledger.open_hold(organisation_id=user.pk, amount=1, reason="Single check", key="single:chk_1")
    return user


def read(user: User, **query: str) -> dict[str, Any]:
    with time_machine.travel(datetime(2026, 3, 2, tzinfo=UTC), tick=False):
        answer = client_of(user).get(PATH, query)
        assert answer.status_code == 200
        body: dict[str, Any] = answer.json()
        return body


def lines(body: dict[str, Any]) -> list[tuple[str, int, int, str | None]]:
    return [(row["reason"], row["amount"], row["balance"], row["reference"]) for row in body["entries"]]


@pytest.mark.spec("PRC-036")
def test_every_movement_with_the_balance_after_it(sue: User) -> None:
    body = read(sue)
    assert lines(body) == [
        ("Free: full checks of the first month", 100, 100, None),
        ("Batch: =list.csv", -40, 60, "bat_one"),
        ("Not used, returned", 10, 70, "bat_one"),
        ("Pack", 5_000, 5_070, "pay_1"),
        ("Expired", -70, 5_000, None),
        ("Single check", -1, 4_999, None),
    ]
    assert (body["opening_balance"], body["closing_balance"], body["next"]) == (0, 4_999, None)
    assert entitlements.build_account_summary(sue.own_organisation)["credits"] == 4_999
    assert [(row["lot"], row["lot_expires_at"]) for row in body["entries"]][2:4] == [
        ("welcome", "2026-02-10T08:00:00Z"), ("pack", None),
    ]  # fmt: skip


@pytest.mark.spec("PRC-036")
@pytest.mark.parametrize(
    ("month", "opening", "amounts", "closing"),
    [
        ("2025-12", 0, [], 0),
        ("2026-01", 0, [100, -40, 10], 70),
        ("2026-02", 70, [5_000], 5_070),
        ("2026-03", 5_070, [-70, -1], 4_999),
    ],
)
def test_month_by_month(sue: User, month: str, opening: int, amounts: list[int], closing: int) -> None:
    body = read(sue, month=month)
    assert (body["opening_balance"], body["closing_balance"]) == (opening, closing)
    assert [row["amount"] for row in body["entries"]] == amounts


@pytest.mark.spec("PRC-036")
def test_page_by_page(sue: User, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lines(read(sue))
    monkeypatch.setattr(statement, "PAGE_ROWS", 2)
    first = read(sue)
    second = read(sue, cursor=first["next"])
    third = read(sue, cursor=second["next"])
    assert lines(first) + lines(second) + lines(third) == whole
    assert (third["next"], {page["closing_balance"] for page in (first, second, third)}) == (None, {4_999})


@pytest.mark.spec("PRC-036", "VAL-070")
def test_the_file(sue: User) -> None:
    with time_machine.travel(datetime(2026, 3, 2, tzinfo=UTC), tick=False):
        answer: Any = client_of(sue).get(f"{PATH}/export", {"month": "2026-01"})
        rows = list(csv.reader(b"".join(answer.streaming_content).decode().splitlines()))
    assert answer["Content-Disposition"] == 'attachment; filename="credits-2026-01.csv"'
    assert answer["Cache-Control"] == "no-store"
    assert rows[0] == [
        "Time (UTC)", "Reason", "Reference", "Lot", "Lot expires (UTC)", "Amount", "Balance", "Paid (UTC)",
    ]  # fmt: skip
    assert rows[2] == [
        "2026-01-10T08:00:00+00:00", "Batch: =list.csv", "bat_one", "welcome", "2026-02-10T08:00:00+00:00",
        "-40", "60", "",
    ]  # fmt: skip
    assert [row[-2] for row in rows[1:]] == ["100", "60", "70"]


@pytest.mark.parametrize("month", ["2026", "2026-13", "26-01", "0001-1x", "9999-12", "0000-01"])
def test_another_month_is_refused(alice_api: APIClient, month: str) -> None:
    for path in (PATH, f"{PATH}/export"):
        answer = alice_api.get(path, {"month": month})
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, "month")


@pytest.mark.parametrize("cursor", ["x", "WyJuZXdlc3QiLCIiLDFd", "WyJzdGF0ZW1lbnQiLCIiLCJhIl0="])
def test_another_cursor_is_refused(alice_api: APIClient, cursor: str) -> None:
    assert alice_api.get(PATH, {"cursor": cursor}).status_code == 400


def test_a_stranger_sees_own_movements_only(sue: User, bob_api: APIClient) -> None:
    assert [row["amount"] for row in bob_api.get(PATH).json()["entries"]] == [100]
