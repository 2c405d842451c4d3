"""What nobody told us of is asked about, and compared with PayPal's own list."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.privacy import services as privacy
from accounts.users.models import User
from billing import tasks
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount
from billing.payments import agreement_sync
from billing.payments.models import Agreement, Payment, Purchase, Refund, RefundState
from billing.provider_sync import next_charges, orders, reconciliation, sweeper
from billing.refunds import services as refunds
from billing.subscriptions.models import Subscription
from conftest import client_of
from emailcheck.common import personal
from emailcheck.common.testing import drain_queue
from tests import checkout
from tests.paypal import NOW, Buyer

pytestmark = pytest.mark.postgres


def forward(clock: Any, buyer: Buyer, **span: float) -> None:
    """Both clocks go on."""
    to = timezone.now() + timedelta(**span)
    clock.move_to(to)
    buyer.control("clock", to=f"{to:%Y-%m-%dT%H:%M:%SZ}")


def balance(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance


@pytest.mark.spec("PRC-023")
def test_a_purchase_that_nobody_told_of_is_completed(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    buyer.press(checkout.order(erin_api))
    buyer.press(checkout.agreement(erin_api))
    sweeper.sweep_provider()
    assert set(Purchase.objects.values_list("state", flat=True)) == {"pending"}
    forward(clock, buyer, minutes=2)
    sweeper.sweep_provider()
    assert set(Purchase.objects.values_list("state", flat=True)) == {"paid"}
    assert balance(erin) == 100 + 5_000 + 10_000
    sweeper.sweep_provider()
    assert (balance(erin), ledger.reconcile_ledger()) == (15_100, [])


def test_the_older_a_purchase_the_less_often_it_is_asked_about(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any
) -> None:
    checkout.order(erin_api)
    begun = timezone.now()
    looks = []
    for _ in range(12 * 60):
        clock.shift(60)
        sweeper.sweep_provider()
        looked = Purchase.objects.get().polled_at
        if looked == timezone.now():
            looks.append((looked - begun).total_seconds() / 60)
    assert looks[:12] == [*range(1, 11), 15, 20]
    assert looks[19:] == [60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 360, 390]


@pytest.mark.spec("PRC-023")
def test_what_nobody_approved_is_given_up(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    checkout.order(erin_api)
    checkout.agreement(erin_api)
    forward(clock, buyer, hours=6, minutes=1)
    sweeper.sweep_provider()
    assert list(Purchase.objects.order_by("pk").values_list("state", flat=True)) == ["cancelled", "pending"]
    forward(clock, buyer, days=3)
    sweeper.sweep_provider()
    assert set(Purchase.objects.values_list("state", flat=True)) == {"cancelled"}
    later = client_of(erin)
    snapshot = later.get(f"{checkout.PAYMENTS}/status/{Purchase.objects.all()[0].public_id}").json()
    assert snapshot["message"] == "The payment was not approved at PayPal in time. Nothing was charged."


def test_an_approval_after_all_still_counts(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    url = checkout.agreement(erin_api)
    forward(clock, buyer, days=3, minutes=1)
    sweeper.sweep_provider()
    assert Purchase.objects.get().state == "cancelled"
    buyer.press(url)
    assert checkout.deliver(buyer, "PAYMENT.SALE.COMPLETED").status_code == 200
    assert (Purchase.objects.get().state, Subscription.objects.get(organisation=erin.own_organisation).plan) == (
        "paid",
        "growth",
    )


@pytest.mark.spec("SUB-072", "PRC-032")
def test_a_renewal_that_nobody_told_of_is_found(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    checkout.subscribe(erin_api, buyer)
    forward(clock, buyer, days=28)
    tasks.keep_time()
    assert balance(erin) == 10_000  # those of the free month are gone
    forward(clock, buyer, hours=6)
    tasks.keep_time()
    assert balance(erin) == 0  # the month is over, and the next one is not paid as far as we know
    sweeper.sweep_provider()
    found = Subscription.objects.get(organisation=erin.own_organisation)
    assert (f"{found.paid_until:%m-%d %H}", balance(erin)) == ("03-31 10", 10_000)
    lines = (
        Activity.objects.filter(organisation=erin.own_organisation, kind="purchase")
        .order_by("pk")
        .values_list("action", flat=True)
    )
    bought = "Growth plan, billed monthly: $79.00 by PayPal on"
    assert list(lines) == [f"{bought} 31 January 2030", f"{bought} 28 February 2030"]
    kinds = list(Payment.objects.order_by("created_at").values_list("kind", "state"))
    assert kinds == [("subscription", "completed"), ("renewal", "completed")]
    tasks.keep_time()
    sweeper.sweep_provider()
    assert (balance(erin), Payment.objects.count(), ledger.reconcile_ledger()) == (10_000, 2, [])


def test_while_paypal_is_down_the_sweeper_waits(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    for package in ("small", "medium"):
        buyer.press(checkout.order(erin_api, package))
    clock.shift(120)
    buyer.control("trouble", kind="unavailable", path="/v2/checkout/orders", times=3)
    sweeper.sweep_provider()
    assert balance(erin) == 100
    sweeper.sweep_provider()
    assert balance(erin) == 15_100


def test_one_strange_answer_does_not_hold_up_the_rest(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any
) -> None:
    for package in ("small", "medium"):
        buyer.press(checkout.order(erin_api, package))
    clock.shift(120)
    buyer.control("trouble", kind="garbled", path="/v2/checkout/orders", times=1)
    sweeper.sweep_provider()
    assert balance(erin) == 10_100


def test_many_old_purchases_do_not_hold_up_a_new_one(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    """Agreements may wait for days, and are then asked about four times a day."""
    buyer.press(checkout.order(erin_api))
    clock.shift(120)
    now = timezone.now()
    begun = {
        "organisation": erin.own_organisation,
        "kind": "subscription",
        "amount": 1,
        "created_at": now - timedelta(days=1),
    }
    Purchase.objects.bulk_create(
        Purchase(**begun, provider_id=f"I-{number}", polled_at=now - timedelta(hours=1)) for number in range(200)
    )
    sweeper.sweep_provider()
    assert balance(erin) == 100 + 5_000


def test_a_purchase_that_cannot_be_settled_does_not_hold_up_the_rest(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("small", "medium"):
        buyer.press(checkout.order(erin_api, package))
    broken = Purchase.objects.earliest("pk").pk
    settle = orders.apply_order_state

    def settle_others(*, purchase_id: int, snapshot: orders.OrderSnapshot) -> None:
        if purchase_id == broken:
            raise ZeroDivisionError
        settle(purchase_id=purchase_id, snapshot=snapshot)

    monkeypatch.setattr(orders, "apply_order_state", settle_others)
    clock.shift(120)
    sweeper.sweep_provider()
    assert balance(erin) == 10_100


def test_agreements_wait_together_while_paypal_is_down(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any
) -> None:
    for address in (checkout.agreement(erin_api, "growth"), checkout.agreement(erin_api, "pro")):
        checkout.arrive(buyer.press(address))
    Agreement.objects.update(sync_pending=True)
    buyer.control("trouble", kind="unavailable", path="/v1/billing/subscriptions", times=3)
    agreement_sync.sync_all_agreements()
    assert Agreement.objects.filter(sync_pending=True).count() == 2
    agreement_sync.sync_all_agreements()
    assert not Agreement.objects.filter(sync_pending=True).exists()


def ask_for_two(buyer: Buyer, erin_api: APIClient, clock: Any) -> list[int]:
    """Two packs are to be given back. Answers which payments."""
    for package in ("small", "medium"):
        checkout.buy_pack(erin_api, buyer, package)
    paid = list(Payment.objects.order_by("pk"))
    for payment in paid:
        refunds.request_refund(payment=payment, reason="Twice")
    clock.shift(timedelta(minutes=3))
    return [payment.pk for payment in paid]


def test_refunds_wait_together_while_paypal_is_down(erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    ask_for_two(buyer, erin_api, clock)
    buyer.control("trouble", kind="unavailable", path="/v2/payments/captures", times=3)
    refunds.resume_refunds()
    assert set(Refund.objects.values_list("state", flat=True)) == {RefundState.REQUESTED}
    refunds.resume_refunds()
    assert set(Refund.objects.values_list("state", flat=True)) == {RefundState.DONE}


def test_a_refund_that_cannot_be_written_down_does_not_hold_up_the_rest(
    erin_api: APIClient, buyer: Buyer, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = ask_for_two(buyer, erin_api, clock)
    given_back = refunds.complete_refund

    def given_others(*, payment_id: int, **snapshot: Any) -> Refund | None:
        if payment_id == first:
            raise ZeroDivisionError
        return given_back(payment_id=payment_id, **snapshot)

    monkeypatch.setattr(refunds, "complete_refund", given_others)
    refunds.resume_refunds()
    states = dict(Refund.objects.values_list("payment", "state"))
    assert states == {first: RefundState.REQUESTED, second: RefundState.DONE}


@pytest.mark.spec("SET-058")
def test_nobody_pays_for_a_deleted_account(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    checkout.subscribe(erin_api, buyer)
    buyer.control("trouble", kind="unavailable", path="/v1/billing/subscriptions", times=3)
    privacy.close_account(user=erin)
    drain_queue()
    assert buyer.overview()["subscriptions"][0]["status"] == "ACTIVE"
    assert (Agreement.objects.get().organisation, Agreement.objects.get().ended_at) == (None, None)
    tasks.ask_paypal()
    assert buyer.overview()["subscriptions"][0]["status"] == "CANCELLED"
    agreement = Agreement.objects.get()
    assert (agreement.state, agreement.ended_at is not None) == ("cancelled", True)
    payment = Payment.objects.get()
    assert (payment.organisation, payment.payer_email, payment.state) == (None, "", "completed")


@pytest.mark.spec("SET-058")
def test_a_renewal_after_the_deletion_is_given_back(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    """PayPal could not be reached from the deletion until the next charge."""
    checkout.subscribe(erin_api, buyer)
    privacy.close_account(user=erin)
    personal.erase_person(erin.pk)
    forward(clock, buyer, days=28, hours=6)
    sweeper.sweep_provider()
    forward(clock, buyer, minutes=3)
    for _ in range(2):
        tasks.ask_paypal()
        tasks.settle_refunds()
    snapshot = Payment.objects.order_by("pk").values_list("kind", "state", "payer_email")
    assert list(snapshot) == [("subscription", "completed", ""), ("renewal", "refunded", "")]
    assert not Payment.objects.exclude(organisation=None).exists()
    assert buyer.overview()["subscriptions"][0]["status"] == "CANCELLED"


def test_an_agreement_that_paypal_does_not_know_is_asked_about_once_a_day(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any
) -> None:
    checkout.subscribe(erin_api, buyer)
    buyer.control("reset", to=NOW)
    for hours, looked in ((25, 25), (1, 25), (24, 50)):
        clock.shift(hours * 3600)
        sweeper.sweep_provider()
        at = Agreement.objects.get().polled_at
        assert at is not None
        assert f"{at - timedelta(hours=looked):%Y-%m-%dT%H:%M:%SZ}" == NOW
    assert Subscription.objects.get(organisation=erin.own_organisation).plan == "growth"


def test_an_agreement_that_paypal_does_not_know_is_named_among_the_differences(
    erin: User, erin_api: APIClient, buyer: Buyer
) -> None:
    checkout.subscribe(erin_api, buyer)
    drain_queue()
    buyer.control("reset", to=NOW)
    known_as = Agreement.objects.get().provider_id
    assert next_charges.compare_next_charges().differ == [
        f"agreement {known_as} runs here, and PayPal does not know it"
    ]


@pytest.mark.spec("PRC-023")
def test_of_two_agreements_one_runs(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    """Begun in two windows, both approved: the second brings nothing, is ended at PayPal, and given back."""
    first, second = checkout.agreement(erin_api, "growth"), checkout.agreement(erin_api, "pro")
    checkout.arrive(buyer.press(first))
    checkout.arrive(buyer.press(second))
    drain_queue()
    found = {snapshot["id"]: snapshot["status"] for snapshot in buyer.overview()["subscriptions"]}
    made = list(Agreement.objects.order_by("pk").values_list("provider_id", "plan", "state"))
    assert [(plan, state, found[known]) for known, plan, state in made] == [
        ("growth", "active", "ACTIVE"), ("pro", "cancelled", "CANCELLED"),
    ]  # fmt: skip
    assert list(Purchase.objects.order_by("pk").values_list("state", flat=True)) == ["paid", "failed"]
    assert (Subscription.objects.get(organisation=erin.own_organisation).plan, balance(erin)) == ("growth", 10_100)
    assert Purchase.objects.latest("pk").reason == "superseded"
    forward(clock, buyer, minutes=3)
    for _ in range(2):
        tasks.settle_refunds()
        tasks.ask_paypal()
    states = Payment.objects.order_by("pk").values_list("plan", "state", "refund__state")
    assert list(states) == [("growth", "completed", None), ("pro", "refunded", "done")]
    assert (
        Subscription.objects.get(organisation=erin.own_organisation).plan,
        balance(erin),
        ledger.reconcile_ledger(),
    ) == (
        "growth",
        10_100,
        [],
    )
    assert [snapshot["status"] for snapshot in buyer.overview()["payments"]] == ["REFUNDED", "COMPLETED"]


def test_what_paypal_has_and_we_lack_is_fetched(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    buyer.press(checkout.agreement(erin_api))
    checkout.buy_pack(erin_api, buyer)
    forward(clock, buyer, hours=5)
    assert reconciliation.compare_payments().differ == []
    assert (Payment.objects.count(), balance(erin)) == (2, 15_100)


def test_what_differs_is_named(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    for package in ("small", "medium"):
        checkout.buy_pack(erin_api, buyer, package)
    one, other = Payment.objects.order_by("pk")
    custom_id = Purchase.objects.latest("pk").public_id
    Payment.objects.filter(pk=one.pk).update(amount=58)
    Payment.objects.filter(pk=other.pk).update(provider_id="NOWHERE")
    forward(clock, buyer, hours=5)
    Purchase.objects.latest("pk").delete()
    assert reconciliation.compare_payments().differ == [
        f"payment {one.provider_id} of 59.00 USD at PayPal is 58.00 USD here",
        f"payment {other.provider_id} of 89.00 USD is at PayPal and not here (custom id {custom_id})",
        "payment NOWHERE of 89.00 USD is here and not at PayPal",
    ]
    snapshot = StringIO()
    with pytest.raises(CommandError, match="3 differences"):
        call_command("reconcile", stderr=snapshot)
    assert "NOWHERE" in snapshot.getvalue()


@pytest.mark.parametrize(("trouble", "times", "not_known"), [("garbled", 1, 1), ("unavailable", 3, 2)])
def test_what_cannot_be_fetched_is_not_known_and_holds_up_no_other(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any, trouble: str, times: int, not_known: int
) -> None:
    """One strange answer is about one payment; once PayPal cannot be reached, nothing more is asked."""
    for package in ("small", "small", "medium"):
        checkout.buy_pack(erin_api, buyer, package)
    Payment.objects.filter(amount=59).update(state="pending", captured_at=None)
    Payment.objects.filter(amount=89).update(amount=58)
    forward(clock, buyer, hours=5)
    buyer.control("trouble", kind=trouble, times=times, path="/v2/checkout/orders")
    compared = reconciliation.compare_payments()
    assert [line.partition(" could not be compared: ")[1] != "" for line in compared.unknown] == [True] * not_known
    assert [line.endswith("of 89.00 USD at PayPal is 58.00 USD here") for line in compared.differ] == [True], compared
    assert Payment.objects.filter(captured_at=None).count() == not_known


@pytest.mark.spec("SUB-052")
def test_an_agreement_that_cannot_be_asked_about_is_not_known(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    checkout.subscribe(erin_api, buyer)
    drain_queue()
    known_as = Agreement.objects.get().provider_id
    buyer.control("trouble", kind="garbled", path="/v1/billing/subscriptions")
    tasks.reconcile_payments()
    assert [
        record.getMessage().partition(" could not")[0] for record in caplog.records if record.levelname == "ERROR"
    ] == [f"charges are not known: agreement {known_as}"]


def test_the_newest_payments_may_not_be_listed_yet(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    checkout.buy_pack(erin_api, buyer)
    Payment.objects.update(provider_id="NEW")
    Purchase.objects.update(public_id="pay_gone")
    assert [line for line in reconciliation.compare_payments().differ if "NEW" in line] == []
