"""Asking PayPal what became of a purchase: the one way for the browser's return, webhooks and the sweeper alike."""

from collections.abc import Callable
from functools import partial

from billing import agreements, orders
from billing.models import Purchase, PurchaseState

Act = Callable[[], None]


def prepared(purchase: Purchase) -> Act:
    """Ask PayPal, and answer what is to be done about it: to be called in a transaction, or alone.

    Raises `PayPalError`.
    """
    assert purchase.provider_id is not None
    if purchase.recurs:
        told = agreements.ask(purchase.provider_id, since=purchase.created_at)
        return partial(agreements.settle, provider_id=purchase.provider_id, told=told)
    return partial(orders.settle, purchase_id=purchase.pk, told=orders.ask(purchase))


def look(purchase: Purchase) -> Purchase:
    """Bring a purchase up to date with PayPal; one that is paid, or never got there, is not asked about.

    Raises `PayPalError`.
    """
    if purchase.state != PurchaseState.PAID and purchase.provider_id:
        prepared(purchase)()
        purchase.refresh_from_db()
    return purchase
