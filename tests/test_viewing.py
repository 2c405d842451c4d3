"""Staff look at the product as a customer sees it: what they see, what they cannot do, and when it ends."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import SignIn, Viewing
from accounts.activity.models import Activity, ActivityKind
from accounts.keys import services as keys
from accounts.signin.sessions import end_all_sign_ins
from accounts.staff import services as staff
from accounts.users.models import User
from conftest import PASSWORD, client_of, client_with, make_user
from emailcheck.common.testing import run_sixteen
from tests.permission_table import ANY_STAFF, EXPECTED, ROUTES, WITHOUT_SIGN_IN
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.single.services import validate_single

LIVING = "ida.holm@harborquill.com"
REASON = {"reason": "Asked for help by phone"}
# What may be looked at; all else is refused, and none of it holds a key or an address that was uploaded.
SHOWN = {
    "organisation", "organisation/members",
    "auth/me", "user/mfa", "user/preferences", "user/retention", "user/onboarding", "user/activity", "credits",
    "organisation/downloads", "organisation/billing",
    "credits/statement", "user/usage-alerts", "subscriptions/status", "invoices", "payment-methods", "referral/stats",
    "referral/activities", "quotes/my-quotes", "payments/pending", "analytics/dashboard", "analytics/usage",
    "analytics/advanced", "validate/batches", "validate/batch/<str:batch_id>/status",
}  # fmt: skip


def start(api: APIClient, user: User, **body: str) -> Any:
    return api.post(f"/api/admin/users/{user.pk}/view-as", body or REASON, format="json")


@pytest.fixture
def view(sam: User, alice: User) -> APIClient:
    return client_with(start(client_of(sam), alice).json()["token"])


def state() -> list[Any]:
    people = list(User.objects.order_by("pk").values_list("email", "name", "role", "is_active", "password"))
    return [people, Activity.objects.count(), SignIn.objects.filter(ended_at=None).count()]


@pytest.mark.spec("ADM-230", "SEC-014")
def test_a_look_shows_the_customer_s_figures_and_is_told_to_the_customer(sam: User, alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        answer = start(client_of(sam), alice)
        assert (answer.status_code, answer.json()["user"]) == (200, {"name": "Alice Alder"})
        assert (answer.json()["expires_at"], answer["Cache-Control"]) == ("2026-03-01T12:15:00Z", "no-store")
        me = client_with(answer.json()["token"]).get("/api/auth/me").json()
        assert (me["email"], me["credits"], me["is_staff"]) == ("alice@alder.com", 100, False)
        line = client_of(alice).get("/api/user/activity", {"kind": "staff"}).json()["activity"][0]
    assert (line["action"], line["by_staff"]) == ("Staff began to look at the account, read-only", True)
    recorded = Activity.objects.get(kind=ActivityKind.STAFF)
    assert (recorded.user, recorded.staff_id, recorded.changes) == (alice, sam.pk, REASON)


@pytest.mark.spec("ADM-230")
def test_nothing_can_be_written(view: APIClient, alice: User) -> None:
    before = state()
    writes = [call for call in EXPECTED if call[0] != "GET" and call[1] not in WITHOUT_SIGN_IN]
    assert len(writes) > 60
    for method, route in writes:
        path = "/api/" + re.sub("<.*?>", "1", route)
        answer = getattr(view, method.lower())(path, {}, format="json")
        refused = "PERMISSION_DENIED" if "admin" in route or "monitoring" in route else "VIEW_READ_ONLY"
        assert (route, answer.status_code, answer.json()["code"]) == (route, 403, refused)
    assert state() == before


@pytest.mark.spec("ADM-230")
def test_no_key_and_no_uploaded_address_is_shown(view: APIClient, world: Sandbox, alice: User) -> None:
    batch = batches.start_list(organisation=alice.own_organisation, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)
    single = validate_single(organisation=alice.own_organisation, address=LIVING)
    key, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    ids = {"<str:batch_id>": batch.public_id, "<int:result_id>": str(single.pk), "<int:key_id>": str(key.pk)}
    shown = set()
    for route in ROUTES:
        if ("GET", route) not in EXPECTED or route in WITHOUT_SIGN_IN | {ANY_STAFF}:
            continue
        path = "/api/" + re.sub("<.*?>", lambda found: ids.get(found[0], "1"), route)
        answer: Any = view.get(path, {"range": "30d"})
        told = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert LIVING.encode() not in told
        assert text.encode() not in told
        assert b"harborquill" not in told
        if answer.status_code != 403:
            shown.add(route)
    assert shown - {"invoices/<int:invoice_id>/pdf"} == SHOWN
    found = view.get("/api/validate/batches", {"search": "nobody", "sort": "name"}).json()
    assert [row["email"] for row in found["individual_validations"]] == ["hidden"]


@pytest.mark.spec("ADM-230", "ADM-219", "SEC-015")
def test_staff_protected_and_suspended_accounts_are_never_looked_at(sam: User, alice: User, settings: Any) -> None:
    settings.STAFF_AUTO_ADMIN = False
    colleague = make_user("ada@emailcheck.app", "Ada")
    admin = make_user("bea@oak.de", "Bea", role="admin")
    bob = make_user("bob@birch.net", "Bob")
    settings.PROTECTED_ADMIN_EMAILS = ("bob@birch.net",)
    api, before = client_of(sam), Activity.objects.count()
    for user in (sam, colleague, admin, bob):
        answer = start(api, user)
        assert (answer.status_code, answer.json()["code"]) == (403, "PROTECTED_ACCOUNT")
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert start(api, alice).json()["code"] == "ACCOUNT_SUSPENDED"
    User.objects.filter(pk=alice.pk).update(is_active=True)
    assert start(api, alice, reason=" ").status_code == 400
    assert api.post("/api/admin/users/4711/view-as", REASON, format="json").status_code == 404
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    assert start(api, alice).json()["code"] == "REAUTH_REQUIRED"
    assert not Viewing.objects.exists()
    assert Activity.objects.count() == before


@pytest.mark.spec("ADM-230")
@pytest.mark.parametrize("end", ["time", "call", "session", "role", "suspended", "promoted", "another"])
def test_a_look_ends_with_whatever_it_stands_on(sam: User, alice: User, bob: User, end: str) -> None:
    api = client_of(sam)
    view = client_with(start(api, alice).json()["token"])
    assert view.get("/api/credits").status_code == 200
    after = timezone.now() + timedelta(minutes=15 if end == "time" else 0)
    ends: dict[str, Callable[[], Any]] = {
        "time": lambda: None,
        "call": lambda: api.delete("/api/admin/view-as"),
        "session": lambda: end_all_sign_ins(user=sam),
        "role": lambda: User.objects.filter(pk=sam.pk).update(role="user"),
        "suspended": lambda: staff.change_account(user=alice, by=sam, is_active=False, suspension_reason="Abuse"),
        "promoted": lambda: User.objects.filter(pk=alice.pk).update(role="admin"),
        "another": lambda: start(api, bob),
    }  # fmt: skip
    ends[end]()
    with time_machine.travel(after, tick=False):
        answer = view.get("/api/credits")
    assert (answer.status_code, answer.json()["code"]) == (401, "NOT_AUTHENTICATED")


@pytest.mark.spec("ADM-230", "SEC-014")
def test_ending_twice_is_harmless_and_recorded_once(sam: User, alice: User) -> None:
    api = client_of(sam)
    start(api, alice)
    answers = [api.delete("/api/admin/view-as").json() for _ in range(2)]
    assert answers == [{"message": "View ended"}] * 2
    assert Activity.objects.filter(user=alice, action="Staff stopped looking at the account").count() == 1


def browser_and_api(user: User) -> tuple[Client, APIClient]:
    """A browser in which somebody signed in, and its calls."""
    browser, api = Client(), APIClient()
    pair = {"email": user.email, "password": PASSWORD}
    token = browser.post("/api/auth/login", pair, content_type="application/json").json()["token"]
    api.cookies = browser.cookies
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return browser, api


@pytest.mark.spec("ADM-230")
def test_every_page_says_whose_it_is_until_the_look_ends(sam: User, alice: User) -> None:
    browser, api = browser_and_api(sam)
    assert start(api, alice).status_code == 200
    for path in ("/dashboard", "/account-settings", "/privacy", "/blog/nothing-here", "/"):
        page = browser.get(path).content.decode()
        assert 'data-island="viewing"' in page
        assert "You are viewing as Alice Alder, read-only." in page
        assert " data-viewing>" in page
    dashboard = browser.get("/dashboard").content.decode()
    assert "Welcome, Alice Alder" in dashboard
    assert 'data-island="tour"' not in dashboard
    area = browser.get("/admin").content.decode()
    assert 'data-island="viewing"' in area
    assert " data-viewing>" not in area
    assert 'data-island="admin"' in area
    with time_machine.travel(timezone.now() + timedelta(minutes=15, seconds=1), tick=False):
        assert "Welcome, Sam Staff" in browser.get("/dashboard").content.decode()
    assert start(api, alice).status_code == 200
    assert api.delete("/api/admin/view-as").status_code == 200
    assert "Welcome, Sam Staff" in browser.get("/dashboard").content.decode()


@pytest.mark.spec("ADM-230")
def test_the_cookie_alone_opens_no_account(sam: User, alice: User, bob: User) -> None:
    _, api = browser_and_api(sam)
    start(api, alice)
    thief = Client()
    session = thief.session
    session["viewing"] = Viewing.objects.get().pk
    session.save()
    assert thief.get("/dashboard").status_code == 302
    browser, _ = browser_and_api(bob)
    session = browser.session
    session["viewing"] = Viewing.objects.get().pk
    session.save()
    assert "Welcome, Bob Birch" in browser.get("/dashboard").content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-230")
def test_of_sixteen_looks_at_once_one_stays_open(sam: User, alice: User) -> None:
    api = client_of(sam)
    tokens = run_sixteen(lambda _: start(api, alice).json()["token"])
    answers = [client_with(token).get("/api/credits").status_code for token in tokens]
    assert sorted(answers) == [200] + [401] * 15
