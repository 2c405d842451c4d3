"""What staff look through: found, in order, page by page, on the server."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.users.models import User
from conftest import client_of, make_user
from emailcheck.common.api import pagination
from quotes import listing
from quotes.custom_plans.models import CustomPlan
from quotes.plan_requests.models import PlanRequest
from quotes.quotes import services
from quotes.quotes.models import Quote
from quotes.requests.models import QuoteRequest
from quotes.requests.services import create_request

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
NOW = datetime(2030, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def sam_api(sam: User) -> APIClient:
    return client_of(sam)


@pytest.fixture
def quotes(sam: User) -> list[Quote]:
    """Ada, Ben and Cleo; Ben's is the newest and the smallest."""
    wanted = [("Ada", 500_000, 1, "Alder"), ("Ben", 50_000, 3, "Birch"), ("Cleo", 100_000, 2, "")]
    for name, credits, day, company in wanted:
        made = services.generate_quote(
            staff=sam, customer_name=name, customer_email=f"{name}@elm.com", credits=credits, customer_company=company
        )
        Quote.objects.filter(pk=made.pk).update(created_at=NOW + timedelta(days=day))
    return list(Quote.objects.order_by("pk"))


def pages(api: APIClient, path: str, rows: str, shown: str, **query: Any) -> list[list[Any]]:
    """One column of each page, from the first to the last."""
    found: list[list[Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = api.get(path, {**query, "cursor": cursor}).json()
        found.append([row[shown] for row in answer[rows]])
        cursor = answer["next"]
    return found


@pytest.mark.spec("QUO-025", "QUO-027")
@pytest.mark.parametrize(
    ("sort", "order", "names"),
    [
        ("date", "desc", ["Ben", "Cleo", "Ada"]),
        ("date", "asc", ["Ada", "Cleo", "Ben"]),
        ("credits", "desc", ["Ada", "Cleo", "Ben"]),
        ("credits", "asc", ["Ben", "Cleo", "Ada"]),
        ("price", "desc", ["Ada", "Cleo", "Ben"]),
        ("price", "asc", ["Ben", "Cleo", "Ada"]),
    ],
)
def test_quotes_are_sorted_across_pages(
    quotes: list[Quote], sam_api: APIClient, monkeypatch: pytest.MonkeyPatch, sort: str, order: str, names: list[str]
) -> None:
    first, second, third = names
    monkeypatch.setattr(listing, "PAGE_ROWS", 2)
    found = pages(sam_api, "/api/admin/quotes", "quotes", "customer_name", sort=sort, order=order)
    assert found == [[first, second], [third]]


@pytest.mark.spec("QUO-027")
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_quotes_that_cost_the_same_are_each_seen_once(
    sam: User, sam_api: APIClient, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    for _ in range(5):
        services.generate_quote(staff=sam, customer_name="E", customer_email="e@elm.com", credits=50_000)
    ids = sorted(Quote.objects.values_list("pk", flat=True), reverse=order == "desc")
    monkeypatch.setattr(listing, "PAGE_ROWS", 2)
    found = pages(sam_api, "/api/admin/quotes", "quotes", "id", sort="price", order=order)
    assert found == [ids[:2], ids[2:4], ids[4:]]


@pytest.mark.spec("QUO-027")
@pytest.mark.parametrize(
    ("search", "names"),
    [("bIRCH", ["Ben"]), (" ada@ELM ", ["Ada"]), ("cle", ["Cleo"]), ("%", []), ("elm.com", ["Ben", "Cleo", "Ada"])],
)
def test_a_part_of_what_a_quote_tells_finds_it(
    quotes: list[Quote], sam_api: APIClient, search: str, names: list[str]
) -> None:
    answer = sam_api.get("/api/admin/quotes", {"search": search}).json()
    assert ([row["customer_name"] for row in answer["quotes"]], answer["total"]) == (names, len(names))


@pytest.mark.spec("QUO-027")
def test_a_quote_is_found_by_its_ids(quotes: list[Quote], sam_api: APIClient) -> None:
    ben = quotes[1]
    for search in (ben.quote_id[-6:].lower(), str(ben.pk)):
        found = sam_api.get("/api/admin/quotes", {"search": search}).json()["quotes"]
        assert ben.pk in [row["id"] for row in found]
    Quote.objects.filter(pk=ben.pk).update(archived_at=NOW)
    assert sam_api.get("/api/admin/quotes", {"search": ben.quote_id}).json() == {"quotes": [], "total": 0, "next": None}


@pytest.mark.spec("QUO-001", "QUO-006")
def test_requests_are_found_and_turned_over(sam_api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    erin, fay = make_user("erin@elm.org", "Erin"), make_user("fay@fir.org", "Fay")
    for number, (user, status) in enumerate([(erin, "PENDING"), (fay, "QUOTED"), (erin, "DECLINED"), (fay, "PENDING")]):
        QuoteRequest.objects.create(
            organisation=user.own_organisation, credits_requested=number, status=status, company_name=f"House {number}"
        )
    monkeypatch.setattr(listing, "PAGE_ROWS", 1)

    def found(**query: Any) -> list[list[Any]]:
        return pages(sam_api, "/api/admin/custom-quote-requests", "requests", "credits_requested", **query)

    assert found() == [[3], [2], [1], [0]]
    assert (found(state="open"), found(state="answered")) == ([[3], [0]], [[2], [1]])
    assert (found(search="FAY@"), found(search="erin", state="open"), found(search="house 2")) == (
        [[3], [1]],
        [[0]],
        [[2]],
    )


@pytest.mark.spec("QUO-201", "QUO-202")
def test_chosen_plans_are_found_the_paid_ones_first(
    quotes: list[Quote], sam_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben, cleo = quotes
    PlanRequest.objects.create(quote=ada, selected_plan="yearly", status="payment_received")
    PlanRequest.objects.create(quote=ben, selected_plan="monthly")
    PlanRequest.objects.create(quote=cleo, selected_plan="yearly")
    monkeypatch.setattr(listing, "PAGE_ROWS", 1)

    def found(**query: Any) -> list[str]:
        names = pages(sam_api, "/api/admin/plan-requests", "requests", "customer_email", **query)
        return [address.split("@")[0] for page in names for address in page]

    assert found() == ["ada", "cleo", "ben"]
    assert (found(period="yearly"), found(period="monthly")) == (["ada", "cleo"], ["ben"])
    assert (found(status="pending"), found(status="payment_received")) == (["cleo", "ben"], ["ada"])
    assert (found(search="BEN@"), found(search=cleo.quote_id), found(search="nobody")) == (["ben"], ["cleo"], [])
    PlanRequest.objects.filter(quote=ada).update(status="approved")
    assert (found(), found(search="ada@")) == (["cleo", "ben"], [])


@pytest.mark.spec("ADM-501", "ADM-508")
def test_custom_plans_are_found_and_turned_over(sam_api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, active in [("Agency", True), ("Bureau", False), ("Agency (Copy)", True)]:
        CustomPlan.objects.create(
            name=name, is_active=active, monthly_price=Decimal(1), yearly_price=Decimal(1), credits=1,
            target_customer=f"{name[0]}-houses",
        )  # fmt: skip
    monkeypatch.setattr(listing, "PAGE_ROWS", 2)

    def found(**query: Any) -> list[list[Any]]:
        return pages(sam_api, "/api/admin/custom-plans", "plans", "name", **query)

    assert found() == [["Agency (Copy)", "Bureau"], ["Agency"]]
    assert (found(active="true"), found(active="false")) == ([["Agency (Copy)", "Agency"]], [["Bureau"]])
    assert (found(search="b-HOUSES"), found(search="nothing")) == ([["Bureau"]], [[]])


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("quotes", {"cursor": "x"}),
        ("quotes", {"cursor": pagination.encode_cursor("annual_price True", "1", 1)}),
        ("quotes", {"sort": "notes"}),
        ("quotes", {"order": "up"}),
        ("custom-quote-requests", {"state": "PENDING"}),
        ("custom-quote-requests", {"cursor": "x"}),
        ("plan-requests", {"status": "approved"}),
        ("plan-requests", {"period": "weekly"}),
        ("custom-plans", {"active": "perhaps"}),
    ],
)
def test_what_a_list_cannot_do_is_refused(sam_api: APIClient, path: str, query: dict[str, str]) -> None:
    answer = sam_api.get(f"/api/admin/{path}", query)
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, next(iter(query)))


@pytest.mark.parametrize("path", ["quotes", "custom-quote-requests", "plan-requests", "custom-plans"])
def test_a_longer_list_costs_no_more_queries(sam: User, sam_api: APIClient, path: str) -> None:
    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert sam_api.get(f"/api/admin/{path}").status_code == 200
        return len(found)

    def more(number: int) -> None:
        user = make_user(f"more{number}@elm.com", "More")
        request = create_request(organisation=user.own_organisation, credits=1)
        quote = services.generate_quote(
            staff=sam, customer_name="M", customer_email=user.email, credits=1_000, request_id=request.pk
        )
        PlanRequest.objects.create(quote=quote, selected_plan="yearly")
        CustomPlan.objects.create(name="M", monthly_price=1, yearly_price=1, credits=1, target_customer="M")

    more(0)
    first = count()
    for number in range(1, 6):
        more(number)
    assert count() == first
