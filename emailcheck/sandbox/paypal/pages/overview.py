"""What the simulated PayPal holds, as the control page and its JSON show it."""

from dataclasses import asdict
from typing import Any

from emailcheck.sandbox.paypal.records import Event, Order, Payment, Subscription
from emailcheck.sandbox.paypal.representations import iso, money
from emailcheck.sandbox.paypal.world import PayPalWorld

_SHOWN = 50


def overview(world: PayPalWorld) -> dict[str, Any]:
    """Clock, switches and the newest records of each kind."""
    memory = world.site.memory
    return {
        "now": iso(world.site.state.now()),
        "held": memory.held is not None,
        "switches": asdict(world.courier.switches),
        "webhooks": [{"id": webhook.id, "url": webhook.url} for webhook in memory.webhooks.values()],
        "waiting": len(world.courier.waiting),
        "tokens_given": world.rest.tokens_given,
        "troubles": [asdict(trouble) for trouble in world.rest.troubles],
        "orders": [_order(order) for order in _newest(memory.orders)],
        "subscriptions": [_subscription(world, found) for found in _newest(memory.subscriptions)],
        "payments": [_payment(payment) for payment in _newest(memory.payments)],
        "events": [_event(event) for event in _newest(memory.events)],
    }


def _newest(records: dict[str, Any]) -> list[Any]:
    return list(records.values())[: -_SHOWN - 1 : -1]


def _order(order: Order) -> dict[str, Any]:
    return {
        "id": order.id,
        "status": order.status,
        "amount": money(order.amount, order.currency),
        "description": order.description,
        "custom_id": order.custom_id,
        "create_time": iso(order.create_time),
    }


def _subscription(world: PayPalWorld, found: Subscription) -> dict[str, Any]:
    plan = world.catalogue.plan(found.plan_id)
    return {
        "id": found.id,
        "status": found.status,
        "plan": plan.name,
        "custom_id": found.custom_id,
        "next_billing_time": iso(found.next_billing) if found.next_billing and found.status == "ACTIVE" else None,
        "outstanding": money(found.outstanding, plan.currency),
        "failed_payments": found.failed_count,
        "failing": found.failing,
    }


def _payment(payment: Payment) -> dict[str, Any]:
    return {
        "id": payment.id,
        "status": payment.status,
        "amount": money(payment.amount, payment.currency),
        "about": payment.order_id or payment.subscription_id,
        "create_time": iso(payment.create_time),
    }


def _event(event: Event) -> dict[str, Any]:
    attempts = [
        {"time": iso(attempt.time), "status": attempt.status, "note": attempt.note} for attempt in event.attempts
    ]
    return {
        "id": event.id,
        "kind": event.kind,
        "about": event.about,
        "create_time": iso(event.create_time),
        "attempts": attempts,
    }
