"""Staff see the addresses of a customer's list with a reason alone, and the customer reads who looked and why."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.activity.models import Activity, ActivityKind
from accounts.users.models import User
from adminpanel.customers.list_addresses import services as list_addresses
from conftest import client_of, client_with
from emailcheck.common.testing import run_sixteen
from validation.batches.models import Batch
from validation.results.models import Result
from validation.tests.stored import finished, single

pytestmark = pytest.mark.postgres

WHY = {"reason": "Ticket 4711: two rows are unknown"}
ROWS = [("Ida.Holm@quillharbor.com", "valid"), ("jon@quillharbor.com", "unknown"), ("kim@quillharbor.com", "invalid")]
WRONG_REASONS: list[dict[str, str]] = [{}, {"reason": ""}, {"reason": "  "}, {"reason": "x" * 121}]


@pytest.fixture
def batch(alice: User) -> Batch:
    return finished(alice, ROWS)


def show_addresses(api: APIClient, batch: Batch, **body: Any) -> Any:
    return api.post(f"/api/admin/users/{batch.organisation_id}/lists/{batch.public_id}/addresses", body, format="json")


def search_address(api: APIClient, user: User, **body: Any) -> Any:
    return api.post(f"/api/admin/users/{user.pk}/addresses", body, format="json")


def list_noted() -> list[str]:
    lines = Activity.objects.filter(kind=ActivityKind.STAFF).order_by("pk")
    return list(lines.values_list("action", flat=True))


@pytest.mark.finding("C5")
@pytest.mark.spec("ADM-230")
def test_addresses_are_shown_with_a_reason_that_the_customer_reads(batch: Batch, alice: User, sam: User) -> None:
    api, told = client_of(sam), f"Staff looked at the addresses of list {batch.public_id}: {WHY['reason']}"
    answer = show_addresses(api, batch, **WHY)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json() == {
        "addresses": [
            {"row": number, "email": email, "category": category}
            for number, (email, category) in enumerate(ROWS, start=1)
        ],
        "total": 3, "next": None,
    }  # fmt: skip
    line = Activity.objects.get(kind=ActivityKind.STAFF)
    assert (line.user, line.target, line.changes, line.action) == (alice, batch.public_id, WHY, told)
    assert (line.staff_id, line.staff_name, line.staff_email) == (sam.pk, sam.name, sam.email)
    mine = client_of(alice).get("/api/user/activity", {"kind": "staff"}).json()["activity"]
    assert [(one["action"], one["by_staff"]) for one in mine] == [(told, True)]
    audit = api.get("/api/admin/audit", {"action": "addresses of list"}).json()["entries"]
    assert [(entry["user"], entry["changes"]) for entry in audit] == [(f"{sam.name} ({sam.email})", WHY)]


@pytest.mark.finding("C5")
@pytest.mark.spec("ADM-230")
@pytest.mark.parametrize("wrong", WRONG_REASONS)
def test_without_a_reason_nothing_is_shown_and_nothing_noted(batch: Batch, sam: User, wrong: dict[str, str]) -> None:
    api = client_of(sam)
    answers = [
        show_addresses(api, batch, **wrong),
        search_address(api, batch.organisation.contact, address=ROWS[0][0], **wrong),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
        assert "quillharbor" not in answer.content.decode()
    assert list_noted() == []


@pytest.mark.finding("C5")
@pytest.mark.spec("SEC-010", "ADM-230")
def test_others_see_nothing_and_leave_no_line(batch: Batch, alice: User, bob: User, sam: User) -> None:
    viewing = client_of(sam).post(f"/api/admin/users/{alice.pk}/view-as", WHY, format="json").json()["token"]
    before = list_noted()
    for api in (client_of(alice), client_of(bob), APIClient(), client_with(viewing)):
        for answer in (show_addresses(api, batch, **WHY), search_address(api, alice, address=ROWS[0][0], **WHY)):
            assert answer.status_code in {401, 403}
            assert "quillharbor" not in answer.content.decode()
    assert list_noted() == before


@pytest.mark.finding("C5")
def test_what_is_not_there_or_not_of_that_account_is_not_noted(batch: Batch, bob: User, sam: User) -> None:
    api, path = client_of(sam), f"/lists/{batch.public_id}/addresses"
    assert api.post(f"/api/admin/users/{bob.pk}{path}", WHY, format="json").status_code == 404
    assert api.post(f"/api/admin/users/4711{path}", WHY, format="json").status_code == 404
    assert show_addresses(api, batch, cursor="made up", **WHY).status_code == 400
    Result.objects.all().delete()
    gone = show_addresses(api, batch, **WHY)
    assert (gone.status_code, gone.json()["detail"]) == (404, "No checked address of this list is kept")
    assert list_noted() == []


@pytest.mark.finding("C5")
@pytest.mark.spec("ADM-230", "ADM-219")
def test_accounts_of_staff_and_protected_ones_are_not_looked_into(alice: User, sam: User, settings: Any) -> None:
    settings.PROTECTED_ADMIN_EMAILS = [alice.email]
    for owner in (alice, sam):
        batch = finished(owner, ROWS)
        for answer in (
            show_addresses(client_of(sam), batch, **WHY),
            search_address(client_of(sam), owner, address="a@b.com", **WHY),
        ):
            assert (answer.status_code, answer.json()["code"]) == (403, "PROTECTED_ACCOUNT")
    assert list_noted() == []


@pytest.mark.finding("C5")
def test_a_long_list_comes_by_pages_that_are_one_look(alice: User, sam: User) -> None:
    addresses = [f"person{number}@quillharbor.com" for number in range(1, list_addresses.PAGE_ROWS * 2 + 2)]
    batch = finished(alice, [(address, "valid") for address in addresses])
    seen: list[str] = []
    cursor: str | None = ""
    pages = 0
    with time_machine.travel("2030-01-01 12:00:00+00:00", tick=False) as clock:
        api = client_of(sam)
        while cursor is not None:
            page = show_addresses(api, batch, cursor=cursor, **WHY).json()
            seen += [row["email"] for row in page["addresses"]]
            cursor, pages = page["next"], pages + 1
            assert page["total"] == len(addresses)
        assert (seen, pages, len(list_noted())) == (addresses, 3, 1)
        show_addresses(api, batch, reason="Another one")
        assert len(list_noted()) == 2
        clock.shift(timedelta(minutes=14, seconds=59))
        show_addresses(api, batch, **WHY)
        assert len(list_noted()) == 2
        clock.shift(timedelta(seconds=1))
        show_addresses(client_of(sam), batch, **WHY)
        assert len(list_noted()) == 3


@pytest.mark.finding("C5")
@pytest.mark.spec("ADM-230")
def test_one_address_is_found_in_lists_and_single_checks(batch: Batch, alice: User, bob: User, sam: User) -> None:
    finished(bob, [("ida.holm@quillharbor.com", "invalid")])
    alone = single(alice, "ida.holm@quillharbor.com", "catch_all")
    listed = Result.objects.get(batch=batch, position=1)
    answer = search_address(client_of(sam), alice, address=" IDA.holm@quillharbor.com ", **WHY)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert [(one["list_id"], one["row"], one["category"]) for one in answer.json()["found"]] == [
        (None, 0, "catch_all"), (batch.public_id, 1, "valid"),
    ]  # fmt: skip
    assert alone.pk > listed.pk
    assert search_address(client_of(sam), alice, address="ida.holm@quillharbor", **WHY).json() == {"found": []}
    assert list_noted() == [f"Staff searched the lists for one address: {WHY['reason']}"] * 2
    assert "quillharbor" not in str(Activity.objects.values_list("action", "target", "changes"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.finding("C5")
def test_sixteen_pages_at_once_are_one_look_and_sixteen_searches_are_sixteen(batch: Batch, sam: User) -> None:
    api = client_of(sam)
    assert run_sixteen(lambda _: show_addresses(api, batch, **WHY).status_code) == [200] * 16
    assert len(list_noted()) == 1
    assert (
        run_sixteen(lambda _: search_address(api, batch.organisation.contact, address="a@b.com", **WHY).status_code)
        == [200] * 16
    )
    assert len(list_noted()) == 17
