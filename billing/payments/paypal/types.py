"""PayPal's answers as types. Times have their zone; money is Decimal, never float."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Self

_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Amount:
    """Money, in whole cents. Raises `ValueError` for a value that was not rounded before."""

    value: Decimal
    currency: str = "USD"

    def __post_init__(self) -> None:
        if not self.value.is_finite() or self.value != self.value.quantize(_CENT):
            raise ValueError(f"{self.value} is not in whole cents")

    @classmethod
    def usd(cls, value: str) -> Self:
        return cls(Decimal(value))

    def as_json(self) -> dict[str, str]:
        return {"currency_code": self.currency, "value": str(self.value.quantize(_CENT))}


class OrderStatus(StrEnum):
    CREATED = "CREATED"
    PAYER_ACTION_REQUIRED = "PAYER_ACTION_REQUIRED"
    APPROVED = "APPROVED"
    COMPLETED = "COMPLETED"
    VOIDED = "VOIDED"


class CaptureStatus(StrEnum):
    """Only COMPLETED is money; an order that is COMPLETED may have a capture that is not."""

    COMPLETED = "COMPLETED"
    PENDING = "PENDING"
    DECLINED = "DECLINED"
    FAILED = "FAILED"
    REFUNDED = "REFUNDED"
    PARTIALLY_REFUNDED = "PARTIALLY_REFUNDED"


class SubscriptionStatus(StrEnum):
    APPROVAL_PENDING = "APPROVAL_PENDING"
    APPROVED = "APPROVED"
    ACTIVE = "ACTIVE"
    SUSPENDED = "SUSPENDED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"


class Interval(StrEnum):
    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"
    YEAR = "YEAR"


@dataclass(frozen=True, slots=True)
class Return:
    """Where PayPal sends the buyer back to, after approving and after cancelling."""

    approved_url: str
    cancelled_url: str


@dataclass(frozen=True, slots=True)
class Approval:
    """Something that waits for the buyer: send the browser to `url`."""

    id: str
    url: str


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays, as PayPal knows them; missing texts are empty."""

    id: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """Money taken for an order, or for a period of a subscription (a sale). `status` is a `CaptureStatus` or newer."""

    id: str
    status: str
    amount: Amount
    fee: Amount | None
    custom_id: str
    invoice_id: str
    order_id: str
    create_time: datetime
    status_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A one-time purchase. `status` is an `OrderStatus` or newer. Compare amount, payee and custom id with our own."""

    id: str
    status: str
    amount: Amount
    payee_id: str
    custom_id: str
    invoice_id: str
    payer: Payer
    captures: tuple[Capture, ...]
    approve_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refund:
    id: str
    status: str
    amount: Amount
    invoice_id: str
    capture_id: str
    total_refunded: Amount | None
    create_time: datetime


@dataclass(frozen=True, slots=True)
class Product:
    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`price` is that of a regular cycle, where PayPal tells it."""

    id: str
    product_id: str
    name: str
    status: str
    price: Amount | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """An agreement. `status` is a `SubscriptionStatus` or newer; `price` is what a regular cycle costs from now on."""

    id: str
    status: str
    plan_id: str
    custom_id: str
    payer: Payer
    start_time: datetime | None
    next_billing_time: datetime | None
    last_payment: Amount | None
    last_payment_time: datetime | None
    outstanding: Amount | None
    failed_payments: int
    retry_time: datetime | None
    price: Amount | None
    approve_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transaction:
    """One payment of a subscription; `id` is that of the capture (sale) to refund."""

    id: str
    status: str
    amount: Amount
    fee: Amount | None
    time: datetime
    payer_email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTransaction:
    """A movement on our PayPal account, for reconciliation; money that left is negative.

    `status` is S (done), P (pending), D (denied) or V (reversed). `reference_id` is the order, subscription or payment
    that it belongs to. A movement appears up to three hours after it happened.
    """

    id: str
    status: str
    event_code: str
    reference_id: str
    amount: Amount
    fee: Amount | None
    custom_id: str
    invoice_id: str
    initiated: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What a webhook is about. Only a hint: ask for the thing itself and act on that answer."""

    id: str
    kind: str
    resource_id: str
    status: str
    order_id: str
    subscription_id: str
    capture_id: str
    plan_id: str
    custom_id: str
    invoice_id: str
    amount: Amount | None
    create_time: datetime = field(compare=False)
