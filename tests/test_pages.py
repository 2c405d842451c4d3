"""Pages: who sees what, and what the server says before any script runs."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.access.models import SignIn
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.referrals import services as referrals
from conftest import PASSWORD, make_user
from emailcheck.common.templatetags.texts import initials
from emailcheck.common.text.markdown import render_sections
from emailcheck.common.web.context import DASHBOARD_TABS
from emailcheck.pages import STAFF_NAV_GROUPS
from emailcheck.public.help_center import list_quick_answers


@pytest.fixture
def visit(client: Client) -> Any:
    """Sign in by the API, as the dialog does, and ask for pages with that session."""

    def as_user(user: User) -> Client:
        body = {"email": user.email, "password": PASSWORD}
        assert client.post("/api/auth/login", body, content_type="application/json").status_code == 200
        return client

    return as_user


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.spec("SET-001")
def test_account_settings_are_for_those_who_are_signed_in(client: Client, visit: Any, alice: User) -> None:
    assert client.get("/account-settings")["Location"] == "/"
    page = visit(alice).get("/account-settings?tab=privacy")
    assert page.status_code == 200
    assert page["Cache-Control"] == "no-store"
    assert "Return to Dashboard" in text_of(page)
    SignIn.objects.filter(user=alice).update(ended_at="2026-01-01T00:00Z")
    assert client.get("/account-settings")["Location"] == "/?ended=1"


@pytest.mark.spec("ADM-004", "ADM-007", "SEC-002")
@pytest.mark.parametrize("who", ["visitor", "customer", "ended"])
def test_whoever_is_not_staff_sees_only_the_access_card(
    client: Client, visit: Any, alice: User, sam: User, who: str
) -> None:
    if who == "customer":
        visit(alice)
    if who == "ended":
        visit(sam)
        SignIn.objects.filter(user=sam).update(ended_at="2026-01-01T00:00Z")
    page = client.get("/admin")
    assert page.status_code == 200
    assert "Admin Access Required" in text_of(page)
    assert 'href="/">Go to Login</a>' in text_of(page)
    assert ("Back to dashboard" in text_of(page), alice.email in text_of(page)) == (who == "customer",) * 2
    assert "Back to Main Dashboard" not in text_of(page)
    assert 'data-island="admin"' not in text_of(page)


@pytest.mark.spec("SEC-009")
def test_a_staff_address_without_the_role_is_told_whom_to_ask(visit: Any, sam: User) -> None:
    User.objects.filter(pk=sam.pk).update(role="user")
    page = text_of(visit(sam).get("/admin"))
    assert "Admin Access Required" in page
    assert "Ask an administrator for access." in page
    assert 'data-island="admin"' not in page


@pytest.mark.spec("ADM-003", "SEC-006", "DASH-005")
def test_staff_enter_and_are_shown_the_way(visit: Any, sam: User) -> None:
    client = visit(sam)
    page = text_of(client.get("/admin"))
    assert 'data-island="admin"' in page
    assert '<a class="button" href="/dashboard">Back to Main Dashboard</a>' in page
    assert text_of(client.get("/dashboard")).count('<a href="/admin">') == 2  # sidebar and drawer


def test_the_menu_of_staff_on_phones_has_the_tabs_of_their_area(visit: Any, sam: User) -> None:
    drawn = re.findall(
        r'\["([a-z-]+)", "([^"]+)", <', (settings.BASE_DIR / "frontend/src/islands/admin.tsx").read_text("utf-8")
    )
    offered = [tab for _, tabs in STAFF_NAV_GROUPS for tab in tabs]
    assert len(offered) == 11
    assert sorted(offered) == sorted(drawn)
    page = text_of(visit(sam).get("/admin?tab=users"))
    bar, menu = re.findall(r'<(?:nav class="phone-bar"|dialog).*?</(?:nav|dialog)>', page, re.DOTALL)
    shown = re.findall(r'href="/admin\?tab=([a-z-]+)" data-tab="\1"( aria-current="page")?', bar)
    assert shown == [("overview", ""), ("users", ' aria-current="page"'), ("crm", "")]
    assert menu.count("data-tab=") == 11
    assert 'id="account-menu"' in page
    assert ">SS</span>" in page  # in place of a picture


@pytest.mark.parametrize(
    ("name", "letters"), [("Alice B. Alder", "AA"), ("Cher", "C"), (" ", "?"), ("élan vital", "ÉV")]
)
def test_initials_are_of_the_first_and_the_last_word(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.mark.spec("DASH-005")
def test_customers_are_not_shown_the_way_to_the_staff_area(visit: Any, alice: User) -> None:
    assert 'href="/admin"' not in text_of(visit(alice).get("/dashboard"))


@pytest.mark.spec("DASH-016")
@pytest.mark.parametrize(
    ("done", "address", "shown"), [(False, "", True), (True, "", False), (True, "?tour=again", True)]
)
def test_the_tour_comes_until_the_account_knows_it_is_done(
    visit: Any, alice: User, done: bool, address: str, shown: bool
) -> None:
    User.objects.filter(pk=alice.pk).update(tour_completed=done)
    page = text_of(visit(alice).get(f"/dashboard{address}"))
    assert ('data-island="tour"' in page) is shown


@pytest.mark.spec("AUTH-010")
@pytest.mark.parametrize(
    ("query", "opening", "mode"),
    [
        ("", "press", "login"),
        ("login=true", "load", "login"),
        ("forgot=true", "load", "forgot"),
        ("login=1", "press", "login"),
    ],
)
def test_the_address_opens_the_dialog(db: None, client: Client, query: str, opening: str, mode: str) -> None:
    page = text_of(client.get(f"/?{query}"))
    assert f'data-island="auth" data-when="{opening}"' in page
    assert f'"mode": "{mode}"' in page


def test_whoever_is_signed_in_is_offered_the_dashboard(visit: Any, alice: User) -> None:
    page = text_of(visit(alice).get("/?login=true"))
    assert 'data-island="auth" data-when="press"' in page
    assert "Open the dashboard" in page
    assert "Create a free account" not in page


@pytest.mark.spec("AUTH-017", "AUTH-019", "SET-058")
@pytest.mark.parametrize(
    ("query", "notice"),
    [
        ("ended=1", "You were signed out. Sign in to go on."),
        ("left=1", "Signed out everywhere"),
        ("deleted=1", "Your account has been deleted."),
    ],
)
def test_the_landing_page_says_what_happened(db: None, client: Client, query: str, notice: str) -> None:
    assert f'<p class="notice" role="status">{notice}</p>' in text_of(client.get(f"/?{query}"))


@pytest.mark.spec("AUTH-041", "AUTH-024")
@pytest.mark.parametrize(("path", "island"), [("/verify-email", "verify-email"), ("/reset-password", "reset-password")])
def test_pages_of_mailed_links_are_kept_by_nobody(db: None, client: Client, path: str, island: str) -> None:
    page = client.get(path, {"token": "a<b"})
    assert f'data-island="{island}"' in text_of(page)
    assert '"token": "a\\u003Cb"' in text_of(page)
    assert "no-store" in page["Cache-Control"]


@pytest.mark.spec("VAL-044", "SET-060")
def test_privacy_names_times_and_receivers(db: None, client: Client) -> None:
    page = text_of(client.get("/privacy"))
    assert '<td data-label="What">uploaded files</td> <td data-label="How long">30 days</td>' in page
    assert '>results</td> <td data-label="How long">12 months, or until you delete them</td>' in page
    assert "ZeroBounce, NeverBounce and Kickbox" in page
    assert 'id="retention"' in page


@pytest.mark.spec("SET-036")
def test_the_getting_started_guide_offers_the_tour_again(client: Client, visit: Any, alice: User) -> None:
    assert "Take the tour again" not in text_of(client.get("/documentation"))
    page = text_of(visit(alice).get("/documentation"))
    assert 'id="overview"' in page
    assert '<a class="button" href="/dashboard?tour=again">Take the tour again</a>' in page


@pytest.mark.spec("PEN-027")
@pytest.mark.parametrize("tab", DASHBOARD_TABS)
def test_every_tab_tells_a_new_account_of_its_full_checks(visit: Any, alice: User, tab: tuple[str, str]) -> None:
    island, address = 'data-island="full-checks"', f"/dashboard?tab={tab[0]}"
    assert island not in visit(alice).get(address).content.decode()
    assert island in visit(make_user("wes@willow.org", "Wes Willow", plan=Plan.FREE)).get(address).content.decode()


@pytest.mark.spec("SET-033", "SET-035", "SET-041")
def test_quick_answers_come_from_one_text(visit: Any, alice: User) -> None:
    questions = [entry.title for entry in list_quick_answers()]
    assert len(questions) == 6
    page = visit(alice).get("/account-settings").content.decode()
    assert all(question in page for question in questions)
    assert "Free 100, Starter 5K, Growth 10K, Pro 20K+" in page
    assert "20,000" in page


def test_texts_are_split_at_their_headings_and_stay_inert(settings: Any, tmp_path: Any) -> None:
    (tmp_path / "text.md").write_text("# Title\n\n## One {#first}\nA *b* <script>\n\n## Two\n{{ support_email }}\n")
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]
    settings.SUPPORT_EMAIL = "help@company.com"
    one, two = render_sections("text.md")
    assert (one.title, one.anchor) == ("One", "first")
    assert one.html == "<p>A <em>b</em> &lt;script&gt;</p>\n"
    assert (two.title, two.anchor, two.html) == ("Two", "", "<p>help@company.com</p>\n")


@pytest.mark.spec("REF-008", "REF-011")
def test_an_invitation_is_told_to_visitors_when_it_is_one(alice: User, client: Client, visit: Any) -> None:
    told = "A friend invited you: 100 extra credits are yours"
    assert told in client.get("/", {"ref": referrals.ensure_code(alice.own_organisation)}).content.decode()
    assert told not in client.get("/", {"ref": "NOBODYHAS"}).content.decode()
    assert told not in client.get("/").content.decode()
    assert told not in visit(alice).get("/", {"ref": referrals.ensure_code(alice.own_organisation)}).content.decode()
