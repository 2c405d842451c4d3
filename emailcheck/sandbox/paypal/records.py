"""The records of the simulated PayPal. Money is Decimal, times are UTC and virtual."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

ZERO = Decimal(0)


@dataclass(slots=True, kw_only=True)
class Product:
    id: str
    name: str
    create_time: datetime


@dataclass(slots=True, kw_only=True)
class Cycle:
    """One line of a plan's price: `count` × `unit` each, `total` times (0: for ever)."""

    tenure: str
    sequence: int
    unit: str
    count: int
    total: int
    price: Decimal


@dataclass(slots=True, kw_only=True)
class Preferences:
    """`threshold`: how many failed payments in a row suspend a subscription; 0 for never."""

    setup_fee: Decimal = ZERO
    cancel_without_setup_fee: bool = True
    bill_outstanding: bool = True
    threshold: int = 0


@dataclass(slots=True, kw_only=True)
class Plan:
    id: str
    product_id: str
    name: str
    status: str
    currency: str
    cycles: list[Cycle]
    preferences: Preferences
    taxes: dict[str, Any]
    create_time: datetime


@dataclass(slots=True, kw_only=True)
class Order:
    """An order. `outcome`: the buyer's choice on the approval page. `with_source`: created with a payment source."""

    id: str
    status: str
    reference_id: str
    amount: Decimal
    currency: str
    description: str
    custom_id: str
    invoice_id: str
    brand: str
    return_url: str
    cancel_url: str
    with_source: bool
    create_time: datetime
    outcome: str = "pay"
    payments: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Payment:
    """A capture of an order (`order_id`) or a sale for a subscription (`subscription_id`)."""

    id: str
    status: str
    amount: Decimal
    currency: str
    custom_id: str
    invoice_id: str
    order_id: str
    subscription_id: str
    create_time: datetime
    update_time: datetime
    refunded: Decimal = ZERO
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class Refund:
    id: str
    payment_id: str
    amount: Decimal
    currency: str
    total_refunded: Decimal
    invoice_id: str
    custom_id: str
    note: str
    create_time: datetime


@dataclass(slots=True, kw_only=True)
class Failure:
    """A payment that did not succeed, and when it is tried again."""

    amount: Decimal
    time: datetime
    retry_time: datetime | None


@dataclass(slots=True, kw_only=True)
class Subscription:
    """`anchor` and `turns` give the billing days: the anchor's day of the month, `turns` cycles later.

    `done` counts the executed cycles by their sequence; `failing` makes every payment fail until it is taken back.
    `price_once` is what the next charge costs, because its price was changed too late for it.
    """

    id: str
    ba_token: str
    plan_id: str
    status: str
    custom_id: str
    quantity: str
    brand: str
    return_url: str
    cancel_url: str
    bills_at_once: bool
    overridden: bool
    cycles: list[Cycle]
    preferences: Preferences
    start_time: datetime
    create_time: datetime
    update_time: datetime
    status_time: datetime
    payer_known: bool = False
    anchor: datetime | None = None
    turns: int = 0
    next_billing: datetime | None = None
    done: dict[int, int] = field(default_factory=dict)
    outstanding: Decimal = ZERO
    failed_count: int = 0
    retries: int = 0
    last_failure: Failure | None = None
    last_payment: str = ""
    revised_plan: str = ""
    failing: bool = False
    price_once: Decimal | None = None


@dataclass(slots=True, kw_only=True)
class Webhook:
    id: str
    url: str
    event_types: list[str]


@dataclass(slots=True, kw_only=True)
class Attempt:
    """One delivery: real time, and the receiver's status (0 when there was none)."""

    time: datetime
    status: int
    note: str = ""


@dataclass(slots=True, kw_only=True)
class Event:
    """A notification; `body` is sent byte for byte."""

    id: str
    kind: str
    body: bytes
    create_time: datetime
    about: str
    attempts: list[Attempt] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Replay:
    """The response to a request id, repeated until it expires."""

    body: bytes
    status: int
    answer: Any
    until: datetime
