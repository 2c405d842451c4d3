"""How a purchase may move: every state and reason, and all that can be told of it."""

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger.models import CreditAccount
from billing.payments import wording
from billing.payments.models import Purchase, PurchaseReason, PurchaseState
from billing.payments.purchase_states import (
    ALL_STATUSES,
    OPEN,
    PAID,
    PurchaseStatus,
    after_end,
    after_payment,
    can_be_paid,
)
from billing.subscriptions import services as subscriptions
from billing.subscriptions.models import Subscription
from conftest import client_of
from tests import checkout
from tests.paypal import Buyer

REFUSED = ("superseded", "given_back")
# What is told → how it stands then, by how it stood: `=` as before. "open" and "paid" have no reason.
TABLE = {
    "paid": {"superseded": "=", "given_back": "="},
    "not_made": {"open": "not_made"},
    "not_approved": {"open": "not_approved"},
    "lapsed": {"open": "lapsed"},
    "declined": {"paid": "=", "superseded": "=", "given_back": "="},
    "denied": {"paid": "=", "superseded": "=", "given_back": "="},
    "mismatch": {"paid": "=", "superseded": "=", "given_back": "="},
    "superseded": {"paid": "=", "given_back": "="},
    "given_back": {"paid": "="},
}
"""Where a standing is not named: what is told is what it is then, but for what only ends an open purchase."""
ONLY_OF_OPEN = ("not_made", "not_approved", "lapsed")


def word(standing: PurchaseStatus) -> str:
    names = {OPEN: "open", PAID: "paid"}
    return names[standing] if standing in names else str(standing.reason)


def expected(told: str, before: str) -> str:
    otherwise = before if told in ONLY_OF_OPEN else told
    found = TABLE[told].get(before, otherwise)
    return before if found == "=" else found


def moved(told: str, before: PurchaseStatus) -> PurchaseStatus:
    return after_payment(before) if told == "paid" else after_end(before, PurchaseReason(told))


@pytest.mark.finding("D7")
def test_every_standing_and_all_that_can_be_told_of_it() -> None:
    assert {word(standing) for standing in ALL_STATUSES} == {"open", "paid", *PurchaseReason.values}
    assert set(TABLE) == {"paid", *PurchaseReason.values}
    pairs = [(told, before) for told in TABLE for before in ALL_STATUSES]
    ends = {(told, word(before)): word(moved(told, before)) for told, before in pairs}
    assert ends == {(told, word(before)): expected(told, word(before)) for told, before in pairs}
    assert len(ends) == 90


@pytest.mark.finding("D7")
def test_what_is_told_twice_changes_nothing_the_second_time() -> None:
    for told in TABLE:
        for before in ALL_STATUSES:
            once = moved(told, before)
            assert moved(told, once) == once, (told, before)


@pytest.mark.finding("D7")
def test_nothing_leads_from_a_refusal_to_what_was_bought() -> None:
    refused = {PurchaseStatus(PurchaseState.FAILED, PurchaseReason(reason)) for reason in REFUSED}
    assert {standing for standing in ALL_STATUSES if not can_be_paid(standing)} == refused | {PAID}
    reached = refused
    for _ in TABLE:
        reached |= {moved(told, standing) for told in TABLE for standing in reached}
    assert reached == refused


@pytest.mark.finding("D7")
def test_a_repeated_event_of_a_refused_purchase_grants_nothing(
    erin: User, erin_api: APIClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan that stood in its way has ended by then, and all sentences were written anew."""
    urls = [checkout.agreement(erin_api, plan) for plan in ("growth", "pro")]
    for url in urls:
        checkout.arrive(buyer.press(url))
    refused = Purchase.objects.latest("pk")
    assert (refused.state, refused.reason) == ("failed", "superseded")
    subscriptions.end_plan(organisation_id=erin.pk)
    before = CreditAccount.objects.get(organisation=erin.own_organisation).balance
    monkeypatch.setattr(wording, "_REASONS", dict.fromkeys(PurchaseReason, "In other words."))
    event = buyer.delivery("PAYMENT.SALE.COMPLETED")
    assert checkout.send_event(*event).status_code == 200
    assert checkout.arrive(f"/payments/paypal/return?token={refused.public_id}").endswith(refused.public_id)
    refused.refresh_from_db()
    assert (refused.state, refused.reason) == ("failed", "superseded")
    assert (
        Subscription.objects.get(organisation=erin.own_organisation).plan,
        CreditAccount.objects.get(organisation=erin.own_organisation).balance,
    ) == ("free", before)
    told = client_of(erin).get(f"{checkout.PAYMENTS}/status/{refused.public_id}").json()
    assert told == {"kind": "subscription", "state": "failed", "message": "In other words."}


@pytest.mark.finding("D7")
def test_every_reason_has_a_sentence() -> None:
    told = {reason: wording.describe_reason(reason) for reason in PurchaseReason}
    assert all(told.values())
    assert (
        told[PurchaseReason.DENIED] == told[PurchaseReason.LAPSED] == "The payment was not made. You were not charged."
    )
