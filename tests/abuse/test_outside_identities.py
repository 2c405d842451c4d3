"""A Google account opens an account by itself only where Google is the authority for the address."""

from typing import Any

import pytest
import time_machine
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.signin import registrations
from accounts.signin.google import accounts
from accounts.signin.google.accounts import GooglePerson
from accounts.tests.google_visit import exchange_session, visit_google
from accounts.tests.mailed import find_mailed_token, post_auth, read_mails
from accounts.tests.second_factor import compute_code, enable_second_factor
from accounts.users.models import User
from conftest import PASSWORD, make_user
from emailcheck.common.testing import run_sixteen
from emailcheck.env import build_google as provider
from tests.world import Sandbox

ALICE, BOB, NORA, ALICE_AGAIN, SAM_ELSEWHERE, SAM = "1002", "1003", "1005", "1006", "1007", "1008"
pytestmark = pytest.mark.finding("C3")


@pytest.fixture(autouse=True)
def google_plays(world: Sandbox, settings: Any) -> None:
    settings.GOOGLE = provider(f"http://127.0.0.1:{world.http_port}/sandbox/google", "")


@pytest.fixture
def birch(db: None) -> User:
    return make_user("bob@birchworks.net", "Bob Birch")


def come_in(client: Client, sub: str) -> tuple[int, str]:
    """The status, and the code of the refusal."""
    answer = exchange_session(client, visit_google(client, sub))
    return answer.status_code, answer.json().get("code", "")


def links() -> list[tuple[str, str]]:
    return list(SocialAccount.objects.order_by("pk").values_list("user__email", "uid"))


def give_password(client: Client, password: str = PASSWORD) -> Any:
    return post_auth(client, "google/link", password=password)


@pytest.mark.spec("AUTH-066")
@pytest.mark.parametrize(
    ("email", "hd", "vouched"),
    [
        ("a@gmail.com", "", True),
        ("a@googlemail.com", "", True),
        ("a@company.com", "company.com", True),
        ("a@company.com", "Company.COM", True),
        ("a@bücher.de", "xn--bcher-kva.de", True),
        ("a@company.com", "", False),
        ("a@company.com", "evil.com", False),
        ("a@company.com", "gmail.com", False),
        ("a@mail.company.com", "company.com", False),
        ("a@gmail.com.evil.com", "", False),
        ("a@company.com", "a@company.com.evil.com", False),
    ],
)
def test_google_vouches_for_its_own_mail_and_the_domains_of_its_customers(email: str, hd: str, vouched: bool) -> None:
    assert GooglePerson("1", email, "A", "", hd).is_vouched_for is vouched


@pytest.mark.spec("AUTH-066")
@pytest.mark.parametrize("sub", [BOB, NORA])
def test_an_address_that_nobody_vouches_for_opens_and_makes_nothing(birch: User, client: Client, sub: str) -> None:
    answer = exchange_session(client, visit_google(client, sub))
    assert (answer.status_code, answer.json()["code"]) == (403, "GOOGLE_UNPROVEN")
    assert answer.json()["detail"] == "Google does not vouch for this address. Confirm that it is yours."
    assert answer.json()["email"] == {BOB: "bob@birchworks.net", NORA: "nora@quillworks.net"}[sub]
    assert (User.objects.count(), links(), SignIn.objects.count(), read_mails()) == (1, [], 0, [])


@pytest.mark.spec("AUTH-066")
def test_the_password_links_it(birch: User, client: Client) -> None:
    visit_google(client, BOB)
    answer = give_password(client)
    assert (answer.status_code, answer.json()["user"]["email"]) == (200, birch.email)
    assert links() == [(birch.email, BOB)]
    assert read_mails() == [(birch.email, "A Google account was linked")]
    assert Activity.objects.filter(user=birch, is_copy=False).filter(action="Google account linked").count() == 1
    assert client.get("/dashboard").status_code == 200
    assert give_password(client).status_code == 401  # once
    assert come_in(Client(), BOB) == (200, "")


@pytest.mark.spec("AUTH-066", "AUTH-012")
@pytest.mark.parametrize("sub", [BOB, NORA])
def test_a_wrong_password_links_nothing(birch: User, client: Client, sub: str) -> None:
    visit_google(client, sub)
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        visit_google(client, sub)
        answers = [give_password(client, "wrong-horse-42") for _ in range(11)]
        assert [answer.status_code for answer in answers] == [401] * 10 + [429]
        assert answers[0].json()["detail"] == "Invalid email or password"
        assert "Too many wrong passwords" in answers[10].json()["detail"]
        assert give_password(client).status_code == 429
    assert (links(), SignIn.objects.count()) == ([], 0)


@pytest.mark.spec("AUTH-065", "AUTH-066")
def test_only_the_browser_that_came_back_may_link_and_for_ten_minutes(birch: User, client: Client) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        visit_google(client, BOB)
        sealed = client.cookies["google_identity"].value
        for cookie in ("", "x", sealed[:-2], client.cookies["google"].value):
            thief = Client()
            thief.cookies["google_identity"] = cookie
            assert give_password(thief).status_code == 401
            assert thief.post("/api/auth/google/mail").status_code == 401
        clock.shift(601)
        assert give_password(client).status_code == 401
    assert (links(), read_mails()) == ([], [])


@pytest.mark.spec("AUTH-066", "AUTH-018")
def test_it_is_linked_after_the_second_factor_and_not_before(birch: User, client: Client) -> None:
    secret, _ = enable_second_factor(birch)
    visit_google(client, BOB)
    asked = give_password(client)
    assert (asked.status_code, asked.json()["code"], links()) == (401, "MFA_REQUIRED", [])
    wrong = post_auth(client, "mfa/verify", mfa_token=asked.json()["mfa_token"], code="000000")
    assert (wrong.status_code, links()) == (401, [])
    right = post_auth(client, "mfa/verify", mfa_token=asked.json()["mfa_token"], code=compute_code(secret))
    assert (right.status_code, links()) == (200, [(birch.email, BOB)])


@pytest.mark.spec("AUTH-066")
def test_a_second_google_account_is_refused(client: Client, db: None) -> None:
    alice = make_user("alice@alder-and-ash.com", "Alice Alder")
    assert come_in(client, ALICE) == (200, "")
    before = SignIn.objects.count()
    assert come_in(Client(), ALICE_AGAIN) == (403, "GOOGLE_ACCOUNT_LINKED")
    assert (links(), SignIn.objects.count()) == ([(alice.email, ALICE)], before)
    assert come_in(Client(), ALICE) == (200, "")


@pytest.mark.spec("AUTH-066")
def test_a_second_google_account_is_refused_after_the_password_too(birch: User, client: Client) -> None:
    accounts.link_account(user=birch, sub="7")
    visit_google(client, BOB)
    answer = give_password(client)
    assert (answer.status_code, answer.json()["code"]) == (403, "GOOGLE_ACCOUNT_LINKED")
    assert (links(), SignIn.objects.count()) == ([(birch.email, "7")], 0)


@pytest.mark.spec("SEC-009")
def test_staff_come_in_by_the_google_account_of_the_company_alone(sam: User, client: Client) -> None:
    assert come_in(client, SAM_ELSEWHERE) == (403, "GOOGLE_NOT_STAFF")
    assert give_password(client).status_code == 401
    assert (links(), SignIn.objects.count()) == ([], 0)
    accounts.link_account(user=sam, sub=SAM_ELSEWHERE)
    assert come_in(client, SAM_ELSEWHERE) == (403, "GOOGLE_NOT_STAFF")
    SocialAccount.objects.all().delete()
    assert come_in(client, SAM) == (200, "")
    assert client.get("/admin").context["staff"] == sam


@pytest.mark.spec("SEC-009")
def test_no_account_is_made_in_the_domain_of_the_staff(db: None, client: Client) -> None:
    assert come_in(client, SAM_ELSEWHERE) == (403, "GOOGLE_NOT_STAFF")
    assert client.post("/api/auth/google/mail").status_code == 401
    assert not User.objects.exists()


@pytest.mark.spec("AUTH-066")
def test_a_new_account_waits_for_a_mailed_link(db: None, client: Client) -> None:
    visit_google(client, NORA)
    answer = client.post("/api/auth/google/mail")
    assert (answer.status_code, answer.json()["message"]) == (200, "Check your email to confirm your address.")
    assert client.post("/api/auth/google/mail").status_code == 401  # once
    assert read_mails() == [("nora@quillworks.net", "Confirm your e-mail address")]
    assert come_in(Client(), NORA) == (403, "GOOGLE_UNPROVEN")
    link = find_mailed_token("verify-email")
    assert Client().get("/api/auth/verify-email", {"token": link}).json()["already_verified"] is False
    nora = User.objects.get()
    assert (nora.name, nora.email_verified, nora.has_usable_password()) == ("Nora Quill", True, False)
    assert (nora.own_organisation.credit_account.balance, links()) == (100, [(nora.email, NORA)])
    assert come_in(Client(), NORA) == (200, "")


@pytest.mark.spec("AUTH-066", "AUTH-012")
def test_the_owner_of_a_taken_address_is_told_and_nothing_is_linked(birch: User, client: Client) -> None:
    visit_google(client, BOB)
    assert client.post("/api/auth/google/mail").json()["message"] == "Check your email to confirm your address."
    assert read_mails() == [(birch.email, "You already have an account")]
    assert (links(), User.objects.count(), birch.check_password(PASSWORD)) == ([], 1, True)


@pytest.mark.spec("AUTH-066")
@pytest.mark.parametrize("opened", ["hers", "his"])
def test_of_two_registrations_the_opened_link_decides(db: None, client: Client, opened: str) -> None:
    given = {"email": "nora@quillworks.net", "password": PASSWORD, "name": "Mallory"}
    assert post_auth(Client(), "register", **given).status_code == 200
    assert len(read_mails()) == 1
    his = find_mailed_token("verify-email")
    visit_google(client, NORA)
    client.post("/api/auth/google/mail")
    assert len(read_mails()) == 1
    hers = find_mailed_token("verify-email")
    registrations.confirm_address(token=hers if opened == "hers" else his)
    assert registrations.confirm_address(token=his if opened == "hers" else hers).before is True
    assert links() == ([("nora@quillworks.net", NORA)] if opened == "hers" else [])
    assert come_in(Client(), NORA) == ((200, "") if opened == "hers" else (403, "GOOGLE_UNPROVEN"))
    status = 401 if opened == "hers" else 200
    assert post_auth(Client(), "login", email=given["email"], password=PASSWORD).status_code == status


@pytest.mark.spec("AUTH-049")
def test_a_new_link_confirms_the_same_registration(db: None, client: Client) -> None:
    visit_google(client, NORA)
    client.post("/api/auth/google/mail")
    assert len(read_mails()) == 1
    assert post_auth(Client(), "resend-verification", email="nora@quillworks.net").status_code == 200
    assert len(read_mails()) == 1
    registrations.confirm_address(token=find_mailed_token("verify-email"))
    assert links() == [("nora@quillworks.net", NORA)]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-066")
def test_of_sixteen_google_accounts_at_once_one_is_linked() -> None:
    user = make_user("bob@birchworks.net", "Bob Birch")
    read_mails()
    answers = run_sixteen(lambda one: accounts.link_account(user=user, sub=str(one)))
    assert (answers.count(None), answers.count("GOOGLE_ACCOUNT_LINKED"), len(links())) == (1, 15, 1)
    assert read_mails() == [(user.email, "A Google account was linked")]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-066")
def test_of_sixteen_vouched_identities_at_once_one_is_linked() -> None:
    make_user("alice@alder-and-ash.com", "Alice Alder")

    def enter(one: int) -> str:
        return accounts.find_or_create_account(
            GooglePerson(str(one), "alice@alder-and-ash.com", "A", "", "alder-and-ash.com")
        ).email

    answers = run_sixteen(enter)
    assert (answers.count("alice@alder-and-ash.com"), answers.count("GOOGLE_ACCOUNT_LINKED")) == (1, 15)
    assert len(links()) == 1
