"""The way back from PayPal: what became of a purchase, for its buyer alone."""

import logging
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Cycle, Plan
from billing.payments import pending, purchases, wording
from billing.payments.models import Purchase, PurchaseKind, PurchaseState
from billing.payments.paypal.errors import PayPalError
from billing.payments.wording import describe_purchase
from billing.provider_sync import polling
from billing.subscriptions.lifecycle.plan_changes import describe_plan_choice
from billing.subscriptions.models import Subscription
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import BadInput, Conflict, NotFound
from emailcheck.common.text.dates import format_day

log = logging.getLogger(__name__)
POLLS = Limit("payment return", 30, 60)
_ASK_AGAIN_AFTER = timedelta(seconds=10)
_PAGES = {PurchaseKind.QUOTE: "/dashboard?tab=custom-packages&"}


def handle_return(tokens: list[str], *, cancelled: bool) -> str:
    """Bring a purchase up to date when the browser returns from PayPal. Returns the address on our site to go to.

    It reveals nothing to a caller with the ids of another customer's purchase, and may be repeated.
    """
    purchase = purchases.find_purchase([token for token in tokens if token])
    if purchase is None:
        return "/account-settings?payment=cancelled" if cancelled else "/account-settings"
    if throttles.count_request(POLLS, purchase.public_id).passed:
        _poll_if_reachable(purchase)
    came_off = purchase.state == PurchaseState.PAID or not cancelled
    answer = {"payment": "success" if came_off else "cancelled", "token": purchase.public_id}
    return _PAGES.get(PurchaseKind(purchase.kind), "/account-settings?") + urlencode(answer)


def present_status(*, organisation: Organisation, token: str) -> dict[str, Any]:
    """What became of the user's purchase, or of a renewal that was held back. Raises `NotFound`."""
    renewal = pending.present_held_renewal(organisation=organisation, token=token)
    if renewal is not None:
        return renewal
    purchase = purchases.load_purchase(organisation=organisation, token=token)
    if purchase.state == PurchaseState.PENDING and _is_poll_due(purchase):
        _poll_if_reachable(purchase)
    return {"kind": purchase.kind, "state": purchase.state, "message": describe_purchase(purchase)}


def complete_payment(*, organisation: Organisation, token: str) -> dict[str, Any]:
    """Complete the user's purchase from its current state at PayPal.

    Raises `NotFound`, `Conflict` (`PAYMENT_PENDING`), `BadInput` (`PAYMENT_FAILED`), `PayPalError`.
    """
    purchase = polling.poll_purchase(purchases.load_purchase(organisation=organisation, token=token))
    if purchase.state == PurchaseState.PENDING:
        raise Conflict(wording.PENDING, code="PAYMENT_PENDING")
    if purchase.state != PurchaseState.PAID:
        raise BadInput(describe_purchase(purchase), code="PAYMENT_FAILED")
    return {"kind": purchase.kind, "message": describe_purchase(purchase)}


def _is_poll_due(purchase: Purchase) -> bool:
    return purchase.polled_at is None or purchase.polled_at < timezone.now() - _ASK_AGAIN_AFTER


def _poll_if_reachable(purchase: Purchase) -> None:
    """PayPal may be down just now: then webhooks and the sweeper do it."""
    try:
        polling.poll_purchase(purchase)
    except PayPalError as error:
        log.warning("purchase %s could not be looked at: %s", purchase.public_id, error)


NOT_COMPLETE = "Failed to complete plan change. Please contact support if you were charged."


def complete_plan_change(*, organisation: Organisation, token: str) -> str:
    """Complete a change of plan from its current state at PayPal. Returns the message for its owner; may be repeated.

    Raises `BadInput` (`PAYMENT_NOT_CAPTURED`) for what is unknown, somebody else's or not paid.
    """
    try:
        purchase = polling.poll_purchase(purchases.load_purchase(organisation=organisation, token=token))
    except (NotFound, PayPalError) as error:
        raise _build_not_complete_error() from error
    if purchase.state != PurchaseState.PAID or not purchase.plan:
        raise _build_not_complete_error()
    plan, cycle = Plan(purchase.plan), Cycle(purchase.cycle)
    if purchase.amount:
        return f"Your plan is now {describe_plan_choice(plan, cycle)}."
    at = purchase.starts_at or purchase.created_at
    found = Subscription.objects.get(organisation=organisation)
    if (found.scheduled_plan, found.scheduled_cycle) == (plan, cycle):
        return f"Your plan changes to {describe_plan_choice(plan, cycle)} on {format_day(at)}."
    return f"Your plan goes on. The next charge is on {format_day(at)}."


def _build_not_complete_error() -> BadInput:
    return BadInput(NOT_COMPLETE, code="PAYMENT_NOT_CAPTURED")
