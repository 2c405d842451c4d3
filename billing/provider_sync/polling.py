"""Polling PayPal about a purchase: shared by the browser's return, webhooks and the sweeper."""

from collections.abc import Callable
from functools import partial

from billing.payments.models import Purchase, PurchaseState
from billing.provider_sync import agreements, orders

PollAction = Callable[[], None]


def prepare_poll(purchase: Purchase) -> PollAction:
    """Fetch the state from PayPal. Returns the action that applies it, in a transaction or alone.

    Raises `PayPalError`.
    """
    assert purchase.provider_id is not None
    if purchase.recurs:
        snapshot = agreements.fetch_agreement(purchase.provider_id, since=purchase.created_at)
        return partial(agreements.apply_agreement_state, provider_id=purchase.provider_id, snapshot=snapshot)
    return partial(orders.apply_order_state, purchase_id=purchase.pk, snapshot=orders.fetch_and_capture_order(purchase))


def poll_purchase(purchase: Purchase) -> Purchase:
    """Bring a purchase up to date with PayPal, unless it is paid or never reached PayPal.

    Raises `PayPalError`.
    """
    if purchase.state != PurchaseState.PAID and purchase.provider_id:
        prepare_poll(purchase)()
        purchase.refresh_from_db()
    return purchase
