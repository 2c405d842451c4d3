"""Deals on the board and the contracts that come of them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.db import connection
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from conftest import client_of
from crm.contracts import services as contracts
from crm.contracts.models import Contract
from crm.deals import services as deals
from crm.deals.models import Deal, DealEvent, Stage

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
NOW = datetime(2032, 2, 29, 12, tzinfo=UTC)
ELM = {
    "companyName": "Elm Inc",
    "contactName": "Erin Elm",
    "contactEmail": "erin@elm.com",
    "dealValue": "12000.50",
    "expectedCloseDate": "2032-06-30",
}
CONTRACT = {
    "companyName": "Elm Inc",
    "plan": "Enterprise",
    "startDate": "2032-03-01",
    "endDate": "2033-02-28",
    "value": 24_000,
}


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def sam_api(sam: User) -> APIClient:
    return client_of(sam)


def create_deal(api: APIClient, **fields: Any) -> Any:
    answer = api.post("/api/admin/deals", {**ELM, **fields}, format="json")
    assert answer.status_code == 201, answer.json()
    return answer.json()["deal"]


def load_board(api: APIClient) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for deal in api.get("/api/admin/deals").json()["deals"]:
        found.setdefault(deal["stage"], []).append(deal["companyName"])
    return found


@pytest.mark.spec("CRM-005", "CRM-007", "CRM-008")
def test_a_deal_is_made_and_listed(sam_api: APIClient) -> None:
    answer = sam_api.post("/api/admin/deals", {**ELM, "stage": "proposal", "notes": "By phone"}, format="json")
    assert (answer.status_code, answer.json()["success"], answer.json()["message"]) == (
        201,
        True,
        "Deal created successfully!",
    )
    (seen,) = sam_api.get("/api/admin/deals").json()["deals"]
    assert (
        seen
        == answer.json()["deal"]
        == {
            "id": Deal.objects.get().pk,
            "companyName": "Elm Inc",
            "contactName": "Erin Elm",
            "contactEmail": "erin@elm.com",
            "dealValue": 12000.5,
            "stage": "proposal",
            "expectedCloseDate": "2032-06-30",
            "notes": "By phone",
            "createdAt": "2032-02-29T12:00:00Z",
            "lastContact": None,
        }
    )


@pytest.mark.spec("CRM-005", "CRM-006")
@pytest.mark.parametrize(
    "fields",
    [
        {"companyName": ""},
        {"contactName": None},
        {"contactEmail": "nobody"},
        {"dealValue": -0.01},
        {"dealValue": "NaN"},
        {"expectedCloseDate": "soon"},
        {"stage": "closed_won"},
        {"stage": "closed_lost"},
    ],
)
def test_a_deal_that_cannot_be_is_not_made(sam_api: APIClient, fields: dict[str, Any]) -> None:
    answer = sam_api.post("/api/admin/deals", {**ELM, **fields}, format="json")
    assert (answer.status_code, Deal.objects.count()) == (400, 0)


@pytest.mark.spec("CRM-006", "CRM-011")
def test_deals_are_moved_over_the_board_in_their_order(sam_api: APIClient) -> None:
    ids = {name: create_deal(sam_api, companyName=name)["id"] for name in "ABCD"}

    def move(name: str, **to: Any) -> int:
        return sam_api.post(f"/api/admin/deals/{ids[name]}/move", to, format="json").status_code

    assert load_board(sam_api) == {"prospect": ["A", "B", "C", "D"]}
    assert move("D", stage="prospect", position=0) == 200
    assert load_board(sam_api) == {"prospect": ["D", "A", "B", "C"]}
    assert move("B", stage="qualified") == 200
    assert move("A", stage="qualified", position=0) == 200
    assert move("C", stage="qualified", position=1) == 200
    assert load_board(sam_api) == {"prospect": ["D"], "qualified": ["A", "C", "B"]}
    assert move("D", stage="closed_lost", position=99) == 200
    assert (move("D", stage="nowhere"), move("D", stage="prospect", position=-1)) == (400, 400)
    assert load_board(sam_api) == {"closed_lost": ["D"], "qualified": ["A", "C", "B"]}


@pytest.mark.spec("CRM-011")
def test_a_deal_keeps_its_history(sam: User, sam_api: APIClient) -> None:
    who = "Sam Staff (sam@emailcheck.app)"
    path = f"/api/admin/deals/{create_deal(sam_api)['id']}"
    edited = sam_api.put(path, {"dealValue": 100, "stage": "proposal"}, format="json").json()["deal"]
    assert (edited["dealValue"], edited["stage"], edited["companyName"]) == (100.0, "proposal", "Elm Inc")
    assert sam_api.put(path, {"dealValue": 100}, format="json").status_code == 200
    note = sam_api.post(f"{path}/notes", {"text": "Likes <b>us</b>"}, format="json")
    contacted = sam_api.post(f"{path}/contact").json()
    assert (note.status_code, note.json()["note"]["text"], note.json()["note"]["user"]) == (
        201,
        "Likes <b>us</b>",
        who,
    )
    assert contacted["deal"]["lastContact"] == "2032-02-29T12:00:00Z"
    told = sam_api.get(path).json()
    assert [(one["action"], one["text"], one["user"]) for one in told["history"]] == [
        ("contacted", "", who),
        ("noted", "Likes <b>us</b>", who),
        ("edited", "value", who),
        ("moved", "Prospect to Proposal", who),
        ("created", "", who),
    ]
    assert (told["contract_id"], told["deal"]["lastContact"]) == (None, "2032-02-29T12:00:00Z")


@pytest.mark.spec("CRM-014")
def test_a_deal_that_is_won_has_one_contract(sam_api: APIClient) -> None:
    deal = create_deal(sam_api)
    path = f"/api/admin/deals/{deal['id']}"
    for stage in ("closed_won", "negotiation", "closed_won"):
        assert sam_api.post(f"{path}/move", {"stage": stage}, format="json").status_code == 200
    (contract,) = sam_api.get("/api/admin/contracts").json()["contracts"]
    assert contract == {
        "id": Contract.objects.get().pk,
        "companyName": "Elm Inc",
        "plan": "Custom",
        "startDate": "2032-02-29",
        "endDate": "2033-02-28",
        "value": 12000.5,
        "status": "active",
        "renewalDate": "2033-02-28",
        "autoRenewal": False,
        "deal_id": deal["id"],
        "quote_id": None,
    }
    assert sam_api.get(path).json()["contract_id"] == contract["id"]
    refused = sam_api.post("/api/admin/contracts", {**CONTRACT, "deal_id": deal["id"]}, format="json")
    assert (refused.status_code, refused.json()["detail"]) == (409, "This deal already has a contract")
    kept = sam_api.delete(path)
    assert (kept.status_code, kept.json()["detail"]) == (409, "A deal with a contract cannot be deleted")
    assert (Deal.objects.count(), Contract.objects.count()) == (1, 1)


@pytest.mark.spec("CRM-011")
def test_a_deal_without_a_contract_is_deleted(sam_api: APIClient) -> None:
    path = f"/api/admin/deals/{create_deal(sam_api)['id']}"
    assert sam_api.delete(path).json() == {"success": True, "message": "Deal deleted"}
    gone = sam_api.delete(path)
    assert (gone.status_code, gone.json()["detail"], DealEvent.objects.count()) == (404, "Deal not found", 0)
    assert Activity.objects.filter(action="Deal deleted").count() == 1


@pytest.mark.spec("CRM-009", "CRM-010", "CRM-014")
@pytest.mark.parametrize(
    ("today", "auto_renewal", "status"),
    [
        ("2033-01-28", False, "active"),
        ("2033-01-29", False, "expiring"),
        ("2033-02-28", False, "expiring"),
        ("2033-03-01", False, "expired"),
        ("2033-03-01", True, "active"),
    ],
)
def test_a_contract_has_the_status_of_its_dates(today: str, auto_renewal: bool, status: str) -> None:
    contract = Contract(starts_on=date(2032, 3, 1), ends_on=date(2033, 2, 28), auto_renewal=auto_renewal)
    assert contract.status(date.fromisoformat(today)) == status
    contract.cancelled_at = NOW
    assert contract.status(date.fromisoformat(today)) == "cancelled"


@pytest.mark.spec("CRM-009", "CRM-011", "CRM-014")
def test_a_contract_is_written_edited_cancelled_and_deleted_by_hand(sam_api: APIClient) -> None:
    answer = sam_api.post("/api/admin/contracts", {**CONTRACT, "renewalDate": "2033-01-31"}, format="json")
    contract = answer.json()["contract"]
    assert (contract["endDate"], contract["renewalDate"]) == ("2033-02-28", "2033-01-31")
    assert (answer.status_code, contract["status"], contract["autoRenewal"]) == (201, "active", False)
    path = f"/api/admin/contracts/{contract['id']}"
    assert sam_api.get(path).json() == {"contract": contract}

    def change(**fields: Any) -> Any:
        return sam_api.put(path, fields, format="json").json()

    assert change(value=1, autoRenewal=True)["contract"] | {"value": 24_000.0, "autoRenewal": False} == contract
    assert change(status="cancelled")["contract"]["status"] == "cancelled"
    assert change(status="active")["contract"]["status"] == "active"
    refused = change(endDate="2032-03-01")
    assert (refused["code"], Contract.objects.get().ends_on) == ("VALIDATION_ERROR", date(2033, 2, 28))
    assert sam_api.delete(path).json() == {"success": True, "message": "Contract deleted"}
    assert sam_api.delete(path).json()["detail"] == "Contract not found"


@pytest.mark.spec("CRM-014")
@pytest.mark.parametrize("fields", [{"endDate": "2032-03-01"}, {"value": -1}, {"plan": ""}, {"deal_id": 99_999}])
def test_a_contract_that_cannot_be_is_not_written(sam_api: APIClient, fields: dict[str, Any]) -> None:
    answer = sam_api.post("/api/admin/contracts", {**CONTRACT, **fields}, format="json")
    assert (answer.status_code, Contract.objects.count()) == (404 if "deal_id" in fields else 400, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("CRM-014")
def test_of_sixteen_at_once_that_win_a_deal_one_writes_the_contract(sam: User) -> None:
    terms = deals.DealTerms(
        company_name="Elm", contact_name="Erin", contact_email="e@elm.com", value=contracts.RENEWAL_VALUE,
        expected_close_date=date(2032, 6, 30),
    )  # fmt: skip
    ids = [deals.create_deal(staff=sam, terms=terms).pk for _ in range(2)]

    def win(number: int) -> None:
        try:
            deals.move_deal(staff=sam, deal_id=ids[number % 2], stage=Stage.CLOSED_WON, position=0)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(win, range(16)))
    assert sorted(Contract.objects.values_list("deal_id", flat=True)) == ids
    assert sorted(Deal.objects.values_list("position", flat=True)) == [0, 1]
