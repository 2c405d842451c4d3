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

ALICE, BOB, NORA = "1002", "1003", "1005"
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
    google_alone = "This account is linked to another Google account. Sign in with that one."
    assert answer.json()["detail"] == google_alone
    OwnedDomain.objects.update(google_required=False)
    answer = post_auth(client, "google/link", password=PASSWORD)
    assert answer.json()["detail"] == f"{google_alone[:-1]}, or with your password."


@pytest.mark.spec("TEA-021")
def test_a_second_google_account_of_the_workspace_hears_no_word_of_passwords(alice: User, client: Client) -> None:
    domain = OwnedDomain.objects.create(
        organisation=alice.own_organisation,
        name="alder-and-ash.com",
        token="token",
        proved_at=timezone.now(),
        google_required=True,
    )
    person = make_user("alice@alder-and-ash.com", "Alice Alder")
    join(person, alice.own_organisation)
    accounts.link_account(user=person, sub="7")
    google_alone = "This account is linked to another Google account. Sign in with that one."
    for required, words in ((True, google_alone), (False, f"{google_alone[:-1]}, or with your password.")):
        OwnedDomain.objects.filter(pk=domain.pk).update(google_required=required)
        answer = exchange_session(client, visit_google(client, ALICE))
        assert (refusal(answer), answer.json()["detail"]) == ((403, "GOOGLE_ACCOUNT_LINKED"), words)


@pytest.mark.spec("TEA-021", "AUTH-018")
def test_a_password_given_before_the_rule_does_not_sign_in_after_it(birch: User) -> None:
    secret, _ = enable_second_factor(birch)
    OwnedDomain.objects.update(google_required=False)
    browser = Client()
    token = post_auth(browser, "login", email=BOBS, password=PASSWORD).json()["mfa_token"]
    OwnedDomain.objects.update(google_required=True)
    before = SignIn.objects.count()
    answer = post_auth(browser, "mfa/verify", mfa_token=token, code=compute_code(secret))
    assert (*refusal(answer), answer.json()["detail"]) == (
        403, "GOOGLE_REQUIRED", "Alice Alder requires you to sign in with Google.",
    )  # fmt: skip
    assert (SignIn.objects.count(), browser.get("/dashboard").status_code) == (before, 302)


@pytest.mark.spec("TEA-021", "AUTH-018")
def test_google_and_a_code_sign_in_under_the_rule(birch: User, client: Client) -> None:
    accounts.link_account(user=birch, sub=BOB)
    secret, _ = enable_second_factor(birch)
    read_mails()
    asked = exchange_session(client, visit_google(client, BOB))
    assert refusal(asked) == (401, "MFA_REQUIRED")
    right = post_auth(client, "mfa/verify", mfa_token=asked.json()["mfa_token"], code=compute_code(secret))
    assert (right.status_code, right.json()["user"]["email"], links()) == (200, BOBS, [(BOBS, BOB)])
    assert "A Google account was linked" not in [subject for _, subject in read_mails()]


@pytest.mark.spec("TEA-021", "AUTH-018")
def test_with_a_second_factor_the_code_comes_before_the_link(birch: User, client: Client) -> None:
    secret, _ = enable_second_factor(birch)
    visit_google(client, BOB)
    asked = post_auth(client, "google/link", password=PASSWORD)
    assert (refusal(asked), links()) == ((401, "MFA_REQUIRED"), [])
    right = post_auth(client, "mfa/verify", mfa_token=asked.json()["mfa_token"], code=compute_code(secret))
    assert (right.status_code, links()) == (200, [(BOBS, BOB)])
