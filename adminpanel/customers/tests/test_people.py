"""Test users, new administrators, and help for one account."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity.models import Activity, ActivityKind
from accounts.signin import services as signin
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from billing.tests.paid import captured
from conftest import PASSWORD, client_of, make_user
from emailcheck.common.testing import drain_queue, run_sixteen

pytestmark = pytest.mark.postgres

TEST_USERS = "/api/admin/users/test-users"
DELETE = "/api/admin/users/delete-test-users"
ADMIN = "/api/admin/create-admin"
NEW = {"email": "Ada@EmailCheck.app", "name": "Ada"}


@pytest.fixture
def namesakes(sam: User, alice: User, settings: Any) -> dict[str, User]:
    settings.PROTECTED_ADMIN_EMAILS = ("test@emailcheck.app",)
    free: dict[str, Any] = {"plan": Plan.FREE}
    people = {
        "name": make_user("a@oak.de", "A TESTER", **free), "mail": make_user("mytest@oak.de", "Bea", **free),
        "paid": make_user("test1@oak.de", "Paid", **free), "plan": make_user("test2@oak.de", "Plan"),
        "admin": make_user("test3@emailcheck.app", "Admin", role="admin", **free),
        "protected": make_user("test@emailcheck.app", "Protected", **free),
        "later": make_user("test4@oak.de", "Later", **free),
    }  # fmt: skip
    captured(people["paid"])
    return people


def list_deleted(people: dict[str, User]) -> set[str]:
    closed = set(User.objects.exclude(deleted_at=None).values_list("pk", flat=True))
    return {name for name, user in people.items() if user.pk in closed}


@pytest.mark.spec("ADM-229", "ADM-212")
def test_the_preview_lists_what_would_go_and_what_stays(namesakes: dict[str, User], sam: User) -> None:
    found = client_of(sam).get(TEST_USERS).json()
    assert [(user["id"], user["name"], user["email"]) for user in found["delete"]] == [
        (namesakes["name"].pk, "A TESTER", "a@oak.de"), (namesakes["mail"].pk, "Bea", "mytest@oak.de"),
        (namesakes["later"].pk, "Later", "test4@oak.de"),
    ]  # fmt: skip
    assert [(user["plan"], user["last_payment"]) for user in found["delete"]] == [("free", None)] * 3
    paid = f"Paid on {timezone.now():%-d %B %Y}"
    assert [(user["email"], user["why"]) for user in found["kept"]] == [
        ("test1@oak.de", paid), ("test2@oak.de", "Growth plan is running"),
        ("test3@emailcheck.app", "Administrator"), ("test@emailcheck.app", "Protected account"),
    ]  # fmt: skip
    assert list_deleted(namesakes) == set()


@pytest.mark.spec("ADM-211", "ADM-213", "ADM-229")
def test_what_was_listed_goes_and_nothing_else(namesakes: dict[str, User], sam: User) -> None:
    api = client_of(sam)
    listed = api.get(TEST_USERS).json()["preview_id"]
    newcomer = make_user("test5@oak.de", "Newcomer", plan=Plan.FREE)
    Subscription.objects.filter(organisation=namesakes["later"].own_organisation).update(plan=Plan.PRO)
    counts = [api.delete(f"{DELETE}?preview_id={listed}").json() for _ in range(2)]
    assert counts == [{"deleted_count": 2}, {"deleted_count": 0}]
    assert list_deleted(namesakes | {"newcomer": newcomer}) == {"name", "mail"}
    assert Activity.objects.filter(kind=ActivityKind.STAFF, staff_id=sam.pk, action="Account deleted").count() == 2


@pytest.mark.spec("ADM-212", "ADM-219")
def test_without_a_list_all_that_may_go_goes(namesakes: dict[str, User], sam: User) -> None:
    assert client_of(sam).delete(DELETE).json() == {"deleted_count": 3}
    assert list_deleted(namesakes) == {"name", "mail", "later"}


@pytest.mark.spec("ADM-229", "SEC-015")
def test_a_list_of_somebody_else_or_of_yesterday_is_refused(namesakes: dict[str, User], sam: User) -> None:
    api = client_of(sam)
    listed = api.get(TEST_USERS).json()["preview_id"]
    other = client_of(namesakes["admin"])
    assert other.delete(f"{DELETE}?preview_id={listed}").json()["code"] == "VALIDATION_ERROR"
    assert api.delete(f"{DELETE}?preview_id=nonsense").status_code == 400
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    assert api.delete(f"{DELETE}?preview_id={listed}").json()["code"] == "REAUTH_REQUIRED"
    with time_machine.travel(timezone.now() + timedelta(minutes=61), tick=False):
        assert client_of(sam).delete(f"{DELETE}?preview_id={listed}").status_code == 400
    assert list_deleted(namesakes) == set()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-213")
def test_sixteen_at_once_delete_each_once(namesakes: dict[str, User], sam: User) -> None:
    api = client_of(sam)
    assert sum(run_sixteen(lambda _: api.delete(DELETE).json()["deleted_count"])) == 3
    assert Activity.objects.filter(action="Account deleted").count() == 3


def sign_in(password: str) -> Any:
    pair = {"email": "ada@emailcheck.app", "password": password}
    return APIClient().post("/api/auth/login", pair, format="json")


@pytest.mark.spec("ADM-214", "ADM-216", "ADM-217")
def test_a_made_up_password_lets_in_to_choose_another(sam: User) -> None:
    answer = client_of(sam).post(ADMIN, NEW, format="json")
    made = answer.json()
    ada = User.objects.get(email="ada@emailcheck.app")
    assert (made["success"], made["user"]) == (True, {"id": ada.pk, "email": "ada@emailcheck.app"})
    assert answer["Cache-Control"] == "no-store"
    assert (ada.is_staff, ada.own_organisation.company, ada.check_password(made["password"])) == (
        True,
        "EmailCheck",
        True,
    )
    line = Activity.objects.get(kind=ActivityKind.STAFF)
    assert (line.staff_id, line.action, line.user) == (sam.pk, "Became an administrator", ada)
    refused = sign_in(made["password"])
    assert (refused.status_code, refused.json()["code"]) == (403, "PASSWORD_CHANGE_REQUIRED")
    assert not SignIn.objects.filter(user=ada).exists()
    chosen = {"token": refused.json()["reset_token"], "password": "own-horse-4711"}
    assert APIClient().post("/api/auth/reset-password", chosen, format="json").status_code == 200
    assert sign_in(made["password"]).json()["code"] == "INVALID_CREDENTIALS"
    assert sign_in("own-horse-4711").json()["user"]["is_staff"]
    drain_queue()
    assert [sent for sent in mail.outbox if made["password"] in sent.body] == []


@pytest.mark.spec("ADM-216", "ADM-217", "SEC-013")
def test_a_given_password_is_one_to_be_changed_too_and_ends_after_a_day(sam: User) -> None:
    wished = NEW | {"password": "handed-horse-42", "company_name": "Ada & Co"}
    assert client_of(sam).post(ADMIN, wished, format="json").json()["password"] == "handed-horse-42"
    assert User.objects.get(email="ada@emailcheck.app").own_organisation.company == "Ada & Co"
    assert sign_in("handed-horse-42").json()["code"] == "PASSWORD_CHANGE_REQUIRED"
    with time_machine.travel(timezone.now() + timedelta(hours=24, seconds=1), tick=False):
        late = sign_in("handed-horse-42")
        assert (late.status_code, late.json()["code"]) == (403, "PASSWORD_EXPIRED")
        assert sign_in("wrong-horse-42").json()["code"] == "INVALID_CREDENTIALS"


@pytest.mark.spec("ADM-215", "ADM-225", "ADM-217")
@pytest.mark.parametrize(
    ("wish", "code", "detail"),
    [
        ({"email": "ada@oak.de"}, "WRONG_DOMAIN", "Admin email must end with @emailcheck.app"),
        ({"email": "sam@emailcheck.app"}, "VALIDATION_ERROR", "Email already registered"),
        ({"email": ""}, "VALIDATION_ERROR", None), ({"name": ""}, "VALIDATION_ERROR", None),
        ({"email": "nonsense"}, "VALIDATION_ERROR", None), ({"password": "short"}, "WEAK_PASSWORD", None),
    ],
)  # fmt: skip
def test_no_administrator_comes_of_a_wrong_wish(sam: User, wish: dict[str, str], code: str, detail: str | None) -> None:
    answer = client_of(sam).post(ADMIN, NEW | wish, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert detail in {None, answer.json()["detail"]}
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    assert User.objects.get() == sam
    assert not Activity.objects.filter(kind=ActivityKind.STAFF).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-217", "SEC-015")
def test_of_sixteen_at_once_one_makes_the_administrator(sam: User) -> None:
    api = client_of(sam)
    answers = run_sixteen(lambda _: api.post(ADMIN, NEW, format="json").status_code)
    assert sorted(answers) == [200] + [400] * 15
    assert User.objects.filter(email="ada@emailcheck.app").count() == 1
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    late = api.post(ADMIN, NEW | {"email": "bea@emailcheck.app"}, format="json")
    assert late.json()["code"] == "REAUTH_REQUIRED"
    assert User.objects.count() == 2


@pytest.mark.spec("SEC-014")
def test_staff_sign_an_account_out(sam: User, alice: User) -> None:
    tokens = [client_of(alice) for _ in range(2)]
    path = f"/api/admin/users/{alice.pk}/sign-out"
    counts = [client_of(sam).post(path).json() for _ in range(2)]
    assert counts == [{"message": "User signed out everywhere", "ended_count": number} for number in (2, 0)]
    assert {token.get("/api/auth/me").status_code for token in tokens} == {401}
    assert Activity.objects.filter(kind=ActivityKind.STAFF, staff_id=sam.pk).count() == 2


@pytest.mark.spec("SEC-014")
def test_a_verification_mail_goes_out_again(sam: User, alice: User) -> None:
    una = signin.register_account(email="una@umber.org", password=PASSWORD, name="Una")
    drain_queue()
    mail.outbox.clear()
    again = client_of(sam).post(f"/api/admin/users/{una.pk}/resend-verification")
    assert again.json() == {"message": "Verification email sent! Please check your inbox."}
    verified = client_of(sam).post(f"/api/admin/users/{alice.pk}/resend-verification")
    assert (verified.status_code, verified.json()["code"]) == (400, "ALREADY_VERIFIED")
    drain_queue()
    assert [sent.to for sent in mail.outbox] == [["una@umber.org"]]


@pytest.mark.spec("SEC-014", "ADM-231")
def test_staff_read_what_happened_on_an_account_and_who_did_it(sam: User, alice: User) -> None:
    client_of(sam).post(f"/api/admin/users/{alice.pk}/sign-out")
    lines = client_of(sam).get(f"/api/admin/users/{alice.pk}/activity").json()["activity"]
    assert [(line["action"], line["staff"]) for line in lines][:2] == [
        ("Signed out everywhere by staff", "Sam Staff (sam@emailcheck.app)"), ("Signed out everywhere", None),
    ]  # fmt: skip
    assert set(lines[0]) == {"time", "action", "ip", "staff"}
