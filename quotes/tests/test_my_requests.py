"""What a customer sees of the own requests until they are quotes or plans."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from quotes.plan_requests.models import PlanRequest
from quotes.quotes import services as quotes
from quotes.quotes.models import Quote
from quotes.requests.models import RequestStatus
from quotes.requests.services import answer_request, create_request

pytestmark = pytest.mark.django_db
PATH = "/api/quotes/my-requests"


def made(sam: User, email: str, **fields: Any) -> Quote:
    return quotes.generate_quote(staff=sam, customer_name="A", customer_email=email, credits=250_000, **fields)


@pytest.mark.spec("QUO-009", "QUO-101")
def test_requests_are_listed_until_they_have_a_quote(
    alice: User, bob: User, sam: User, alice_api: APIClient, bob_api: APIClient
) -> None:
    first = create_request(organisation=alice.own_organisation, credits=1_000, company_name="Alder", notes="Soon")
    second, third = (create_request(organisation=alice.own_organisation, credits=credits) for credits in (2_000, 3_000))
    answer_request(staff=sam, request_id=second.pk, status=RequestStatus.DECLINED)
    quote = made(sam, alice.email, request_id=third.pk)
    answer = alice_api.get(PATH).json()
    assert [(row["id"], row["status"]) for row in answer["requests"]] == [
        (second.pk, "DECLINED"),
        (first.pk, "PENDING"),
    ]
    assert answer["requests"][1] == {
        "id": first.pk,
        "credits_needed": 1_000,
        "company_name": "Alder",
        "notes": "Soon",
        "status": "PENDING",
        "created_at": answer["requests"][1]["created_at"],
    }
    quotes.decline_quote(organisation=alice.own_organisation, quote_id=quote.quote_id)  # which the quote itself tells
    assert len(alice_api.get(PATH).json()["requests"]) == 2
    assert bob_api.get(PATH).json() == {"requests": [], "plan_requests": []}


@pytest.mark.spec("QUO-211", "QUO-209")
def test_chosen_plans_are_listed_until_they_are_active(
    alice: User, sam: User, alice_api: APIClient, bob_api: APIClient
) -> None:
    quote = made(sam, alice.email)
    request = PlanRequest.objects.create(quote=quote, selected_plan="yearly")
    (row,) = alice_api.get(PATH).json()["plan_requests"]
    assert row == {
        "id": request.pk,
        "quote_id": quote.quote_id,
        "credits_needed": 250_000,
        "selected_plan": "yearly",
        "status": "pending",
        "amount_paid": None,
        "payment_received_at": None,
        "auto_approval_at": None,
        "created_at": row["created_at"],
    }
    assert bob_api.get(PATH).json()["plan_requests"] == []
    Quote.objects.update(status="paid", expires_at=timezone.now() - timedelta(days=1))
    PlanRequest.objects.update(status="payment_received", auto_approval_at="2030-01-31T04:13:06Z")
    (row,) = alice_api.get(PATH).json()["plan_requests"]
    assert (row["status"], row["auto_approval_at"]) == ("payment_received", "2030-01-31T04:13:06Z")
    PlanRequest.objects.update(status="approved")
    assert alice_api.get(PATH).json()["plan_requests"] == []


@pytest.mark.spec("QUO-118")
@pytest.mark.parametrize("over", [{"status": "declined"}, {"expires_at": "2020-01-01T00:00:00Z"}])
def test_a_choice_of_a_quote_that_is_over_is_not_listed(
    alice: User, sam: User, alice_api: APIClient, over: dict[str, str]
) -> None:
    PlanRequest.objects.create(quote=made(sam, alice.email), selected_plan="monthly")
    Quote.objects.update(**over)
    assert alice_api.get(PATH).json() == {"requests": [], "plan_requests": []}
