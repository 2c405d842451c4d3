"""The landing page before any script runs, and what all public pages share."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS
from conftest import browser_of
from crm.claims import services as claims
from emailcheck.contract.groups import WITH_A_KEY, WITH_A_SIGN_IN
from emailcheck.public import landing
from emailcheck.public.page_frame import FOOTER, SECTIONS

pytestmark = pytest.mark.django_db
LABELS = ["Features", "Pricing", "Demo Video", "API Docs", "About", "Contact"]


def page_of(client: Client, path: str = "/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def nav(page: str, label: str) -> list[str]:
    """The words of the links and buttons of a navigation."""
    found = re.search(rf'<nav class="[a-z-]+" aria-label="{label}">(.*?)</nav>', page)
    assert found is not None
    return [re.sub("<.*?>", "", text).strip() for text in re.findall(r"<(?:a|button)\b.*?</(?:a|button)>", found[1])]


@pytest.mark.spec("PUB-001")
def test_the_navigation_and_its_menu_name_the_same(client: Client) -> None:
    page = page_of(client)
    assert [word for _, word in SECTIONS] == LABELS
    assert nav(page, "Site") == LABELS
    assert nav(page, "Menu") == [*LABELS, "Sign In", "Start Free Trial"]
    addresses = ["/#features", "/#pricing", "/#demo-video", "/documentation", "/about", "/contact"]
    assert [address for address, _ in SECTIONS] == addresses
    for anchor in ("features", "pricing", "demo-video"):
        assert page.count(f'id="{anchor}"') == 1


@pytest.mark.spec("PUB-001")
def test_the_page_one_is_on_is_marked(client: Client) -> None:
    assert 'href="/documentation" aria-current="page"' in page_of(client, "/documentation")
    assert 'aria-current="page"' not in page_of(client)


@pytest.mark.spec("PUB-002", "PUB-003", "PUB-009")
def test_the_hero_promises_and_leads_on(client: Client, alice: User, settings: Any) -> None:
    page = page_of(client)
    assert page.count("<h1") == 1
    assert "<strong>100 free credits</strong>" in page
    register = 'data-opens="auth" data-mode="register">Start Free Trial</button>'
    assert page.count(register) == 3  # navigation, menu, free plan
    assert re.search(r'popovertarget="no-schedule">Schedule Demo</button>', page)
    assert 'id="no-schedule" role="status" popover>Demo scheduling feature coming soon!</p>' in page
    assert page.count("data-scene") == 4
    assert "<video" not in page
    settings.DEMO_VIDEO_URL = "https://video.example.com/demo.mp4"
    page = page_of(client)
    assert '<video class="demo-video" src="https://video.example.com/demo.mp4" controls preload="none"' in page
    assert "data-scene" not in page
    page = page_of(browser_of(alice))
    assert register not in page
    assert 'href="/dashboard">Open the dashboard</a>' in page


@pytest.mark.spec("PEN-028")
def test_the_free_start_says_what_it_brings_and_is_no_growth_trial(client: Client, alice: User) -> None:
    page = page_of(client)
    start = re.search(r'<div class="hero-start"> <button ([^>]*)>(.*?)</button> <p [^>]*id="(.*?)">(.*?)</p>', page)
    assert start is not None
    attributes, button, terms_id, terms = start.groups()
    assert (button, terms) == ("Start Free Trial", "100 full checks, no card needed")
    assert all(part in attributes for part in ('data-mode="register"', f'aria-describedby="{terms_id}"'))
    signed_in = page_of(browser_of(alice))
    assert 'href="/dashboard">Open the dashboard</a>' in signed_in
    assert [words for words in ("hero-start", "Start Free Trial") if words in signed_in] == []


@pytest.mark.spec("PEN-028")
def test_inside_the_growth_trial_is_never_called_the_free_trial() -> None:
    root = Path(settings.BASE_DIR)
    places = ("frontend/src/**/*.ts*", "templates/emails/**/*.*", "billing/*.py")
    plan = f'"{OFFERS[Plan.FREE].name}"'  # the name of Free in the list of prices
    inside = {path: path.read_text().replace(f"Plan.FREE, {plan}", "") for place in places for path in root.glob(place)}
    named = {path.name: text for path, text in inside.items() if re.search(r"(?i)free (?:14-day )?trial", text)}
    assert (len(inside) > 300, named) == (True, {})
    assert "Start Growth trial" in (root / "frontend/src/features/billing/subscriptions/trial.tsx").read_text()


@pytest.mark.spec("PUB-004", "PUB-005")
def test_four_categories_and_three_steps(client: Client) -> None:
    page = page_of(client)
    kinds = re.findall(r'<li class="kind tone-\w+">.*?<h3>(.*?)</h3>', page)
    assert kinds == ["Valid &amp; Active", "Catch-All Verified", "Risky/Unknown", "Invalid/Disposable"]
    assert len(re.findall(r'<li class="how-step">', page)) == 3


@pytest.mark.spec("PUB-006", "PUB-016")
def test_six_features_and_what_of_them_is_not_built(client: Client) -> None:
    page = page_of(client)
    cards = re.findall(r'<li class="card feature">(.*?)</li>', page)
    assert [re.sub("<.*?>", "", re.findall(r"<h3>(.*?)</h3>", card)[0]).strip() for card in cards] == [
        "Catch-All Verification",
        "Real-Time Form Validation",
        "Bulk List Cleaning",
        "Email Finder Beta",
        "Spam Trap Detection",
        "Social Profile Lookup Planned",
    ]
    assert [card for card in cards if "<a" in card or "<button" in card] == []
    assert "there is nothing to use yet" in cards[3]
    assert "Planned, not built" in cards[5]


@pytest.mark.spec("PUB-007", "PUB-014", "PUB-092")
def test_claims_are_shown_as_staff_left_them(client: Client, sam: User, settings: Any) -> None:
    page = page_of(client)
    for value in ("15+", "3-29 seconds", "5,000-10,000", "99.9%", "5,000+", "50M+"):
        assert f"<dd>{value}</dd>" in page
    assert '<dd><a href="/how-we-measure#accuracy">98.5%</a></dd>' in page
    assert all(words in page for words in ("No credit card needed", "GDPR compliant"))
    claims.change_claims(staff=sam, claims=[{"key": "accuracy", "value": "97%"}, {"key": "uptime", "shown": False}])
    settings.SANDBOX = False
    page = page_of(client)
    assert '<dd><a href="/how-we-measure#accuracy">97%</a></dd>' in page
    assert [text for text in ("99.9%</dd>", "50M+", "GDPR compliant", "SOC 2") if text in page] == []
    assert "15+" in page


@pytest.mark.spec("PUB-014", "PUB-092")
def test_how_we_measure_names_the_source_of_each_claim(client: Client, sam: User) -> None:
    claims.change_claims(staff=sam, claims=[{"key": "steps", "source": "The engine's list", "as_of": "2026-11-01"}])
    page = page_of(client, "/how-we-measure")
    assert 'id="accuracy"' in page
    assert "<td>Steps of a verification</td><td>15+</td><td>The engine&#x27;s list, as of" in page
    assert '<time datetime="2026-11-01">1 November 2026</time>' in page


@pytest.mark.spec("PUB-008", "PUB-015")
def test_plan_buttons_remember_the_plan(client: Client) -> None:
    page = page_of(client)
    for choice in ("plan=growth", "billing=yearly&amp;plan=growth", "pricing=payasyougo&amp;pack=medium"):
        assert page.count(f'data-opens="auth" data-mode="register" data-choice="{choice}"') == 1
    assert 'data-chosen="Growth, $787 billed yearly"' in page
    assert 'href="/contact?subject=Enterprise">Contact sales</a>' in page
    assert re.findall(r'type="radio".*?> ([\w ]+)</label>', page) == [
        "Monthly Pricing",
        "Pay As You Go",
        "Monthly",
        "Yearly",
    ]


@pytest.mark.spec("PUB-011")
def test_the_footer_leads_everywhere(client: Client, alice: User) -> None:
    page = page_of(client)
    footer = page[page.index("<footer") :]
    wanted = "#features #pricing documentation integrations help contact status about blog privacy terms refund-policy"
    assert [path for path in wanted.split() if f'href="/{path}"' not in footer] == []
    assert 'data-opens="auth" data-mode="staff">Partner Portal</button>' in footer
    assert 'href="/api-docs"' in footer
    assert 'href="/dashboard"' not in footer
    signed_in = page_of(browser_of(alice))
    assert all(f'href="{path}"' in signed_in for path in ("/dashboard", "/account-settings"))
    assert len(FOOTER) == 4


@pytest.mark.spec("PUB-010", "PUB-013")
def test_no_optional_script_is_in_a_page(client: Client, settings: Any) -> None:
    settings.CHAT_WIDGET_SRC = "https://chat.example.com/widget.js"
    page = page_of(client)
    assert re.findall(r'<script[^>]* src="([^"]*)"', page) == re.findall(r'src="(/static/main[^"]*)"', page)
    assert 'data-chat="https://chat.example.com/widget.js">Live chat needs your consent</button>' in page
    assert '<section class="consent" data-consent-bar data-consent-asks aria-label="Cookies" hidden>' in page
    assert "data-consent-change>Cookie settings</button>" in page
    settings.CHAT_WIDGET_SRC = ""
    assert '<section class="consent" data-consent-bar aria-label="Cookies" hidden>' in page_of(client)


@pytest.mark.spec("PUB-017")
def test_the_examples_belong_to_the_sandbox(client: Client, settings: Any) -> None:
    assert all(f'data-fills="{address}"' in page_of(client) for _, address in landing.EXAMPLES)
    settings.SANDBOX = False
    page = page_of(client)
    assert "data-fills" not in page
    assert "sandbox-2026" not in page
    assert '<form class="try-form" method="dialog" data-submits="try">' in page


@pytest.mark.finding("C8")
def test_a_visitors_browser_keeps_a_page_for_a_minute_and_then_compares(client: Client) -> None:
    first = client.get("/")
    assert first["Cache-Control"] == "private, max-age=60"
    assert {"Cookie", "Accept-Encoding"} <= set(first["Vary"].split(", "))
    assert first.cookies.output() == ""
    again = client.get("/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert "Content-Security-Policy" not in again
    assert "nonce-" in first["Content-Security-Policy"]
    assert first["Content-Security-Policy"] != client.get("/")["Content-Security-Policy"]
    client.cookies["theme"] = "dark"
    assert client.get("/", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_what_is_measured_is_asked_for_every_time(client: Client) -> None:
    assert client.get("/status")["Cache-Control"] == "private, max-age=0"


def test_the_page_of_somebody_signed_in_is_his_own(client: Client, alice: User) -> None:
    browser = browser_of(alice)
    page = browser.get("/")
    assert page["Cache-Control"] == "private, no-cache"
    assert browser.get("/", headers={"If-None-Match": page["ETag"]}).status_code == 304
    assert browser.get("/", headers={"If-None-Match": client.get("/")["ETag"]}).status_code == 200


def test_public_pages_are_sent_packed(client: Client) -> None:
    packed = client.get("/", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(client.get("/").content) / 3


def test_g6_the_product_and_its_prices_are_told_to_machines(client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://check.example"
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', client.get("/").content.decode())
    (told,) = map(json.loads, found)
    assert (told["@context"], told["@type"], told["url"]) == (
        "https://schema.org", "SoftwareApplication", "https://check.example",
    )  # fmt: skip
    assert {one["name"]: (one["price"], one["priceCurrency"]) for one in told["offers"]} == {
        "Free Trial": ("0.00", "USD"), "Starter": ("49.00", "USD"), "Growth": ("79.00", "USD"),
        "Pro": ("149.00", "USD"),
    }  # fmt: skip
    assert told["provider"]["@type"] == "Organization"


def test_g6_visitors_are_asked_about_cookies_only_where_there_is_something_to_ask(
    client: Client, settings: Any
) -> None:
    settings.CHAT_WIDGET_SRC = ""
    assert "data-consent-asks" not in client.get("/").content.decode()
    settings.CHAT_WIDGET_SRC = "https://chat.example/w.js"
    assert "data-consent-asks" in client.get("/").content.decode()


@pytest.mark.spec("API-054")
@pytest.mark.parametrize("path", ["/about", "/integrations"])
def test_pages_name_what_keys_reach_and_what_needs_a_sign_in(client: Client, path: str) -> None:
    page = page_of(client, path)
    with_a_key, _, with_a_sign_in = page.partition("An API key reaches ")[2].partition(" A sign-in is needed for ")
    link = r'<a href="/api-docs#([a-z-]+)">([^<]+)</a>'
    assert re.findall(link, with_a_key) == [(group.anchor, group.title) for group in WITH_A_KEY]
    named = with_a_sign_in.partition("</p>")[0]
    assert re.findall(link, named) == [(group.anchor, group.title) for group in WITH_A_SIGN_IN]
    assert named.endswith("profile, members, payments and quotes.")


@pytest.mark.spec("API-054")
def test_language_models_are_told_the_same(client: Client) -> None:
    titles = [", ".join(group.title for group in groups) for groups in (WITH_A_KEY, WITH_A_SIGN_IN)]
    told = (
        f"An API key reaches: {titles[0]}. A sign-in is needed for: {titles[1]}, profile, members, payments and quotes."
    )
    assert told in client.get("/llms.txt").content.decode()


@pytest.mark.spec("API-054")
def test_no_text_says_that_the_api_does_all_that_the_dashboard_does() -> None:
    root = Path(settings.BASE_DIR)
    claims_all = re.compile(
        r"(?i)whatever the dashboard|"
        r"every(thing(?! else)| feature)[^.]{0,40}\bAPI\b|API (can|does)[^.]{0,30}(everything|all)"
    )
    places = ("templates/**/*.html", "templates/**/*.md", "templates/**/*.txt", "frontend/src/**/*.tsx", "docs/*.md")
    texts = {path: path.read_text() for place in places for path in root.glob(place)}
    assert len(texts) > 200
    assert {path.name: found[0] for path, text in texts.items() if (found := claims_all.search(text))} == {}
