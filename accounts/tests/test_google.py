"""Signing in with Google, played by a provider of the sandbox over HTTP."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from allauth.socialaccount.models import SocialAccount
from django.db import connection
from django.test import Client

from accounts import google, keys, services
from accounts.google import GoogleFailed, Handshake, Person
from accounts.models import OneTimeToken, SignIn, User
from accounts.tests.google_visit import choose, come_back, follow, start, swap
from accounts.tests.mailed import post, read_mails
from accounts.tests.second_factor import code_of, turn_on
from conftest import PASSWORD, client_of, make_user
from emailcheck.env import google as provider
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
    answer = swap(client, come_back(client, GINA))
    gina = User.objects.get()
    body = answer.json()
    token = body.pop("session_token")
    assert body == {"id": gina.pk, "email": "gina.marsh@gmail.com", "name": "Gina Marsh", "picture": None}
    assert (gina.email_verified, gina.has_usable_password(), gina.credit_account.balance) == (True, False, 100)
    me = client.get("/api/auth/me", headers={"Authorization": f"Bearer {token}"}).json()
    assert (me["email"], me["subscription_plan"], me["credits"]) == ("gina.marsh@gmail.com", "free", 100)
    assert client.get("/dashboard").status_code == 200
    assert client.post("/api/auth/refresh").status_code == 200
    assert read_mails() == [("gina.marsh@gmail.com", "Welcome to EmailCheck")]
    assert swap(client, come_back(client, GINA)).json()["id"] == gina.pk
    assert (User.objects.count(), SocialAccount.objects.count()) == (1, 1)


@pytest.mark.spec("REF-011", "REF-012")
def test_an_invitation_goes_along(alder: User, client: Client) -> None:
    code = client_of(alder).get("/api/referral/stats").json()["referral_code"]
    follow(client, choose(start(client, ref=code), GINA))
    gina = User.objects.get(email="gina.marsh@gmail.com")
    assert (gina.referred_by.referrer, gina.credit_account.balance) == (alder, 200)


@pytest.mark.spec("AUTH-066")
def test_a_verified_account_with_that_address_is_linked_and_keeps_all(alder: User, client: Client) -> None:
    open_before = services.start_sign_in(user=alder, device="test")
    assert swap(client, come_back(client, ALICE)).json()["id"] == alder.pk
    assert post(Client(), "login", email=alder.email, password=PASSWORD).status_code == 200
    assert services.rotate(refresh=open_before.refresh).sign_in_id == open_before.sign_in_id


@pytest.mark.spec("AUTH-066")
def test_an_account_that_was_never_verified_is_emptied_first(db: None, client: Client) -> None:
    squatter = services.register(email="alice@alder-and-ash.com", password=PASSWORD, name="Mallory")
    stolen = services.start_sign_in(user=squatter, device="test")
    keys.create(user=squatter, name="Back door")
    assert swap(client, come_back(client, ALICE)).json()["id"] == squatter.pk
    assert post(Client(), "login", email=squatter.email, password=PASSWORD).status_code == 401
    assert SignIn.objects.get(pk=stolen.sign_in_id).ended_at is not None
    assert not keys.of_account(squatter).exists()
    squatter.refresh_from_db()
    assert squatter.email_verified


@pytest.mark.spec("AUTH-066")
def test_an_address_that_google_has_not_verified_is_refused(db: None, client: Client) -> None:
    location = come_back(client, UNVERIFIED)
    assert location == FAILED
    answer = swap(client, location)
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        401, "INVALID_SESSION", "Google authentication failed. Please try again.",
    )  # fmt: skip
    assert (User.objects.count(), SignIn.objects.count()) == (0, 0)


@pytest.mark.spec("AUTH-065")
def test_cancelling_at_google_leads_back(db: None, client: Client) -> None:
    assert come_back(client, "") == FAILED
    assert not User.objects.exists()


@pytest.mark.spec("AUTH-065")
def test_without_a_client_of_google_the_way_leads_back_at_once(db: None, client: Client, settings: Any) -> None:
    settings.GOOGLE_CLIENT_ID = ""
    assert start(client) == FAILED


@pytest.mark.spec("AUTH-065")
def test_google_out_of_reach_leads_back(db: None, client: Client, settings: Any) -> None:
    location = choose(start(client), GINA)
    settings.GOOGLE = provider("http://127.0.0.1:9", "")
    assert follow(client, location) == FAILED


@pytest.mark.spec("AUTH-065")
def test_a_code_works_once_and_in_the_browser_that_left(db: None, client: Client) -> None:
    location = come_back(client, GINA)
    thief = Client()
    start(thief)
    assert swap(thief, location).status_code == 401
    assert swap(Client(), location).status_code == 401
    assert swap(client, location).status_code == 200
    assert swap(client, location).status_code == 401
    assert SignIn.objects.count() == 1


@pytest.mark.spec("AUTH-065")
def test_a_code_ends_after_a_minute(db: None, client: Client) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        location = come_back(client, GINA)
        clock.shift(61)
        assert swap(client, location).status_code == 401
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-065")
def test_what_another_browser_began_cannot_be_ended_here(db: None, client: Client) -> None:
    """Nobody is signed in to somebody else's account by an address that was sent to him."""
    location = choose(start(client), GINA)
    victim = Client()
    start(victim)
    assert follow(victim, location) == FAILED
    assert follow(Client(), location) == FAILED
    assert not User.objects.exists()


@pytest.mark.parametrize("change", ["state", "nonce", "verifier"])
def test_what_the_browser_brings_back_must_fit(db: None, change: str) -> None:
    address, handshake = google.leave()
    query = parse_qs(urlsplit(choose(address, GINA)).query)
    values = {"state": handshake.state, "nonce": handshake.nonce, "verifier": handshake.verifier, change: "x" * 43}
    with pytest.raises(GoogleFailed):
        google.come_back(handshake=Handshake(**values), state=query["state"][0], code=query["code"][0])


@pytest.mark.parametrize("cookie", ["", "x", "e30:1uAAAA:x"])
def test_an_invented_cookie_is_refused(db: None, client: Client, cookie: str) -> None:
    location = come_back(client, GINA)
    client.cookies["google"] = cookie
    assert swap(client, location).status_code == 401


@pytest.mark.spec("AUTH-018", "AUTH-066")
def test_the_second_factor_is_asked_for_all_the_same(alder: User, client: Client) -> None:
    secret, _ = turn_on(alder)
    answer = swap(client, come_back(client, ALICE))
    assert (answer.status_code, answer.json()["code"]) == (401, "MFA_REQUIRED")
    assert not SignIn.objects.filter(user=alder).exists()
    verified = post(client, "mfa/verify", mfa_token=answer.json()["mfa_token"], code=code_of(secret))
    assert verified.json()["user"]["email"] == alder.email


@pytest.mark.spec("AUTH-066")
def test_a_suspended_account_stays_out(alder: User, client: Client) -> None:
    User.objects.update(is_active=False)
    answer = swap(client, come_back(client, ALICE))
    assert (answer.status_code, answer.json()["code"]) == (403, "ACCOUNT_SUSPENDED")
    assert not SignIn.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-066")
def test_of_sixteen_returns_at_once_one_makes_the_account() -> None:
    person = Person("1001", "gina.marsh@gmail.com", "Gina Marsh", "")

    def enter(_: int) -> int:
        try:
            return google.account_of(person).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(enter, range(16)))) == 1
    assert (User.objects.count(), SocialAccount.objects.count()) == (1, 1)
    assert User.objects.get().credit_account.balance == 100
    assert not OneTimeToken.objects.exists()
