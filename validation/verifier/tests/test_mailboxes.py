"""Which mailbox an address is, and that each gets its sign-up credits once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.signin import services as signin
from accounts.users.models import User
from billing.ledger.models import CreditedMailbox
from billing.subscriptions import entitlements
from conftest import PASSWORD, make_user
from validation.verifier.mailboxes import mailbox_of


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("Anna.Keller+shop@Gmail.com", "annakeller@gmail.com"),
        ("annakeller@googlemail.com", "annakeller@gmail.com"),
        ("Anna.Keller+x+y@Cedar.org", "anna.keller@cedar.org"),
        ("anna@bücher.de", "anna@xn--bcher-kva.de"),
        ("anna@xn--bcher-kva.de", "anna@xn--bcher-kva.de"),
        ('"anna"@cedar.org', "anna@cedar.org"),
        ("no address", "no address"),
    ],
)
def test_spellings_of_one_mailbox(address: str, canonical: str) -> None:
    assert mailbox_of(address).canonical == canonical


def test_throw_away_domains_are_known() -> None:
    assert mailbox_of("anna@mailinator.com").disposable
    assert not mailbox_of("anna@gmail.com").disposable


def credits_of(email: str) -> int:
    balance: int = (
        make_user(email, "Anna")
        .own_organisation.credit_account.__class__.objects.get(organisation__holder__email=email)
        .balance
    )
    return balance


@pytest.mark.spec("PRC-027")
def test_credits_come_once_for_each_mailbox_and_not_again_after_deletion(db: None) -> None:
    assert credits_of("anna.keller@gmail.com") == 100
    assert credits_of("annakeller+2@gmail.com") == 0
    assert credits_of("berta.keller@gmail.com") == 100
    User.objects.all().delete()
    assert credits_of("anna.keller@gmail.com") == 0
    assert "anna" not in str(list(CreditedMailbox.objects.values()))


@pytest.mark.spec("PRC-027")
def test_a_throw_away_mailbox_gets_none(db: None) -> None:
    assert credits_of("anna@mailinator.com") == 0
    assert not CreditedMailbox.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("PRC-027")
def test_of_sixteen_spellings_at_once_one_gets_credits() -> None:
    users = [
        signin.register_account(email=f"anna+{number}@gmail.com", password=PASSWORD, name="Anna")
        for number in range(16)
    ]

    def verify(user: User) -> None:
        try:
            signin.verify_address(user=user)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(verify, users))
    assert sorted(entitlements.build_account_summary(user.own_organisation)["credits"] for user in users) == [
        0
    ] * 15 + [100]
