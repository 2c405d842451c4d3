"""One-time purchases: created by the shop, approved by the buyer, captured by the shop."""

from datetime import timedelta
from typing import Any

from emailcheck.sandbox.paypal.commerce.payments import Payments
from emailcheck.sandbox.paypal.context import PayPalContext, require_record
from emailcheck.sandbox.paypal.errors import invalid_fault, refused_fault
from emailcheck.sandbox.paypal.records import Order, Payment
from emailcheck.sandbox.paypal.representations import PAYER_ID
from emailcheck.sandbox.paypal.request_body import Body
from emailcheck.sandbox.paypal.state import new_id

_APPROVAL_HOURS = timedelta(hours=3)
_OPEN = {"CREATED", "PAYER_ACTION_REQUIRED", "APPROVED"}
# What the buyer chose → the status of the capture, and its reason.
_CAPTURED = {"pay": ("COMPLETED", ""), "delay": ("PENDING", "PENDING_REVIEW"), "refuse": ("DECLINED", "")}
OUTCOMES = (*_CAPTURED, "decline")


class Orders:
    """The orders."""

    def __init__(self, site: PayPalContext, payments: Payments) -> None:
        self._site = site
        self._payments = payments

    def create(self, body: Body) -> Order:
        """A new order with one purchase unit. Raises the refusals of PayPal."""
        body.choice("intent", "CAPTURE")
        unit = body.nodes("purchase_units")[0]
        amount, currency = unit.money("amount")
        _check_items(unit)
        with_source = "payment_source" in body
        context = (
            body.node("payment_source").node("paypal").node("experience_context")
            if with_source
            else body.maybe_node("application_context")
        )
        order = Order(
            id=new_id(),
            status="PAYER_ACTION_REQUIRED" if with_source else "CREATED",
            reference_id=unit.maybe_text("reference_id") or "default",
            amount=amount,
            currency=currency,
            description=unit.maybe_text("description"),
            custom_id=unit.maybe_text("custom_id"),
            invoice_id=unit.maybe_text("invoice_id"),
            brand=context.maybe_text("brand_name"),
            return_url=context.address("return_url") if "return_url" in context else "",
            cancel_url=context.address("cancel_url") if "cancel_url" in context else "",
            with_source=with_source,
            create_time=self._site.now(),
        )
        self._site.memory.orders[order.id] = order
        return order

    def get(self, order_id: str) -> Order:
        return require_record(self._site.memory.orders, order_id)

    def payments_of(self, order: Order) -> list[Payment]:
        return [self._site.memory.payments[payment_id] for payment_id in order.payments]

    def shown(self, order: Order) -> dict[str, Any]:
        return self._site.shapes.order(order, self.payments_of(order))

    def approve(self, order_id: str, outcome: str) -> str:
        """The buyer approves. Returns the browser's next address."""
        order = self.get(order_id)
        if order.status in {"CREATED", "PAYER_ACTION_REQUIRED"}:
            order.status, order.outcome = "APPROVED", outcome
            self._site.announce("CHECKOUT.ORDER.APPROVED", self.shown(order), "An order has been approved by buyer")
        return f"{open_query(order.return_url)}token={order.id}&PayerID={PAYER_ID}"

    def cancelled_url(self, order_id: str) -> str:
        """The browser's address when the buyer cancels; the order stays as it is."""
        order = self.get(order_id)
        return f"{open_query(order.cancel_url)}token={order.id}"

    def capture(self, order_id: str) -> Order:
        """Take the money of an approved order, as the buyer chose on the page. Raises the refusals of PayPal."""
        order = self.get(order_id)
        if order.status == "COMPLETED":
            raise refused_fault("ORDER_ALREADY_CAPTURED")
        if order.status != "APPROVED":
            raise refused_fault("ORDER_NOT_APPROVED")
        if order.outcome == "decline":
            order.status = "PAYER_ACTION_REQUIRED" if order.with_source else "CREATED"
            again = self._site.shapes.page(f"/checkoutnow?token={order.id}", "redirect")
            raise refused_fault("INSTRUMENT_DECLINED", also=again)
        if order.invoice_id and self._is_used(order.invoice_id):
            raise refused_fault("DUPLICATE_INVOICE_ID")
        status, reason = _CAPTURED[order.outcome]
        payment = self._payments.new(
            order.amount,
            order.currency,
            status=status,
            custom_id=order.custom_id,
            invoice_id=order.invoice_id,
            order_id=order.id,
            reason=reason,
        )
        order.status = "COMPLETED"
        order.payments.append(payment.id)
        self._payments.record(payment)
        return order

    def expire(self) -> bool:
        """Void the orders that were not approved and captured in time. True when there were any."""
        now, orders = self._site.now(), self._site.memory.orders.values()
        late = [order for order in orders if order.status in _OPEN and now - order.create_time > _APPROVAL_HOURS]
        for order in late:
            order.status = "VOIDED"
        return bool(late)

    def _is_used(self, invoice_id: str) -> bool:
        return any(
            payment.invoice_id == invoice_id and payment.status != "DECLINED"
            for payment in self._site.memory.payments.values()
        )


def open_query(address: str) -> str:
    """The address, ready for further members of its query."""
    return f"{address}{'&' if '?' in address else '?'}"


def _check_items(unit: Body) -> None:
    """The lines, where there are any, add up to the amount."""
    if "items" not in unit:
        return
    total = sum(item.money("unit_amount")[0] * int(item.text("quantity", longest=10)) for item in unit.nodes("items"))
    if total != unit.money("amount")[0]:
        raise invalid_fault("/purchase_units/0/amount/value", unit.money("amount")[0])
