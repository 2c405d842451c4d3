"""What each running agreement will charge next, beside what its plan costs (SUB-052)."""

from decimal import Decimal
from functools import partial

from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.payments.models import Agreement
from billing.payments.paypal import paypal
from billing.payments.paypal.errors import Missing, PayPalError
from billing.provider_sync.comparison import CircuitBreaker, Comparison
from billing.subscriptions.models import Status, Subscription


def compare_next_charges() -> Comparison:
    """Compare each agreement that runs; what is being changed just now is left out."""
    running = Agreement.objects.filter(ended_at=None, sync_pending=False, organisation__isnull=False)
    compared, asking = Comparison(), CircuitBreaker()
    for found in running.select_related("organisation").order_by("pk"):
        try:
            price = asking(partial(paypal().fetch_subscription, found.provider_id)).price
        except Missing:
            compared.differ.append(f"agreement {found.provider_id} runs here, and PayPal does not know it")
            continue
        except PayPalError as error:
            compared.unknown.append(f"agreement {found.provider_id} could not be compared: {error}")
            continue
        due = _find_expected_amount(found)
        if price is not None and due is not None and price.value != due:
            compared.differ.append(f"agreement {found.provider_id} charges {price.value:.2f} next instead of {due:.2f}")
    return compared


def _find_expected_amount(agreement: Agreement) -> Decimal | None:
    """The announced amount; None for an agreement that waits for its end, or has a custom price."""
    plan = Subscription.objects.filter(organisation=agreement.organisation).exclude(status=Status.CANCELLED).first()
    running = plan and (plan.scheduled_agreement_id or plan.agreement_id)
    if plan is None or running != agreement.pk:
        return None
    name, cycle = (plan.scheduled_plan, plan.scheduled_cycle) if plan.scheduled_plan else (plan.plan, plan.cycle)
    return OFFERS[Plan(name)].price(Cycle(cycle)) if OFFERS[Plan(name)].monthly is not None else agreement.price
