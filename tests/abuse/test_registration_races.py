"""One address registered, confirmed and reset by many at once: one of them has the account, wholly."""

import re

import pytest
from django.core import mail
from django.test import Client

from accounts.keys import services as keys
from accounts.signin import mailbox_requests, registrations
from accounts.signin import services as signin
from accounts.signin.models import Purpose
from accounts.signin.one_time_tokens import create_token
from accounts.signin.sessions import rotate_tokens, start_sign_in
from accounts.tests.mailed import post_auth, read_mails
from accounts.users.models import User
from emailcheck.common.testing import run_sixteen

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.finding("C2")]
ADDRESS = "carol@cedar.org"
FIRST = "mallory-pass-1"


def password_of(number: int) -> str:
    return f"fresh-horse-{number:02}"


def links_of_sixteen() -> list[str]:
    """Sixteen register the address at once; the tokens of their links in the order of their numbers."""
    name_of = [f"Carol {number:02}" for number in range(16)]
    run_sixteen(
        lambda one: mailbox_requests.request_registration(email=ADDRESS, password=password_of(one), name=name_of[one])
    )
    assert read_mails() == [(ADDRESS, "Confirm your e-mail address")] * 16
    bodies = [str(message.body) for message in mail.outbox]
    return [found[1] for body in bodies if (found := re.search(r"verify-email\?token=([\w-]+)", body))]


def passwords_that_work() -> list[int]:
    user = User.objects.get()
    return [number for number in range(16) if user.check_password(password_of(number))]


def test_of_sixteen_registrations_the_opened_link_decides() -> None:
    links = links_of_sixteen()
    answer = Client().get("/api/auth/verify-email", {"token": links[7]})
    assert answer.json()["already_verified"] is False
    (mine,) = passwords_that_work()
    user = User.objects.get()
    assert (user.name, user.email_verified) == (f"Carol {mine:02}", True)
    assert post_auth(Client(), "login", email=ADDRESS, password=password_of(mine)).status_code == 200
    assert all(run_sixteen(lambda one: registrations.confirm_address(token=links[one]).before))
    assert passwords_that_work() == [mine]


def test_of_sixteen_links_opened_at_once_one_decides() -> None:
    links = links_of_sixteen()
    answers = run_sixteen(lambda one: registrations.confirm_address(token=links[one]).before)
    assert answers.count(False) == 1
    (mine,) = passwords_that_work()
    user = User.objects.get()
    assert (user.name, user.own_organisation.credit_account.balance) == (f"Carol {mine:02}", 100)
    assert [subject for _, subject in read_mails()] == ["Welcome to EmailCheck"]


def test_a_key_made_meanwhile_ends_with_the_password_that_it_was_made_by() -> None:
    thief = signin.register_account(email=ADDRESS, password=FIRST, name="Mallory")
    sign_in = start_sign_in(user=thief, device="test")
    made = [
        text
        for _, text in run_sixteen(
            lambda one: keys.create_key(organisation=thief.own_organisation, maker=thief, name=f"Back door {one}")
        )
    ]
    read_mails()
    link = links_of_sixteen()[0]
    assert run_sixteen(lambda _: registrations.confirm_address(token=link).before).count(False) == 1
    assert not User.objects.get().check_password(FIRST)
    for text in made:
        assert Client().get("/api/auth/me", headers={"Authorization": f"Bearer {text}"}).status_code == 401
    assert run_sixteen(lambda _: rotate_tokens(refresh=sign_in.refresh)) == ["SESSION_ENDED"] * 16


def test_a_reset_and_links_at_once_leave_one_password() -> None:
    links = links_of_sixteen()
    reset = create_token(user=User.objects.get(), purpose=Purpose.RESET)

    def act(number: int) -> object:
        if number == 0:
            return signin.reset_password(token=reset, password="chosen-horse-99")
        return registrations.confirm_address(token=links[number]).before

    answers = run_sixteen(act)
    user = User.objects.get()
    first = answers[1:].count(False)
    assert (first, user.own_organisation.credit_account.balance) in {(0, 100), (1, 100)}
    assert len(passwords_that_work()) + user.check_password("chosen-horse-99") == 1
