"""Django's own admin is for staff."""

from typing import Any

import pytest
import time_machine
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from django_q.models import Failure, OrmQ, Schedule

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.users.models import User
from conftest import PASSWORD, browser_of, client_of, make_user

TABLES = sorted(admin.site._registry, key=str)


def page_of(model: type[Model], page: str, *ids: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=ids)


@pytest.mark.parametrize("model", TABLES)
def test_staff_see_every_table(sam: User, model: type[Model]) -> None:
    assert browser_of(sam).get(page_of(model, "changelist"), {"q": "x"}).status_code == 200


@pytest.mark.parametrize("model", TABLES)
def test_staff_write_nothing_there_but_accounts(sam: User, model: type[Model]) -> None:
    asked = RequestFactory().get("/")
    asked.user = sam
    pages = admin.site._registry[model]
    may = (pages.has_add_permission(asked), pages.has_change_permission(asked), pages.has_delete_permission(asked))
    assert may == (False, model is User, False)
    assert pages.get_actions(asked) == {}


def test_the_queue_takes_no_function_from_a_browser(sam: User) -> None:
    browser = browser_of(sam)
    before = OrmQ.objects.count()
    schedule = {"name": "x", "func": "os.system", "args": "'true'", "schedule_type": "O", "repeats": 1}
    assert browser.post(page_of(Schedule, "add"), schedule).status_code == 403
    now = timezone.now()
    task = Failure.objects.create(id="x", name="x", func="os.system", started=now, stopped=now, success=False)
    again = {"action": "resubmit_task", "_selected_action": [task.pk]}
    browser.post(page_of(Failure, "changelist"), again)
    assert (Schedule.objects.count(), OrmQ.objects.count(), Failure.objects.count()) == (0, before, 1)


@pytest.mark.parametrize("change", [{"role": "user"}, {"email_verified_at": None}, {"is_active": False}])
def test_nobody_else_enters(sam: User, change: dict[str, object]) -> None:
    client = browser_of(sam)
    User.objects.filter(pk=sam.pk).update(**change)
    assert client.get("/django-admin/").status_code == 302


@pytest.mark.spec("AUTH-018", "SEC-011")
def test_a_password_alone_opens_no_second_door(sam: User, client: Client) -> None:
    pair = {"username": sam.email, "password": PASSWORD}
    for answer in (client.get("/django-admin/login/"), client.post("/django-admin/login/", pair)):
        assert (answer.status_code, answer["Location"]) == (302, "/admin")
    assert client.get("/django-admin/").status_code == 302
    client.force_login(sam)
    assert client.get("/django-admin/").status_code == 302


@pytest.mark.spec("AUTH-019")
def test_django_s_admin_ends_with_the_sign_in_and_the_sign_in_with_it(sam: User) -> None:
    client, other = browser_of(sam), browser_of(sam)
    assert client.get("/django-admin/logout/").status_code == 405
    assert client.get("/django-admin/").status_code == 200
    assert client.post("/django-admin/logout/")["Location"] == "/"
    assert client.get("/django-admin/").status_code == 302
    assert SignIn.objects.filter(ended_at=None).count() == 1
    assert client_of(sam).delete("/api/user/sessions").json()["ended_count"] == 2
    assert other.get("/django-admin/").status_code == 302


def test_passwords_change_by_the_mailed_link_alone(sam: User) -> None:
    change = {"old_password": PASSWORD, "new_password1": "other-horse-42", "new_password2": "other-horse-42"}
    browser = browser_of(sam)
    assert browser.get("/django-admin/password_change/")["Location"] == "/account-settings?tab=password"
    assert browser.post("/django-admin/password_change/", change).status_code == 405
    sam.refresh_from_db()
    assert sam.check_password(PASSWORD)


@pytest.mark.spec("SEC-015")
def test_roles_change_only_soon_after_the_sign_in(sam: User, alice: User) -> None:
    page = reverse("admin:accounts_user_change", args=[alice.pk])
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        client = browser_of(sam)
        clock.shift(15 * 60)
        suspend = {"name": "Alice", "role": "user", "reason": "Abuse"}
        shown = client.post(page, suspend, follow=True).content.decode()
        assert ("sign out and in again first" in shown, "changed successfully" in shown) == (True, False)
        alice.refresh_from_db()
        assert (alice.name, alice.is_active) == ("Alice Alder", True)
        assert not Activity.objects.filter(staff_id=sam.pk).exists()
        assert "changed successfully" in browser_of(sam).post(page, suspend, follow=True).content.decode()
    alice.refresh_from_db()
    assert (alice.name, alice.is_active) == ("Alice", False)


@pytest.mark.finding("F1")
@pytest.mark.spec("ADM-222")
@pytest.mark.parametrize(
    ("email", "wishes", "said"),
    [
        ("sam@emailcheck.app", {"role": "user", "is_active": "on"}, "You cannot change your own role or status."),
        ("sam@emailcheck.app", {"role": "admin", "reason": "Abuse"}, "You cannot change your own role or status."),
        ("rosa@emailcheck.app", {"role": "user", "is_active": "on"}, "This account is protected"),
        ("rosa@emailcheck.app", {"role": "admin", "reason": "Abuse"}, "This account is protected"),
        ("bob@birch.net", {"role": "admin", "is_active": "on"}, "Admin email must end with @emailcheck.app"),
    ],
)
def test_a_refused_change_of_role_or_status_saves_nothing_and_says_why(
    sam: User, bob: User, settings: Any, email: str, wishes: dict[str, str], said: str
) -> None:
    make_user("rosa@emailcheck.app", "Rosa Ruiz", role="admin")
    settings.PROTECTED_ADMIN_EMAILS = ("rosa@emailcheck.app",)
    told = User.objects.filter(email=email).values("name", "role", "is_active", "suspension_reason")
    before, user = told.get(), User.objects.get(email=email)
    form = {"name": "Another name", **wishes}
    shown = browser_of(sam).post(page_of(User, "change", user.pk), form, follow=True).content.decode()
    assert (f"Nothing was saved. {said}" in shown, "changed successfully" in shown) == (True, False)
    assert (told.get(), LogEntry.objects.count(), Activity.objects.filter(kind="staff").count()) == (before, 0, 0)


@pytest.mark.spec("SEC-009", "SEC-010")
@pytest.mark.parametrize(
    ("email", "domain", "is_staff"),
    [
        ("sam@emailcheck.app", "emailcheck.app", True),
        ("sam@emailcheck.app", "EmailCheck.App", True),
        ("sam@xn--bcher-kva.de", "bücher.de", True),
        ('"x@emailcheck.app"@evil.com', "emailcheck.app", False),
        ("sam@evil-emailcheck.app", "emailcheck.app", False),
        ("sam@mail.emailcheck.app", "emailcheck.app", False),
        ("sam@emailcheck.app.evil.com", "emailcheck.app", False),
        ("sam@emailcheck.app", "", False),
        ("sam", "", False),
        ("sam@" + "a" * 70 + ".app", "emailcheck.app", False),
    ],
)
def test_staff_have_an_address_in_the_admin_domain(settings: Any, email: str, domain: str, is_staff: bool) -> None:
    settings.ADMIN_EMAIL_DOMAIN = domain
    assert User(email=email, role="admin", email_verified_at=timezone.now()).is_staff is is_staff


def test_accounts_are_neither_made_nor_moved_in_the_admin(sam: User, alice: User) -> None:
    client = browser_of(sam)
    assert client.get(reverse("admin:accounts_user_add")).status_code == 403
    assert client.post(reverse("admin:accounts_user_delete", args=[alice.pk]), {"post": "yes"}).status_code == 403
    change = {"email": "x@evil.com", "name": "Alice", "role": "user", "is_active": "on", "is_superuser": "on"}
    assert client.post(reverse("admin:accounts_user_change", args=[alice.pk]), change).status_code == 302
    alice.refresh_from_db()
    assert (alice.email, alice.name, alice.is_superuser) == ("alice@alder.com", "Alice", False)


def test_what_changes_while_staff_save_a_form_stays(sam: User, alice: User) -> None:
    """Alice switches mails off, and signs out everywhere, between the reading and the writing of the form."""
    theirs: list[Any] = []

    def change_meanwhile(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith('UPDATE "accounts_user"') and not theirs:
            theirs.append(sql)
            User.objects.filter(pk=alice.pk).update(email_notifications=False, device_generation=7)
        return execute(sql, params, many, context)

    client, change = browser_of(sam), {"name": "Alice A.", "role": "user", "is_active": "on"}
    with connection.execute_wrapper(change_meanwhile):
        assert client.post(page_of(User, "change", alice.pk), change).status_code == 302
    alice.refresh_from_db()
    assert (len(theirs), alice.name, alice.email_notifications, alice.device_generation) == (1, "Alice A.", False, 7)


def test_the_ledger_is_read_only_even_for_staff(sam: User) -> None:
    client = browser_of(sam)
    account = reverse("admin:billing_creditaccount_change", args=[sam.pk])
    assert client.get(account).status_code == 200
    assert client.post(account, {"balance": 1_000_000}).status_code == 403
    assert client.get(reverse("admin:billing_creditentry_add")).status_code == 403
    sam.own_organisation.credit_account.refresh_from_db()
    assert sam.own_organisation.credit_account.balance == 100
