"""The documentation says what the product does: its texts are held against the code."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from adminpanel.monitoring.probes.models import ProbeSample
from conftest import browser_of
from crm.messages.models import Feedback
from emailcheck.public.documentation.error_catalogue import CATALOGUE
from tests.documentation import chapters, page, panels, rows, text_of
from validation.testmode import addresses
from validation.webhooks.models import WebhookEvent

LANGUAGES = ["curl", "python", "javascript", "php", "go", "ruby"]
SIX_CALLS = (
    "POST /validate/single", "POST /validate/bulk", "POST /validate/upload", "GET /validate/batches",
    "GET /analytics/dashboard", "GET /auth/me",
)  # fmt: skip


@pytest.mark.spec("DOC-001", "DOC-003", "DOC-004")
def test_the_page_is_public_and_shows_the_way(db: None) -> None:
    html = page()
    assert re.findall(r'<a href="([^"]+)"[^>]*>(Home|Documentation|Dashboard)</a>', html)[:3] == [
        ("/", "Home"), ("/documentation", "Documentation"), ("/dashboard", "Dashboard"),
    ]  # fmt: skip
    contents = html.partition('aria-label="Sections"')[2].partition("</nav>")[0]
    entries = re.findall(r'<li data-for="([a-z]+)">\s*<a href="#\1"[^>]*>([^<]+)</a>\s*<ul>', contents)
    assert entries == [
        ("overview", "Getting Started"), ("authentication", "Authentication"), ("endpoints", "API Reference"),
        ("sdks", "SDKs"), ("examples", "Examples"), ("webhooks", "Webhooks"), ("errors", "Errors"),
        ("changelog", "Changelog"),
    ]  # fmt: skip
    assert list(chapters(html)) == [anchor for anchor, _ in entries]
    for link in ('<a href="/dashboard">Get API Key</a>', '<a href="/status">API Status</a>'):
        assert link in html
    assert '<a href="/contact">Support</a>' in html


def test_every_link_within_the_page_leads_somewhere(db: None) -> None:
    html = page()
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)
    assert {"automation", "limits", "changelog", "test-mode"} <= set(ids)


@pytest.mark.spec("DOC-002", "DOC-009")
def test_the_search_keeps_its_text_and_hides_what_does_not_match(db: None) -> None:
    html = page(q="Signature whsec")
    assert 'value="Signature whsec"' in html
    assert re.findall(r'<section class="docs-chapter" id="([a-z]+)"[^>]*?>', html)[5] == "webhooks"
    shown = [anchor for anchor, rest in chapters(html).items() if " hidden>" not in rest.partition("\n")[0]]
    assert shown == ["webhooks"]
    topics = re.findall(r'<article class="docs-topic" id="([a-z-]+)"[^>]*data-topic>', html)
    assert topics == ["webhook-signature"]
    assert "data-nothing hidden>" in html
    nothing = page(q="no such <word>")
    assert 'value="no such &lt;word&gt;"' in nothing
    assert "data-nothing>" in nothing
    assert "<h2>No results</h2>" in nothing
    assert "data-topic>" not in nothing


@pytest.mark.spec("DOC-010")
@pytest.mark.parametrize(
    ("state", "told", "word"),
    [("operational", "operational", "Operational"), ("degraded", "degraded", "Degraded"), ("down", "down", "Down")],
)
def test_api_status_is_what_was_measured(db: None, anonymous_api: APIClient, state: str, told: str, word: str) -> None:
    quick = r'<a href="/status">API Status</a> <span class="badge tone-[a-z_]+">([^<]+)</span>'
    assert re.findall(quick, page()) == ["No data yet"]
    ProbeSample.objects.create(target="API", state=state, took_ms=5, at=timezone.now() - timedelta(minutes=1))
    services = anonymous_api.get("/api/status").json()["services"]
    assert [one["status"] for one in services if one["name"] == "API"] == [told]
    assert re.findall(quick, page()) == [word]


@pytest.mark.spec("DOC-005", "DOC-011")
def test_each_of_the_seven_sections_takes_one_vote_of_a_visitor(db: None, anonymous_api: APIClient) -> None:
    html = page()
    assert html.count("Was this helpful?</span>") == 7
    sections = re.findall(r'data-vote="([a-z]+)"', html)
    assert sections == [anchor for anchor in chapters(html) if anchor != "changelog"]
    for helpful in (True, False):
        for section in sections:
            sent = {"section": section, "helpful": helpful}
            answer = anonymous_api.post("/api/docs/feedback", sent, format="json")
            assert (answer.status_code, answer.json()) == (200, {"message": "Thank you for your feedback"})
    stored = Feedback.objects.order_by("pk").values_list("context", "rating")
    assert list(stored) == [(f"docs/{section}", 1) for section in sections]


@pytest.mark.spec("DOC-006", "DOC-041", "DOC-042")
def test_how_programs_say_who_they_are(db: None) -> None:
    text = text_of(chapters(page())["authentication"])
    for said in ("API key as a Bearer header", "Settings, then API Keys", "/api/v1", "the field email"):
        assert said in text
    assert "401 and the code INVALID_API_KEY" in text
    assert 'href="/account-settings?tab=profile#api-keys"' in chapters(page())["authentication"]
    assert panels(page())["authorization.txt"].startswith("Authorization: Bearer ec_live_")


@pytest.mark.spec("DOC-007", "DOC-012", "VAL-028")
def test_the_six_calls_are_listed_and_lead_to_the_reference(db: None) -> None:
    html = chapters(page())["endpoints"]
    calls = text_of(html)
    assert [call for call in SIX_CALLS if call not in calls] == []
    assert ".csv, .xlsx, .xls or .txt" in calls
    assert '<a href="/api-docs">API reference</a>' in html


@pytest.mark.spec("DOC-022", "DOC-023", "DOC-024")
def test_the_documented_fields_are_named(db: None) -> None:
    text = text_of(re.sub("<figure.*?</figure>", "", chapters(page())["endpoints"], flags=re.DOTALL))
    names = (
        "valid", "email", "disposable", "free_email", "mx_records", "smtp_valid", "credits_used",
        "validation_provider", "total_emails", "valid_count", "invalid_count", "results", "credits",
        "subscription_plan", "monthly_usage", "validations", "validated_at", "total", "page",
    )  # fmt: skip
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.spec("DOC-026", "DOC-027", "DOC-028")
def test_errors_are_those_of_the_code(db: None) -> None:
    html = chapters(page())["errors"]
    found = rows(html)
    for entry in CATALOGUE:
        plain = [text.replace("`", "") for text in (entry.code, str(entry.status), entry.when, entry.remedy)]
        assert plain in found
    statuses = {status for row in found for status in row[0].split(", ") if status.isdigit()}
    assert {str(entry.status) for entry in CATALOGUE} | {"200", "202"} == statuses
    error = panels(html)["error.json"]
    for name in ("detail", "error", "message", "code", "details", "field", "provided_value", "request_id"):
        assert f'"{name}"' in error


@pytest.mark.spec("DOC-032", "LIM-018")
def test_limits_are_those_of_the_plans(db: None, settings: Any) -> None:
    html = chapters(page())["errors"]
    limits = html.partition('id="limits"')[2]
    assert rows(limits)[:5] == [
        ["Free", "10"], ["Starter", "50"], ["Growth", "100"], ["Pro", "200"], ["Enterprise", "any number"],
    ]  # fmt: skip
    text = " ".join(text_of(limits).split())
    assert "no cap on the number of calls a day or a month on paid plans beyond your credits" in text
    assert "Enterprise has no limit a minute" in text
    assert f"limited to {settings.AUTH_REQUESTS_PER_MINUTE} a minute" in text
    assert "429 RATE_LIMIT_EXCEEDED" in text
    assert "Retry-After" in text


@pytest.mark.spec("DOC-033")
def test_what_is_no_address_at_all_is_told_from_bad_syntax(db: None) -> None:
    text = " ".join(text_of(chapters(page())["endpoints"]).split())
    assert "a text without @ are refused with 400 INVALID_EMAIL. Anything else is answered with 200" in text


@pytest.mark.spec("DOC-034")
def test_every_magic_address_is_told(db: None) -> None:
    found = rows(chapters(page())["overview"])
    for one in addresses.VERDICTS:
        assert [one.address, one.category.value, one.reason.value] in [row[:3] for row in found]
    for behaviour in addresses.BEHAVIOURS:
        told = [behaviour.address, behaviour.single.replace("`", ""), behaviour.in_list.replace("`", "")]
        assert told in found


@pytest.mark.spec("DOC-052", "DOC-053", "LIM-024")
def test_webhooks_are_told_as_they_are_sent(db: None) -> None:
    html = chapters(page())["webhooks"]
    events = [row for row in rows(html) if row[0] in WebhookEvent.values]
    assert [row[0] for row in events] == list(WebhookEvent.values)
    assert events[3][1].startswith("80% of the month's plan credits are used")
    assert "Webhooks come with Growth, Pro and Enterprise, and with the Growth trial" in " ".join(text_of(html).split())
    payload = panels(html)["batch.completed"]
    for name in ("event", "timestamp", "data", "batch_id", "total_emails", "processed", "results", "catch_all"):
        assert f'"{name}"' in payload
    assert "5 seconds, 5 minutes, 30 minutes, 2 hours" in text_of(html)


@pytest.mark.spec("DOC-013")
@pytest.mark.parametrize("language", LANGUAGES)
def test_samples_name_this_installation_and_hold_the_place_of_a_key(db: None, settings: Any, language: str) -> None:
    settings.SITE_URL = "https://checks.company.com"
    html = page(lang=language)
    found = panels(html)
    assert f'data-language="{language}" aria-current="true"' in html
    for name in ("single", "bulk", "upload", "stream", "client", "/auth/me", "/validate/batches"):
        assert "https://checks.company.com/api/v1" in found[name]
        assert found[name].count("ec_test_YOUR_KEY") == 1
    assert "webhook-signature" in found["webhook"].lower().replace("_", "-")
    assert html.count("<span data-key>ec_test_YOUR_KEY</span>") == html.count("ec_test_YOUR_KEY")
    assert "127.0.0.1" not in "".join(found.values())


@pytest.mark.spec("DOC-013")
def test_no_page_holds_a_key(alice: User, alice_api: APIClient) -> None:
    made = alice_api.post("/api/user/api-keys", {"name": "Docs", "test": True}, format="json").json()
    html = browser_of(alice).get("/documentation").content.decode()
    assert made["key"] not in html
    assert made["prefix"] not in html
    assert "data-make-key" in html
    assert "data-make-key" not in page()


@pytest.mark.spec("DOC-013")
def test_the_language_is_remembered(db: None, client: Any) -> None:
    client.cookies["docs_language"] = "ruby"
    assert 'data-language="ruby" aria-current="true"' in client.get("/documentation").content.decode()
    other = client.get("/documentation?lang=go").content.decode()
    assert 'data-language="go" aria-current="true"' in other
    client.cookies["docs_language"] = "cobol"
    assert 'data-language="curl" aria-current="true"' in client.get("/documentation").content.decode()
