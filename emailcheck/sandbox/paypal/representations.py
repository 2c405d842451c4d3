"""The records of the simulated PayPal in PayPal's shapes."""

from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from emailcheck.sandbox.paypal.records import Cycle, Order, Payment, Plan, Product, Refund, Subscription

MERCHANT = {"merchant_id": "C7CYMKZDG8D6E", "email_address": "merchant@example.com"}
PAYER_ID = "QYR5Z8XDVJNXQ"
PAYER_EMAIL = "buyer@example.com"
PAYER_NAME = {"given_name": "Test", "surname": "Buyer"}
_CENT = Decimal("0.01")
Json = dict[str, Any]


def format_iso(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def money_json(value: Decimal, currency: str) -> Json:
    return {"currency_code": currency, "value": str(value.quantize(_CENT))}


def compute_fee(amount: Decimal) -> Decimal:
    """PayPal's fee for a payment: 3.49 % and 0.30."""
    return (amount * Decimal("0.0349") + Decimal("0.30")).quantize(_CENT, ROUND_HALF_UP)


@dataclass(slots=True)
class Representations:
    """`api` and `web` are the addresses that links begin with."""

    api: str
    web: str

    def link(self, path: str, rel: str, method: str = "GET") -> Json:
        return {"href": f"{self.api}{path}", "rel": rel, "method": method}

    def page(self, path: str, rel: str) -> Json:
        return {"href": f"{self.web}{path}", "rel": rel, "method": "GET"}

    # --- catalogue

    def product(self, product: Product) -> Json:
        return {
            "id": product.id,
            "name": product.name,
            "create_time": format_iso(product.create_time),
            "links": [self.link(f"/v1/catalogs/products/{product.id}", "self")],
        }

    def plan(self, plan: Plan) -> Json:
        here = f"/v1/billing/plans/{plan.id}"
        return {
            "id": plan.id,
            "product_id": plan.product_id,
            "name": plan.name,
            "status": plan.status,
            "usage_type": "LICENSED",
            "create_time": format_iso(plan.create_time),
            "links": [
                self.link(here, "self"),
                self.link(here, "edit", "PATCH"),
                self.link(f"{here}/deactivate", "deactivate", "POST"),
                self.link(f"{here}/update-pricing-schemes", "edit", "POST"),
            ],
        }

    def whole_plan(self, plan: Plan) -> Json:
        """A plan with its prices, as a query by its id returns it."""
        preferences = plan.preferences
        return {
            **self.plan(plan),
            "billing_cycles": [cycle_json(cycle, plan.currency) for cycle in plan.cycles],
            "payment_preferences": {
                "auto_bill_outstanding": preferences.bill_outstanding,
                "setup_fee": money_json(preferences.setup_fee, plan.currency),
                "setup_fee_failure_action": "CANCEL" if preferences.cancel_without_setup_fee else "CONTINUE",
                "payment_failure_threshold": preferences.threshold,
            },
            **({"taxes": plan.taxes} if plan.taxes else {}),
        }

    # --- orders and payments

    def new_order(self, order: Order) -> Json:
        here = f"/v2/checkout/orders/{order.id}"
        page = f"/checkoutnow?token={order.id}"
        if order.with_source:
            links = [self.link(here, "self"), self.page(page, "payer-action")]
            return {"id": order.id, "status": order.status, "payment_source": {"paypal": {}}, "links": links}
        links = [self.link(here, "self"), self.page(page, "approve"), *self._order_actions(here)]
        return {"id": order.id, "status": order.status, "links": links}

    def order(self, order: Order, payments: list[Payment]) -> Json:
        """An order; its payer is known after the approval."""
        here = f"/v2/checkout/orders/{order.id}"
        known = order.status in {"APPROVED", "COMPLETED"}
        if order.status == "APPROVED":
            links = [self.link(here, "self"), *self._order_actions(here)]
        elif order.status in {"CREATED", "PAYER_ACTION_REQUIRED"}:
            links = self.new_order(order)["links"]
        else:
            links = [self.link(here, "self")]
        unit: Json = {
            "reference_id": order.reference_id,
            "amount": money_json(order.amount, order.currency),
            "payee": MERCHANT,
            **_drop_blanks({"custom_id": order.custom_id, "invoice_id": order.invoice_id}),
        }
        if payments:
            unit["payments"] = {"captures": [self.capture(payment) for payment in payments]}
        return {
            "id": order.id,
            "status": order.status,
            "intent": "CAPTURE",
            **({"payment_source": _payment_source()} if known else {}),
            "purchase_units": [unit],
            **({"payer": _payer_json()} if known else {}),
            "create_time": format_iso(order.create_time),
            "links": links,
        }

    def captured(self, order: Order, payments: list[Payment]) -> Json:
        """The response to a capture."""
        captures = [self.capture(payment) for payment in payments]
        return {
            "id": order.id,
            "status": order.status,
            "payment_source": _payment_source(),
            "purchase_units": [{"reference_id": order.reference_id, "payments": {"captures": captures}}],
            "payer": _payer_json(),
            "links": [self.link(f"/v2/checkout/orders/{order.id}", "self")],
        }

    def capture(self, payment: Payment) -> Json:
        here, fee = f"/v2/payments/captures/{payment.id}", compute_fee(payment.amount)
        links = [self.link(here, "self"), self.link(f"{here}/refund", "refund", "POST")]
        if payment.order_id:
            links.append(self.link(f"/v2/checkout/orders/{payment.order_id}", "up"))
        taken = {
            "seller_receivable_breakdown": {
                "gross_amount": money_json(payment.amount, payment.currency),
                "paypal_fee": money_json(fee, payment.currency),
                "net_amount": money_json(payment.amount - fee, payment.currency),
            }
        }
        return {
            "id": payment.id,
            "status": payment.status,
            **({"status_details": {"reason": payment.reason}} if payment.reason else {}),
            "amount": money_json(payment.amount, payment.currency),
            "final_capture": True,
            "seller_protection": {
                "status": "ELIGIBLE",
                "dispute_categories": ["ITEM_NOT_RECEIVED", "UNAUTHORIZED_TRANSACTION"],
            },
            **(taken if payment.status not in {"PENDING", "DECLINED"} else {}),
            **_drop_blanks({"invoice_id": payment.invoice_id, "custom_id": payment.custom_id}),
            "create_time": format_iso(payment.create_time),
            "update_time": format_iso(payment.update_time),
            "links": links,
        }

    def sale(self, payment: Payment) -> Json:
        """A payment of a subscription in the older shape, which only notifications use."""
        here = f"/v1/payments/sale/{payment.id}"
        total = str(payment.amount.quantize(_CENT))
        return {
            "id": payment.id,
            "state": payment.status.lower(),
            "billing_agreement_id": payment.subscription_id,
            "custom": payment.custom_id,
            "amount": {"total": total, "currency": payment.currency, "details": {"subtotal": total}},
            "payment_mode": "INSTANT_TRANSFER",
            "protection_eligibility": "ELIGIBLE",
            "protection_eligibility_type": "ITEM_NOT_RECEIVED_ELIGIBLE,UNAUTHORIZED_PAYMENT_ELIGIBLE",
            "transaction_fee": {"value": str(compute_fee(payment.amount)), "currency": payment.currency},
            "create_time": format_iso(payment.create_time),
            "update_time": format_iso(payment.update_time),
            "links": [self.link(here, "self"), self.link(f"{here}/refund", "refund", "POST")],
        }

    def refund(self, refund: Refund) -> Json:
        return {
            "id": refund.id,
            "status": "COMPLETED",
            "amount": money_json(refund.amount, refund.currency),
            **_drop_blanks({"invoice_id": refund.invoice_id}),
            "seller_payable_breakdown": {
                "gross_amount": money_json(refund.amount, refund.currency),
                "paypal_fee": money_json(Decimal(0), refund.currency),
                "net_amount": money_json(refund.amount, refund.currency),
                "total_refunded_amount": money_json(refund.total_refunded, refund.currency),
            },
            "create_time": format_iso(refund.create_time),
            "update_time": format_iso(refund.create_time),
            "links": [
                self.link(f"/v2/payments/refunds/{refund.id}", "self"),
                self.link(f"/v2/payments/captures/{refund.payment_id}", "up"),
            ],
        }

    # --- subscriptions

    def new_subscription(self, found: Subscription) -> Json:
        here = f"/v1/billing/subscriptions/{found.id}"
        return {
            "id": found.id,
            "status": found.status,
            "plan_id": found.plan_id,
            "create_time": format_iso(found.create_time),
            "links": [
                self.page(f"/webapps/billing/subscriptions?ba_token={found.ba_token}", "approve"),
                self.link(here, "edit", "PATCH"),
                self.link(here, "self"),
            ],
        }

    def subscription(self, found: Subscription, currency: str, last: Payment | None) -> Json:
        subscriber = {"name": PAYER_NAME, "email_address": PAYER_EMAIL, "payer_id": PAYER_ID}
        return {
            "id": found.id,
            "status": found.status,
            "status_update_time": format_iso(found.status_time),
            "plan_id": found.plan_id,
            "plan_overridden": found.overridden,
            "start_time": format_iso(found.start_time),
            "quantity": found.quantity,
            **_drop_blanks({"custom_id": found.custom_id}),
            **({"subscriber": subscriber} if found.payer_known else {}),
            "create_time": format_iso(found.create_time),
            "update_time": format_iso(found.update_time),
            **({"billing_info": self._billing(found, currency, last)} if found.payer_known else {}),
            "links": self._subscription_links(found),
        }

    def revised(self, found: Subscription, plan_id: str) -> Json:
        page = f"/webapps/billing/subscriptions/update?ba_token={found.ba_token}"
        here = self.link(f"/v1/billing/subscriptions/{found.id}", "self")
        return {"plan_id": plan_id, "plan_overridden": False, "links": [self.page(page, "approve"), here]}

    def transaction(self, payment: Payment) -> Json:
        fee = compute_fee(payment.amount)
        return {
            "id": payment.id,
            "status": payment.status,
            "payer_email": PAYER_EMAIL,
            "payer_name": PAYER_NAME,
            "amount_with_breakdown": {
                "gross_amount": money_json(payment.amount, payment.currency),
                "fee_amount": money_json(fee, payment.currency),
                "net_amount": money_json(payment.amount - fee, payment.currency),
            },
            "time": payment.create_time.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        }

    def own_plan(self, found: Subscription, currency: str) -> Json:
        """The terms of one subscription, added by `fields=plan`."""
        return {
            "billing_cycles": [cycle_json(cycle, currency) for cycle in found.cycles],
            "payment_preferences": {
                "setup_fee": money_json(found.preferences.setup_fee, currency),
                "payment_failure_threshold": found.preferences.threshold,
            },
        }

    def _billing(self, found: Subscription, currency: str, last: Payment | None) -> Json:
        answer: Json = {
            "outstanding_balance": {"currency_code": currency, "value": _format_balance(found.outstanding)},
            "cycle_executions": [_execution_json(found, cycle) for cycle in found.cycles],
        }
        if last:
            answer["last_payment"] = {
                "amount": money_json(last.amount, last.currency),
                "time": format_iso(last.create_time),
            }
        if found.next_billing and found.status == "ACTIVE":
            answer["next_billing_time"] = format_iso(found.next_billing)
        answer["failed_payments_count"] = found.failed_count
        return answer

    def failed_payment(self, found: Subscription, currency: str) -> Json:
        """The last failed payment, added by `fields=last_failed_payment`."""
        failure = found.last_failure
        if failure is None:
            return {}
        answer = {
            "amount": money_json(failure.amount, currency),
            "time": format_iso(failure.time),
            "reason_code": "PAYMENT_DENIED",
        }
        return {**answer, "next_payment_retry_time": format_iso(failure.retry_time)} if failure.retry_time else answer

    def _subscription_links(self, found: Subscription) -> list[Json]:
        here = f"/v1/billing/subscriptions/{found.id}"
        if found.status == "APPROVAL_PENDING":
            return list(self.new_subscription(found)["links"])
        actions = {"ACTIVE": ("suspend", "cancel", "capture"), "SUSPENDED": ("activate", "cancel", "capture")}
        return [
            self.link(here, "self"),
            *([self.link(here, "edit", "PATCH")] if found.status in actions else []),
            *(self.link(f"{here}/{verb}", verb, "POST") for verb in actions.get(found.status, ())),
        ]

    def _order_actions(self, here: str) -> list[Json]:
        return [self.link(here, "update", "PATCH"), self.link(f"{here}/capture", "capture", "POST")]


def cycle_json(cycle: Cycle, currency: str) -> Json:
    return {
        "frequency": {"interval_unit": cycle.unit, "interval_count": cycle.count},
        "tenure_type": cycle.tenure,
        "sequence": cycle.sequence,
        "total_cycles": cycle.total,
        "pricing_scheme": {"version": 1, "fixed_price": money_json(cycle.price, currency)},
    }


def _execution_json(found: Subscription, cycle: Cycle) -> Json:
    done = found.done.get(cycle.sequence, 0)
    return {
        "tenure_type": cycle.tenure,
        "sequence": cycle.sequence,
        "cycles_completed": done,
        "cycles_remaining": max(0, cycle.total - done),
        "current_pricing_scheme_version": 1,
        "total_cycles": cycle.total,
    }


def _format_balance(value: Decimal) -> str:
    """An outstanding balance; PayPal writes `0.0` for none."""
    return str(value.quantize(_CENT)) if value else "0.0"


def _payment_source() -> Json:
    account = {"email_address": PAYER_EMAIL, "account_id": PAYER_ID, "name": PAYER_NAME}
    return {"paypal": {**account, "address": {"country_code": "US"}}}


def _payer_json() -> Json:
    answer = {"name": PAYER_NAME, "email_address": PAYER_EMAIL, "payer_id": PAYER_ID}
    return {**answer, "address": {"country_code": "US"}}


def _drop_blanks(values: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
