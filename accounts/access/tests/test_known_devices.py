"""Whoever was signed in in a browser before is not shut out of the account by what others try elsewhere."""

from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from accounts.access.models import SignIn
from accounts.tests.mailed import post_auth
from accounts.users.models import User
from conftest import PASSWORD, client_with
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.postgres
DAYS_S = 86_400


@pytest.fixture(autouse=True)
def clock() -> Any:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        yield clock


def try_password(client: Client, password: str = "wrong-horse-42", email: str = "alice@alder.com") -> int:
    return int(post_auth(client, "login", email=email, password=password).status_code)


@pytest.fixture
def known(alice: User) -> Client:
    """A browser in which alice signed in, and whose sign-in has ended since."""
    browser = Client()
    assert try_password(browser, PASSWORD) == 200
    assert browser.post("/api/auth/logout", headers={"Origin": "http://testserver"}).status_code == 200
    return browser


def use_up_from_here() -> None:
    assert [try_password(Client()) for _ in range(11)] == [401] * 10 + [429]
    assert try_password(Client(), PASSWORD) == 429


@pytest.mark.finding("C7")
@pytest.mark.spec("API-042", "SEC-011")
def test_guesses_from_the_same_address_do_not_shut_out_a_known_browser(known: Client) -> None:
    use_up_from_here()
    assert try_password(known, PASSWORD) == 200
    assert try_password(Client(), PASSWORD) == 429


@pytest.mark.finding("C7")
@pytest.mark.spec("API-042", "SEC-011")
def test_guesses_from_everywhere_do_not_shut_out_a_known_browser(known: Client) -> None:
    for number in range(100):
        assert try_password(Client(REMOTE_ADDR=f"198.51.100.{number}")) == 401
    assert try_password(Client(REMOTE_ADDR="203.0.113.7"), PASSWORD) == 429
    assert try_password(known, PASSWORD) == 200


@pytest.mark.spec("API-042")
def test_a_known_browser_has_ten_tries_of_its_own(known: Client, clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    make = MD5PasswordHasher.encode

    def counting(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return make(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    assert [try_password(known) for _ in range(11)] == [401] * 10 + [429]
    assert (try_password(known, PASSWORD), len(hashed)) == (429, 10)
    # Neither are those of strangers used up, nor those of this browser at another account.
    assert try_password(Client(), PASSWORD) == 200
    assert try_password(known, email="bob@birch.net") == 401
    clock.shift(301)
    assert try_password(known, PASSWORD) == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("API-042")
def test_of_sixteen_tries_at_once_ten_are_looked_at(known: Client) -> None:
    cookie = known.cookies["known_device"].value

    def once(_: int) -> int:
        browser = Client()
        browser.cookies["known_device"] = cookie
        return try_password(browser)

    answers = run_sixteen(once)
    assert (answers.count(401), answers.count(429)) == (10, 6)


@pytest.mark.spec("API-042")
def test_signing_out_everywhere_forgets_every_browser(alice: User, known: Client) -> None:
    token = post_auth(Client(), "login", email=alice.email, password=PASSWORD).json()["token"]
    assert client_with(token).delete("/api/user/sessions").status_code == 200
    use_up_from_here()
    assert try_password(known, PASSWORD) == 429


@pytest.mark.spec("API-042")
@pytest.mark.parametrize(("days", "status"), [(180, 429), (179, 200)])
def test_a_browser_is_known_for_180_days(known: Client, clock: Any, days: int, status: int) -> None:
    clock.shift(days * DAYS_S)
    use_up_from_here()
    assert try_password(known, PASSWORD) == status


@pytest.mark.spec("API-042")
def test_the_cookie_is_signed_and_out_of_reach_of_scripts(alice: User, bob: User, known: Client) -> None:
    cookie = known.cookies["known_device"]
    kept = (cookie["httponly"], cookie["max-age"], cookie["path"], cookie["samesite"])
    assert kept == (True, 180 * DAYS_S, "/api", "Strict")
    assert "alice" not in cookie.value
    of_bob = Client()
    assert try_password(of_bob, PASSWORD, bob.email) == 200
    use_up_from_here()
    assert try_password(of_bob, PASSWORD) == 429
    for forged in (cookie.value[:-2], cookie.value.replace(":", "x:", 1), "x", ""):
        stranger = Client()
        stranger.cookies["known_device"] = forged
        assert try_password(stranger, PASSWORD) == 429


@pytest.mark.spec("API-042")
def test_a_browser_knows_several_accounts(alice: User, bob: User, known: Client) -> None:
    assert try_password(known, PASSWORD, bob.email) == 200
    use_up_from_here()
    assert try_password(known, PASSWORD) == 200
    assert [try_password(Client(), email=bob.email) for _ in range(11)] == [401] * 10 + [429]
    assert try_password(known, PASSWORD, bob.email) == 200


@pytest.mark.finding("C7")
@pytest.mark.spec("API-042", "AUTH-012")
@pytest.mark.parametrize("email", ["alice@alder.com", "nobody@alder.com"])
@pytest.mark.parametrize(
    ("shift", "seconds", "words"), [(0, "300", "5 minutes"), (200, "100", "2 minutes"), (250, "50", "1 minute")]
)
def test_the_refusal_says_when_and_what_else_helps(
    alice: User, clock: Any, email: str, shift: int, seconds: str, words: str
) -> None:
    for _ in range(10):
        assert try_password(Client(), email=email) == 401
    clock.shift(shift)
    refused = post_auth(Client(), "login", email=email, password=PASSWORD)
    assert (refused.status_code, refused["Retry-After"]) == (429, seconds)
    body = refused.json()
    assert (body["detail"], body["code"], body["reset_link"]) == (
        f"Too many wrong passwords. Try again in {words} or reset your password.",
        "RATE_LIMIT_EXCEEDED",
        "/?forgot=true",
    )
    assert not SignIn.objects.exists()
