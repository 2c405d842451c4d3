"""What invoices of an organisation name."""

from io import BytesIO

import pytest
from django.core import mail as django_mail
from pypdf import PdfReader
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.invoices.pdf import render_pdf
from billing.tests.paid import captured
from emailcheck.common.testing import drain_queue

pytestmark = pytest.mark.django_db
PATH = "/api/organisation/billing"
EMPTY = {"company": "", "address": "", "vat_id": "", "billing_email": "", "purchase_order": ""}


@pytest.mark.spec("ORG-002")
def test_billing_details_are_kept(alice: User, alice_api: APIClient) -> None:
    assert alice_api.get(PATH).json() == EMPTY
    given = {"vat_id": "de 123.456.789", "billing_email": "books@alder.com", "purchase_order": "PO-77"}
    for _ in range(2):
        answer = alice_api.put(PATH, given, format="json")
        assert (answer.status_code, answer.json()) == (200, EMPTY | given | {"vat_id": "DE123456789"})
    assert alice_api.get(PATH).json()["purchase_order"] == "PO-77"
    assert Activity.objects.filter(action="Billing details changed").count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"vat_id": "DE12345678"}, "vat_id"),
        ({"vat_id": "US123456789"}, "vat_id"),
        ({"billing_email": "nobody"}, "billing_email"),
        ({"purchase_order": "x" * 51}, "purchase_order"),
    ],
)
def test_wrong_details_change_nothing(alice: User, alice_api: APIClient, body: dict[str, str], field: str) -> None:
    answer = alice_api.put(PATH, {"company": "New"} | body, format="json")
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, field)
    assert alice_api.get(PATH).json() == EMPTY


def test_an_id_from_before_may_stay(alice: User, alice_api: APIClient) -> None:
    Organisation.objects.filter(holder=alice).update(vat_id="X1")
    body = {"name": "Alice A", "vat_id": "X1"}
    assert alice_api.put("/api/user/profile", body, format="json").status_code == 200
    assert alice_api.put(PATH, {"company": "New", "vat_id": "X1"}, format="json").status_code == 200
    wrong = alice_api.put("/api/user/profile", body | {"vat_id": "X2"}, format="json")
    assert (wrong.status_code, wrong.json()["details"]["field"]) == (400, "vat_id")
    assert alice_api.get(PATH).json()["vat_id"] == "X1"


def test_an_invoice_names_the_order_and_goes_to_the_billing_contact(alice: User, alice_api: APIClient) -> None:
    first = captured(alice, "CAP-1").invoice
    assert "purchase_order" not in first.buyer
    alice_api.put(PATH, {"billing_email": "books@alder.com", "purchase_order": "PO <77>"}, format="json")
    django_mail.outbox.clear()
    second = captured(User.objects.get(pk=alice.pk), "CAP-2").invoice
    drain_queue()
    assert (second.buyer["purchase_order"], second.buyer["email"]) == ("PO <77>", "books@alder.com")
    assert [mail.to for mail in django_mail.outbox if second.number in str(mail.body)] == [["books@alder.com"]]
    texts = [PdfReader(BytesIO(render_pdf(one))).pages[0].extract_text() for one in (first, second)]
    assert ["Purchase order: PO <77>" in text for text in texts] == [False, True]
