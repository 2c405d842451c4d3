"""Django's admin of the sales tables: found, filtered, never written."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.users.models import User
from conftest import browser_of
from crm.contracts.models import Contract
from crm.deals.models import Deal, DealEvent, Stage
from crm.messages.models import Message, Subscriber

pytestmark = pytest.mark.django_db
NOW = datetime(2032, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def office(sam: User) -> Client:
    return browser_of(sam)


def rows(office: Client, table: str, **query: str) -> list[str]:
    answer: Any = office.get(f"/django-admin/crm/{table}/", query)
    assert answer.status_code == 200
    return [str(row) for row in answer.context["cl"].result_list]


def contract(name: str, ends_on: date, **fields: Any) -> None:
    Contract.objects.create(
        company_name=name, plan="P", starts_on=date(2031, 1, 1), ends_on=ends_on, value=Decimal(1), **fields
    )


def test_contracts_are_filtered_by_their_status(office: Client) -> None:
    contract("Ash", date(2032, 2, 1))
    contract("Birch", date(2032, 3, 31))
    contract("Cedar", date(2032, 4, 1))
    contract("Dogwood", date(2032, 4, 1), cancelled_at=NOW)
    found = {
        status: rows(office, "contract", status=status) for status in ("expired", "expiring", "active", "cancelled")
    }
    assert found == {
        "expired": ["Ash: P"], "expiring": ["Birch: P"], "active": ["Cedar: P"], "cancelled": ["Dogwood: P"],
    }  # fmt: skip
    assert rows(office, "contract", q="birch") == ["Birch: P"]


def test_deals_their_history_messages_and_subscribers_are_found(office: Client) -> None:
    for name, stage in (("Ash", Stage.PROSPECT), ("Birch", Stage.PROPOSAL)):
        deal = Deal.objects.create(
            company_name=name, contact_name="Erin", contact_email="e@elm.com", value=1, stage=stage,
            expected_close_date=date(2032, 6, 1),
        )  # fmt: skip
        DealEvent.objects.create(deal=deal, staff_id=1, action="noted", text=f"About {name}")
    Message.objects.create(name="Ida", email="ida@holm.org", subject="Lists", text="How many?")
    Subscriber.objects.create(email="a@holm.org", state="confirmed")
    assert rows(office, "deal", stage="proposal") == ["Birch"]
    assert rows(office, "dealevent", q="ash") == ["noted"]
    assert (rows(office, "message", q="many"), rows(office, "message", state="closed")) == (["Lists"], [])
    assert rows(office, "subscriber", state="confirmed") == ["a@holm.org"]
    assert office.get("/django-admin/crm/deal/add/").status_code == 403
