"""Who tries too often is refused before anything is hashed or sent."""

from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from accounts.access.models import SignIn
from accounts.signin.models import MailboxRequest
from accounts.tests.mailed import post_auth, read_mails
from accounts.users.models import User
from conftest import PASSWORD, client_of, client_with

pytestmark = pytest.mark.postgres

LIMITED = {"detail": "Rate limit exceeded", "code": "RATE_LIMIT_EXCEEDED"}


def try_password(client: Client, password: str = "wrong-horse-42", email: str = "alice@alder.com") -> Any:
    return post_auth(client, "login", email=email, password=password)


@pytest.mark.spec("SEC-011")
@pytest.mark.parametrize("email", ["alice@alder.com", "nobody@alder.com"])
def test_ten_guesses_from_one_address_are_all(
    alice: User, client: Client, monkeypatch: pytest.MonkeyPatch, email: str
) -> None:
    hashed: list[str] = []
    make = MD5PasswordHasher.encode

    def counting(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return make(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        for _ in range(10):
            assert try_password(client, email=email).status_code == 401
        answer = try_password(client, PASSWORD, email.upper())
        assert (answer.status_code, answer["Retry-After"], len(hashed)) == (429, "300", 10)
        assert answer.json()["code"] == "RATE_LIMIT_EXCEEDED"
        assert try_password(Client(REMOTE_ADDR="203.0.113.7"), email=email).status_code == 401
        clock.shift(301)
        assert try_password(client, email=email).status_code == 401
    assert not SignIn.objects.exists()


@pytest.mark.spec("SEC-011")
def test_a_right_password_wipes_the_slate(alice: User, client: Client) -> None:
    for _ in range(3):
        for _ in range(9):
            assert try_password(client).status_code == 401
        assert try_password(client, PASSWORD).status_code == 200


@pytest.mark.spec("SEC-011")
def test_a_hundred_guesses_from_everywhere_are_all(alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        for number in range(100):
            assert try_password(Client(REMOTE_ADDR=f"198.51.100.{number}")).status_code == 401
        assert try_password(Client(REMOTE_ADDR="203.0.113.7"), PASSWORD).status_code == 429


@pytest.mark.spec("SEC-011")
def test_one_address_alone_does_not_lock_an_account(alice: User, client: Client, settings: Any) -> None:
    settings.AUTH_REQUESTS_PER_MINUTE = 60
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        assert [try_password(client).status_code for _ in range(120)] == [401] * 10 + [429] * 110
        assert try_password(Client(REMOTE_ADDR="203.0.113.7"), PASSWORD).status_code == 200


@pytest.mark.spec("LIM-032", "LIM-019")
@pytest.mark.parametrize("body", [b"{", b"[]", b'{"email": 1}', b"\xff"])
def test_what_cannot_be_read_is_counted_too(alice: User, client: Client, settings: Any, body: bytes) -> None:
    assert settings.AUTH_REQUESTS_PER_MINUTE == 100
    settings.AUTH_REQUESTS_PER_MINUTE = 2
    answers = [client.post("/api/auth/login", body, content_type="application/json") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert answers[1]["X-RateLimit-Remaining"] == "0"


@pytest.mark.spec("SEC-011")
def test_signing_in_asks_the_database_fewer_than_twenty_times(
    alice: User, client: Client, settings: Any, django_assert_max_num_queries: Any
) -> None:
    for _ in range(2):
        assert try_password(client, PASSWORD).status_code == 200
    client.cookies.clear()
    with django_assert_max_num_queries(17):
        assert try_password(client, PASSWORD).status_code == 200


@pytest.mark.spec("LIM-032")
def test_an_address_has_so_many_calls_a_minute_over_all_of_them(alice: User, settings: Any) -> None:
    settings.AUTH_REQUESTS_PER_MINUTE = 4
    client = Client(REMOTE_ADDR="2001:db8:1:2::1")
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        first = try_password(client)
        assert first["RateLimit-Policy"] == '"auth";q=4;w=60'
        assert (first["RateLimit"], first["X-RateLimit-Remaining"]) == ('"auth";r=3;t=60', "3")
        post_auth(client, "forgot-password", email="alice@alder.com")
        client.get("/api/auth/verify-reset-token/x")
        client.get("/api/auth/verify-email", {"token": "x"})
        neighbour = Client(REMOTE_ADDR="2001:db8:1:2:ffff::9")
        for refused in (
            try_password(client, PASSWORD),
            post_auth(neighbour, "register"),
            neighbour.get("/api/auth/session"),
        ):
            assert (refused.status_code, refused["Retry-After"]) == (429, "60")
            assert LIMITED.items() <= refused.json().items()
        assert try_password(Client(REMOTE_ADDR="2001:db8:1:3::1"), PASSWORD).status_code == 200
        clock.shift(61)
        assert try_password(client, PASSWORD).status_code == 200


@pytest.mark.spec("SEC-011", "AUTH-050")
@pytest.mark.parametrize("email", ["alice@alder.com", "nobody@alder.com"])
def test_five_mails_an_hour_go_to_one_mailbox(alice: User, client: Client, email: str) -> None:
    register = {"email": email, "password": PASSWORD, "name": "Somebody"}
    calls = [("forgot-password", {"email": email}), ("resend-verification", {"email": email}), ("register", register)]
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        for number in range(5):
            path, body = calls[number % 3]
            assert post_auth(client, path, **body).status_code == 200
        for path, body in calls:
            assert post_auth(client, path, **body).status_code == 429
        assert MailboxRequest.objects.count() == 5
        assert len(read_mails()) <= 5
        clock.shift(3_601)
        assert post_auth(client, "forgot-password", email=email).status_code == 200


@pytest.mark.spec("LIM-032")
def test_the_address_comes_from_a_proxy_only_behind_trusted_ones(alice: User, settings: Any) -> None:
    settings.AUTH_REQUESTS_PER_MINUTE = 1
    client = Client(REMOTE_ADDR="203.0.113.7")
    for number, status in ((1, 401), (2, 429)):
        answer = client.post(
            "/api/auth/login",
            {"email": "alice@alder.com", "password": "x"},
            content_type="application/json",
            headers={"X-Forwarded-For": f"198.51.100.{number}"},
        )
        assert answer.status_code == status


@pytest.mark.spec("LIM-032")
def test_what_pages_ask_by_themselves_is_counted_by_account(alice: User, bob: User, settings: Any) -> None:
    settings.SITE_REQUESTS_PER_MINUTE = 3
    client = Client()
    token = post_auth(client, "login", email="alice@alder.com", password=PASSWORD).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/auth/me", headers=headers)["RateLimit-Policy"] == '"account";q=3;w=60'
    assert client.post("/api/auth/refresh")["X-RateLimit-Remaining"] == "1"
    assert Client(REMOTE_ADDR="203.0.113.7").get("/api/credits", headers=headers).status_code == 200
    for refused in (client.post("/api/auth/refresh"), client.get("/api/credits", headers=headers)):
        assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMIT_EXCEEDED")
    assert client_of(bob).get("/api/auth/me").status_code == 200


@pytest.mark.spec("LIM-032")
def test_what_names_no_account_is_counted_by_address(alice: User, settings: Any) -> None:
    settings.SITE_REQUESTS_PER_MINUTE = 3
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        assert Client().get("/api/credits")["RateLimit"] == '"address";r=2;t=60'
        assert client_with("ec_live_x").get("/api/credits")["X-RateLimit-Remaining"] == "1"
        assert Client().post("/api/auth/refresh")["X-RateLimit-Remaining"] == "0"
        assert client_with("ec_live_x").get("/api/credits").status_code == 429
        assert Client(REMOTE_ADDR="203.0.113.7").get("/api/credits").status_code == 401
        assert client_of(alice).get("/api/credits").status_code == 200
