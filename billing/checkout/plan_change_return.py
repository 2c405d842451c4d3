"""The return from PayPal of a change of plan, completed from its current state there."""

from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.payments import purchases
from billing.payments.models import PurchaseState
from billing.payments.paypal.errors import PayPalError
from billing.provider_sync import polling
from billing.subscriptions.lifecycle.plan_changes import describe_plan_choice
from billing.subscriptions.models import Subscription
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.text.dates import format_day

NOT_COMPLETE = "Failed to complete plan change. Please contact support if you were charged."


def complete_plan_change(*, user: User, token: str) -> str:
    """Complete a change of plan from its current state at PayPal. Returns the message for its owner; may be repeated.

    Raises `BadInput` (`PAYMENT_NOT_CAPTURED`) for what is unknown, somebody else's or not paid.
    """
    try:
        purchase = polling.poll_purchase(purchases.load_purchase(user=user, token=token))
    except (NotFound, PayPalError) as error:
        raise _build_not_complete_error() from error
    if purchase.state != PurchaseState.PAID or not purchase.plan:
        raise _build_not_complete_error()
    plan, cycle = Plan(purchase.plan), Cycle(purchase.cycle)
    if purchase.amount:
        return f"Your plan is now {describe_plan_choice(plan, cycle)}."
    at = purchase.starts_at or purchase.created_at
    found = Subscription.objects.get(user=user)
    if (found.scheduled_plan, found.scheduled_cycle) == (plan, cycle):
        return f"Your plan changes to {describe_plan_choice(plan, cycle)} on {format_day(at)}."
    return f"Your plan goes on. The next charge is on {format_day(at)}."


def _build_not_complete_error() -> BadInput:
    return BadInput(NOT_COMPLETE, code="PAYMENT_NOT_CAPTURED")
