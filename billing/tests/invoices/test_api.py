"""The calls about invoices and payment methods."""

from typing import Any

import pytest
import time_machine
from django.core import mail as django_mail
from rest_framework.test import APIClient

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.invoices import pdf
from billing.invoices.services import RESENT
from billing.payments.models import Agreement, AgreementState, PaymentMethod
from billing.refunds import services as refunds
from billing.tests.invoices.test_invoices import NOW
from billing.tests.paid import captured
from emailcheck.common.testing import drain_queue, run_sixteen

pytestmark = pytest.mark.django_db
INVOICES, METHODS = "/api/invoices", "/api/payment-methods"


@pytest.fixture
def invoice(alice: User) -> Any:
    with time_machine.travel(NOW, tick=False):
        return captured(alice).invoice


@pytest.mark.spec("INV-001", "INV-003", "INV-018")
def test_the_list_has_invoices_and_credit_notes_newest_first(alice: User, alice_api: APIClient, bob: User) -> None:
    assert alice_api.get(INVOICES).json() == {"invoices": [], "total": 0}
    captured(bob, "CAP-B")
    with time_machine.travel("2030-01-31T23:59:59Z", tick=False):
        first = captured(alice, "CAP-1", amount="59.00")
    with time_machine.travel("2030-02-02T00:00:00Z", tick=False):
        second = captured(alice, "CAP-2", amount="1234.50", description="Growth, monthly")
        note = refunds.complete_refund(payment_id=first.pk)
    assert note is not None
    answer = alice_api.get(INVOICES).json()
    paid = {"message": None, "payment_method": "PayPal", "due_date": None, "tax_amount": 0.0, "paid_at": None}

    def item(description: str, amount: float) -> list[dict[str, Any]]:
        return [{"description": description, "quantity": 1, "amount": amount}]

    assert answer == {
        "total": 3,
        "invoices": [
            paid | {"id": note.credit_note.pk,
                    "invoice_number": "CN-2030-000001", "invoice_date": "2030-02-02",
                    "total_amount": -59.0, "payment_status": "credit_note",
                    "items": item("5,000 credits", -59.0)},
            paid | {"id": second.invoice.pk, "invoice_number": "INV-2030-000002", "invoice_date": "2030-02-02",
                    "paid_at": "2030-02-02T00:00:00Z",
                    "total_amount": 1234.5, "payment_status": "paid", "items": item("Growth, monthly", 1234.5)},
            paid | {"id": first.invoice.pk, "invoice_number": "INV-2030-000001", "invoice_date": "2030-01-31",
                    "paid_at": "2030-01-31T23:59:59Z",
                    "total_amount": 59.0, "payment_status": "refunded", "items": item("5,000 credits", 59.0)},
        ],
    }  # fmt: skip


def test_a_longer_list_asks_the_database_no_more_often(
    alice: User, alice_api: APIClient, django_assert_num_queries: Any, django_assert_max_num_queries: Any
) -> None:
    captured(alice, "CAP-0")
    alice_api.get(INVOICES)  # notes that the sign-in was used
    with django_assert_max_num_queries(20) as few:
        alice_api.get(INVOICES)
    for number in range(1, 12):
        captured(alice, f"CAP-{number}")
    with django_assert_num_queries(len(few)):
        assert alice_api.get(INVOICES).json()["total"] == 12


@pytest.mark.spec("INV-004", "INV-016")
def test_the_pdf_is_a_download_under_the_number(invoice: Any, alice_api: APIClient) -> None:
    answer = alice_api.get(f"{INVOICES}/{invoice.pk}/pdf")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"] == 'attachment; filename="INV-2030-000001-alice-alder.pdf"'
    assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("no-store", "nosniff")
    assert answer.content == pdf.render_pdf(invoice)


@pytest.mark.spec("ORG-025")
@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Alder & Ash", 'attachment; filename="INV-2030-000001-alder-and-ash.pdf"'),
        ("Müller", "attachment; filename*=utf-8''INV-2030-000001-m%C3%BCller.pdf"),
        ('"; x="../a\r\n', 'attachment; filename="INV-2030-000001-x-a.pdf"'),
    ],
)
def test_the_file_names_the_organisation(invoice: Any, alice_api: APIClient, title: str, wanted: str) -> None:
    Organisation.objects.filter(pk=invoice.organisation_id).update(name=title)
    assert alice_api.get(f"{INVOICES}/{invoice.pk}/pdf")["Content-Disposition"] == wanted


@pytest.mark.spec("ORG-025")
def test_no_title_and_no_organisation_leave_a_name(invoice: Any) -> None:
    organisation = invoice.organisation
    organisation.name = "🚀"
    assert invoice.file_name == f"INV-2030-000001-{organisation.public_id}.pdf"
    invoice.organisation = None
    assert invoice.file_name == "INV-2030-000001.pdf"


@pytest.mark.spec("INV-006", "INV-016")
def test_strangers_find_nothing(invoice: Any, bob_api: APIClient) -> None:
    drain_queue()
    django_mail.outbox.clear()
    for answer in (bob_api.get(f"{INVOICES}/{invoice.pk}/pdf"), bob_api.post(f"{INVOICES}/{invoice.pk}/resend")):
        assert (answer.status_code, answer.json()["detail"]) == (404, "Invoice not found")
    drain_queue()
    assert (bob_api.get(INVOICES).json()["total"], django_mail.outbox) == (0, [])


@pytest.mark.spec("INV-005", "INV-015")
def test_resending_mails_it_again_to_the_address_of_now(invoice: Any, alice: User, alice_api: APIClient) -> None:
    drain_queue()
    User.objects.filter(pk=alice.pk).update(email="alice@new.com")
    django_mail.outbox.clear()
    for _ in range(2):
        answer = alice_api.post(f"{INVOICES}/{invoice.pk}/resend", headers={"Idempotency-Key": "one"})
        assert answer.json() == {"message": "Invoice INV-2030-000001 sent to alice@new.com"}
    drain_queue()
    (message,) = django_mail.outbox
    assert (message.to, message.subject) == (["alice@new.com"], "Invoice INV-2030-000001")
    assert message.attachments[0][0] == "INV-2030-000001-alice-alder.pdf"


@pytest.mark.spec("INV-005", "INV-019")
def test_a_credit_note_is_mailed_again_as_one(invoice: Any, alice_api: APIClient) -> None:
    note = refunds.complete_refund(payment_id=invoice.payment_id, reason="Not needed")
    assert note is not None
    drain_queue()
    django_mail.outbox.clear()
    alice_api.post(f"{INVOICES}/{note.credit_note.pk}/resend")
    drain_queue()
    (message,) = django_mail.outbox
    assert message.subject == f"Credit note {note.credit_note.number} for invoice {invoice.number}"
    assert "$59.00" in message.body
    assert "Not needed" in message.body
    assert message.attachments[0][0] == f"{note.credit_note.number}-alice-alder.pdf"


@pytest.mark.spec("INV-005")
def test_resending_is_throttled(invoice: Any, alice_api: APIClient) -> None:
    drain_queue()
    django_mail.outbox.clear()
    path = f"{INVOICES}/{invoice.pk}/resend"
    assert [alice_api.post(path).status_code for _ in range(RESENT.requests + 1)] == [200] * RESENT.requests + [429]
    drain_queue()
    assert len(django_mail.outbox) == RESENT.requests


@pytest.fixture
def methods(alice: User) -> list[PaymentMethod]:
    """Three, the oldest the default."""
    for number in range(3):
        captured(alice, f"CAP-{number}", payer_id=f"PAYER-{number}", payer_email=f"{number}@example.com")
    return list(PaymentMethod.objects.order_by("pk"))


def defaults() -> list[tuple[str, bool]]:
    return list(PaymentMethod.objects.order_by("pk").values_list("provider_id", "is_default"))


@pytest.mark.spec("INV-007", "INV-008", "INV-018")
def test_paying_makes_a_method_and_the_first_is_the_default(alice: User, alice_api: APIClient) -> None:
    assert alice_api.get(METHODS).json() == {"payment_methods": []}
    for name, payer in (("CAP-1", "PAYER-1"), ("CAP-2", "PAYER-2"), ("CAP-3", "PAYER-1"), ("CAP-4", "")):
        captured(alice, name, payer_id=payer, payer_email=f"{name.lower()}@example.com")
    shape = {"payment_method_type": "paypal", "card_brand": None, "card_last_four": None}
    first, second = PaymentMethod.objects.order_by("pk")
    assert alice_api.get(METHODS).json() == {
        "payment_methods": [
            shape | {"id": first.pk, "is_default": True, "account": "cap-3@example.com"},
            shape | {"id": second.pk, "is_default": False, "account": "cap-2@example.com"},
        ]
    }


@pytest.mark.django_db(transaction=True)
def test_sixteen_first_payments_at_once_make_one_method_and_one_default(alice: User) -> None:
    run_sixteen(lambda number: captured(alice, f"CAP-{number}", payer_id=f"PAYER-{number % 2}"))
    assert sorted(default for _, default in defaults()) == [False, True]


@pytest.mark.spec("INV-009", "INV-012")
def test_another_method_becomes_the_default(methods: list[PaymentMethod], alice_api: APIClient) -> None:
    for _ in range(2):
        answer = alice_api.put(f"{METHODS}/{methods[1].pk}", {"is_default": True}, format="json")
        assert answer.json() == {"message": "Default payment method updated"}
        assert defaults() == [("PAYER-0", False), ("PAYER-1", True), ("PAYER-2", False)]
    for body in ({}, {"is_default": False}):
        assert alice_api.put(f"{METHODS}/{methods[1].pk}", body, format="json").status_code == 400
    assert defaults() == [("PAYER-0", False), ("PAYER-1", True), ("PAYER-2", False)]


@pytest.mark.spec("INV-010", "INV-017")
def test_the_newest_that_is_left_takes_over_from_a_removed_default(
    methods: list[PaymentMethod], alice_api: APIClient
) -> None:
    assert alice_api.delete(f"{METHODS}/{methods[0].pk}").json() == {"message": "Payment method removed"}
    assert defaults() == [("PAYER-1", False), ("PAYER-2", True)]
    assert alice_api.delete(f"{METHODS}/{methods[0].pk}").status_code == 404
    alice_api.delete(f"{METHODS}/{methods[1].pk}")
    assert defaults() == [("PAYER-2", True)]
    alice_api.delete(f"{METHODS}/{methods[2].pk}")
    assert defaults() == []


@pytest.mark.spec("INV-017")
@pytest.mark.parametrize(
    ("state", "status"),
    [
        (AgreementState.ACTIVE, 400),
        (AgreementState.SUSPENDED, 400),
        (AgreementState.CANCELLED, 200),
        (AgreementState.EXPIRED, 200),
    ],
)
def test_the_only_method_behind_a_running_agreement_stays(
    alice: User, alice_api: APIClient, methods: list[PaymentMethod], state: AgreementState, status: int
) -> None:
    Agreement.objects.create(
        organisation=alice.own_organisation,
        provider_id="I-1",
        plan=Plan.GROWTH,
        cycle=Cycle.MONTHLY,
        price="49",
        state=state,
    )
    for method in methods[1:]:
        assert alice_api.delete(f"{METHODS}/{method.pk}").status_code == 200
    before = list(PaymentMethod.objects.values())
    answer = alice_api.delete(f"{METHODS}/{methods[0].pk}")
    assert answer.status_code == status
    if status == 400:
        assert (answer.json()["code"], answer.json()["detail"]) == (
            "METHOD_IN_USE",
            "Your subscription is paid with this method. Cancel the subscription, or pay with another method first.",
        )
        assert list(PaymentMethod.objects.values()) == before


@pytest.mark.spec("INV-011")
def test_strangers_change_no_method(methods: list[PaymentMethod], bob_api: APIClient) -> None:
    before = defaults()
    put = bob_api.put(f"{METHODS}/{methods[1].pk}", {"is_default": True}, format="json")
    for answer in (put, bob_api.delete(f"{METHODS}/{methods[1].pk}")):
        assert (answer.status_code, answer.json()["detail"]) == (404, "Payment method not found")
    assert (defaults(), bob_api.get(METHODS).json()) == (before, {"payment_methods": []})


@pytest.mark.spec("INV-016", "SET-007")
def test_the_vat_id_is_part_of_the_profile(alice: User, alice_api: APIClient) -> None:
    answer = alice_api.put("/api/user/profile", {"name": "Alice Alder", "vat_id": "DE123456789"}, format="json")
    assert (answer.status_code, answer.json()["vat_id"]) == (200, "DE123456789")
    assert alice_api.get("/api/auth/me").json()["vat_id"] == "DE123456789"
    assert alice_api.put("/api/user/profile", {"name": "A", "vat_id": "x" * 31}, format="json").status_code == 400
    assert captured(alice).invoice.buyer["vat_id"] == "DE123456789"
