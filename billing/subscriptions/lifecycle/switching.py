"""Changes of plan that take effect: when the new agreement is paid, or when the billing date has come and was paid."""

import logging
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.payments import agreement_sync
from billing.payments.fulfilment import PaidPurchase
from billing.payments.models import Agreement, AgreementState, PaymentKind
from billing.subscriptions import services as subscriptions
from billing.subscriptions.models import Status, Subscription
from emailcheck.common.errors import Conflict

log = logging.getLogger(__name__)


def build_basis(found: Subscription) -> str:
    """What a change was worked out from; when it is something else by the time of the approval, the change is void."""
    return f"{found.agreement_id or 0}:{found.plan}:{found.cycle}"


@transaction.atomic
def apply_paid_change(paid: PaidPurchase) -> None:
    """The buyer has approved a change of plan, and paid what was due. Raises `Conflict` when it no longer fits."""
    purchase, agreement = paid.purchase, paid.agreement
    assert agreement is not None
    _, found = subscriptions.lock_subscription(purchase.organisation_id)
    if found.plan == Plan.FREE and not purchase.amount:
        _restart_plan(paid, agreement)
    elif purchase.reference != build_basis(found):
        raise Conflict("The plan has changed since.")
    elif purchase.amount:
        _upgrade_plan(found, paid, agreement)
    elif (purchase.plan, purchase.cycle) == (found.plan, found.cycle):
        _resume_cancelled_plan(found, agreement)
    else:
        _schedule_change(found, agreement)


def apply_renewal(*, organisation_id: int, agreement: Agreement, paid_until: datetime) -> bool:
    """A charge of an agreement came in: a change that waited for it takes effect, and the plan is paid for longer.

    False when it pays for nothing.
    """
    _, found = subscriptions.lock_subscription(organisation_id)
    if found.scheduled_agreement_id == agreement.pk or _is_new_price(found, agreement):
        _switch_plan(found, agreement, Plan(found.scheduled_plan), Cycle(found.scheduled_cycle))
    elif found.agreement_id not in {None, agreement.pk}:
        log.error("agreement %s was charged and pays for nothing", agreement.provider_id)
        return False
    subscriptions.extend_plan(organisation_id=organisation_id, paid_until=paid_until)
    return True


def _restart_plan(paid: PaidPurchase, agreement: Agreement) -> None:
    """Restart a plan that had ended before its new agreement was approved."""
    if paid.paid_until is None or paid.paid_until <= timezone.now():
        raise Conflict("The plan has ended.")
    subscriptions.activate_plan(
        organisation_id=paid.purchase.organisation_id,
        plan=Plan(agreement.plan),
        cycle=Cycle(agreement.cycle),
        paid_until=paid.paid_until,
        agreement=agreement,
    )


def _upgrade_plan(found: Subscription, paid: PaidPurchase, agreement: Agreement) -> None:
    if found.status != Status.ACTIVE:
        raise Conflict("The plan is not active.")
    is_new_period = found.cycle != agreement.cycle
    _switch_plan(found, agreement, Plan(agreement.plan), Cycle(agreement.cycle))
    if is_new_period:
        found.period_starts_at = timezone.now()
        found.paid_until = found.period_ends_at = paid.paid_until
        found.save(update_fields=["period_starts_at", "paid_until", "period_ends_at"])


def _resume_cancelled_plan(found: Subscription, agreement: Agreement) -> None:
    if found.status != Status.CANCELLED:
        raise Conflict("The plan is not cancelled.")
    found.status, found.cancel_at, found.agreement = Status.ACTIVE, None, agreement
    found.save(update_fields=["status", "cancel_at", "agreement"])


def _schedule_change(found: Subscription, agreement: Agreement) -> None:
    """Nothing is charged twice: the agreement before is suspended until the new one has been charged, or is undone."""
    if found.status != Status.ACTIVE:
        raise Conflict("The plan is not active.")
    drop_schedule(found)
    found.scheduled_plan, found.scheduled_cycle = agreement.plan, agreement.cycle
    found.scheduled_agreement = agreement
    found.save(update_fields=["scheduled_plan", "scheduled_cycle", "scheduled_agreement"])
    if found.agreement_id:
        agreement_sync.request_agreement_change(found.agreement_id, desired_state=AgreementState.SUSPENDED)


def drop_schedule(found: Subscription) -> None:
    """Forget a change that waits: the agreement of the plan charges its price again. The caller holds the account."""
    waiting, mine = found.scheduled_agreement_id, found.agreement
    if waiting:
        agreement_sync.request_agreement_change(waiting, desired_state=AgreementState.CANCELLED)
    if mine and found.scheduled_plan:
        Agreement.objects.filter(pk=mine.pk).update(plan=found.plan, cycle=found.cycle)
        price = None if waiting else OFFERS[Plan(found.plan)].price(Cycle(found.cycle))
        agreement_sync.request_agreement_change(mine.pk, desired_state=AgreementState.ACTIVE, price=price)
    _clear_schedule(found)


def _clear_schedule(found: Subscription) -> None:
    found.scheduled_plan = found.scheduled_cycle = ""
    found.scheduled_agreement = None
    found.save(update_fields=["scheduled_plan", "scheduled_cycle", "scheduled_agreement"])


def _switch_plan(found: Subscription, agreement: Agreement, plan: Plan, cycle: Cycle) -> None:
    """Switch to another plan paid by `agreement`, and end the other agreements."""
    for other in {found.agreement_id, found.scheduled_agreement_id} - {None, agreement.pk}:
        agreement_sync.request_agreement_change(int(other or 0), desired_state=AgreementState.CANCELLED)
    subscriptions.change_plan(organisation_id=found.organisation_id, plan=plan, cycle=cycle)
    found.refresh_from_db()
    found.agreement = agreement
    found.save(update_fields=["agreement"])
    _clear_schedule(found)


def _is_new_price(found: Subscription, agreement: Agreement) -> bool:
    """Whether the last charge was that of the plan that was to come; until it is charged, the old one stays."""
    if not found.scheduled_plan or found.scheduled_agreement_id or found.agreement_id != agreement.pk:
        return False
    last = agreement.payments.filter(kind=PaymentKind.RENEWAL, captured_at__isnull=False).latest("created_at")
    price = OFFERS[Plan(found.scheduled_plan)].price(Cycle(found.scheduled_cycle))
    if last.amount != price:
        log.error("agreement %s was charged %s instead of %s", agreement.provider_id, last.amount, price)
    return last.amount == price
