"""Registering and confirming the address."""

from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.access.models import SignIn
from accounts.signin import services as signin
from accounts.signin.models import MailboxRequest, OneTimeToken
from accounts.tests.mailed import find_mailed_token, post_auth, read_mails
from accounts.users.models import User
from conftest import PASSWORD
from emailcheck.common.outbound.models import OutgoingMail

NEW = {"email": "Carol@Cedar.org", "password": PASSWORD, "name": "Carol Cedar", "company_name": "Cedar"}
ANSWER = {"requires_verification": True, "message": "Check your email to confirm your address."}
VERIFY = ("carol@cedar.org", "Confirm your e-mail address")


def register_address(client: Client, **changes: str) -> str:
    """Register Carol; the token of the link that she was mailed."""
    assert post_auth(client, "register", **NEW | changes).json() == ANSWER
    read_mails()
    return find_mailed_token("verify-email")


def open_link(client: Client, token: str) -> Any:
    return client.get("/api/auth/verify-email", {"token": token})


@pytest.mark.spec("AUTH-008", "AUTH-012", "AUTH-043")
def test_a_newcomer_registers_confirms_and_signs_in(db: None, client: Client) -> None:
    assert post_auth(client, "register", **NEW).json() == ANSWER
    assert not User.objects.exists()
    assert read_mails() == [VERIFY]
    carol = User.objects.get()
    assert (carol.email, carol.name, carol.own_organisation.company, carol.role) == (
        "carol@cedar.org",
        "Carol Cedar",
        "Cedar",
        "user",
    )
    assert (carol.email_verified, carol.own_organisation.credit_account.balance) == (False, 0)
    answer = open_link(Client(), find_mailed_token("verify-email"))
    assert answer.json() == {"already_verified": False, "message": "Your email is verified. You can sign in now."}
    assert (
        carol.own_organisation.credit_account.__class__.objects.get(organisation=carol.own_organisation).balance == 100
    )
    assert (
        post_auth(client, "login", email=NEW["email"], password=PASSWORD).json()["user"]["email"] == "carol@cedar.org"
    )
    assert read_mails() == [("carol@cedar.org", "Welcome to EmailCheck")]
    assert not MailboxRequest.objects.exists()


@pytest.mark.spec("PEN-028")
def test_the_browser_that_registered_is_signed_in_by_its_link_once(db: None, client: Client) -> None:
    token = register_address(client)
    answer = open_link(client, token)
    assert (answer.json()["message"], answer.json()["already_verified"]) == (
        "Your email is verified, and you are signed in.",
        False,
    )
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    assert Client().get("/api/auth/me", headers=headers).json()["email"] == "carol@cedar.org"
    assert post_auth(client, "refresh").status_code == 200
    assert SignIn.objects.count() == 1
    again = open_link(client, token).json()
    assert again == {"already_verified": True, "message": "Your email is already verified."}
    assert SignIn.objects.count() == 1


@pytest.mark.spec("PEN-028", "SEC-011")
@pytest.mark.parametrize("cookie", ["", "guessed", "of another registration"])
def test_a_link_signs_no_other_browser_in(db: None, client: Client, cookie: str) -> None:
    token, other = register_address(client), Client()
    if cookie == "guessed":
        other.cookies["registering"] = cookie
    elif cookie:
        post_auth(other, "register", **NEW | {"email": "mallory@cedar.org"})
    answer = open_link(other, token)
    assert answer.json() == {"already_verified": False, "message": "Your email is verified. You can sign in now."}
    assert (SignIn.objects.count(), "refresh" in answer.cookies) == (0, False)


@pytest.mark.spec("PEN-028")
@pytest.mark.parametrize("barred", ["suspended", "second factor"])
def test_a_link_signs_nobody_in_of_whom_more_is_asked(db: None, client: Client, barred: str) -> None:
    token = register_address(client)
    if barred == "suspended":
        User.objects.update(is_active=False)
    else:
        Authenticator.objects.create(user=User.objects.get(), type=Authenticator.Type.TOTP, data={})
    assert "token" not in open_link(client, token).json()
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-042", "AUTH-043", "AUTH-049")
def test_a_link_works_once_and_says_so_afterwards(db: None, client: Client) -> None:
    token = register_address(client)
    assert open_link(client, token).json()["already_verified"] is False
    for _ in range(2):
        answer = open_link(client, token)
        assert (answer.status_code, answer.json()["already_verified"]) == (200, True)
    assert User.objects.get().own_organisation.credit_account.balance == 100


@pytest.mark.spec("AUTH-047", "AUTH-049", "LIM-014")
@pytest.mark.parametrize(("hours", "status"), [(23.9, 200), (24.1, 400)])
def test_a_link_is_valid_for_a_day(db: None, client: Client, hours: float, status: int) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        token = register_address(client)
        clock.shift(hours * 3_600)
        answer = open_link(client, token)
    assert answer.status_code == status
    assert User.objects.get().email_verified is (status == 200)
    assert status == 200 or answer.json()["detail"] == "Verification failed. The link may have expired."


@pytest.mark.spec("AUTH-046")
@pytest.mark.parametrize("token", ["", "x", "\x7f", "a" * 5_000])
def test_an_invented_link_verifies_nobody(db: None, client: Client, token: str) -> None:
    register_address(client)
    answer = open_link(client, token)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_TOKEN")
    assert not User.objects.get().email_verified


@pytest.mark.spec("AUTH-012")
def test_a_known_address_is_answered_alike_and_its_owner_told(alice: User, client: Client) -> None:
    before = User.objects.values().get()
    answer = post_auth(client, "register", **NEW | {"email": "ALICE@alder.com", "name": "Mallory"})
    unknown = post_auth(Client(), "register", **NEW)
    assert (answer.status_code, answer.json()) == (unknown.status_code, unknown.json()) == (200, ANSWER)
    assert dict(answer.headers).keys() == dict(unknown.headers).keys()
    assert read_mails() == [("alice@alder.com", "You already have an account"), VERIFY]
    assert User.objects.filter(pk=alice.pk).values().get() == before


@pytest.mark.spec("AUTH-012")
def test_both_answers_cost_the_same_queries(alice: User, client: Client) -> None:
    asked = []
    for email in ("first@cedar.org", "alice@alder.com", "carol@cedar.org"):
        with CaptureQueriesContext(connection) as queries:
            post_auth(client, "register", **NEW | {"email": email})
        asked.append([query["sql"].split()[0] for query in queries])
    assert asked[1] == asked[2] != []


@pytest.mark.spec("AUTH-012", "AUTH-032", "LIM-016")
@pytest.mark.parametrize(
    ("password", "detail"),
    [
        ("abc123", "Password must be at least 8 characters long"),
        ("abcdefgh", "Password must contain letters and numbers"),
        ("12345678", "Password must contain letters and numbers"),
        ("password1", "This password is too common."),
        ("carolcedar1", "The password is too similar to the email."),
    ],
)
def test_an_easy_password_is_refused(db: None, client: Client, password: str, detail: str) -> None:
    answer = post_auth(client, "register", **NEW | {"password": password, "email": "carolcedar@cedar.org"})
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (400, "WEAK_PASSWORD", detail)
    assert (read_mails(), User.objects.count(), MailboxRequest.objects.count()) == ([], 0, 0)


@pytest.mark.parametrize(
    "change", [{"email": "carol"}, {"name": " "}, {"password": ""}, {"email": "a@b.com\r\nBcc: x@y.z"}]
)
def test_what_is_no_registration_is_refused(db: None, client: Client, change: dict[str, str]) -> None:
    answer = post_auth(client, "register", **NEW | change)
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, next(iter(change)))
    assert (User.objects.count(), MailboxRequest.objects.count()) == (0, 0)


@pytest.mark.spec("AUTH-011")
def test_fields_that_are_not_asked_for_change_nothing(db: None, client: Client) -> None:
    more = {"role": "admin", "is_superuser": True, "credits": 10**6, "email_verified_at": "2026-01-01T00:00:00Z"}
    assert post_auth(client, "register", **NEW, **more).json() == ANSWER
    read_mails()
    carol = User.objects.get()
    assert (carol.role, carol.is_superuser, carol.email_verified, carol.own_organisation.credit_account.balance) == (
        "user",
        False,
        False,
        0,
    )


@pytest.mark.spec("AUTH-045", "AUTH-050")
def test_a_new_link_ends_the_earlier_one(db: None, client: Client) -> None:
    first = register_address(client)
    answer = client.post("/api/auth/resend-verification?email=CAROL%40cedar.org")
    assert answer.json() == {"message": "Verification email sent! Please check your inbox."}
    assert read_mails() == [("carol@cedar.org", "Your new confirmation link")]
    assert open_link(client, first).status_code == 400
    assert open_link(client, find_mailed_token("verify-email")).json()["already_verified"] is False


@pytest.mark.spec("AUTH-050")
def test_asking_for_a_link_tells_nothing(alice: User, client: Client) -> None:
    answers = [
        post_auth(client, "resend-verification", email=email) for email in ("alice@alder.com", "nobody@alder.com")
    ]
    assert answers[0].json() == answers[1].json()
    assert (answers[0].status_code, answers[1].status_code, read_mails()) == (200, 200, [])


@pytest.mark.spec("AUTH-048")
def test_an_empty_address_is_named(db: None, client: Client) -> None:
    answer = post_auth(client, "resend-verification", email="")
    assert (answer.status_code, answer.json()["detail"]) == (400, "Please enter your email address.")


@pytest.mark.spec("AUTH-011")
def test_without_required_verification_the_newcomer_is_signed_in(db: None, client: Client, settings: Any) -> None:
    settings.REQUIRE_EMAIL_VERIFICATION = False
    answer = post_auth(client, "register", **NEW).json()
    assert (answer["requires_verification"], answer["user"]["email"]) == (False, "carol@cedar.org")
    assert (answer["user"]["email_verified"], answer["user"]["credits"]) == (False, 0)
    me = client.get("/api/auth/me", headers={"Authorization": f"Bearer {answer['token']}"})
    assert me.json()["email"] == "carol@cedar.org"
    assert post_auth(Client(), "register", **NEW).json() == ANSWER
    assert (User.objects.count(), SignIn.objects.count()) == (1, 1)


@pytest.mark.spec("AUTH-013")
def test_an_unverified_account_is_told_so_after_the_right_password_only(db: None, client: Client) -> None:
    register_address(client)
    answer = post_auth(client, "login", email="carol@cedar.org", password=PASSWORD)
    assert (answer.status_code, answer.json()["code"]) == (403, "EMAIL_NOT_VERIFIED")
    answer = post_auth(client, "login", email="carol@cedar.org", password="wrong-horse-42")
    assert (answer.status_code, answer.json()["detail"]) == (401, "Invalid email or password")


def test_secrets_are_kept_as_hashes_and_sealed_until_they_are_sent(db: None, client: Client) -> None:
    post_auth(client, "register", **NEW)
    assert "carol" not in str(MailboxRequest.objects.values().get()).lower()
    read_mails()
    token = find_mailed_token("verify-email")
    assert token not in str([*OneTimeToken.objects.values(), *OutgoingMail.objects.values()])
    assert OutgoingMail.objects.get().sealed == ""


def test_a_suspended_account_is_not_written_to(alice: User, client: Client) -> None:
    User.objects.update(is_active=False)
    for path in ("forgot-password", "resend-verification"):
        assert post_auth(client, path, email="alice@alder.com").status_code == 200
    assert post_auth(client, "register", **NEW | {"email": "alice@alder.com"}).json() == ANSWER
    assert read_mails() == []
    assert signin.is_address_taken("alice@alder.com")
