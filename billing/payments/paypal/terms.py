"""The bodies of larger requests to PayPal."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from billing.payments.paypal.types import Amount, Interval, Return

_LONGEST_TEXT = 127
_RETRIES_THEN_SUSPENDED = 3  # the renewal itself and two retries, five days apart


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTerms:
    """A plan: `price` each `interval`, charged `payments` times; 0: until the agreement is cancelled."""

    product_id: str
    name: str
    price: Amount
    interval: Interval
    payments: int = 0

    def as_json(self) -> dict[str, Any]:
        cycle = {
            "frequency": {"interval_unit": self.interval.value, "interval_count": 1},
            "tenure_type": "REGULAR",
            "sequence": 1,
            "total_cycles": self.payments,
            "pricing_scheme": {"fixed_price": self.price.as_json()},
        }
        return {
            "product_id": self.product_id,
            "name": self.name[:_LONGEST_TEXT],
            "status": "ACTIVE",
            "billing_cycles": [cycle],
            "payment_preferences": {
                "auto_bill_outstanding": True,
                "setup_fee_failure_action": "CANCEL",
                "payment_failure_threshold": _RETRIES_THEN_SUSPENDED,
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderTerms:
    """A one-time purchase of one line. `custom_id` is the id of our payment row."""

    amount: Amount
    description: str
    custom_id: str
    return_to: Return
    brand: str
    invoice_id: str = ""

    def as_json(self) -> dict[str, Any]:
        money, text = self.amount.as_json(), self.description[:_LONGEST_TEXT]
        unit: dict[str, Any] = {
            "reference_id": "default",
            "custom_id": self.custom_id,
            "description": text,
            "amount": {**money, "breakdown": {"item_total": money}},
            "items": [{"name": text, "quantity": "1", "unit_amount": money, "category": "DIGITAL_GOODS"}],
        }
        if self.invoice_id:
            unit["invoice_id"] = self.invoice_id
        context = {
            "payment_method_preference": "IMMEDIATE_PAYMENT_REQUIRED",
            "brand_name": self.brand,
            "locale": "en-US",
            "landing_page": "LOGIN",
            "shipping_preference": "NO_SHIPPING",
            "user_action": "PAY_NOW",
            "return_url": self.return_to.approved_url,
            "cancel_url": self.return_to.cancelled_url,
        }
        source = {"paypal": {"experience_context": context}}
        return {"intent": "CAPTURE", "purchase_units": [unit], "payment_source": source}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionTerms:
    """An agreement on a plan, for one approval.

    `charge_now` is taken at the approval beside the plan's price, and the agreement is cancelled when that fails;
    with `start_time`, the first regular charge waits until then. Together they are a plan change: the difference now,
    the new price from the next billing date on.
    """

    plan_id: str
    custom_id: str
    return_to: Return
    brand: str
    email: str = ""
    start_time: datetime | None = None
    charge_now: Amount | None = None

    def as_json(self) -> dict[str, Any]:
        terms: dict[str, Any] = {
            "plan_id": self.plan_id,
            "custom_id": self.custom_id,
            "quantity": "1",
            "application_context": {
                "brand_name": self.brand,
                "locale": "en-US",
                "shipping_preference": "NO_SHIPPING",
                "user_action": "SUBSCRIBE_NOW",
                "payment_method": {"payer_selected": "PAYPAL", "payee_preferred": "IMMEDIATE_PAYMENT_REQUIRED"},
                "return_url": self.return_to.approved_url,
                "cancel_url": self.return_to.cancelled_url,
            },
        }
        if self.email:
            terms["subscriber"] = {"email_address": self.email}
        if self.start_time:
            terms["start_time"] = format_moment(self.start_time)
        if self.charge_now:
            fee = {"setup_fee": self.charge_now.as_json(), "setup_fee_failure_action": "CANCEL"}
            terms["plan"] = {"payment_preferences": fee}
        return terms


def format_moment(time: datetime) -> str:
    """A moment as PayPal reads it, to the second. Raises `ValueError` for a time without zone."""
    if time.tzinfo is None:
        raise ValueError("a time for PayPal needs its zone")
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
