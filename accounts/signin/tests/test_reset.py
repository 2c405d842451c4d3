"""A new password by a mailed link."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from accounts.access.models import SignIn
from accounts.signin import mailbox_requests, registrations
from accounts.signin import services as signin
from accounts.signin.models import Purpose
from accounts.signin.one_time_tokens import consume_token, create_token
from accounts.tests.mailed import find_mailed_token, post_auth, read_mails
from accounts.users.models import User
from conftest import PASSWORD
from emailcheck.common.errors import BadInput

NEW = "fresh-horse-43"
INVALID = "Invalid or expired reset link"


def request_reset(client: Client, email: str = "alice@alder.com") -> str:
    """Ask for a link; the token in the mail."""
    answer = post_auth(client, "forgot-password", email=email)
    assert (answer.status_code, answer.json()) == (200, {"message": "Password reset link sent to your email!"})
    assert read_mails() == [(email, "Reset your password")]
    return find_mailed_token("reset-password")


def reset_password(client: Client, token: str, password: str = NEW) -> Any:
    return post_auth(client, "reset-password", token=token, password=password)


@pytest.mark.spec("AUTH-022", "AUTH-029", "SET-022")
def test_a_link_sets_a_password_and_ends_every_session(alice: User, client: Client) -> None:
    token = post_auth(client, "login", email="alice@alder.com", password=PASSWORD).json()["token"]
    link = request_reset(Client())
    assert client.get(f"/api/auth/verify-reset-token/{link}").json() == {"valid": True, "api_keys": 0, "webhooks": 0}
    assert reset_password(Client(), link).json() == {"message": "Password reset successful!"}
    assert client.get("/api/auth/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert client.post("/api/auth/refresh").status_code == 401
    assert client.get("/dashboard")["Location"].startswith("/")
    assert post_auth(client, "login", email="alice@alder.com", password=PASSWORD).status_code == 401
    assert post_auth(client, "login", email="alice@alder.com", password=NEW).status_code == 200
    assert ("alice@alder.com", "Your password was changed") in read_mails()


@pytest.mark.spec("AUTH-033")
def test_known_and_unknown_addresses_are_answered_alike(alice: User, client: Client) -> None:
    known = post_auth(client, "forgot-password", email="alice@alder.com")
    unknown = post_auth(client, "forgot-password", email="nobody@alder.com")
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json())
    assert read_mails() == [("alice@alder.com", "Reset your password")]


@pytest.mark.spec("AUTH-033", "AUTH-034")
def test_a_link_works_once(alice: User, client: Client) -> None:
    link = request_reset(client)
    assert reset_password(client, link).status_code == 200
    answer = reset_password(client, link, "other-horse-44")
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (400, "INVALID_TOKEN", INVALID)
    assert client.get(f"/api/auth/verify-reset-token/{link}").status_code == 400
    alice.refresh_from_db()
    assert alice.check_password(NEW)


@pytest.mark.spec("AUTH-033")
def test_the_newest_link_alone_works(alice: User, client: Client) -> None:
    first, second = request_reset(client), request_reset(client)
    assert client.get(f"/api/auth/verify-reset-token/{first}").status_code == 400
    assert reset_password(client, first).status_code == 400
    assert reset_password(client, second).status_code == 200


@pytest.mark.spec("AUTH-033", "AUTH-026")
@pytest.mark.parametrize(("minutes", "status"), [(59, 200), (61, 400)])
def test_a_link_is_valid_for_an_hour(alice: User, client: Client, minutes: int, status: int) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        link = request_reset(client)
        clock.shift(minutes * 60)
        assert client.get(f"/api/auth/verify-reset-token/{link}").status_code == status
        assert reset_password(client, link).status_code == status


@pytest.mark.spec("AUTH-028", "AUTH-032")
@pytest.mark.parametrize("password", ["short-1", "only-letters", "1234567890", "password123", "alice@alder.com1"])
def test_an_easy_password_is_refused_and_the_link_still_works(alice: User, client: Client, password: str) -> None:
    link = request_reset(client)
    answer = reset_password(client, link, password)
    assert (answer.status_code, answer.json()["code"]) == (400, "WEAK_PASSWORD")
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)
    assert reset_password(client, link).status_code == 200


@pytest.mark.spec("AUTH-026")
@pytest.mark.parametrize("token", ["x", "a" * 199, "%00", "é"])
def test_an_invented_link_changes_nothing(alice: User, client: Client, token: str) -> None:
    request_reset(client)
    no_address = token == "%00"  # refused as such, wherever it leads
    assert client.get(f"/api/auth/verify-reset-token/{token}").status_code == (404 if no_address else 400)
    assert reset_password(client, token.replace("%00", "z")).status_code == 400
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_link_for_one_purpose_does_not_serve_another(alice: User, client: Client) -> None:
    verify = create_token(user=alice, purpose=Purpose.VERIFY)
    assert reset_password(client, verify).status_code == 400
    assert client.get("/api/auth/verify-email", {"token": request_reset(client)}).status_code == 400


def test_a_link_of_a_suspended_account_is_invalid(alice: User, client: Client) -> None:
    link = request_reset(client)
    User.objects.update(is_active=False)
    assert client.get(f"/api/auth/verify-reset-token/{link}").status_code == 400
    assert reset_password(client, link).status_code == 400


def test_a_reset_proves_the_mailbox(db: None, client: Client) -> None:
    carol = signin.register_account(email="carol@cedar.org", password=PASSWORD, name="Carol Cedar")
    assert reset_password(client, request_reset(client, "carol@cedar.org")).status_code == 200
    carol.refresh_from_db()
    assert (carol.email_verified, carol.own_organisation.credit_account.balance) == (True, 100)
    assert post_auth(client, "login", email="carol@cedar.org", password=NEW).status_code == 200


def test_links_lead_to_the_host_of_the_settings(alice: User, client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    for header in ({"Host": "evil.com"}, {"X-Forwarded-Host": "evil.com"}):
        answer = client.post(
            "/api/auth/forgot-password", {"email": "alice@alder.com"}, content_type="application/json", headers=header
        )
        assert answer.status_code == 200
        read_mails()
        assert find_mailed_token("reset-password") != ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-033")
def test_of_sixteen_resets_with_one_link_one_succeeds(alice: User) -> None:
    link = create_token(user=alice, purpose=Purpose.RESET)

    def reset_once(number: int) -> bool:
        try:
            signin.reset_password(token=link, password=f"fresh-horse-{number:02}")
        except BadInput:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(reset_once, range(16)))
    alice.refresh_from_db()
    assert won.count(True) == 1
    assert alice.check_password(f"fresh-horse-{won.index(True):02}")
    assert [subject for _, subject in read_mails()] == ["Your password was changed"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-042")
def test_of_sixteen_confirmations_with_one_link_one_is_the_first() -> None:
    carol = signin.register_account(email="carol@cedar.org", password=PASSWORD, name="Carol Cedar")
    link = create_token(user=carol, purpose=Purpose.VERIFY)

    def confirm(_: int) -> bool:
        try:
            return registrations.confirm_address(token=link).before
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(confirm, range(16))).count(False) == 1
    assert User.objects.get().own_organisation.credit_account.balance == 100
    assert [subject for _, subject in read_mails()] == ["Welcome to EmailCheck"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-012")
def test_sixteen_registrations_at_once_make_one_account() -> None:
    def ask(number: int) -> None:
        try:
            mailbox_requests.request_registration(
                email="carol@cedar.org", password=f"fresh-horse-{number:02}", name="Carol"
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(16)))
    assert read_mails() == [("carol@cedar.org", "Confirm your e-mail address")] * 16
    assert (User.objects.count(), SignIn.objects.count()) == (1, 0)
    link = find_mailed_token("verify-email")
    assert registrations.confirm_address(token=link).before is False


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("purpose", Purpose)
def test_of_sixteen_uses_of_a_token_one_succeeds(alice: User, purpose: Purpose) -> None:
    token = create_token(user=alice, purpose=purpose)

    def spend(_: int) -> bool:
        try:
            return consume_token(token, purpose) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(spend, range(16))).count(True) == 1
