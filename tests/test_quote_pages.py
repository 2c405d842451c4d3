"""The printable copies of quotes, and the tab of the dashboard that lists them."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.users.models import User
from conftest import PASSWORD
from quotes.quotes import services as quotes
from quotes.quotes.models import Quote, QuoteStatus

pytestmark = pytest.mark.django_db
MARKED = "Alder & Ash <script>alert(1)</script>"


def visit(user: User) -> Client:
    client = Client()
    body = {"email": user.email, "password": PASSWORD}
    assert client.post("/api/auth/login", body, content_type="application/json").status_code == 200
    return client


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def quote(alice: User, sam: User) -> Quote:
    return quotes.generate_quote(
        staff=sam,
        customer_name="Alice Alder",
        customer_email=alice.email,
        credits=250_000,
        customer_company=MARKED,
        notes="Haggles",
    )


def check_sheet(page: str, quote: Quote) -> None:
    assert quote.quote_id in page
    for figure in ("250,000", "$131.25", "20,837", "20,833", "$1,307.25", "292,500", "$267.75"):
        assert figure in page
    assert f"{quote.expires_at:%-d %B %Y}" in page
    assert "Alder &amp; Ash &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert "<nav" not in page
    assert "Haggles" not in page


@pytest.mark.spec("QUO-121", "QUO-052", "QUO-059")
def test_a_customer_prints_the_own_quote(alice: User, quote: Quote) -> None:
    answer = visit(alice).get(f"/quotes/{quote.quote_id}/print")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    page = text_of(answer)
    check_sheet(page, quote)
    assert "2 months free (17% discount)" in page
    assert "How to accept" in page


@pytest.mark.spec("QUO-121")
@pytest.mark.parametrize("who", ["bob", "sam"])
def test_nobody_else_finds_it_there(request: pytest.FixtureRequest, quote: Quote, who: str) -> None:
    other = request.getfixturevalue(who)
    path = f"/quotes/{quote.quote_id}/print"
    answer = visit(other).get(path)
    assert answer.status_code == 404
    assert quote.quote_id not in text_of(answer).replace(path, "")  # which the page quotes as it was asked for


@pytest.mark.spec("QUO-121")
def test_a_visitor_signs_in_first(client: Client, quote: Quote) -> None:
    assert client.get(f"/quotes/{quote.quote_id}/print")["Location"] == "/"


@pytest.mark.spec("QUO-035")
def test_staff_print_any_quote(sam: User, quote: Quote) -> None:
    client = visit(sam)
    answer = client.get(f"/admin/quotes/{quote.quote_id}/print")
    assert answer.status_code == 200
    check_sheet(text_of(answer), quote)
    assert client.get("/admin/quotes/Q-20260101-000000/print").status_code == 404


@pytest.mark.spec("QUO-035", "ADM-004")
@pytest.mark.parametrize("who", ["visitor", "customer"])
def test_the_staff_copy_is_for_staff(client: Client, alice: User, quote: Quote, who: str) -> None:
    client = client if who == "visitor" else visit(alice)
    answer = client.get(f"/admin/quotes/{quote.quote_id}/print")
    assert answer.status_code == 403
    page = text_of(answer)
    assert "Admin Access Required" in page
    assert quote.quote_id not in page
    assert "$131.25" not in page


@pytest.mark.spec("QUO-121", "QUO-109")
def test_a_copy_of_what_cannot_be_paid_says_so(alice: User, quote: Quote) -> None:
    client = visit(alice)
    Quote.objects.update(expires_at="2026-01-01T00:00Z")
    expired = text_of(client.get(f"/quotes/{quote.quote_id}/print"))
    assert "Expired on 1 January 2026" in expired
    assert "How to accept" not in expired
    Quote.objects.update(status=QuoteStatus.DECLINED)
    declined = text_of(client.get(f"/quotes/{quote.quote_id}/print"))
    assert ">Declined<" in declined
    assert "How to accept" not in declined


@pytest.mark.spec("QUO-101", "QUO-116")
def test_the_tab_has_its_island(alice: User) -> None:
    page = text_of(visit(alice).get("/dashboard?tab=custom-packages"))
    assert 'data-island="custom-packages"' in page
