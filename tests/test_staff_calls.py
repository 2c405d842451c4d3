"""The staff area by the API: who is let in, what it answers; how somebody becomes staff."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.dispatch import receiver
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.keys import services as keys
from accounts.organisations.models import Organisation
from accounts.signals import organisation_suspended
from accounts.signin import services as signin
from accounts.staff import services as staff
from accounts.users.models import User
from conftest import PASSWORD, browser_of, client_of, client_with, make_user
from emailcheck.common.errors import BadInput, Refused

CALLS = ("/api/admin/audit", "/api/admin/emails", "/api/v1/admin/audit", "/api/admin/users/authenticated", "/api/admin")
REFUSED = "Admin access required."


def said(answer: Any) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


@pytest.mark.spec("SEC-008", "ADM-010", "ADM-016")
@pytest.mark.parametrize("path", CALLS)
def test_whoever_is_not_signed_in_gets_401(db: None, anonymous_api: APIClient, path: str) -> None:
    for api in (anonymous_api, client_with("nonsense"), client_with("ec_live_x"), client_with("a.b.c")):
        assert said(api.get(path)) == (401, "NOT_AUTHENTICATED", REFUSED)


@pytest.mark.spec("SEC-008", "SEC-006", "ADM-001")
@pytest.mark.parametrize("path", CALLS)
def test_everybody_but_staff_gets_403(alice: User, sam: User, path: str) -> None:
    key = keys.create_key(organisation=sam.own_organisation, maker=sam, name="Of staff")[1]
    for api in (client_of(alice), client_with(key)):
        assert said(api.get(path)) == (403, "PERMISSION_DENIED", REFUSED)


@pytest.mark.spec("SEC-002", "SEC-009", "SEC-010")
@pytest.mark.parametrize(
    "change",
    [
        {"role": "user"}, {"is_active": False}, {"email_verified_at": None}, {"email": "sam@evil-emailcheck.app"},
        {"email": "sam@sub.emailcheck.app"}, {"email": "sam@emailcheck.app.evil.com"},
    ],
)  # fmt: skip
def test_each_condition_of_being_staff_counts(sam: User, change: dict[str, object]) -> None:
    api = client_of(sam)
    assert api.get("/api/admin/audit").status_code == 200
    User.objects.filter(pk=sam.pk).update(**change)
    assert said(api.get("/api/admin/audit")) == (403, "PERMISSION_DENIED", REFUSED)


def test_staff_learn_that_a_call_does_not_exist(sam: User) -> None:
    assert said(client_of(sam).get("/api/admin/nothing")) == (404, "NOT_FOUND", "Not found.")


def test_staff_read_who_did_what(alice: User, sam: User) -> None:
    Activity.objects.all().delete()
    audit_log.record_activity(user=alice, kind=ActivityKind.KEY, action="Of Alice")
    staff.change_account(user=alice, by=sam, is_active=False, suspension_reason="Abuse")
    staff.create_admin(email="ada@emailcheck.app", name="Ada")
    api, who = client_of(sam), "Sam Staff (sam@emailcheck.app)"
    entries = api.get("/api/admin/audit").json()["entries"]
    assert [(line["user"], line["action"], line["changes"]) for line in entries] == [
        ("server", "Became an administrator", {"role": ["user", "admin"]}),
        (who, "Role or status changed", {"is_active": [True, False], "reason": "Abuse"}),
    ]
    assert entries[1]["target"] == f"account {alice.pk}"
    for query in ({"user": "SAM@"}, {"action": "status"}):
        assert [line["user"] for line in api.get("/api/admin/audit", query).json()["entries"]] == [who]
    for query in ({"from": "2999-01-01"}, {"to": "2001-01-01"}):
        assert api.get("/api/admin/audit", query).json() == {"entries": [], "next": None}
    assert api.get("/api/admin/audit", {"from": "yesterday"}).status_code == 400


@pytest.mark.spec("SET-056")
def test_staff_look_at_every_mail(sam: User) -> None:
    api = client_of(sam)
    emails = {mail["name"]: mail for mail in api.get("/api/admin/emails").json()["emails"]}
    assert emails["account_deleted"] == {
        "name": "account_deleted", "subject": "Your account was deleted", "always_sent": True,
    }  # fmt: skip
    for name in emails:
        preview = api.get(f"/api/admin/emails/{name}/preview").json()
        assert (preview["subject"], bool(preview["text"]), bool(preview["html"])) == (
            emails[name]["subject"],
            True,
            True,
        )
    assert said(api.get("/api/admin/emails/nothing/preview")) == (404, "NOT_FOUND", "E-mail not found")


@pytest.mark.spec("SEC-001", "SEC-009")
def test_create_admin_makes_a_verified_administrator(db: None, client: Client) -> None:
    out = StringIO()
    call_command("create_admin", "Ada@EmailCheck.app", "Ada", stdout=out)
    password = out.getvalue().partition("shown this once: ")[2].strip()
    login = {"email": "ada@emailcheck.app", "password": password}
    answer = client.post("/api/auth/login", login, content_type="application/json")
    assert (answer.status_code, answer.json()["user"]["is_staff"], answer.json()["user"]["role"]) == (
        200,
        True,
        "admin",
    )
    assert answer.json()["user"]["company"] == "EmailCheck"


@pytest.mark.spec("SEC-009")
def test_create_admin_gives_the_role_to_an_account_that_is_there(db: None, settings: Any) -> None:
    settings.STAFF_AUTO_ADMIN = False
    ada = make_user("ada@emailcheck.app", "Ada")
    assert not ada.is_staff
    out = StringIO()
    call_command("create_admin", "ada@emailcheck.app", "Ignored", stdout=out)
    ada.refresh_from_db()
    assert (ada.is_staff, ada.name, ada.check_password(PASSWORD)) == (True, "Ada", True)
    assert "Password" not in out.getvalue()


@pytest.mark.spec("SEC-009", "SEC-013")
def test_whoever_registered_an_address_before_its_owner_becomes_no_administrator(db: None, settings: Any) -> None:
    settings.STAFF_AUTO_ADMIN = False
    mallory = signin.register_account(email="ada@emailcheck.app", password=PASSWORD, name="Mallory")
    stolen = client_of(mallory)
    made_up = staff.create_admin(email="ada@emailcheck.app", name="Ada")
    mallory.refresh_from_db()
    assert (mallory.is_staff, mallory.check_password(PASSWORD), mallory.check_password(made_up)) == (True, False, True)
    assert stolen.get("/api/auth/me").status_code == 401


@pytest.mark.spec("SEC-009", "ADM-225")
@pytest.mark.parametrize("email", ["ada@evil.com", "ada@sub.emailcheck.app", "ada@emailcheck.app@evil.com"])
def test_nobody_of_another_domain_becomes_an_administrator(alice: User, sam: User, email: str) -> None:
    with pytest.raises(CommandError, match="Admin email must end with"):
        call_command("create_admin", email, "Ada")
    with pytest.raises(BadInput, match="Admin email must end with"):
        staff.change_account(user=alice, by=sam, role="admin")
    assert list(User.objects.filter(role="admin")) == [sam]
    assert User.objects.count() == 2


@pytest.mark.spec("SEC-009", "SEC-010")
@pytest.mark.parametrize(
    ("email", "setting", "role"),
    [
        ("ada@emailcheck.app", True, "admin"), ("ada@emailcheck.app", False, "user"),
        ("support@emailcheck.app", True, "user"), ("info+ada@emailcheck.app", True, "user"),
        ("ada@evil-emailcheck.app", True, "user"),
    ],
)  # fmt: skip
def test_colleagues_become_administrators_where_the_setting_says_so(
    db: None, settings: Any, email: str, setting: bool, role: str
) -> None:
    settings.STAFF_AUTO_ADMIN = setting
    user = signin.register_account(email=email, password=PASSWORD, name="Ada")
    assert user.role == "user"
    signin.verify_address(user=user)
    user.refresh_from_db()
    assert (user.role, user.is_staff) == (role, role == "admin")


@pytest.mark.spec("ADM-219", "ADM-224", "LIM-010")
@pytest.mark.parametrize("wish", [{"is_active": False}, {"role": "user"}])
def test_protected_accounts_and_the_own_one_are_not_changed(sam: User, settings: Any, wish: dict[str, Any]) -> None:
    ada = make_user("ada@emailcheck.app", "Ada")
    settings.PROTECTED_ADMIN_EMAILS = ("ada@emailcheck.app",)
    for user in (ada, sam):
        with pytest.raises(Refused):
            staff.change_account(user=user, by=sam, **wish)
    assert User.objects.filter(role="admin", is_active=True).count() == 2
    assert not Activity.objects.filter(staff_id=sam.pk).exists()


@pytest.mark.finding("F5")
@pytest.mark.spec("ADM-219")
def test_django_s_admin_changes_roles_by_the_same_rules(sam: User, alice: User) -> None:
    client = browser_of(sam)
    form = {"name": "Alice", "role": "admin", "is_active": "on"}
    page = reverse("admin:accounts_user_change", args=[alice.pk])
    shown = client.post(page, form, follow=True).content.decode()
    assert "Nothing was saved. Admin email must end with @emailcheck.app" in shown
    assert "changed successfully" not in shown
    alice.refresh_from_db()
    assert (alice.name, alice.role) == ("Alice Alder", "user")
    for refused in ({}, {"reason": "  "}, {"is_active": "on", "reason": "Abuse"}):
        answer = client.post(page, {"name": "Alice", "role": "user"} | refused)
        assert (answer.status_code, "Please correct the error below" in answer.content.decode()) == (200, True)
    alice.refresh_from_db()
    assert (alice.name, alice.is_active, Activity.objects.filter(staff_id=sam.pk).count()) == ("Alice Alder", True, 0)
    assert client.post(page, {"name": "Alice", "role": "user", "reason": "Abuse"}).status_code == 302
    alice.refresh_from_db()
    assert (alice.name, alice.is_active, alice.suspension_reason) == ("Alice", False, "Abuse")
    assert Activity.objects.get(staff_id=sam.pk).changes == {"is_active": [True, False], "reason": "Abuse"}


@pytest.mark.spec("AUTH-017", "DOC-045")
def test_a_suspension_ends_sessions_and_stops_keys(alice: User, sam: User) -> None:
    token, key, page = (
        client_of(alice),
        client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1]),
        browser_of(alice),
    )
    staff.change_account(user=alice, by=sam, is_active=False, suspension_reason="Abuse")
    for api in (token, key):
        assert said(api.get("/api/auth/me")) == (403, "ACCOUNT_SUSPENDED", "Account suspended")
    assert page.get("/dashboard")["Location"] == "/"
    assert page.post("/api/auth/refresh").status_code == 401
    staff.change_account(user=alice, by=sam, is_active=True)
    assert (token.get("/api/auth/me").status_code, key.get("/api/auth/me").status_code) == (401, 200)


def test_a_suspension_is_told_once_and_undone_with_whoever_fails_over_it(alice: User, sam: User) -> None:
    told: list[int] = []
    token = client_of(alice)

    @receiver(organisation_suspended)
    def hear(organisation: Organisation, **_: Any) -> None:
        told.append(SignIn.objects.filter(user=organisation.holder, ended_at=None).count())
        if len(told) == 1:
            raise RuntimeError("a listener fails")

    try:
        with pytest.raises(RuntimeError, match="a listener fails"):
            staff.change_account(user=alice, by=sam, is_active=False, suspension_reason="Abuse")
        assert token.get("/api/auth/me").status_code == 200
        for wish in (False, False, True):
            staff.change_account(user=alice, by=sam, is_active=wish, suspension_reason="Abuse")
    finally:
        organisation_suspended.disconnect(hear)
    assert told == [0, 0]
