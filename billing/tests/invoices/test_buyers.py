"""Who bought stays on issued documents when the account goes: for the legal time, and seen with a reason alone."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client
from rest_framework.test import APIClient

from accounts.activity.models import Activity, ActivityKind
from accounts.organisations.models import Organisation
from accounts.privacy import services as privacy
from accounts.users.models import User
from billing import tasks
from billing.invoices import pdf
from billing.invoices.models import Invoice
from billing.payments.models import Payment
from billing.refunds import services as refunds
from billing.tests.paid import captured
from conftest import browser_of, client_of
from emailcheck.common import personal
from emailcheck.common.testing import run_sixteen
from tests.paypal import NOW

pytestmark = pytest.mark.postgres

BUYER = {
    "name": "Alice Alder", "company": "Alder & Ash", "address": "1 Quay, Hull", "email": "alice@alder.com",
    "vat_id": "GB123456789",
}  # fmt: skip
WHY = {"reason": "Tax audit of 2030"}


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as found:
        yield found


@pytest.fixture
def paid(alice: User, clock: time_machine.Traveller) -> Payment:
    """A payment of Alice that was given back: an invoice and a credit note."""
    Organisation.objects.filter(holder=alice).update(**{name: BUYER[name] for name in ("company", "address", "vat_id")})
    payment = captured(User.objects.get(pk=alice.pk))
    refunds.complete_refund(payment_id=payment.pk)
    return payment


def delete(user: User) -> None:
    privacy.close_account(user=user)
    personal.erase_person(user.pk)
    assert not User.objects.filter(pk=user.pk).exists()


def documents() -> list[Invoice]:
    return list(Invoice.objects.order_by("pk"))


def ask(api: APIClient, document: Invoice, **body: Any) -> Any:
    return api.post(f"/api/admin/invoices/{document.pk}/buyer", body, format="json")


@pytest.mark.finding("D3")
@pytest.mark.spec("ADM-226", "SET-058")
def test_issued_documents_stay_as_they_were_when_the_account_goes(paid: Payment, alice: User) -> None:
    before = [(row.number, row.total, row.buyer, pdf.render_pdf(row)) for row in documents()]
    assert [row[:3] for row in before] == [
        ("INV-2030-000001", Decimal("59.00"), BUYER), ("CN-2030-000001", Decimal("-59.00"), BUYER),
    ]  # fmt: skip
    delete(alice)
    assert [row.organisation_id for row in documents()] == [None, None]
    assert [(row.number, row.total, row.buyer, pdf.render_pdf(row)) for row in documents()] == before
    paid.refresh_from_db()
    assert (paid.organisation_id, paid.payer_id, paid.payer_email) == (None, "", "")  # what no document needs is gone


@pytest.mark.finding("D3")
@pytest.mark.spec("ADM-226")
def test_the_buyer_goes_when_the_legal_time_is_over(
    paid: Payment, alice: User, bob: User, clock: time_machine.Traveller, settings: Any
) -> None:
    captured(bob, "CAP-B")
    delete(alice)
    settings.INVOICE_BUYER_YEARS = 7
    clock.move_to(NOW.replace("2030", "2037"))
    tasks.forget_buyers()
    assert [row.buyer.get("name") for row in documents()] == ["Alice Alder", "Alice Alder", "Bob Birch"]
    clock.shift(timedelta(seconds=1))
    tasks.forget_buyers()
    tasks.forget_buyers()
    assert [row.buyer.get("name") for row in documents()] == [None, None, "Bob Birch"]  # who is a customer still
    assert [(row.number, row.total) for row in documents()][:2] == [
        ("INV-2030-000001", Decimal("59.00")), ("CN-2030-000001", Decimal("-59.00")),
    ]  # fmt: skip
    assert pdf.render_pdf(documents()[0]).startswith(b"%PDF-")


@pytest.mark.finding("D3")
def test_the_time_is_ten_years_unless_it_is_set(settings: Any) -> None:
    assert settings.INVOICE_BUYER_YEARS == 10


@pytest.mark.finding("D3")
@pytest.mark.spec("ADM-226")
def test_staff_see_a_deleted_buyer_with_a_reason_that_is_on_record(paid: Payment, alice: User, sam: User) -> None:
    api, (invoice, note) = client_of(sam), documents()
    delete(alice)
    shown = api.get(f"/api/admin/payments/{paid.pk}")
    told = shown.json()
    assert (told["customer"], told["customer_email"], told["invoice_id"], told["names_buyer"]) == (
        "Deleted account", "", invoice.pk, True,
    )  # fmt: skip
    assert "alder" not in shown.content.decode().lower()
    for wrong in ({}, {"reason": ""}, {"reason": "  "}, {"reason": "x" * 501}):
        assert ask(api, invoice, **wrong).status_code == 400
    assert not Activity.objects.filter(action__contains="buyer").exists()
    answer = ask(api, invoice, **WHY)
    assert (answer.status_code, answer.json(), answer["Cache-Control"]) == (200, BUYER, "no-store")
    assert ask(api, note, **WHY).json() == BUYER
    lines = Activity.objects.filter(action__contains="buyer").order_by("pk")
    assert [(line.organisation_id, line.staff_id, line.target, line.changes, line.kind) for line in lines] == [
        (None, sam.pk, document.number, WHY, ActivityKind.STAFF) for document in (invoice, note)
    ]
    audit = api.get("/api/admin/audit", {"action": "buyer"}).json()["entries"]
    assert [(line["user"], line["target"], line["changes"]) for line in audit] == [
        (f"{sam.name} ({sam.email})", number, WHY) for number in ("CN-2030-000001", "INV-2030-000001")
    ]


@pytest.mark.finding("D3")
def test_a_customer_finds_in_the_activity_that_staff_looked(paid: Payment, alice_api: APIClient, sam: User) -> None:
    invoice, _ = documents()
    assert ask(client_of(sam), invoice, **WHY).json() == BUYER
    lines = alice_api.get("/api/user/activity").json()
    assert "Staff looked at the buyer of INV-2030-000001" in [line["action"] for line in lines["activity"]]


@pytest.mark.finding("D3")
@pytest.mark.spec("SEC-010")
def test_others_do_not_see_it_and_leave_no_line(paid: Payment, alice_api: APIClient, bob_api: APIClient) -> None:
    invoice, _ = documents()
    for api in (alice_api, bob_api, APIClient()):
        assert ask(api, invoice, **WHY).status_code in {401, 403}
    assert not Activity.objects.filter(action__contains="buyer").exists()


@pytest.mark.finding("D3")
def test_a_document_that_names_nobody_any_more_is_not_looked_at(paid: Payment, alice: User, sam: User) -> None:
    api, (invoice, _) = client_of(sam), documents()
    delete(alice)
    Invoice.objects.update(buyer={})
    assert api.get(f"/api/admin/payments/{paid.pk}").json()["names_buyer"] is False
    assert (ask(api, invoice, **WHY).status_code, ask(api, Invoice(pk=999), **WHY).status_code) == (404, 404)
    assert not Activity.objects.filter(action__contains="buyer").exists()


@pytest.mark.finding("D3")
def test_djangos_admin_does_not_show_the_buyer(paid: Payment, alice: User, sam: User) -> None:
    invoice, _ = documents()
    delete(alice)
    page = browser_of(sam).get(f"/django-admin/billing/invoice/{invoice.pk}/change/")
    assert page.status_code == 200
    assert (b"INV-2030-000001" in page.content, b"Alder" in page.content) == (True, False)


@pytest.mark.finding("D3")
def test_an_account_that_is_being_deleted_buys_under_no_name(alice: User) -> None:
    privacy.close_account(user=alice)
    assert captured(User.objects.get(pk=alice.pk)).invoice.buyer == {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.finding("D3")
def test_sixteen_times_at_once_the_time_is_over_once(paid: Payment, alice: User, clock: time_machine.Traveller) -> None:
    delete(alice)
    clock.shift(timedelta(days=3_700))
    run_sixteen(lambda _: tasks.forget_buyers())
    assert [(row.number, row.buyer) for row in documents()] == [("INV-2030-000001", {}), ("CN-2030-000001", {})]


@pytest.mark.django_db
@pytest.mark.finding("D3")
@pytest.mark.spec("ADM-226", "SET-058")
def test_the_privacy_policy_says_what_stays_for_how_long(client: Client, settings: Any) -> None:
    settings.INVOICE_BUYER_YEARS = 8
    page = " ".join(client.get("/privacy").content.decode().split())
    assert "they go on naming who bought" in page
    assert "8 years after their issue" in page
    assert "8 years after they were issued" in page
