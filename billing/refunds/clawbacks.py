"""The credits that a payment brought, and their clawback after its refund."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, Sum
from django.db.models.functions import Coalesce

from billing.catalogue.plans import Cycle
from billing.ledger import services as ledger
from billing.ledger.models import CreditEntry, CreditLot, EntryKind, LotKind
from billing.payments.models import Payment, PurchaseState
from billing.subscriptions.periods import compute_period_end

# Credits come when we learn of a payment, by our clock. Rows of a version that did not note it have that in the other.
_CAME_AT = Coalesce("recorded_at", "captured_at")


def has_brought_nothing(payment: Payment) -> bool:
    """Whether the purchase failed although it was paid."""
    return payment.purchase is not None and payment.purchase.state == PurchaseState.FAILED


def find_period_end(payment: Payment) -> datetime | None:
    """When what was paid for ends; None for what has no period, such as a pack."""
    if not payment.plan or payment.captured_at is None:
        return None
    return compute_period_end(payment.captured_at, Cycle(payment.cycle or Cycle.MONTHLY))


def count_granted_credits(payment: Payment) -> int:
    """How many credits came with a payment."""
    return sum(entry.amount for entry in _list_grants(payment))


def count_unspent_credits(payment: Payment) -> int:
    """How many of the credits that a payment brought are there still."""
    lots = CreditLot.objects.filter(pk__in=[entry.lot_id for entry in _list_grants(payment)])
    return lots.aggregate(total=Sum(F("remaining") + F("frozen")))["total"] or 0


@transaction.atomic
def take_back_credits(payment: Payment, *, reason: str) -> int:
    """Take back what a payment brought, spent or not; what has lapsed by itself is not counted. Answers how many.

    What was spent becomes a debt, once the rest of the balance is gone. Repeating it moves nothing.
    """
    if payment.organisation_id is None:
        return 0
    ledger.write_off_expired(organisation_id=payment.organisation_id)
    taken = 0
    for entry in _list_grants(payment):
        lapsed = CreditEntry.objects.filter(lot_id=entry.lot_id, kind=EntryKind.EXPIRE).aggregate(sum=Sum("amount"))
        amount = entry.amount + (lapsed["sum"] or 0)
        key = f"refund:{payment.provider_id}:{entry.lot_id}"
        if amount > 0 and ledger.claw_back_credits(
            organisation_id=payment.organisation_id, amount=amount, reason=reason, key=key, granted_by=entry.key
        ):
            taken += amount
    return taken


def _list_grants(payment: Payment) -> Sequence[CreditEntry]:
    """The grants of a pack by the payment's key; of a plan, those of its period, up to the next payment for a plan."""
    if payment.organisation_id is None or has_brought_nothing(payment):
        return []
    grants = CreditEntry.objects.filter(organisation_id=payment.organisation_id, kind=EntryKind.GRANT)
    ends = find_period_end(payment)
    if ends is None:
        return list(grants.filter(key=f"payment:{payment.provider_id}"))
    came_at = payment.recorded_at or payment.captured_at
    for_plans = Payment.objects.filter(organisation_id=payment.organisation_id, captured_at__isnull=False).exclude(
        plan=""
    )
    later = for_plans.annotate(came_at=_CAME_AT).filter(came_at__gt=came_at).order_by("came_at")
    until = min([ends, *later.values_list("came_at", flat=True)[:1]])
    months = grants.filter(lot__kind=LotKind.PLAN, created_at__gte=came_at, created_at__lt=until)
    return list(months.order_by("pk"))
