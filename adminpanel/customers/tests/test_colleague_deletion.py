"""A colleague's account goes when two administrators want it."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.privacy import services as privacy
from accounts.staff import colleague_deletion
from accounts.staff.models import ColleagueDeletion
from accounts.users.models import User
from conftest import PASSWORD, browser_of, client_of, make_user
from emailcheck.common.testing import drain_queue, run_sixteen

LIST = "/api/admin/colleague-deletions"
NOON = "2032-02-29 12:00:00+00:00"


@pytest.fixture
def rosa(db: None) -> User:
    return make_user("rosa@emailcheck.app", "Rosa Ruiz", role="admin")


@pytest.fixture
def tom(db: None) -> User:
    return make_user("tom@emailcheck.app", "Tom Tern", role="admin")


def request_deletion(by: User, colleague: User, reason: str = "Has left") -> Any:
    return client_of(by).post(f"/api/admin/users/{colleague.pk}/deletion", {"reason": reason}, format="json")


def confirm_deletion(by: User, number: int) -> Any:
    return client_of(by).post(f"{LIST}/{number}/confirm")


def read_refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def is_there(user: User) -> bool:
    return User.objects.filter(pk=user.pk, deleted_at=None, is_active=True).exists()


def list_mailed(step: str) -> list[str]:
    drain_queue()
    subject = f"Deletion of Tom Tern’s administrator account {step}"
    return sorted(sent.to[0] for sent in mail.outbox if sent.subject == subject)


@pytest.mark.finding("F1")
@pytest.mark.spec("ADM-208")
def test_one_asks_and_another_confirms(sam: User, rosa: User, tom: User) -> None:
    everybody = [rosa.email, sam.email, tom.email]
    with time_machine.travel(NOON, tick=False):
        asked = request_deletion(sam, tom)
        assert (asked.status_code, asked.json() | {"id": 0}) == (
            201,
            {
                "id": 0, "user_id": tom.pk, "name": "Tom Tern", "email": "tom@emailcheck.app", "reason": "Has left",
                "asked_by": "Sam Staff (sam@emailcheck.app)", "asked_at": "2032-02-29T12:00:00Z",
                "expires_at": "2032-03-07T12:00:00Z", "may_confirm": False, "may_cancel": True,
            },
        )  # fmt: skip
        assert (is_there(tom), list_mailed("asked for")) == (True, everybody)
        number = asked.json()["id"]
        waiting = {reader.pk: client_of(reader).get(LIST).json()["deletions"] for reader in (rosa, tom)}
        rights = {
            pk: [(one["id"], one["may_confirm"], one["may_cancel"]) for one in seen] for pk, seen in waiting.items()
        }
        assert rights == {rosa.pk: [(number, True, True)], tom.pk: [(number, False, False)]}
        done = confirm_deletion(rosa, number)
        assert (done.status_code, done.json()["message"]) == (200, "User tom@emailcheck.app deleted successfully!")
        assert (is_there(tom), list_mailed("confirmed")) == (False, everybody)
        assert client_of(rosa).get(LIST).json() == {"deletions": []}
    lines = Activity.objects.filter(target=f"account {tom.pk}", kind="staff").order_by("pk")
    told = [(line.action, line.staff_email, line.changes["reason"]) for line in lines]
    assert told == [
        ("Deletion of the account asked for", "sam@emailcheck.app", "Has left"),
        ("Account deleted", "rosa@emailcheck.app", "Has left"),
    ]


@pytest.mark.finding("F1")
def test_nobody_confirms_his_own_nor_about_himself(sam: User, rosa: User, tom: User) -> None:
    number = request_deletion(sam, tom).json()["id"]
    assert read_refusal(confirm_deletion(sam, number)) == (403, "SECOND_ADMIN_NEEDED")
    assert read_refusal(confirm_deletion(tom, number)) == (403, "PROTECTED_ACCOUNT")
    assert read_refusal(client_of(tom).post(f"{LIST}/{number}/cancel")) == (403, "PROTECTED_ACCOUNT")
    assert (is_there(tom), ColleagueDeletion.objects.get().outcome) == (True, "pending")


@pytest.mark.finding("F1")
def test_alone_no_administrator_deletes_another(sam: User, rosa: User, tom: User) -> None:
    """Neither at once, nor after taking the role, nor by Django's admin."""
    path = f"/api/admin/users/{tom.pk}"
    assert read_refusal(client_of(sam).delete(path)) == (403, "SECOND_ADMIN_NEEDED")
    assert client_of(sam).put(path, {"role": "user"}, format="json").status_code == 200
    assert read_refusal(client_of(sam).delete(path)) == (403, "SECOND_ADMIN_NEEDED")
    browser: Client = browser_of(sam)
    gone = browser.post(reverse("admin:accounts_user_delete", args=[tom.pk]), {"post": "yes"})
    many = {"action": "delete_selected", "_selected_action": [tom.pk], "post": "yes"}
    browser.post(reverse("admin:accounts_user_changelist"), many)
    assert (gone.status_code, is_there(tom)) == (403, True)


@pytest.mark.finding("F1")
@pytest.mark.parametrize(("days", "seconds", "status"), [(6, 86_399, 200), (7, 0, 409)])
def test_a_request_lapses_after_a_week(sam: User, rosa: User, tom: User, days: int, seconds: int, status: int) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        number = request_deletion(sam, tom).json()["id"]
        clock.shift(timedelta(days=days, seconds=seconds))
        assert confirm_deletion(rosa, number).status_code == status
        assert is_there(tom) == (status == 409)
        if status == 409:
            assert client_of(rosa).get(LIST).json() == {"deletions": []}
            assert request_deletion(rosa, tom).status_code == 201
            assert list(ColleagueDeletion.objects.order_by("pk").values_list("outcome", flat=True)) == [
                "lapsed",
                "pending",
            ]


@pytest.mark.finding("F1")
@pytest.mark.parametrize("who", ["sam", "rosa"])
def test_a_request_is_cancelled(sam: User, rosa: User, tom: User, who: str) -> None:
    number = request_deletion(sam, tom).json()["id"]
    assert read_refusal(request_deletion(rosa, tom)) == (409, "DELETION_ASKED")
    api = client_of({"sam": sam, "rosa": rosa}[who])
    assert api.post(f"{LIST}/{number}/cancel").status_code == 200
    assert read_refusal(api.post(f"{LIST}/{number}/cancel")) == (409, "DELETION_ENDED")
    assert read_refusal(confirm_deletion(rosa, number)) == (409, "DELETION_ENDED")
    assert (is_there(tom), list_mailed("cancelled")) == (True, [rosa.email, sam.email, tom.email])


@pytest.mark.finding("F1")
def test_what_is_not_to_be_asked(sam: User, rosa: User, alice: User, settings: Any) -> None:
    settings.PROTECTED_ADMIN_EMAILS = ("rosa@emailcheck.app",)
    answers = [
        request_deletion(sam, rosa),
        request_deletion(sam, sam),
        request_deletion(sam, alice),
        request_deletion(sam, rosa, " "),
    ]
    assert [read_refusal(answer) for answer in answers] == [
        (403, "PROTECTED_ACCOUNT"), (403, "PROTECTED_ACCOUNT"), (400, "NOT_A_COLLEAGUE"), (400, "VALIDATION_ERROR"),
    ]  # fmt: skip
    assert (ColleagueDeletion.objects.count(), mail.outbox) == (0, [])


@pytest.mark.finding("F1")
def test_who_is_no_administrator_any_more_asked_for_nothing(sam: User, rosa: User, tom: User) -> None:
    number = request_deletion(sam, tom).json()["id"]
    User.objects.filter(pk=sam.pk).update(role="user")
    assert read_refusal(confirm_deletion(rosa, number)) == (409, "DELETION_ENDED")
    assert is_there(tom)


@pytest.mark.spec("SEC-015")
def test_asking_and_confirming_want_a_fresh_sign_in(sam: User, rosa: User, tom: User) -> None:
    number = request_deletion(sam, tom).json()["id"]
    api = client_of(rosa)
    SignIn.objects.update(confirmed_at="2020-01-01T00:00:00Z")
    late: list[Any] = [
        api.post(f"{LIST}/{number}/confirm"),
        api.post(f"/api/admin/users/{sam.pk}/deletion", {"reason": "x"}, format="json"),
    ]
    assert [read_refusal(answer) for answer in late] == [(403, "REAUTH_REQUIRED")] * 2
    assert (is_there(tom), ColleagueDeletion.objects.count()) == (True, 1)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.finding("F1")
def test_sixteen_confirmations_at_once_delete_once(sam: User, rosa: User, tom: User) -> None:
    number = request_deletion(sam, tom).json()["id"]
    answers = run_sixteen(lambda _: str(colleague_deletion.confirm_deletion(deletion_id=number, by=rosa).pk))
    assert sorted(answers) == [str(number)] + ["DELETION_ENDED"] * 15
    assert Activity.objects.filter(action="Account deleted").count() == 1
    assert list_mailed("confirmed") == [rosa.email, sam.email, tom.email]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.finding("F1")
def test_sixteen_questions_at_once_ask_once(sam: User, tom: User) -> None:
    answers = run_sixteen(
        lambda _: str(colleague_deletion.request_deletion(colleague=tom, by=sam, reason="Has left").pk)
    )
    assert sorted(answers)[1:] == ["DELETION_ASKED"] * 15
    assert ColleagueDeletion.objects.count() == 1


@pytest.mark.finding("F1")
def test_the_last_administrator_stays(tom: User, rosa: User) -> None:
    wish = {"password": PASSWORD}
    assert client_of(rosa).delete("/api/user", wish | {"email": rosa.email}, format="json").status_code == 200
    last = client_of(tom).delete("/api/user", wish | {"email": tom.email}, format="json")
    assert (read_refusal(last), is_there(tom)) == ((403, "LAST_ADMINISTRATOR"), True)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.finding("F1")
def test_of_two_who_leave_at_once_one_stays(tom: User, rosa: User) -> None:
    for user in (tom, rosa):
        client_of(user)
    pairs = [(user, SignIn.objects.get(user=user)) for user in (tom, rosa)]

    def leave(number: int) -> str:
        user, sign_in = pairs[number % 2]
        privacy.delete_own_account(user=user, sign_in=sign_in, email=user.email, password=PASSWORD)
        return "left"

    answers = run_sixteen(leave)
    assert "LAST_ADMINISTRATOR" in answers
    assert sum(map(is_there, (tom, rosa))) == 1
