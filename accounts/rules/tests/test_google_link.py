"""Linking a Google account by password, for people whose organisation asks for Google."""

from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.rules.models import OwnedDomain
from accounts.rules.tests.members import join, refusal
from accounts.signin.google import accounts
from accounts.tests.google_visit import exchange_session, visit_google
from accounts.tests.mailed import post_auth, read_mails
from accounts.tests.second_factor import compute_code, enable_second_factor
from accounts.users.models import User
from conftest import PASSWORD, make_user
from emailcheck.env import build_google as provider
from tests.world import Sandbox

BOB, NORA = "1003", "1005"
BOBS, NORAS = "bob@birchworks.net", "nora@quillworks.net"


@pytest.fixture(autouse=True)
def google_plays(world: Sandbox, settings: Any) -> None:
    settings.GOOGLE = provider(f"http://127.0.0.1:{world.http_port}/sandbox/google", "")


@pytest.fixture
def birch(alice: User) -> User:
    """A member whose organisation requires Google for the address, for which Google does not vouch."""
    OwnedDomain.objects.create(
        organisation=alice.own_organisation,
        name="birchworks.net",
        token="token",
        proved_at=timezone.now(),
        google_required=True,
    )
    user = make_user(BOBS, "Bob Birch")
    join(user, alice.own_organisation)
    read_mails()
    return user


def links() -> list[tuple[str, str]]:
    return list(SocialAccount.objects.order_by("pk").values_list("user__email", "uid"))


def traces() -> tuple[Any, ...]:
    """Everything that linking and signing in leave behind."""
    return links(), SignIn.objects.count(), Activity.objects.count(), read_mails()


@pytest.mark.spec("TEA-021")
def test_a_password_links_and_signs_in_where_it_alone_is_refused(birch: User, client: Client) -> None:
    before = traces()
    alone = post_auth(Client(), "login", email=BOBS, password=PASSWORD)
    assert (refusal(alone), traces()) == ((403, "GOOGLE_REQUIRED"), before)
    assert refusal(exchange_session(client, visit_google(client, BOB))) == (403, "GOOGLE_UNPROVEN")
    linked = post_auth(client, "google/link", password=PASSWORD)
    assert (linked.status_code, linked.json()["user"]["email"]) == (200, BOBS)
    assert links() == [(BOBS, BOB)]
    assert read_mails() == [(BOBS, "A Google account was linked"), (BOBS, "New sign-in to your account")]
    assert client.get("/dashboard").status_code == 200
    again = Client()
    assert exchange_session(again, visit_google(again, BOB)).json()["id"] == birch.pk
    assert refusal(post_auth(Client(), "login", email=BOBS, password=PASSWORD)) == (403, "GOOGLE_REQUIRED")


@pytest.mark.spec("TEA-021", "TEA-023")
def test_a_wrong_password_is_answered_as_ever_and_links_nothing(birch: User, client: Client) -> None:
    before = traces()
    visit_google(client, BOB)
    wrong = post_auth(client, "google/link", password="wrong-horse-42")
    stranger = Client()
    visit_google(stranger, NORA)
    unknown = post_auth(stranger, "google/link", password="wrong-horse-42")
    assert refusal(wrong) == refusal(unknown) == (401, "INVALID_CREDENTIALS")
    assert wrong.json()["detail"] == unknown.json()["detail"] == "Invalid email or password"
    assert traces() == before


@pytest.mark.spec("TEA-021")
def test_a_google_account_with_another_address_is_not_linked_by_the_password(birch: User, client: Client) -> None:
    before = traces()
    visit_google(client, NORA)
    answer = post_auth(client, "google/link", password=PASSWORD)
    assert (refusal(answer), traces()) == ((401, "INVALID_CREDENTIALS"), before)
    nora = make_user(NORAS, "Nora Quill")
    read_mails()
    assert post_auth(client, "google/link", password=PASSWORD).json()["user"]["id"] == nora.pk
    assert links() == [(NORAS, NORA)]


@pytest.mark.spec("TEA-021")
def test_a_second_google_account_is_not_linked_by_the_password(birch: User, client: Client) -> None:
    accounts.link_account(user=birch, sub="7")
    read_mails()
    before = traces()
    visit_google(client, BOB)
    answer = post_auth(client, "google/link", password=PASSWORD)
    assert (refusal(answer), traces()) == ((403, "GOOGLE_ACCOUNT_LINKED"), before)


@pytest.mark.spec("TEA-021", "AUTH-018")
def test_with_a_second_factor_the_code_comes_before_the_link(birch: User, client: Client) -> None:
    secret, _ = enable_second_factor(birch)
    visit_google(client, BOB)
    asked = post_auth(client, "google/link", password=PASSWORD)
    assert (refusal(asked), links()) == ((401, "MFA_REQUIRED"), [])
    right = post_auth(client, "mfa/verify", mfa_token=asked.json()["mfa_token"], code=compute_code(secret))
    assert (right.status_code, links()) == (200, [(BOBS, BOB)])
