"""Prices on the pages: all from the one catalogue, before any script runs."""

import re

import pytest
from django.test import Client

from billing.catalogue import price_tables


@pytest.mark.django_db
@pytest.mark.spec("PRC-033", "PRC-005", "PRC-010")
def test_the_landing_page_shows_what_is_sold(client: Client) -> None:
    page = re.sub(r"\s+", " ", client.get("/").content.decode())
    tables = price_tables.build_price_tables()
    for plan in tables["plans"]:
        assert f"<strong>{plan['monthly']}</strong>" in page
        assert f"{plan['limit_text']} validations per month" in page
    for text in ("$488 billed yearly", "$787 billed yearly", "$1,484 billed yearly", "Save 17% (2 months free)"):
        assert text in page
    for pack in tables["packs"]:
        assert f"<strong>{pack['price']}</strong>" in page
        assert f"{pack['per_credit']} per credit, never expires" in page
    assert page.count("Best Value") == 1
    assert [row["name"] for row in tables["comparison"] if f'<th scope="row">{row["name"]}</th>' not in page] == []
    assert "100 free credits" in page
    assert "50,000+ emails" in page
    assert "You pay by PayPal" in page
