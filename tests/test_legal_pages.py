"""About, the policies and the integrations: what they say, and that it holds together."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.users.models import User
from conftest import browser_of
from crm.claims.models import Claim

pytestmark = pytest.mark.django_db


def words(client: Client, path: str) -> str:
    """The page's markup with single spaces."""
    return re.sub(r"\s+", " ", client.get(path).content.decode())


def headings(page: str) -> list[str]:
    """The titles of a policy's sections, without their badges."""
    found = re.findall(r'<section class="prose" id="[a-z-]+"> <h2>(.*?)</h2>', page)
    return [title.split(" <span")[0] for title in found]


@pytest.mark.spec("PUB-081", "PUB-082", "SET-060")
def test_privacy_has_the_documented_sections_and_marks_what_was_added(client: Client, settings: Any) -> None:
    settings.ACTIVITY_DAYS = 77
    page = words(client, "/privacy")
    assert "Last updated December 2024; additions of November 2026 are marked" in page
    titles = headings(page)
    assert titles[:4] == ["Information we collect", "How we use it", "Security", "Your rights"]
    assert page.count("Added November 2026") == len(titles) - 4 == 5
    for word in ("Encryption", "Access control", "Monitoring"):
        assert f"<strong>{word}</strong>" in page
    for right in ("Access and portability", "Correction", "Deletion", "Opt-out", "Object", "Restrict processing"):
        assert f'<td data-label="Right">{right}</td>' in page
    assert "GDPR compliant, CCPA compliant, SOC 2 Type II compliant" in page
    assert "handled by a payment provider" in page
    assert "we keep only transaction IDs and the billing data" in page
    assert '<td data-label="What">activity and IP addresses</td> <td data-label="How long">77 days</td>' in page
    assert '<td data-label="What">messages to support</td> <td data-label="How long">365 days after' in page
    assert "a keyed hash of your mailbox" in page
    assert '<td data-label="Who">ZeroBounce, NeverBounce and Kickbox</td>' in page


@pytest.mark.spec("PUB-082", "PUB-092", "PUB-041")
def test_live_mode_claims_no_certificate_and_no_count_before_staff_confirmed_it(client: Client, settings: Any) -> None:
    settings.SANDBOX = False
    for path in ("/privacy", "/about"):
        page = words(client, path)
        assert not [claim for claim in ("GDPR", "CCPA", "SOC 2", "5,000+", "50M+") if claim in page]
    assert "98.5%" in words(client, "/about")
    Claim.objects.create(key="ccpa", value="CCPA compliant", shown=True, confirmed=True)
    assert "<strong>Compliance</strong>: CCPA compliant." in words(client, "/privacy")
    assert "CCPA compliant" in words(client, "/about")


@pytest.mark.spec("PUB-083", "PUB-084", "PUB-091")
def test_terms_have_three_sections_four_rules_and_ways_to_ask(client: Client, settings: Any) -> None:
    settings.LEGAL_EMAIL = "law@check.example"
    page = words(client, "/terms")
    assert "Effective January 2025" in page
    assert headings(page) == ["Acceptance", "Service description and limitations", "Payment, billing and refunds"]
    assert "<strong>No pro-rated refunds.</strong>" in page
    assert "Unused credits of a plan are forfeited on cancellation" in page
    assert "<strong>Payments through a payment provider.</strong>" in page
    assert "<strong>Automatic renewal.</strong>" in page
    foot = page[page.index('class="policy-foot"') :]
    for address in ("mailto:law@check.example", "/contact", "/", "/dashboard", "/refund-policy"):
        assert f'href="{address}"' in foot


@pytest.mark.spec("PUB-085", "PUB-088", "LIM-029")
def test_refunds_have_a_guarantee_four_steps_and_a_button(client: Client) -> None:
    page = words(client, "/refund-policy")
    assert "30-day money-back guarantee" in headings(page)
    assert re.findall(r'<h3>(\w+)</h3><p class="step-time">(.*?)</p>', page) == [
        ("Review", "1-2 business days"),
        ("Approval", "within 3 business days"),
        ("Processing", "3-5 business days after approval"),
        ("Arrival", "5-10 business days after approval"),
    ]
    assert "how soon depends on the bank" in page
    assert 'href="/contact?subject=Refund%20request">Request a refund</a>' in page
    assert "there are no pro-rated refunds" in page
    assert 'href="/terms#payment"' in page
    assert 'href="/refund-policy"' in words(client, "/terms")


@pytest.mark.spec("PUB-086", "PUB-090")
def test_integrations_lead_somewhere_and_the_widget_is_only_described(client: Client, alice: User) -> None:
    page = words(client, "/integrations")
    assert re.findall(r"<h2>(Automation connector|Webhook|JavaScript widget)", page) == [
        "Automation connector",
        "Webhook",
        "JavaScript widget",
    ]
    assert 'href="/documentation#automation">Follow the recipe</a>' in page
    assert 'data-mode="login" data-then="webhooks">Sign in to add a webhook</button>' in page
    widget = page[page.index("JavaScript widget") : page.index('id="own"')]
    assert '<span class="badge tone-risky">Preview</span>' in widget
    assert "<script" not in widget
    assert "<code" not in widget
    signed_in = words(browser_of(alice), "/integrations")
    assert 'href="/account-settings?tab=profile#webhooks">Open webhook settings</a>' in signed_in


@pytest.mark.finding("J5")
@pytest.mark.spec("PUB-041", "PUB-014")
def test_about_tells_mission_difference_story_vision_and_the_claims(client: Client) -> None:
    Claim.objects.create(key="accuracy", value="97.1%", shown=True, confirmed=False)
    page = words(client, "/about")
    titles = re.findall(r'<h2 id="[a-z-]+">(.*?)</h2>', page)
    assert titles == [
        "Mission",
        "What we do differently",
        "In figures",
        "How accuracy is measured",
        "Our story",
        "Our vision",
    ]
    figures = dict(re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", page))
    assert figures == {
        "accuracy of the verdicts": "97.1%",
        "verification steps": "15+",
        "businesses": "5,000+",
        "emails verified": "50M+",
        "uptime": "99.9%",
        "for a real-time check": "3-29 seconds",
        "emails per hour in lists": "5,000-10,000",
    }
    assert "Several outside validation providers take turns, but only with what our own checks leave open" in page
    assert "98.5%" not in page
    assert "97.1% is what we state" in page
    for promise in ("GDPR compliant", "CCPA compliant", "SOC 2 Type II", "No credit card needed"):
        assert promise in page
    Claim.objects.update(shown=False)
    assert "How accuracy is measured" not in words(client, "/about")
