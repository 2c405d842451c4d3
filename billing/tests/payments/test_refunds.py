"""Refunds: asked for by staff, made at PayPal, or taken by the bank; what follows, once."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.core import mail as django_mail

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.invoices.models import Invoice
from billing.ledger import services as ledger
from billing.ledger.balances import list_spendable_lots
from billing.ledger.models import Clawback, CreditAccount, CreditEntry, LotKind
from billing.payments import agreement_sync
from billing.payments.models import Agreement, Payment, PaymentState, Refund, RefundState
from billing.payments.paypal.errors import PayPalError
from billing.provider_sync import agreements
from billing.refunds import services as refunds
from billing.signals import payment_refunded
from billing.subscriptions.models import Subscription
from conftest import client_of, make_user
from emailcheck.common.errors import BadInput
from emailcheck.common.testing import drain_queue, run_sixteen
from tests import checkout
from tests.paypal import NOW, Buyer

pytestmark = pytest.mark.postgres

WHY = "Not what was expected"


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    """Our clock stands where PayPal's does."""
    with time_machine.travel(NOW, tick=False) as found:
        yield found


@pytest.fixture
def erin(db: None, buyer: Buyer, clock: Any) -> User:
    """On Free, since an hour before she pays."""
    erin = make_user("erin@elm.org", "Erin Elm", plan=Plan.FREE)
    clock.shift(timedelta(hours=1))
    return erin


@pytest.fixture
def pack(erin: User, buyer: Buyer) -> Payment:
    """5,000 credits for 59 dollars."""
    checkout.buy_pack(client_of(erin), buyer)
    return settled()


@pytest.fixture
def month(erin: User, buyer: Buyer) -> Payment:
    """The first month of Growth, on the day it was begun."""
    checkout.subscribe(client_of(erin), buyer)
    return settled()


def settled() -> Payment:
    drain_queue()
    django_mail.outbox.clear()
    return Payment.objects.get()


def refund(payment: Payment, staff: User) -> Refund:
    return refunds.refund_payment(payment_id=payment.pk, staff=staff, reason=WHY)


def spend(user: User, amount: int) -> None:
    hold = ledger.open_hold(organisation_id=user.pk, amount=amount, reason="Spent", key=f"spent:{user.pk}:{amount}")
    ledger.close_hold(hold=hold, captured=amount)


def credits_of(user: User) -> tuple[int, int]:
    """What can be spent, and what is owed."""
    account = CreditAccount.objects.get(organisation=user.own_organisation)
    return account.balance, account.debt


def everything() -> list[Any]:
    """What a refused refund must leave as it is."""
    tables = (Payment, Invoice, CreditEntry, Clawback, Subscription, CreditAccount)
    return [list(table._default_manager.order_by("pk").values()) for table in tables]


@pytest.fixture
def told() -> Iterator[list[Refund]]:
    """The news of refunds."""
    heard: list[Refund] = []

    def hear(refund: Refund, **_: Any) -> None:
        heard.append(refund)

    payment_refunded.connect(hear)
    yield heard
    payment_refunded.disconnect(hear)


@pytest.mark.spec("INV-019", "PUB-085")
def test_a_pack_is_refunded_with_all_that_follows(
    pack: Payment, erin: User, sam: User, buyer: Buyer, told: list[Refund]
) -> None:
    done = refund(pack, sam)
    pack.refresh_from_db()
    assert (pack.state, done.state, done.amount, done.reason, done.staff_id) == (
        "refunded", "done", Decimal("59.00"), WHY, sam.pk,
    )  # fmt: skip
    (at_paypal,) = buyer.overview()["payments"]
    assert (at_paypal["status"], done.provider_id is not None) == ("REFUNDED", True)
    assert (done.credit_note.total, done.credit_note.cancels) == (Decimal("-59.00"), pack.invoice)
    assert credits_of(erin) == (100, 0)
    assert told == [done]
    line = Activity.objects.get(staff_id=sam.pk)
    assert (line.user, line.kind, line.action, line.target) == (
        erin, "staff", "Payment of $59.00 of 31 January 2030 refunded", f"payment:{pack.pk}",
    )  # fmt: skip
    drain_queue()
    (message,) = django_mail.outbox
    assert (message.subject, message.to) == ("Your refund of $59.00", ["erin@elm.org"])
    for part in (
        pack.invoice.number,
        done.credit_note.number,
        WHY,
        "Credits taken back: 5,000",
        "5 to 10 business days",
    ):
        assert part in message.body
    assert "Your plan has ended" not in message.body
    assert message.attachments[0][0] == f"{done.credit_note.number}-erin-elm.pdf"
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("INV-019")
def test_a_refunded_month_ends_the_plan_and_its_agreement(month: Payment, erin: User, sam: User, buyer: Buyer) -> None:
    subscription = Subscription.objects.get(organisation=erin.own_organisation)
    assert (subscription.plan, credits_of(erin)[0]) == ("growth", 10_100)
    refund(month, sam)
    drain_queue()
    subscription.refresh_from_db()
    agreement = Agreement.objects.get()
    assert (subscription.plan, subscription.status) == ("free", "active")
    assert (agreement.state, agreement.ended_at is not None) == ("cancelled", True)
    assert [found["status"] for found in buyer.overview()["subscriptions"]] == ["CANCELLED"]
    assert credits_of(erin)[1] == 0
    assert "Your plan has ended" in str(django_mail.outbox[0].body)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("INV-019")
def test_what_was_spent_is_owed_and_never_below_zero(pack: Payment, erin: User, sam: User) -> None:
    spend(erin, 3_000)
    assert credits_of(erin) == (2_100, 0)
    refund(pack, sam)
    assert credits_of(erin) == (0, 2_900)
    assert ledger.reconcile_ledger() == []
    ledger.grant_credits(organisation_id=erin.pk, kind=LotKind.PACK, amount=4_000, reason="Test", key="later")
    assert (credits_of(erin), ledger.reconcile_ledger()) == ((1_100, 0), [])


@pytest.mark.spec("INV-019")
def test_a_refund_is_made_once(pack: Payment, sam: User, buyer: Buyer, told: list[Refund]) -> None:
    refund(pack, sam)
    before = everything()
    with pytest.raises(BadInput, match=r"^This payment was already refunded$") as refused:
        refund(pack, sam)
    assert (refused.value.status, refused.value.code) == (400, "ALREADY_REFUNDED")
    assert refunds.complete_refund(payment_id=pack.pk) is None
    assert (everything(), len(told), Refund.objects.count()) == (before, 1, 1)
    assert buyer.kinds().count("PAYMENT.CAPTURE.REFUNDED") == 1


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_refunds_at_once_one_answers(erin: User, sam: User, buyer: Buyer, told: list[Refund]) -> None:
    checkout.subscribe(client_of(erin), buyer)
    payment = settled()

    def once(_: int) -> str:
        try:
            return refund(payment, sam).state
        except BadInput as error:
            return error.code

    assert sorted(run_sixteen(once)) == ["ALREADY_REFUNDED"] * 15 + ["done"]
    assert (len(told), Invoice.objects.count(), Clawback.objects.count()) == (1, 2, 1)
    assert buyer.kinds().count("PAYMENT.SALE.REFUNDED") == 1
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_staff_refund_while_paypal_tells_of_it(erin: User, sam: User, buyer: Buyer, told: list[Refund]) -> None:
    """Whoever comes first does what follows; the one who asked is told that it was done."""
    checkout.subscribe(client_of(erin), buyer)
    payment, agreement = settled(), Agreement.objects.get()

    def once(number: int) -> str:
        if number:
            agreements.poll_agreement(agreement)
            return "looked"
        return refund(payment, sam).state

    assert run_sixteen(once) == ["done"] + ["looked"] * 15
    agreements.poll_agreement(agreement)
    drain_queue()
    assert (len(told), Invoice.objects.count(), Clawback.objects.count()) == (1, 2, 1)
    assert (Subscription.objects.get(organisation=erin.own_organisation).plan, Agreement.objects.get().state) == (
        "free",
        "cancelled",
    )
    assert (credits_of(erin)[1], ledger.reconcile_ledger()) == (0, [])


@pytest.mark.spec("INV-019")
@pytest.mark.parametrize("state", [PaymentState.PENDING, PaymentState.DECLINED])
def test_only_captured_money_is_refunded(pack: Payment, sam: User, buyer: Buyer, state: PaymentState) -> None:
    Payment.objects.update(state=state)
    before = everything()
    with pytest.raises(BadInput) as refused:
        refund(pack, sam)
    assert refused.value.code == "NOT_REFUNDABLE"
    assert (everything(), Refund.objects.count()) == (before, 0)
    assert "PAYMENT.CAPTURE.REFUNDED" not in buyer.kinds()


@pytest.mark.spec("INV-019")
@pytest.mark.parametrize(("kind", "times"), [("unavailable", 3), ("lost", 3), ("garbled", 1)])
def test_a_provider_that_falls_silent_is_asked_again(
    pack: Payment, erin: User, sam: User, buyer: Buyer, clock: Any, told: list[Refund], kind: str, times: int
) -> None:
    """Whether the money went back or not: the sweeper asks with the same id and gets the one answer."""
    buyer.control("trouble", kind=kind, path="/v2/payments/captures", times=times)
    before = everything()
    with pytest.raises(refunds.RefundProviderError) as refused:
        refund(pack, sam)
    assert (refused.value.status, refused.value.code) == (502, "PAYMENT_PROVIDER_ERROR")
    assert (everything(), Refund.objects.get().state, told) == (before, RefundState.REQUESTED, [])
    refunds.resume_refunds()
    assert (Refund.objects.get().state, told) == (RefundState.REQUESTED, [])  # whoever asked may still be at it
    clock.shift(timedelta(minutes=3))
    refunds.resume_refunds()
    refunds.resume_refunds()
    assert (Refund.objects.get().state, len(told), Invoice.objects.count()) == (RefundState.DONE, 1, 2)
    assert Refund.objects.get().provider_id is not None
    assert (credits_of(erin), ledger.reconcile_ledger()) == ((100, 0), [])
    assert buyer.kinds().count("PAYMENT.CAPTURE.REFUNDED") == 1


@pytest.mark.spec("INV-019")
def test_a_refused_refund_changes_nothing_and_may_be_tried_again(
    pack: Payment, sam: User, buyer: Buyer, clock: Any
) -> None:
    before = everything()
    buyer.control("clock", days=181)
    with pytest.raises(refunds.RefundProviderError, match=r"^PayPal refuses this refund\.$"):
        refund(pack, sam)
    assert (everything(), Refund.objects.get().state) == (before, RefundState.FAILED)
    assert Activity.objects.get(staff_id=sam.pk).action == "Refund refused by PayPal"
    clock.shift(timedelta(minutes=3))
    refunds.resume_refunds()
    assert (everything(), Refund.objects.get().state) == (before, RefundState.FAILED)
    first = Refund.objects.get().pk
    with pytest.raises(refunds.RefundProviderError):
        refund(pack, sam)
    assert Refund.objects.get().pk != first


@pytest.mark.spec("INV-019")
def test_a_refund_made_at_paypal_takes_the_same_path(
    pack: Payment, erin: User, sam: User, buyer: Buyer, told: list[Refund]
) -> None:
    buyer.control(f"payments/{pack.provider_id}", action="refund")
    with pytest.raises(BadInput, match="already refunded"):
        refund(pack, sam)
    pack.refresh_from_db()
    assert (pack.state, len(told), Refund.objects.get().state) == ("refunded", 1, RefundState.DONE)
    assert (credits_of(erin), ledger.reconcile_ledger()) == ((100, 0), [])


@pytest.mark.spec("INV-019")
def test_a_chargeback_is_told_with_its_credit_note(
    month: Payment, erin: User, buyer: Buyer, told: list[Refund]
) -> None:
    done = refunds.complete_refund(payment_id=month.pk, state=PaymentState.REVERSED, reason=refunds.CHARGEBACK)
    assert done is not None
    month.refresh_from_db()
    assert (month.state, done.staff_id, told) == ("reversed", None, [done])
    line = Activity.objects.order_by("-pk")[0]
    assert (line.user, line.action, line.staff_id) == (erin, "Payment of $79.00 of 31 January 2030 charged back", None)
    drain_queue()
    (message,) = django_mail.outbox
    assert message.subject == f"Credit note {done.credit_note.number} for invoice {month.invoice.number}"
    assert refunds.CHARGEBACK in str(message.body)
    assert (Subscription.objects.get(organisation=erin.own_organisation).plan, ledger.reconcile_ledger()) == (
        "free",
        [],
    )


def test_an_agreement_that_paypal_does_not_cancel_at_once_is_asked_again(
    month: Payment, sam: User, buyer: Buyer
) -> None:
    buyer.control("trouble", kind="unavailable", path="/v1/billing/subscriptions", times=3)
    refund(month, sam)
    drain_queue()
    assert Agreement.objects.get().ended_at is None
    agreement_sync.sync_all_agreements()
    assert (Agreement.objects.get().ended_at is not None, Agreement.objects.get().state) == (True, "cancelled")


@pytest.mark.spec("INV-019")
def test_the_month_before_is_not_counted_again(month: Payment, erin: User, sam: User, clock: Any) -> None:
    """What lapsed by itself is not taken back, nor what a later payment brought."""
    spend(erin, 4_100)  # 100 of them are those of Free
    clock.shift(timedelta(days=40))
    ledger.write_off_expired(organisation_id=erin.pk)
    refund(month, sam)
    assert [taken.amount for taken in Clawback.objects.all()] == [4_000]
    assert ledger.reconcile_ledger() == []


def test_a_crash_after_the_money_went_back_is_made_good(
    pack: Payment, erin: User, sam: User, buyer: Buyer, clock: Any
) -> None:
    def die(**_: Any) -> None:
        raise ZeroDivisionError

    before = everything()
    payment_refunded.connect(die)
    try:
        with pytest.raises(ZeroDivisionError):
            refund(pack, sam)
    finally:
        payment_refunded.disconnect(die)
    assert (everything(), Refund.objects.get().state) == (before, RefundState.REQUESTED)
    clock.shift(timedelta(minutes=3))
    refunds.resume_refunds()
    assert (Refund.objects.get().state, credits_of(erin), ledger.reconcile_ledger()) == (RefundState.DONE, (100, 0), [])
    assert buyer.kinds().count("PAYMENT.CAPTURE.REFUNDED") == 1


def test_the_credits_of_a_paused_plan_are_taken_back_too(month: Payment, erin: User, sam: User) -> None:
    """They are, rather than those of a pack."""
    ledger.grant_credits(organisation_id=erin.pk, kind=LotKind.PACK, amount=5_000, reason="Test", key="pack")
    ledger.freeze_credits(organisation_id=erin.pk)
    refund(month, sam)
    assert [taken.outstanding for taken in Clawback.objects.all()] == [0]
    assert list_spendable_lots(organisation_id=erin.pk).get(kind=LotKind.PACK).remaining == 5_000
    assert (Subscription.objects.get(organisation=erin.own_organisation).plan, ledger.reconcile_ledger()) == (
        "free",
        [],
    )


def test_a_refund_without_an_account_is_in_the_books(pack: Payment, erin: User, sam: User) -> None:
    Payment.objects.update(organisation=None)
    Invoice.objects.update(organisation=None, buyer={})
    done = refund(pack, sam)
    drain_queue()
    assert (done.state, done.credit_note.total, django_mail.outbox) == ("done", Decimal("-59.00"), [])


def test_errors_of_the_provider_are_answered_as_such() -> None:
    assert PayPalError("x").status == 502
