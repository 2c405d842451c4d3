"""What the board and the lists of contracts and subscribers find, and what leaves a trace."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.users.models import User
from conftest import client_of
from crm.contracts import services as contracts
from crm.contracts.models import Contract, ContractStatus
from crm.contracts.search import PAGE_ROWS
from crm.deals.board import COLUMN_ROWS
from crm.deals.models import Deal, Stage
from crm.messages import newsletter
from crm.messages.models import Message, Subscriber
from emailcheck.common.outbound import mail

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
NOW = datetime(2032, 3, 1, 12, tzinfo=UTC)
TODAY = NOW.date()


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def sam_api(sam: User) -> APIClient:
    return client_of(sam)


def deal(name: str, value: str = "100", stage: Stage = Stage.PROSPECT, days: int = 60) -> Deal:
    return Deal.objects.create(
        company_name=name, contact_name="Erin Elm", contact_email=f"{name.lower()}@elm.com", value=Decimal(value),
        stage=stage, expected_close_date=TODAY + timedelta(days),
    )  # fmt: skip


def contract(name: str, days: int = 100, value: str = "100", **fields: Any) -> Contract:
    return Contract.objects.create(
        company_name=name, plan="Enterprise", starts_on=TODAY - timedelta(500), ends_on=TODAY + timedelta(days),
        value=Decimal(value), **fields,
    )  # fmt: skip


def names(answer: Any, rows: str = "contracts") -> list[str]:
    return [row["companyName"] for row in answer[rows]]


def queries(api: APIClient, path: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert api.get(path).status_code == 200
    return len(seen)


@pytest.mark.spec("CRM-013")
def test_the_board_sums_its_stages(sam_api: APIClient) -> None:
    deal("Ash", "10.50")
    deal("Birch", "20", Stage.PROPOSAL)
    deal("Cedar", "30.25", Stage.PROPOSAL)
    told = sam_api.get("/api/admin/deals").json()
    assert told["stages"] == [
        {"stage": "prospect", "count": 1, "value": 10.5},
        {"stage": "qualified", "count": 0, "value": 0.0},
        {"stage": "proposal", "count": 2, "value": 50.25},
        {"stage": "negotiation", "count": 0, "value": 0.0},
        {"stage": "closed_won", "count": 0, "value": 0.0},
        {"stage": "closed_lost", "count": 0, "value": 0.0},
    ]
    found = sam_api.get("/api/admin/deals", {"search": "ELM.com cedar"}).json()
    assert (names(found, "deals"), found["stages"][2]) == (["Cedar"], {"stage": "proposal", "count": 1, "value": 30.25})


def test_the_board_finds_what_closes(sam_api: APIClient) -> None:
    for days in (-1, 0, 30, 31):
        deal(str(days), days=days)
    deal("Lost", stage=Stage.CLOSED_LOST, days=-1)
    found = {
        closing: names(sam_api.get("/api/admin/deals", {"closing": closing}).json(), "deals")
        for closing in ("overdue", "soon")
    }
    assert found == {"overdue": ["-1"], "soon": ["0", "30"]}
    assert sam_api.get("/api/admin/deals", {"closing": "never"}).status_code == 400


def test_a_long_stage_is_cut_and_still_counted(sam_api: APIClient) -> None:
    Deal.objects.bulk_create(
        Deal(company_name=f"D{number}", contact_name="E", contact_email="e@elm.com", value=1, position=number,
             expected_close_date=TODAY, stage=Stage.CLOSED_LOST)
        for number in range(COLUMN_ROWS + 1)
    )  # fmt: skip
    told = sam_api.get("/api/admin/deals").json()
    assert (len(told["deals"]), told["deals"][-1]["companyName"]) == (100, "D99")
    assert told["stages"][5] == {"stage": "closed_lost", "count": 101, "value": 101.0}


@pytest.mark.spec("CRM-010", "CRM-014")
@pytest.mark.parametrize("auto_renewal", [False, True])
@pytest.mark.parametrize("cancelled_at", [None, NOW])
def test_a_status_is_found_by_the_rule_that_tells_it(auto_renewal: bool, cancelled_at: datetime | None) -> None:
    made = [contract("Elm", days, auto_renewal=auto_renewal, cancelled_at=cancelled_at) for days in (-2, -1, 0, 30, 31)]
    found = {
        row.pk: status
        for status in ContractStatus
        for row in Contract.objects.filter(contracts.filter_status(status, TODAY))
    }
    assert found == {row.pk: row.status(TODAY) for row in made}


@pytest.mark.spec("CRM-002", "CRM-003", "LIM-008")
def test_alerts_about_renewal(sam_api: APIClient) -> None:
    contract("Yesterday", -1)
    contract("Today", 0, "20000")
    contract("Last day", 30, "20000.01")
    contract("Later", 31, "90000")
    contract("Cancelled", 5, "90000", cancelled_at=NOW)
    expiring = sam_api.get("/api/admin/contracts", {"alert": "expiring_soon"}).json()
    worthy = sam_api.get("/api/admin/contracts", {"alert": "renewal_opportunities"}).json()
    assert (names(expiring), expiring["total"]) == (["Today", "Last day"], 2)
    assert (names(worthy), worthy["total"]) == (["Last day", "Later"], 2)


@pytest.mark.spec("CRM-009", "CRM-010")
def test_contracts_are_found_sorted_and_counted(sam_api: APIClient) -> None:
    contract("Cedar", 40, "30")
    contract("Ash", 10, "20", quote_id="Q-ASH-1")
    contract("Birch", -10, "10")
    contract("Dogwood", 50, "40", cancelled_at=NOW)

    def found(**query: Any) -> list[str]:
        return names(sam_api.get("/api/admin/contracts", query).json())

    assert found() == ["Birch", "Ash", "Cedar", "Dogwood"]
    assert found(status="running") == ["Ash", "Cedar"]
    assert [found(status=status) for status in ("active", "expiring", "expired", "cancelled")] == [
        ["Cedar"], ["Ash"], ["Birch"], ["Dogwood"],
    ]  # fmt: skip
    assert found(sort="company") == ["Ash", "Birch", "Cedar", "Dogwood"]
    assert found(sort="value", order="desc") == ["Dogwood", "Cedar", "Ash", "Birch"]
    assert found(search="q-ash enterprise") == ["Ash"]
    assert sam_api.get("/api/admin/contracts", {"search": "Ash"}).json()["counts"] == {
        "active": 1, "expiring": 1, "expired": 1, "cancelled": 1,
    }  # fmt: skip
    for wrong in ({"sort": "plan"}, {"order": "up"}, {"page": 0}, {"status": "ended"}, {"alert": "x"}):
        assert sam_api.get("/api/admin/contracts", wrong).status_code == 400


def test_contracts_come_by_page(sam_api: APIClient) -> None:
    for number in range(PAGE_ROWS + 1):
        contract(f"C{number:02}", 100 + number)
    first, second = (sam_api.get("/api/admin/contracts", {"page": page}).json() for page in (1, 2))
    assert (len(first["contracts"]), first["next"], first["total"]) == (50, 2, 51)
    assert (names(second), second["next"]) == (["C50"], None)


def test_lists_cost_the_same_however_long_they_are(sam_api: APIClient) -> None:
    calls = ("/api/admin/deals", "/api/admin/contracts", "/api/admin/contacts", "/api/admin/newsletter")

    def cost() -> list[int]:
        return [queries(sam_api, path) for path in calls]

    def grow(count: int) -> None:
        for number in range(count):
            deal(f"D{number}")
            contract(f"C{number}")
            Message.objects.create(name="Ida", email="ida@holm.org", subject="Lists", text="How?")
            Subscriber.objects.create(email=f"{count}-{number}@holm.org")

    grow(2)
    few = cost()
    grow(20)
    assert cost() == few


@pytest.mark.spec("SEC-014")
def test_what_staff_do_leaves_a_trace(sam: User, sam_api: APIClient) -> None:
    message = Message.objects.create(name="Ida", email="ida@holm.org", subject="Lists", text="How?")
    made = sam_api.post(
        "/api/admin/deals",
        {"companyName": "Elm", "contactName": "Erin", "contactEmail": "e@elm.com", "dealValue": 1,
         "expectedCloseDate": "2032-06-30"},
        format="json",
    ).json()["deal"]  # fmt: skip
    path = f"/api/admin/deals/{made['id']}"
    sam_api.put(path, {"dealValue": 2}, format="json")
    sam_api.post(f"{path}/move", {"stage": "proposal"}, format="json")
    sam_api.post(f"{path}/notes", {"text": "Likes us"}, format="json")
    sam_api.post(f"{path}/contact")
    sam_api.delete(path)
    sam_api.put(f"/api/admin/contacts/{message.pk}", {"state": "answered"}, format="json")
    told = Activity.objects.filter(staff_id=sam.pk).order_by("pk").values_list("action", "target")
    target = f"deal:{made['id']}"
    assert list(told) == [
        ("Deal created", target), ("Deal edited", target), ("Deal moved", target), ("Deal noted", target),
        ("Deal contacted", target), ("Deal deleted", target), ("Message marked answered", f"message:{message.pk}"),
    ]  # fmt: skip


@pytest.mark.spec("PUB-077", "SEC-014")
def test_subscribers_are_handed_out_as_a_file(sam: User, sam_api: APIClient) -> None:
    first = Subscriber.objects.create(email="a@holm.org", state="confirmed", confirmed_at=NOW)
    Subscriber.objects.create(email="=b@holm.org", state="pending")
    answer = sam_api.get("/api/admin/newsletter/export")
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/csv; charset=utf-8", "no-store")
    assert answer["Content-Disposition"] == 'attachment; filename="newsletter-subscribers.csv"'
    link = mail.build_link(f"/newsletter/unsubscribe?token={newsletter.build_unsubscribe_token(first)}")
    assert answer.getvalue().decode().splitlines() == [
        '"Email","State","Asked (UTC)","Confirmed (UTC)","Unsubscribed (UTC)","Unsubscribe link"',
        '"\'=b@holm.org","pending","2032-03-01T12:00:00+00:00","","",""',
        f'"a@holm.org","confirmed","2032-03-01T12:00:00+00:00","2032-03-01T12:00:00+00:00","","{link}"',
    ]
    some = sam_api.get("/api/admin/newsletter/export", {"state": "confirmed"}).getvalue().decode()
    assert ("a@holm.org" in some, "=b@holm.org" in some) == (True, False)
    assert Activity.objects.filter(action="Newsletter subscribers exported", staff_id=sam.pk).count() == 2
    listed = sam_api.get("/api/admin/newsletter", {"state": "pending"}).json()["subscribers"]
    assert [row["email"] for row in listed] == ["=b@holm.org"]


@pytest.mark.spec("SEC-015")
def test_subscribers_are_handed_out_to_who_was_confirmed_lately(sam_api: APIClient) -> None:
    SignIn.objects.update(confirmed_at=NOW - timedelta(minutes=16))
    refused = sam_api.get("/api/admin/newsletter/export")
    assert (refused.status_code, refused.json()["code"]) == (403, "REAUTH_REQUIRED")
    assert not Activity.objects.filter(action="Newsletter subscribers exported").exists()
