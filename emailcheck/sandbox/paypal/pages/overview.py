"""The contents of the simulated PayPal, for the control page and its JSON."""

from dataclasses import asdict
from typing import Any

from emailcheck.sandbox.paypal.records import Event, Order, Payment, Subscription
from emailcheck.sandbox.paypal.representations import format_iso, money_json
from emailcheck.sandbox.paypal.world import PayPalWorld

_SHOWN = 50


def build_overview(world: PayPalWorld) -> dict[str, Any]:
    """Clock, switches and the newest records of each kind."""
    memory = world.site.memory
    return {
        "now": format_iso(world.site.state.now()),
        "held": memory.held is not None,
        "switches": asdict(world.courier.switches),
        "webhooks": [{"id": webhook.id, "url": webhook.url} for webhook in memory.webhooks.values()],
        "waiting": len(world.courier.waiting),
        "tokens_given": world.rest.tokens_given,
        "troubles": [asdict(trouble) for trouble in world.rest.troubles],
        "orders": [_present_order(order) for order in _list_newest(memory.orders)],
        "subscriptions": [_present_subscription(world, found) for found in _list_newest(memory.subscriptions)],
        "payments": [_present_payment(payment) for payment in _list_newest(memory.payments)],
        "events": [_present_event(event) for event in _list_newest(memory.events)],
    }


def _list_newest(records: dict[str, Any]) -> list[Any]:
    return list(records.values())[: -_SHOWN - 1 : -1]


def _present_order(order: Order) -> dict[str, Any]:
    return {
        "id": order.id,
        "status": order.status,
        "amount": money_json(order.amount, order.currency),
        "description": order.description,
        "custom_id": order.custom_id,
        "create_time": format_iso(order.create_time),
    }


def _present_subscription(world: PayPalWorld, found: Subscription) -> dict[str, Any]:
    plan = world.catalogue.plan(found.plan_id)
    return {
        "id": found.id,
        "status": found.status,
        "plan": plan.name,
        "custom_id": found.custom_id,
        "next_billing_time": format_iso(found.next_billing)
        if found.next_billing and found.status == "ACTIVE"
        else None,
        "outstanding": money_json(found.outstanding, plan.currency),
        "failed_payments": found.failed_count,
        "failing": found.failing,
    }


def _present_payment(payment: Payment) -> dict[str, Any]:
    return {
        "id": payment.id,
        "status": payment.status,
        "amount": money_json(payment.amount, payment.currency),
        "about": payment.order_id or payment.subscription_id,
        "create_time": format_iso(payment.create_time),
    }


def _present_event(event: Event) -> dict[str, Any]:
    attempts = [
        {"time": format_iso(attempt.time), "status": attempt.status, "note": attempt.note} for attempt in event.attempts
    ]
    return {
        "id": event.id,
        "kind": event.kind,
        "about": event.about,
        "create_time": format_iso(event.create_time),
        "attempts": attempts,
    }
