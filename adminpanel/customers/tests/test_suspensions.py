"""A suspension has a reason, which its owner gets by mail with the way to answer; lifting it is mailed too."""

from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from accounts.activity.models import Activity, ActivityKind
from accounts.privacy import services as privacy
from accounts.tests.mailed import read_mails
from accounts.users.models import User
from conftest import browser_of, client_of
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.postgres

REASON = "Bought lists, against our terms"
SUSPENDED = ("alice@alder.com", "Your account is suspended")
READMITTED = ("alice@alder.com", "Your account is open again")


def put(sam: User, user: User, **wishes: Any) -> Any:
    return client_of(sam).put(f"/api/admin/users/{user.pk}", wishes, format="json")


def suspend(sam: User, user: User, reason: str = REASON) -> Any:
    return put(sam, user, status="suspended", suspension_reason=reason)


def reason_shown(sam: User, user: User) -> str:
    shown: str = client_of(sam).get(f"/api/admin/users/{user.pk}").json()["user"]["suspension_reason"]
    return shown


@pytest.mark.finding("F5")
@pytest.mark.spec("ADM-222")
def test_the_customer_reads_why_and_how_to_answer(sam: User, alice: User, settings: Any) -> None:
    settings.SUPPORT_EMAIL = "desk@emailcheck.app"
    read_mails()
    with time_machine.travel("2032-02-29 12:00:00+00:00", tick=False):
        assert suspend(sam, alice, f" {REASON} ").status_code == 200
        assert suspend(sam, alice, "Another reason").status_code == 200
        assert (reason_shown(sam, alice), read_mails()) == (REASON, [SUSPENDED])
        (sent,) = mail.outbox
        assert isinstance(sent, EmailMultiAlternatives)
        for text in (str(sent.body), str(sent.alternatives[0][0])):
            for said in (REASON, "29 February 2032, 12:00 UTC", "desk@emailcheck.app", "Your data is kept"):
                assert said in text
    line = Activity.objects.get(kind=ActivityKind.STAFF)
    assert (line.user, line.staff_email, line.changes) == (
        alice, sam.email, {"is_active": [True, False], "reason": REASON},
    )  # fmt: skip
    entry = client_of(sam).get("/api/admin/audit").json()["entries"][0]
    assert entry["changes"] == {"is_active": [True, False], "reason": REASON}


@pytest.mark.finding("F5")
@pytest.mark.spec("ADM-222")
def test_lifting_a_suspension_is_mailed_and_forgets_the_reason(sam: User, alice: User) -> None:
    suspend(sam, alice)
    assert SUSPENDED in read_mails()
    for _ in range(2):
        assert put(sam, alice, status="active").status_code == 200
    assert (reason_shown(sam, alice), read_mails()) == ("", [READMITTED])
    assert "/?login=true" in str(mail.outbox[0].body)
    assert client_of(alice).get("/api/auth/me").status_code == 200
    assert suspend(sam, alice, "Again").status_code == 200
    assert (reason_shown(sam, alice), read_mails()) == ("Again", [SUSPENDED])


@pytest.mark.finding("F5")
@pytest.mark.spec("ADM-222", "ADM-220")
@pytest.mark.parametrize("wrong", [{}, {"suspension_reason": ""}, {"suspension_reason": " "}, {"reason": REASON}])
def test_without_a_reason_nobody_is_suspended_or_mailed(sam: User, alice: User, wrong: dict[str, str]) -> None:
    read_mails()
    answer = put(sam, alice, status="suspended", plan="pro", **wrong)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"]["field"] == "suspension_reason"
    assert client_of(alice).get("/api/auth/me").json()["subscription_plan"] == "growth"
    assert (read_mails(), Activity.objects.filter(kind=ActivityKind.STAFF).count()) == ([], 0)


@pytest.mark.finding("F5")
def test_django_s_admin_suspends_with_a_reason_and_mails_too(sam: User, alice: User) -> None:
    browser, page = browser_of(sam), f"/django-admin/accounts/user/{alice.pk}/change/"
    read_mails()
    form = {"name": alice.name, "role": "user"}
    assert "Enter a reason for the suspension" in browser.post(page, form).content.decode()
    assert read_mails() == []
    shown = browser.post(page, form | {"reason": REASON}, follow=True).content.decode()
    assert ("changed successfully" in shown, read_mails()) == (True, [SUSPENDED])
    assert REASON in browser.get(page).content.decode()
    browser.post(page, form | {"is_active": "on"})
    assert read_mails() == [READMITTED]


@pytest.mark.finding("F5")
def test_the_reason_goes_with_the_account(sam: User, alice: User) -> None:
    suspend(sam, alice)
    privacy.close_account(user=alice)
    assert User.objects.get(pk=alice.pk).suspension_reason == ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.finding("F5")
@pytest.mark.spec("ADM-222")
def test_sixteen_suspensions_at_once_are_one_mail_and_one_line(sam: User, alice: User) -> None:
    api = client_of(sam)
    read_mails()

    def once(number: int) -> int:
        wishes = {"status": "suspended", "suspension_reason": f"Reason {number}"}
        return api.put(f"/api/admin/users/{alice.pk}", wishes, format="json").status_code

    assert run_sixteen(once) == [200] * 16
    assert read_mails() == [SUSPENDED]
    line = Activity.objects.get(kind=ActivityKind.STAFF)
    assert reason_shown(sam, alice) == line.changes["reason"]
    assert f"Reason: {line.changes['reason']}\n" in str(mail.outbox[0].body)
