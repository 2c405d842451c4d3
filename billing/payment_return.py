"""The way back from PayPal: what became of a purchase, for its buyer alone."""

import logging
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone

from accounts.models import User
from billing import inquiry, open_payments, payment_words, purchases
from billing.models import Purchase, PurchaseKind, PurchaseState
from billing.payment_words import message
from billing.paypal.errors import PayPalError
from emailcheck.common import throttles
from emailcheck.common.errors import BadInput, Conflict
from emailcheck.common.throttles import Limit

log = logging.getLogger(__name__)
LOOKS = Limit("payment return", 30, 60)
_ASK_AGAIN_AFTER = timedelta(seconds=10)
_PAGES = {PurchaseKind.QUOTE: "/dashboard?tab=custom-packages&"}


def arrive(tokens: list[str], *, cancelled: bool) -> str:
    """The browser is back from PayPal: bring the purchase up to date. Answers the address on our site to go on to.

    It tells nothing to whoever comes with the ids of somebody else's purchase, and may be repeated.
    """
    purchase = purchases.find_any([token for token in tokens if token])
    if purchase is None:
        return "/account-settings?payment=cancelled" if cancelled else "/account-settings"
    if throttles.take(LOOKS, purchase.public_id).passed:
        _look_if_possible(purchase)
    came_off = purchase.state == PurchaseState.PAID or not cancelled
    answer = {"payment": "success" if came_off else "cancelled", "token": purchase.public_id}
    return _PAGES.get(PurchaseKind(purchase.kind), "/account-settings?") + urlencode(answer)


def status(*, user: User, token: str) -> dict[str, Any]:
    """What became of the user's purchase, or of a renewal that was held back. Raises `NotFound`."""
    renewal = open_payments.held_renewal(user=user, token=token)
    if renewal is not None:
        return renewal
    purchase = purchases.find(user=user, token=token)
    if purchase.state == PurchaseState.PENDING and _is_stale(purchase):
        _look_if_possible(purchase)
    return {"kind": purchase.kind, "state": purchase.state, "message": message(purchase)}


def complete(*, user: User, token: str) -> dict[str, Any]:
    """Complete the user's purchase with what PayPal says now.

    Raises `NotFound`, `Conflict` (`PAYMENT_PENDING`), `BadInput` (`PAYMENT_FAILED`), `PayPalError`.
    """
    purchase = inquiry.look(purchases.find(user=user, token=token))
    if purchase.state == PurchaseState.PENDING:
        raise Conflict(payment_words.PENDING, code="PAYMENT_PENDING")
    if purchase.state != PurchaseState.PAID:
        raise BadInput(message(purchase), code="PAYMENT_FAILED")
    return {"kind": purchase.kind, "message": message(purchase)}


def _is_stale(purchase: Purchase) -> bool:
    return purchase.looked_at is None or purchase.looked_at < timezone.now() - _ASK_AGAIN_AFTER


def _look_if_possible(purchase: Purchase) -> None:
    """PayPal may be down just now: then webhooks and the sweeper do it."""
    try:
        inquiry.look(purchase)
    except PayPalError as error:
        log.warning("purchase %s could not be looked at: %s", purchase.public_id, error)
