"""The first plan of an account: bought, and activated when it is paid."""

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.payments.fulfilment import PaidPurchase
from billing.payments.models import PurchaseKind
from billing.payments.purchases import StartedPurchase, begin_agreement, describe_plan
from billing.subscriptions import entitlements
from billing.subscriptions import services as subscriptions
from emailcheck.common.errors import Conflict


def begin_plan(paid: PaidPurchase) -> None:
    """A plan was bought: it begins. Raises `Conflict` when the account has it already."""
    purchase = paid.purchase
    begun = subscriptions.activate_plan(
        organisation_id=purchase.organisation_id,
        plan=Plan(purchase.plan),
        cycle=Cycle(purchase.cycle),
        paid_until=paid.paid_until,
        custom_monthly_credits=purchase.credits or None,
        agreement=paid.agreement,
    )
    if not begun:
        raise Conflict("This account already has this plan.")


def buy_plan(*, organisation: Organisation, plan: Plan, cycle: Cycle, confirm_second: bool = False) -> StartedPurchase:
    """Begin to subscribe to a plan; a trial ends when it is paid. Raises as `begin_agreement`, and `Conflict`."""
    now = entitlements.load_current_plan(organisation)
    if now.plan != Plan.FREE and not now.on_trial:
        raise Conflict(subscriptions.HAS_PLAN, code="HAS_PLAN")
    price = OFFERS[plan].price(cycle)
    return begin_agreement(
        organisation=organisation, kind=PurchaseKind.SUBSCRIPTION, plan=plan, cycle=cycle, amount=price, price=price,
        description=describe_plan(plan, cycle), confirm_second=confirm_second,
    )  # fmt: skip
