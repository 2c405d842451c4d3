"""Signing in with Google, played by a provider of the sandbox over HTTP."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from allauth.socialaccount.models import SocialAccount
from django.db import connection
from django.test import Client

from accounts.access.models import SignIn
from accounts.keys import services as keys
from accounts.signin import services as signin
from accounts.signin.google import accounts
from accounts.signin.google.accounts import GoogleFailed, GooglePerson, Handshake
from accounts.signin.models import OneTimeToken
from accounts.signin.sessions import rotate_tokens, start_sign_in
from accounts.tests.google_visit import choose_account, exchange_session, follow_redirect, start_visit, visit_google
from accounts.tests.mailed import post_auth, read_mails
from accounts.tests.second_factor import compute_code, enable_second_factor
from accounts.users.models import User
from conftest import PASSWORD, client_of, make_user
from emailcheck.env import build_google as provider
from tests.world import Sandbox

GINA, ALICE, UNVERIFIED = "1001", "1002", "1004"
FAILED = "http://127.0.0.1:8000/#session_id=failed"


@pytest.fixture(autouse=True)
def google_plays(world: Sandbox, settings: Any) -> None:
    settings.GOOGLE = provider(f"http://127.0.0.1:{world.http_port}/sandbox/google", "")


@pytest.fixture
def alder(db: None) -> User:
    return make_user("alice@alder-and-ash.com", "Alice Alder")


@pytest.mark.spec("AUTH-063", "AUTH-065", "AUTH-066")
def test_a_new_person_gets_a_verified_account_and_tokens(db: None, client: Client) -> None:
    answer = exchange_session(client, visit_google(client, GINA))
    gina = User.objects.get()
    body = answer.json()
    token = body.pop("session_token")
    assert body == {"id": gina.pk, "email": "gina.marsh@gmail.com", "name": "Gina Marsh", "picture": None}
    assert (gina.email_verified, gina.has_usable_password(), gina.own_organisation.credit_account.balance) == (
        True,
        False,
        100,
    )
    me = client.get("/api/auth/me", headers={"Authorization": f"Bearer {token}"}).json()
    assert (me["email"], me["subscription_plan"], me["credits"]) == ("gina.marsh@gmail.com", "free", 100)
    assert client.get("/dashboard").status_code == 200
    assert client.post("/api/auth/refresh").status_code == 200
    assert read_mails() == [("gina.marsh@gmail.com", "Welcome to EmailCheck")]
    assert exchange_session(client, visit_google(client, GINA)).json()["id"] == gina.pk
    assert (User.objects.count(), SocialAccount.objects.count()) == (1, 1)


@pytest.mark.spec("REF-011", "REF-012")
def test_an_invitation_goes_along(alder: User, client: Client) -> None:
    code = client_of(alder).get("/api/referral/stats").json()["referral_code"]
    follow_redirect(client, choose_account(start_visit(client, ref=code), GINA))
    gina = User.objects.get(email="gina.marsh@gmail.com")
    assert (gina.own_organisation.referred_by.referrer, gina.own_organisation.credit_account.balance) == (
        alder.own_organisation,
        200,
    )


@pytest.mark.spec("AUTH-066")
def test_a_verified_account_with_that_address_is_linked_and_keeps_all(alder: User, client: Client) -> None:
    open_before = start_sign_in(user=alder, device="test")
    assert exchange_session(client, visit_google(client, ALICE)).json()["id"] == alder.pk
    assert post_auth(Client(), "login", email=alder.email, password=PASSWORD).status_code == 200
    assert rotate_tokens(refresh=open_before.refresh).sign_in_id == open_before.sign_in_id


@pytest.mark.spec("AUTH-066")
def test_an_account_that_was_never_verified_is_emptied_first(db: None, client: Client) -> None:
    squatter = signin.register_account(email="alice@alder-and-ash.com", password=PASSWORD, name="Mallory")
    stolen = start_sign_in(user=squatter, device="test")
    keys.create_key(organisation=squatter.own_organisation, maker=squatter, name="Back door")
    assert exchange_session(client, visit_google(client, ALICE)).json()["id"] == squatter.pk
    assert post_auth(Client(), "login", email=squatter.email, password=PASSWORD).status_code == 401
    assert SignIn.objects.get(pk=stolen.sign_in_id).ended_at is not None
    assert not keys.list_keys(squatter.own_organisation).exists()
    squatter.refresh_from_db()
    assert squatter.email_verified


@pytest.mark.spec("AUTH-066")
def test_an_address_that_google_has_not_verified_is_refused(db: None, client: Client) -> None:
    location = visit_google(client, UNVERIFIED)
    assert location == FAILED
    answer = exchange_session(client, location)
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        401, "INVALID_SESSION", "Google authentication failed. Please try again.",
    )  # fmt: skip
    assert (User.objects.count(), SignIn.objects.count()) == (0, 0)


@pytest.mark.spec("AUTH-065")
def test_cancelling_at_google_leads_back(db: None, client: Client) -> None:
    assert visit_google(client, "") == FAILED
    assert not User.objects.exists()


@pytest.mark.spec("AUTH-065")
def test_without_a_client_of_google_the_way_leads_back_at_once(db: None, client: Client, settings: Any) -> None:
    settings.GOOGLE_CLIENT_ID = ""
    assert start_visit(client) == FAILED


@pytest.mark.spec("AUTH-065")
def test_google_out_of_reach_leads_back(db: None, client: Client, settings: Any) -> None:
    location = choose_account(start_visit(client), GINA)
    settings.GOOGLE = provider("http://127.0.0.1:9", "")
    assert follow_redirect(client, location) == FAILED


@pytest.mark.spec("AUTH-065")
def test_a_code_works_once_and_in_the_browser_that_left(db: None, client: Client) -> None:
    location = visit_google(client, GINA)
    thief = Client()
    start_visit(thief)
    assert exchange_session(thief, location).status_code == 401
    assert exchange_session(Client(), location).status_code == 401
    assert exchange_session(client, location).status_code == 200
    assert exchange_session(client, location).status_code == 401
    assert SignIn.objects.count() == 1


@pytest.mark.spec("AUTH-065")
def test_a_code_ends_after_a_minute(db: None, client: Client) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        location = visit_google(client, GINA)
        clock.shift(61)
        assert exchange_session(client, location).status_code == 401
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-065")
def test_what_another_browser_began_cannot_be_ended_here(db: None, client: Client) -> None:
    """Nobody is signed in to somebody else's account by an address that was sent to him."""
    location = choose_account(start_visit(client), GINA)
    victim = Client()
    start_visit(victim)
    assert follow_redirect(victim, location) == FAILED
    assert follow_redirect(Client(), location) == FAILED
    assert not User.objects.exists()


@pytest.mark.parametrize("change", ["state", "nonce", "verifier"])
def test_what_the_browser_brings_back_must_fit(db: None, change: str) -> None:
    address, handshake = accounts.start_handshake()
    query = parse_qs(urlsplit(choose_account(address, GINA)).query)
    values = {"state": handshake.state, "nonce": handshake.nonce, "verifier": handshake.verifier, change: "x" * 43}
    with pytest.raises(GoogleFailed):
        accounts.complete_handshake(handshake=Handshake(**values), state=query["state"][0], code=query["code"][0])


@pytest.mark.parametrize("cookie", ["", "x", "e30:1uAAAA:x"])
def test_an_invented_cookie_is_refused(db: None, client: Client, cookie: str) -> None:
    location = visit_google(client, GINA)
    client.cookies["google"] = cookie
    assert exchange_session(client, location).status_code == 401


@pytest.mark.spec("AUTH-018", "AUTH-066")
def test_the_second_factor_is_asked_for_all_the_same(alder: User, client: Client) -> None:
    secret, _ = enable_second_factor(alder)
    answer = exchange_session(client, visit_google(client, ALICE))
    assert (answer.status_code, answer.json()["code"]) == (401, "MFA_REQUIRED")
    assert not SignIn.objects.filter(user=alder).exists()
    verified = post_auth(client, "mfa/verify", mfa_token=answer.json()["mfa_token"], code=compute_code(secret))
    assert verified.json()["user"]["email"] == alder.email


@pytest.mark.spec("AUTH-066")
def test_a_suspended_account_stays_out(alder: User, client: Client) -> None:
    User.objects.update(is_active=False)
    answer = exchange_session(client, visit_google(client, ALICE))
    assert (answer.status_code, answer.json()["code"]) == (403, "ACCOUNT_SUSPENDED")
    assert not SignIn.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-066")
def test_of_sixteen_returns_at_once_one_makes_the_account() -> None:
    person = GooglePerson("1001", "gina.marsh@gmail.com", "Gina Marsh", "")

    def enter(_: int) -> int:
        try:
            return accounts.find_or_create_account(person).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(enter, range(16)))) == 1
    assert (User.objects.count(), SocialAccount.objects.count()) == (1, 1)
    assert User.objects.get().own_organisation.credit_account.balance == 100
    assert not OneTimeToken.objects.exists()
