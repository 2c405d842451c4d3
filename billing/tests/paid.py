"""Payments for tests."""

from typing import Any

from accounts.users.models import User
from billing.invoices.models import Invoice
from billing.payments import records
from billing.payments.models import Payment, PaymentKind, PaymentState
from billing.payments.paypal import Amount


def captured(user: User | None, name: str = "CAP-1", *, amount: str = "59.00", **told: Any) -> Payment:
    """A captured payment, for a pack unless it is told otherwise."""
    fresh: dict[str, Any] = {
        "kind": PaymentKind.CREDITS,
        "description": "5,000 credits",
        "payer_id": "QYR5Z8XDVJNXQ",
        "payer_email": "buyer@example.com",
    }
    return records.record_payment(
        provider_id=name,
        state=PaymentState.COMPLETED,
        amount=Amount.usd(amount),
        organisation_id=user.pk if user else None,
        **fresh | told,
    )


def numbers() -> list[str]:
    return list(Invoice.objects.order_by("number").values_list("number", flat=True))
