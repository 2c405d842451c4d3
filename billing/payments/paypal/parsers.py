"""PayPal's objects → our types. Raises `UnexpectedAnswer` for what is not documented so."""

from billing.payments.paypal.strict_json import Node
from billing.payments.paypal.types import (
    Amount,
    Capture,
    Event,
    Order,
    Payer,
    Plan,
    Refund,
    ReportedTransaction,
    Subscription,
    Transaction,
)


def parse_order(node: Node) -> Order:
    """An order with its one purchase unit."""
    unit = next(node.nodes("purchase_units"), Node({}, "answer.purchase_units[0]"))
    return Order(
        id=node.text("id"),
        status=node.text("status"),
        amount=unit.amount("amount"),
        payee_id=unit.maybe_node("payee").maybe_text("merchant_id"),
        custom_id=unit.maybe_text("custom_id"),
        invoice_id=unit.maybe_text("invoice_id"),
        payer=_parse_payer(node.maybe_node("payer")),
        captures=tuple(parse_capture(found) for found in unit.maybe_node("payments").nodes("captures")),
        approve_url=node.link("approve", "payer-action"),
    )


def parse_capture(node: Node) -> Capture:
    """A captured payment; of a renewal too, whose id is that of a sale."""
    related = node.maybe_node("supplementary_data").maybe_node("related_ids")
    return Capture(
        id=node.text("id"),
        status=node.text("status"),
        amount=node.amount("amount"),
        fee=node.maybe_node("seller_receivable_breakdown").maybe_amount("paypal_fee"),
        custom_id=node.maybe_text("custom_id"),
        invoice_id=node.maybe_text("invoice_id"),
        order_id=related.maybe_text("order_id") or _parse_last_part(node.link("up")),
        create_time=node.time("create_time"),
        status_reason=node.maybe_node("status_details").maybe_text("reason"),
    )


def parse_refund(node: Node) -> Refund:
    return Refund(
        id=node.text("id"),
        status=node.text("status"),
        amount=node.amount("amount"),
        invoice_id=node.maybe_text("invoice_id"),
        capture_id=_parse_last_part(node.link("up")),
        total_refunded=node.maybe_node("seller_payable_breakdown").maybe_amount("total_refunded_amount"),
        create_time=node.time("create_time"),
    )


def parse_plan(node: Node) -> Plan:
    return Plan(
        id=node.text("id"),
        product_id=node.maybe_text("product_id"),
        name=node.maybe_text("name"),
        status=node.text("status"),
        price=parse_regular_price(node),
    )


def parse_regular_price(node: Node) -> Amount | None:
    """What a regular cycle costs, of a plan or of a subscription's own terms."""
    for cycle in node.nodes("billing_cycles"):
        if cycle.text("tenure_type") == "REGULAR":
            return cycle.node("pricing_scheme").amount("fixed_price")
    return None


def parse_subscription(node: Node) -> Subscription:
    billing = node.maybe_node("billing_info")
    last = billing.maybe_node("last_payment")
    return Subscription(
        id=node.text("id"),
        status=node.text("status"),
        plan_id=node.text("plan_id"),
        custom_id=node.maybe_text("custom_id"),
        payer=_parse_payer(node.maybe_node("subscriber")),
        start_time=node.maybe_time("start_time"),
        next_billing_time=billing.maybe_time("next_billing_time"),
        last_payment=last.maybe_amount("amount"),
        last_payment_time=last.maybe_time("time"),
        outstanding=billing.maybe_amount("outstanding_balance"),
        failed_payments=billing.number("failed_payments_count") if "failed_payments_count" in billing else 0,
        retry_time=billing.maybe_node("last_failed_payment").maybe_time("next_payment_retry_time"),
        price=parse_regular_price(node.maybe_node("plan")),
        approve_url=node.link("approve"),
    )


def parse_transaction(node: Node) -> Transaction:
    money = node.node("amount_with_breakdown")
    return Transaction(
        id=node.text("id"),
        status=node.text("status"),
        amount=money.amount("gross_amount"),
        fee=money.maybe_amount("fee_amount"),
        time=node.time("time"),
        payer_email=node.maybe_text("payer_email"),
    )


def parse_reported(node: Node) -> ReportedTransaction:
    """One entry of the transaction search."""
    entry = node.node("transaction_info")
    return ReportedTransaction(
        id=entry.text("transaction_id"),
        status=entry.text("transaction_status"),
        event_code=entry.text("transaction_event_code"),
        reference_id=entry.maybe_text("paypal_reference_id"),
        amount=entry.amount("transaction_amount"),
        fee=entry.maybe_amount("fee_amount"),
        custom_id=entry.maybe_text("custom_field"),
        invoice_id=entry.maybe_text("invoice_id"),
        initiated=entry.time("transaction_initiation_date"),
    )


def parse_event(node: Node) -> Event:
    """A notification about an order, a capture, a refund, a sale, a subscription or anything newer."""
    kind, thing = node.text("event_type"), node.node("resource")
    related = thing.maybe_node("supplementary_data").maybe_node("related_ids")
    about = thing.maybe_text("id") or thing.maybe_text("dispute_id")
    unit = next(thing.nodes("purchase_units"), thing)
    above = _parse_last_part(thing.link("up"))
    is_order, is_subscription = kind.startswith("CHECKOUT.ORDER."), kind.startswith("BILLING.SUBSCRIPTION.")
    return Event(
        id=node.text("id"),
        kind=kind,
        resource_id=about,
        status=thing.maybe_text("status") or thing.maybe_text("state"),
        order_id=about if is_order else related.maybe_text("order_id"),
        subscription_id=about if is_subscription else thing.maybe_text("billing_agreement_id"),
        capture_id=thing.maybe_text("sale_id") or (above if kind.endswith(".REFUNDED") else ""),
        plan_id=thing.maybe_text("plan_id"),
        custom_id=unit.maybe_text("custom_id") or thing.maybe_text("custom"),
        invoice_id=unit.maybe_text("invoice_id"),
        amount=unit.maybe_amount("amount"),
        create_time=node.time("create_time"),
    )


def _parse_payer(node: Node) -> Payer:
    return Payer(node.maybe_text("payer_id"), node.maybe_text("email_address"))


def _parse_last_part(address: str) -> str:
    return address.rpartition("/")[2]
