"""Quotes from the request to their end, without a payment."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import connection
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.signin import services as signin
from accounts.users.models import User
from billing.payments.models import Purchase, PurchaseKind, PurchaseState
from conftest import PASSWORD, client_of
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import failing_mail
from quotes.plan_requests.models import PlanRequest
from quotes.quotes import reminders
from quotes.quotes import services as quotes
from quotes.quotes.models import Period, Quote
from quotes.requests.models import QuoteRequest
from quotes.requests.services import create_request

pytestmark = pytest.mark.django_db
NOW = datetime(2030, 3, 1, 12, tzinfo=UTC)
ELM = {"customer_name": "Erin Elm", "customer_email": "erin@elm.com", "credits_needed": 250_000}


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def sam_api(sam: User) -> APIClient:
    return client_of(sam)


def create_quote(api: APIClient, **fields: Any) -> Any:
    answer = api.post("/api/admin/quotes/generate", {**ELM, **fields}, format="json")
    assert answer.status_code == 201, answer.json()
    return answer.json()


@pytest.mark.spec("QUO-002", "QUO-006", "QUO-008")
def test_a_request_reaches_the_staff(alice: User, alice_api: APIClient, sam_api: APIClient) -> None:
    body = {"credits_needed": 123_456, "company_name": " Alder ", "notes": "Soon"}
    answer = alice_api.post("/api/quotes/request-custom", body, format="json")
    request = QuoteRequest.objects.get()
    assert (answer.status_code, answer.json()) == (
        201,
        {
            "success": True,
            "message": "Custom quote request submitted! We'll get back to you soon.",
            "request": {"id": request.pk},
        },
    )
    (row,) = sam_api.get("/api/admin/custom-quote-requests").json()["requests"]
    assert row.pop("created_at")
    assert row == {
        "id": request.pk,
        "user_name": "Alice Alder",
        "user_email": "alice@alder.com",
        "company_name": "Alder",
        "credits_requested": 123_456,
        "credits_needed": 123_456,
        "notes": "Soon",
        "status": "PENDING",
    }


@pytest.mark.spec("QUO-102")
@pytest.mark.parametrize("credits", [None, 0, -1, "", "many", "1000", 1.5, True, [], 10**18])
def test_a_number_that_is_none_is_refused(alice_api: APIClient, credits: object) -> None:
    answer = alice_api.post("/api/quotes/request-custom", {"credits_needed": credits}, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        400,
        "INVALID_CREDITS",
        "Please enter a valid number of credits.",
    )
    assert QuoteRequest.objects.count() == 0


@pytest.mark.spec("QUO-023", "QUO-024", "QUO-038")
def test_a_quote_freezes_its_figures(sam: User, sam_api: APIClient, settings: Any) -> None:
    quote = create_quote(sam_api, customer_email=" Erin@Elm.com ", customer_company="Elm Inc", notes="A friend")
    settings.QUOTE_MINIMUM = settings.QUOTE_MINIMUM * 100
    again = sam_api.get(f"/api/admin/quotes/{quote['quote_id']}").json()
    assert again == quote
    stored = Quote.objects.get()
    assert quote == {
        "id": stored.pk,
        "quote_id": stored.quote_id,
        "customer_name": "Erin Elm",
        "customer_email": "erin@elm.com",
        "customer_company": "Elm Inc",
        "credits_needed": 250_000,
        "monthly_price": 131.25,
        "annual_price": 1307.25,
        "annual_savings": 267.75,
        "credit_distribution": {"first_month": 20_837, "monthly_after": 20_833},
        "yearly_credits": 292_500,
        "expires_at": "2030-03-31T12:00:00Z",
        "is_expired": False,
        "status": "active",
        "plan_status": None,
        "selected_plan": None,
        "notes": "A friend",
        "created_at": "2030-03-01T12:00:00Z",
        "archived": False,
    }
    assert stored.quote_id.startswith("Q-20300301-")
    assert Activity.objects.get(action="Quote generated").staff_id == sam.pk


@pytest.mark.spec("QUO-021", "QUO-022")
@pytest.mark.parametrize(
    "fields",
    [
        {"credits_needed": 999},
        {"credits_needed": 1_500},
        {"credits_needed": 0},
        {"credits_needed": 10**12},
        {"customer_email": "nobody"},
        {"customer_name": " "},
        {"monthly_price": None, "credits_needed": "x"},
    ],
)
def test_a_quote_that_cannot_be_is_not_made(sam_api: APIClient, fields: dict[str, Any]) -> None:
    answer = sam_api.post("/api/admin/quotes/generate", {**ELM, **fields}, format="json")
    assert (answer.status_code, Quote.objects.count()) == (400, 0)


@pytest.mark.spec("QUO-036", "QUO-040")
def test_prices_from_the_browser_are_ignored(sam_api: APIClient) -> None:
    assert create_quote(sam_api, monthly_price=1, annual_price=1, yearly_credits=10**9)["annual_price"] == 1307.25


@pytest.mark.spec("QUO-036", "QUO-037")
def test_a_preview_stores_nothing(sam_api: APIClient) -> None:
    answer = sam_api.post("/api/admin/quotes/preview", {"credits_needed": 100_000}, format="json")
    assert answer.json() == {
        "twelve_months": 675.0,
        "monthly_price": 56.25,
        "annual_price": 560.25,
        "annual_savings": 114.75,
        "credit_distribution": {"first_month": 8_337, "monthly_after": 8_333},
        "yearly_credits": 117_000,
    }
    assert Quote.objects.count() == 0


@pytest.mark.spec("QUO-009")
def test_a_quote_answers_the_request_and_a_decline_ends_it(
    alice: User, alice_api: APIClient, sam_api: APIClient
) -> None:
    request = create_request(organisation=alice.own_organisation, credits=1_234)
    quote = create_quote(sam_api, customer_email=alice.email, request_id=request.pk)
    request.refresh_from_db()
    assert request.status == "QUOTED"
    declined = alice_api.post(f"/api/quotes/{quote['quote_id']}/decline")
    again = alice_api.post(f"/api/quotes/{quote['quote_id']}/decline")
    request.refresh_from_db()
    assert (declined.json(), again.status_code, request.status) == ({"message": "Quote declined"}, 200, "DECLINED")
    line = Activity.objects.get(action="Quote declined", organisation=alice.own_organisation)
    assert (line.user, line.role, line.changes) == (alice, "owner", {"status": ["active", "declined"]})
    unknown = sam_api.post("/api/admin/quotes/generate", {**ELM, "request_id": 99_999}, format="json")
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "Quote request not found")
    assert Quote.objects.count() == 1


@pytest.mark.spec("QUO-009")
def test_staff_may_dismiss_a_request(alice: User, sam_api: APIClient) -> None:
    request = create_request(organisation=alice.own_organisation, credits=1_234)
    path = f"/api/admin/custom-quote-requests/{request.pk}"
    assert sam_api.put(path, {"status": "DECLINED"}, format="json").json() == {
        "request": {"id": request.pk, "status": "DECLINED"}
    }
    assert sam_api.put(path, {"status": "QUOTED"}, format="json").status_code == 400
    create_quote(sam_api, customer_email=alice.email, request_id=request.pk)
    refused = sam_api.put(path, {"status": "PENDING"}, format="json")
    request.refresh_from_db()
    assert (refused.status_code, request.status) == (400, "QUOTED")
    assert (
        sam_api.put("/api/admin/custom-quote-requests/99999", {"status": "DECLINED"}, format="json").status_code == 404
    )


@pytest.mark.spec("QUO-104", "QUO-106", "SEC-005")
def test_a_customer_sees_the_quotes_for_the_own_address_alone(
    alice: User, alice_api: APIClient, bob_api: APIClient, sam_api: APIClient
) -> None:
    mine = create_quote(sam_api, customer_email="ALICE@alder.com", notes="internal")
    create_quote(sam_api)
    (seen,) = alice_api.get("/api/quotes/my-quotes").json()["quotes"]
    assert seen == {name: mine[name] for name in mine if name not in {"notes", "created_at", "archived"}}
    assert alice_api.get(f"/api/quotes/{mine['quote_id']}").json() == seen
    assert bob_api.get("/api/quotes/my-quotes").json() == {"quotes": []}
    for answer in (
        bob_api.get(f"/api/quotes/{mine['quote_id']}"),
        bob_api.post(f"/api/quotes/{mine['quote_id']}/decline"),
    ):
        assert (answer.status_code, answer.json()["detail"]) == (404, "Quote not found")
    assert Quote.objects.get(quote_id=mine["quote_id"]).status == "active"


@pytest.mark.spec("QUO-104")
def test_a_quote_waits_for_the_account_of_its_address(sam_api: APIClient) -> None:
    create_quote(sam_api)
    erin = signin.register_account(email="erin@elm.com", password=PASSWORD, name="Erin")
    assert Quote.objects.for_org(erin.own_organisation).count() == 0
    signin.verify_address(user=erin)
    assert len(client_of(erin).get("/api/quotes/my-quotes").json()["quotes"]) == 1


@pytest.mark.spec("QUO-119")
def test_a_quote_expires_unless_it_was_paid(alice: User, alice_api: APIClient, sam_api: APIClient) -> None:
    quote = create_quote(sam_api, customer_email=alice.email)
    row = Quote.objects.get()
    assert [row.is_expired(NOW + timedelta(days=30, seconds=late)) for late in (-1, 0, 1)] == [False, True, True]
    Quote.objects.update(status="paid", paid_at=NOW)
    row.refresh_from_db()
    assert not row.is_expired(NOW + timedelta(days=99))
    assert alice_api.get(f"/api/quotes/{quote['quote_id']}").json()["is_expired"] is False


@pytest.mark.spec("QUO-032", "QUO-033", "QUO-040")
def test_a_quote_is_mailed_as_it_is_stored(sam_api: APIClient) -> None:
    quote = create_quote(sam_api)
    body = {
        "quote_data": {**quote, "annual_price": 1, "customer_name": "Mallory"},
        "recipient_email": " buyer@elm.com ",
        "message": "Call me.\n<b>Now</b>",
    }
    answer = sam_api.post("/api/admin/quotes/send-email", body, format="json")
    assert (answer.status_code, answer.json()) == (
        200,
        {"success": True, "message": "Quote sent successfully to buyer@elm.com"},
    )
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["buyer@elm.com"], f"Your quote {quote['quote_id']}: 250,000 credits")
    for text in ("$1,307.25", "292,500", "$131.25", "20,837", "20,833", "/dashboard?tab=custom-packages"):
        assert text in sent.body
    assert "&lt;b&gt;Now&lt;/b&gt;" in sent.message().as_string()
    assert "Mallory" not in sent.body
    assert Activity.objects.filter(action="Quote mailed", target=quote["quote_id"]).count() == 1


@pytest.mark.spec("QUO-032", "QUO-033", "QUO-039")
@pytest.mark.parametrize(
    ("recipient", "quote_id", "status", "detail"),
    [("  ", None, 400, "Please enter recipient email"), ("buyer@elm.com", "Q-0", 404, "Quote not found")],
)
def test_a_mail_that_cannot_be_is_not_sent(
    sam_api: APIClient, recipient: str, quote_id: str | None, status: int, detail: str
) -> None:
    known = create_quote(sam_api)["quote_id"]
    body = {"quote_data": {"quote_id": quote_id or known}, "recipient_email": recipient}
    answer = sam_api.post("/api/admin/quotes/send-email", body, format="json")
    assert (answer.status_code, answer.json()["detail"], mail.outbox) == (status, detail, [])


@pytest.mark.spec("QUO-033")
def test_a_mail_server_that_refuses_is_told(sam_api: APIClient, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    body = {"quote_data": {"quote_id": create_quote(sam_api)["quote_id"]}, "recipient_email": "buyer@elm.com"}
    answer = sam_api.post("/api/admin/quotes/send-email", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (502, "MAIL_FAILED")
    assert not Activity.objects.filter(action="Quote mailed").exists()


@pytest.mark.spec("QUO-034", "QUO-039")
def test_an_unpaid_quote_is_deleted_and_a_paid_one_only_archived(alice: User, sam_api: APIClient) -> None:
    unpaid, paid = create_quote(sam_api)["quote_id"], create_quote(sam_api)["quote_id"]
    Quote.objects.filter(quote_id=paid).update(status="paid", paid_at=NOW)
    refused = sam_api.post(f"/api/admin/quotes/{paid}/delete")
    assert (refused.status_code, refused.json()["detail"]) == (400, "A paid quote can only be archived")
    refused = sam_api.post(f"/api/admin/quotes/{unpaid}/archive")
    assert (refused.status_code, refused.json()["detail"]) == (400, "An unpaid quote can be deleted")
    assert Quote.objects.filter(archived_at=None).count() == 2
    archived = [sam_api.post(f"/api/admin/quotes/{paid}/archive").json() for _ in range(2)]
    assert archived == [{"success": True, "message": "Quote archived"}] * 2
    for quote in Quote.objects.all():
        PlanRequest.objects.create(quote=quote, selected_plan=Period.MONTHLY)
    deleted = sam_api.post(f"/api/admin/quotes/{unpaid}/delete")
    assert list(PlanRequest.objects.values_list("quote__quote_id", flat=True)) == [paid]
    assert deleted.json() == {"success": True, "message": "Quote deleted successfully!"}
    assert sam_api.post(f"/api/admin/quotes/{unpaid}/delete").status_code == 404
    assert sam_api.get("/api/admin/quotes").json()["quotes"] == []
    assert list(Quote.objects.values_list("quote_id", flat=True)) == [paid]


@pytest.mark.spec("QUO-034", "QUO-058")
def test_a_quote_that_is_being_paid_stays(alice: User, sam: User, sam_api: APIClient) -> None:
    quote_id = create_aged_quote(sam, days_left=-30).quote_id
    Purchase.objects.create(
        organisation=alice.own_organisation,
        kind=PurchaseKind.QUOTE,
        amount=1,
        description="Quote",
        reference=quote_id,
        provider_id="O-1",
    )
    refused = sam_api.post(f"/api/admin/quotes/{quote_id}/delete")
    assert (refused.status_code, refused.json()["code"]) == (400, "QUOTE_PAID")
    assert (reminders.sweep_quotes().deleted_quotes, Quote.objects.count()) == (0, 1)
    Purchase.objects.update(state=PurchaseState.CANCELLED)
    assert (reminders.sweep_quotes().deleted_quotes, Quote.objects.count()) == (1, 0)


def create_aged_quote(staff: User, *, days_left: float) -> Quote:
    quote = quotes.generate_quote(staff=staff, customer_name="Erin", customer_email="erin@elm.com", credits=50_000)
    Quote.objects.filter(pk=quote.pk).update(expires_at=NOW + timedelta(days=days_left))
    return quote


def list_reminded() -> list[str]:
    return list(OutgoingMail.objects.order_by("pk").values_list("name", flat=True))


@pytest.mark.spec("QUO-054", "QUO-055", "LIM-004")
def test_reminders_go_out_once_each(sam: User) -> None:
    for days in (8, 7, 3, 2, 1):
        create_aged_quote(sam, days_left=days)
    assert reminders.sweep_quotes() == reminders.CleanupResult(2, 2, 0)
    assert reminders.sweep_quotes() == reminders.CleanupResult(0, 0, 0)
    assert list_reminded() == ["quote_reminder_7"] * 2 + ["quote_reminder_2"] * 2
    with time_machine.travel(NOW + timedelta(days=6), tick=False):
        assert reminders.sweep_quotes() == reminders.CleanupResult(0, 2, 3)


@pytest.mark.spec("QUO-054")
def test_a_reminder_that_fails_holds_up_no_other(sam: User) -> None:
    one, two = create_aged_quote(sam, days_left=5), create_aged_quote(sam, days_left=6)
    with failing_mail(f"quote_reminder_7:{one.pk}"):
        assert reminders.sweep_quotes() == reminders.CleanupResult(1, 0, 0)
    assert list(Quote.objects.filter(reminded_7_at=None)) == [one]
    assert (reminders.sweep_quotes(), list_reminded()) == (reminders.CleanupResult(1, 0, 0), ["quote_reminder_7"] * 2)
    assert set(OutgoingMail.objects.values_list("key", flat=True)) == {
        f"quote_reminder_7:{quote.pk}" for quote in (one, two)
    }


@pytest.mark.spec("QUO-054", "QUO-058")
def test_what_was_declined_or_paid_is_not_reminded(sam: User) -> None:
    for status in ("declined", "paid", "activated"):
        Quote.objects.filter(pk=create_aged_quote(sam, days_left=5).pk).update(status=status)
    assert (reminders.sweep_quotes(), list_reminded()) == (reminders.CleanupResult(0, 0, 0), [])


@pytest.mark.spec("QUO-054", "QUO-058")
def test_expired_quotes_go_at_once_by_hand_and_after_two_weeks_by_themselves(sam: User) -> None:
    create_aged_quote(sam, days_left=-1)
    create_aged_quote(sam, days_left=-14)
    Quote.objects.filter(pk=create_aged_quote(sam, days_left=-15).pk).update(status="paid", paid_at=NOW)
    assert reminders.sweep_quotes(unattended=True).deleted_quotes == 1
    assert (reminders.sweep_quotes().deleted_quotes, list(Quote.objects.values_list("status", flat=True))) == (
        1,
        ["paid"],
    )


@pytest.mark.spec("QUO-055", "QUO-057")
def test_the_button_tells_what_it_did(sam: User, sam_api: APIClient) -> None:
    quotes.generate_quote(staff=sam, customer_name="E", customer_email="e@elm.com", credits=50_000)
    Quote.objects.update(expires_at=datetime(2020, 1, 1, tzinfo=UTC))
    answer = sam_api.post("/api/admin/quotes/cleanup")
    assert answer.json() == {"reminders_7_days": 0, "reminders_2_days": 0, "deleted_quotes": 1}


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_cleanups_at_once_one_reminds(sam: User) -> None:
    create_aged_quote(sam, days_left=5)

    def once(_: int) -> int:
        try:
            return reminders.sweep_quotes().reminders_7_days
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(once, range(16))) == [0] * 15 + [1]
    assert list_reminded() == ["quote_reminder_7"]
