"""Friends who bring friends."""

from decimal import Decimal
from typing import Any

import pytest
from django.core import mail
from rest_framework.test import APIClient

from accounts.organisations.models import Organisation
from accounts.signin import services as signin
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditEntry
from billing.payments import records
from billing.payments.models import Payment, PaymentKind, PaymentState, Refund
from billing.payments.paypal import Amount
from billing.referrals import services as referrals
from billing.referrals.models import Referral
from billing.signals import payment_refunded
from billing.subscriptions.entitlements import build_account_summary
from conftest import PASSWORD, client_of, make_user
from emailcheck.common.outbound.mail import deliver_mail
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import run_sixteen

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def invited(by: User, email: str = "finn@fir.org", name: str = "Finn Fir", *, verified: bool = True) -> User:
    friend = signin.register_account(
        email=email, password=PASSWORD, name=name, referral_code=referrals.ensure_code(by.own_organisation)
    )
    if verified:
        signin.verify_address(user=friend)
    return friend


def pay(user: User, kind: PaymentKind = PaymentKind.SUBSCRIPTION, number: str = "1", amount: str = "79.00") -> Payment:
    return records.record_payment(
        provider_id=f"SALE-{user.pk}-{number}",
        state=PaymentState.COMPLETED,
        kind=kind,
        amount=Amount.usd(amount),
        organisation_id=user.pk,
        description="Growth",
    )


def give_back(payment: Payment) -> None:
    refund = Refund.objects.create(payment=payment, amount=payment.amount, reason="Test")
    payment_refunded.send(sender=Refund, refund=refund)


def balance(user: User) -> int:
    return int(build_account_summary(user.own_organisation)["credits"])


def bonuses(user: User) -> list[int]:
    entries = CreditEntry.objects.filter(organisation=user.own_organisation, lot__kind="bonus").order_by("pk")
    return list(entries.values_list("amount", flat=True))


@pytest.mark.spec("REF-006", "REF-012")
def test_the_friend_gets_the_bonus_with_the_confirmed_address_and_once(alice: User) -> None:
    friend = invited(alice, verified=False)
    assert (balance(friend), bonuses(friend)) == (0, [])
    signin.verify_address(user=friend)
    assert (balance(friend), bonuses(friend)) == (200, [100])
    signin.verify_address(user=friend)
    assert not referrals.grant_welcome_bonus(friend=friend.own_organisation)
    assert (balance(friend), bonuses(friend), bonuses(alice)) == (200, [100], [])
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("LIM-021", "REF-007", "REF-009")
@pytest.mark.parametrize("kind", ["subscription", "plan_change", "renewal", "quote"])
def test_the_first_payment_for_a_plan_brings_the_reward_once(alice: User, kind: str) -> None:
    friend = invited(alice)
    before = balance(alice)
    pay(friend, PaymentKind(kind))
    assert bonuses(alice) == [500]
    pay(friend, PaymentKind(kind))
    pay(friend, PaymentKind.RENEWAL, "2")
    assert (balance(alice), bonuses(alice), bonuses(friend)) == (before + 500, [500], [100])
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("REF-012")
def test_packs_the_trial_and_payments_of_nothing_do_not_count(alice: User) -> None:
    friend = invited(alice)
    client_of(friend).post("/api/trial/start")
    pay(friend, PaymentKind.CREDITS)
    pay(friend, PaymentKind.SUBSCRIPTION, "0", "0.00")
    assert (Referral.objects.get().state, bonuses(alice)) == ("pending", [])


@pytest.mark.spec("REF-011")
@pytest.mark.parametrize("code", ["", " ", "NOBODYHAS", "x" * 40, "ÄÖÜ"])
def test_an_unknown_code_is_ignored(alice: User, code: str) -> None:
    referrals.ensure_code(alice.own_organisation)
    friend = signin.register_account(email="finn@fir.org", password=PASSWORD, name="Finn", referral_code=code)
    signin.verify_address(user=friend)
    assert (Referral.objects.count(), balance(friend), referrals.is_known_code(code)) == (0, 100, False)


@pytest.mark.spec("REF-011")
def test_a_code_may_be_typed_in_any_case(alice: User) -> None:
    code = referrals.ensure_code(alice.own_organisation)
    assert referrals.is_known_code(f" {code.lower()} ")
    friend = signin.register_account(email="finn@fir.org", password=PASSWORD, name="Finn", referral_code=code.lower())
    assert Referral.objects.get().friend == friend.own_organisation


@pytest.mark.spec("REF-011")
def test_nobody_brings_oneself_not_even_under_another_spelling(db: None) -> None:
    me = make_user("ann.ash@gmail.com", "Ann")
    other = invited(me, "annash+2@gmail.com", "Ann")
    pay(other)
    assert (Referral.objects.count(), bonuses(me), bonuses(other)) == (0, [], [])


def test_a_mailbox_has_the_bonus_once_whoever_invites_it(alice: User, bob: User) -> None:
    first = invited(alice, "finn@gmail.com")
    second = invited(bob, "finn+again@gmail.com")
    assert (bonuses(first), bonuses(second)) == ([100], [])
    first.delete()
    third = invited(bob, "f.i.n.n@gmail.com")
    assert bonuses(third) == []


def test_throw_away_mailboxes_get_no_bonus(alice: User) -> None:
    friend = invited(alice, "finn@mailinator.com")
    assert (balance(friend), bonuses(friend)) == (0, [])


def test_a_suspended_account_brings_nobody(alice: User) -> None:
    code = referrals.ensure_code(alice.own_organisation)
    Organisation.objects.filter(pk=alice.pk).update(is_active=False)
    friend = signin.register_account(email="finn@fir.org", password=PASSWORD, name="Finn", referral_code=code)
    assert (Referral.objects.count(), referrals.record_referral(friend=friend.own_organisation, code=code)) == (
        0,
        False,
    )


@pytest.mark.spec("REF-012", "INV-019")
def test_the_reward_goes_with_the_payment_and_comes_again_with_another(alice: User) -> None:
    friend = invited(alice)
    before = balance(alice)
    first = pay(friend)
    give_back(first)
    assert not referrals.take_back_reward(payment=first)
    assert (balance(alice), bonuses(alice)) == (before, [500, -500])
    assert referrals.compute_stats(alice.own_organisation).pending_credits == 500
    pay(friend, number="2")
    assert (balance(alice), Referral.objects.get().state) == (before + 500, "converted")
    assert ledger.reconcile_ledger() == []


def test_a_reward_that_was_spent_becomes_a_debt(alice: User) -> None:
    friend = invited(alice)
    payment = pay(friend)
    held = ledger.open_hold(organisation_id=alice.pk, amount=balance(alice), reason="List", key="list")
    ledger.close_hold(hold=held, captured=held.amount)
    give_back(payment)
    alice.own_organisation.credit_account.refresh_from_db()
    assert (alice.own_organisation.credit_account.balance, alice.own_organisation.credit_account.debt) == (0, 500)
    assert ledger.reconcile_ledger() == []


def test_a_payment_that_others_made_takes_nothing_back(alice: User, bob: User) -> None:
    pay(invited(alice))
    give_back(pay(bob))
    assert bonuses(alice) == [500]


@pytest.mark.spec("REF-006", "REF-012", "REF-015")
def test_the_referrer_is_told_by_mail_without_the_friend(alice: User) -> None:
    pay(invited(alice))
    deliver_mail(OutgoingMail.objects.get(name="referral_converted").pk)
    (told,) = mail.outbox
    assert (told.subject, told.to) == ("You earned 500 credits", ["alice@alder.com"])
    assert "You now have 600 credits." in told.body
    assert "finn" not in told.message().as_string().lower()


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_at_once_one_is_rewarded(alice: User) -> None:
    friend = invited(alice, verified=False)
    friend.email_verified_at = None

    def once(_: int) -> None:
        signin.verify_address(user=User.objects.get(pk=friend.pk))
        pay(friend)

    run_sixteen(once)
    assert (bonuses(alice), bonuses(friend)) == ([500], [100])
    assert ledger.reconcile_ledger() == []


def test_a_chain_rewards_only_the_next_one(alice: User) -> None:
    second = invited(alice, "second@fir.org")
    third = invited(second, "third@fir.org")
    pay(third)
    assert (bonuses(alice), bonuses(second)) == ([], [100, 500])


def stats(api: APIClient) -> Any:
    return api.get("/api/referral/stats").json()


def activities(api: APIClient, **query: str) -> Any:
    return api.get("/api/referral/activities", query).json()


@pytest.mark.spec("REF-003", "REF-013")
def test_the_figures_of_a_code(alice: User, alice_api: APIClient, bob_api: APIClient) -> None:
    code = referrals.ensure_code(alice.own_organisation)
    nothing = {
        "referral_code": code,
        "total_referrals": 0,
        "credits_earned": 0,
        "pending_credits": 0,
        "successful_referrals": 0,
        "conversion_rate": 0.0,
    }
    assert stats(alice_api) == nothing
    friends = [invited(alice, f"friend{number}@fir.org") for number in range(3)]
    pay(friends[1])
    assert stats(alice_api) == {
        "referral_code": code,
        "total_referrals": 3,
        "credits_earned": 500,
        "pending_credits": 1_000,
        "successful_referrals": 1,
        "conversion_rate": 33.3,
    }
    theirs = stats(bob_api)
    assert (theirs["total_referrals"], theirs["referral_code"] != code) == (0, True)


@pytest.mark.spec("REF-004", "REF-005", "REF-015")
def test_the_friends_are_listed_newest_first_and_masked(alice: User, alice_api: APIClient, bob_api: APIClient) -> None:
    first = invited(alice, "john.fir@example.com", "John Fir Senior")
    invited(alice, "x@fir.org", " ")
    pay(first)
    rows = activities(alice_api)["activities"]
    assert [(row["referee_name"], row["referee_email"], row["status"], row["credits_awarded"]) for row in rows] == [
        (None, "x***@fir.org", "pending", 0),
        ("John", "j***@example.com", "converted", 500),
    ]
    assert rows[0]["converted_at"] is None
    assert rows[1]["converted_at"] >= rows[1]["created_at"]
    assert activities(bob_api) == {"activities": [], "next": None}


@pytest.mark.spec("SEC-011", "REF-004")
def test_an_unconfirmed_friend_is_not_told_so_that_nobody_can_probe_for_accounts(
    alice: User, bob: User, alice_api: APIClient
) -> None:
    invited(alice, "new@fir.org", verified=False)
    assert (stats(alice_api)["total_referrals"], activities(alice_api)["activities"]) == (0, [])


def test_more_friends_than_a_page(alice: User, alice_api: APIClient) -> None:
    for number in range(52):
        friend = User.objects.create_user(f"f{number}@fir.org", name=f"F{number}", email_verified_at=alice.created_at)
        referrals.record_referral(friend=friend.own_organisation, code=referrals.ensure_code(alice.own_organisation))
    first = activities(alice_api)
    second = activities(alice_api, cursor=first["next"])
    names = [row["referee_name"] for row in first["activities"] + second["activities"]]
    assert (names, second["next"]) == ([f"F{number}" for number in reversed(range(52))], None)
    refused = alice_api.get("/api/referral/activities", {"cursor": "nonsense"})
    assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")


def test_what_a_payment_of_cents_brings_is_whole(alice: User) -> None:
    pay(invited(alice), amount=str(Decimal("0.01")))
    assert bonuses(alice) == [500]
