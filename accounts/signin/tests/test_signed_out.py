"""Whoever signed out while the server did not answer is signed out by the next request that reaches it."""

from typing import Any

import pytest
from django.test import Client

from accounts.access.models import SignIn
from accounts.tests.mailed import post_auth
from accounts.users.models import User
from conftest import PASSWORD, browser_of, client_with
from emailcheck.common.testing import run_sixteen

ORIGIN = {"Origin": "http://testserver"}


def set_mark(user: User, mark: str = "") -> Client:
    """A browser that signed in and whose page has left the mark since, because its call to sign out reached nobody."""
    browser = browser_of(user)
    browser.cookies["signed_out"] = mark or str(browser.session["sign_in"])
    return browser


def open_sign_ins() -> int:
    return SignIn.objects.filter(ended_at=None).count()


def is_taken_away(answer: Any) -> bool:
    return bool(answer.cookies["signed_out"]["max-age"] == 0)


@pytest.mark.finding("C9")
@pytest.mark.spec("AUTH-014")
@pytest.mark.parametrize("mark", ["", "current"])
@pytest.mark.parametrize(("path", "to"), [("/dashboard", "/"), ("/account-settings", "/"), ("/", "")])
def test_the_next_page_ends_the_session(alice: User, path: str, to: str, mark: str) -> None:
    browser = set_mark(alice, mark)
    answer = browser.get(path)
    assert (answer.headers.get("Location", ""), answer["Cache-Control"]) == (to, "no-store")
    assert is_taken_away(answer)
    assert open_sign_ins() == 0
    assert browser.get("/dashboard").status_code == 302
    refused = browser.post("/api/auth/refresh", headers=ORIGIN)
    assert (refused.status_code, refused.json()["code"]) == (401, "SESSION_ENDED")


@pytest.mark.finding("C9")
@pytest.mark.spec("AUTH-014")
def test_the_staff_area_is_closed_too(sam: User) -> None:
    assert browser_of(sam).get("/admin").context["staff"] == sam
    assert set_mark(sam).get("/admin").context["staff"] is None
    assert browser_of(sam).get("/django-admin/").status_code == 200
    assert set_mark(sam).get("/django-admin/").status_code == 302
    assert open_sign_ins() == 2


@pytest.mark.finding("C9")
@pytest.mark.spec("AUTH-014")
def test_the_next_call_ends_the_session(alice: User) -> None:
    browser = Client()
    token = post_auth(browser, "login", email=alice.email, password=PASSWORD).json()["token"]
    browser.cookies["signed_out"] = str(browser.session["sign_in"])
    bearer = {"Authorization": f"Bearer {token}"}
    assert client_with(token).get("/api/credits").status_code == 200
    answer = browser.get("/api/credits", headers=bearer)
    assert (answer.status_code, is_taken_away(answer)) == (401, True)
    assert (client_with(token).get("/api/credits").status_code, open_sign_ins()) == (401, 0)


@pytest.mark.spec("AUTH-014")
def test_the_next_try_to_sign_out_says_that_it_is_done(alice: User) -> None:
    browser = set_mark(alice)
    answer = browser.post("/api/auth/logout", headers=ORIGIN)
    assert (answer.status_code, answer.json()) == (200, {"message": "You are signed out."})
    assert (is_taken_away(answer), open_sign_ins()) == (True, 0)
    assert browser.post("/api/auth/logout", headers=ORIGIN).status_code == 401


@pytest.mark.spec("AUTH-014")
def test_signing_in_again_ends_the_old_session_and_keeps_the_new(alice: User, bob: User) -> None:
    browser = set_mark(alice)
    answer = post_auth(browser, "login", email=bob.email, password=PASSWORD)
    assert (answer.status_code, is_taken_away(answer)) == (200, True)
    assert SignIn.objects.get(ended_at=None).user == bob
    assert browser.get("/dashboard").status_code == 200
    assert browser.post("/api/auth/refresh", headers=ORIGIN).status_code == 200


@pytest.mark.spec("AUTH-014")
def test_a_mark_ends_no_session_but_the_one_that_comes_with_it(alice: User, bob: User) -> None:
    of_bob = browser_of(bob)
    for mark in (str(of_bob.session["sign_in"]), "0", "", "x" * 4_000):
        browser = browser_of(alice)
        browser.cookies["signed_out"] = mark
        answer = browser.get("/dashboard")
        assert (answer.status_code, is_taken_away(answer)) == (200, True)
    stranger = Client()
    stranger.cookies["signed_out"] = str(of_bob.session["sign_in"])
    assert is_taken_away(stranger.get("/"))
    assert of_bob.get("/dashboard").status_code == 200


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-014")
def test_sixteen_requests_at_once_end_it_once(alice: User) -> None:
    cookies = set_mark(alice).cookies

    def once(number: int) -> int:
        browser = Client()
        browser.cookies = cookies
        path = "/dashboard" if number % 2 else "/api/auth/refresh"
        return (browser.get(path) if number % 2 else browser.post(path, headers=ORIGIN)).status_code

    answers = run_sixteen(once)
    assert (answers.count(302), answers.count(401), open_sign_ins()) == (8, 8, 0)
