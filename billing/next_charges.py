"""What each running agreement will charge next, beside what its plan costs (SUB-052)."""

from collections.abc import Iterator
from decimal import Decimal

from billing.catalogue import OFFERS
from billing.models import Agreement, Cycle, Plan, Status, Subscription
from billing.paypal import paypal
from billing.paypal.errors import Missing


def differences() -> Iterator[str]:
    """A sentence for each agreement that charges something else; what is being changed just now is left out.

    Raises `PayPalError`.
    """
    running = Agreement.objects.filter(ended_at=None, unsettled=False, user__isnull=False)
    for found in running.select_related("user").order_by("pk"):
        try:
            told = paypal().subscription(found.provider_id).price
        except Missing:
            yield f"agreement {found.provider_id} runs here, and PayPal does not know it"
            continue
        due = _next_amount(found)
        if told is not None and due is not None and told.value != due:
            yield f"agreement {found.provider_id} charges {told.value:.2f} next instead of {due:.2f}"


def _next_amount(agreement: Agreement) -> Decimal | None:
    """What the customer was told; None for an agreement that waits for its end, or has a price of its own."""
    plan = Subscription.objects.filter(user=agreement.user).exclude(status=Status.CANCELLED).first()
    running = plan and (plan.scheduled_agreement_id or plan.agreement_id)
    if plan is None or running != agreement.pk:
        return None
    name, cycle = (plan.scheduled_plan, plan.scheduled_cycle) if plan.scheduled_plan else (plan.plan, plan.cycle)
    return OFFERS[Plan(name)].price(Cycle(cycle)) if OFFERS[Plan(name)].monthly is not None else agreement.price
