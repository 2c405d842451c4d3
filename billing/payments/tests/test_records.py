"""Payments are written down once, and become news once."""

from decimal import Decimal
from typing import Any

import pytest

from accounts.users.models import User
from billing.payments import records
from billing.payments.models import Payment, PaymentKind, PaymentState
from billing.payments.paypal import Amount
from billing.signals import payment_captured
from emailcheck.common.testing import run_sixteen


def note(user: User, state: PaymentState) -> Payment:
    return records.record_payment(
        provider_id="CAP-1",
        state=state,
        kind=PaymentKind.CREDITS,
        amount=Amount.usd("59.00"),
        organisation_id=user.pk,
        description="5,000 credits",
        fee=Decimal("2.54"),
    )


@pytest.fixture
def news() -> Any:
    heard: list[str] = []

    def hear(payment: Payment, **_: Any) -> None:
        heard.append(payment.provider_id)

    payment_captured.connect(hear)
    yield heard
    payment_captured.disconnect(hear)


def test_money_is_told_once(alice: User, news: list[str]) -> None:
    assert note(alice, PaymentState.PENDING).captured_at is None
    assert news == []
    first = note(alice, PaymentState.COMPLETED)
    assert (first.state, first.amount, first.fee, news) == ("completed", Decimal("59.00"), Decimal("2.54"), ["CAP-1"])
    again = note(alice, PaymentState.COMPLETED)
    late = note(alice, PaymentState.PENDING)
    assert (again.captured_at, late.state, late.captured_at) == (first.captured_at, "completed", first.captured_at)
    assert (Payment.objects.count(), news) == (1, ["CAP-1"])


def test_a_declined_payment_is_no_money(alice: User, news: list[str]) -> None:
    note(alice, PaymentState.PENDING)
    assert note(alice, PaymentState.DECLINED).captured_at is None
    assert news == []


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_at_once_one_tells(alice: User, news: list[str]) -> None:
    assert run_sixteen(lambda _: note(alice, PaymentState.COMPLETED).state) == ["completed"] * 16
    assert (Payment.objects.count(), news) == (1, ["CAP-1"])
