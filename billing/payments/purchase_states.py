"""How a purchase stands, and what may become of it. No sentence is compared here: states and reasons are closed sets.

A purchase is open, paid, or came to nothing for a reason. Being paid is final. What was paid and could bring nothing
(`superseded`), and what was given back, never brings anything later, however often the provider tells of the payment.
All other reasons are what we know so far: a buyer may approve late, or pay in another way after a refusal.
"""

from dataclasses import dataclass
from types import MappingProxyType

from billing.payments.models import PurchaseReason, PurchaseState

_REASONS_OF_REFUSAL = frozenset({PurchaseReason.SUPERSEDED, PurchaseReason.GIVEN_BACK})
_ENDS_WHAT_IS_OPEN = frozenset({PurchaseReason.NOT_MADE, PurchaseReason.NOT_APPROVED, PurchaseReason.LAPSED})
_STATES = MappingProxyType(
    {
        reason: PurchaseState.CANCELLED
        if reason in {PurchaseReason.NOT_APPROVED, PurchaseReason.LAPSED}
        else PurchaseState.FAILED
        for reason in PurchaseReason
    }
)


@dataclass(frozen=True, slots=True)
class PurchaseStatus:
    """A state, and for a purchase that came to nothing the reason."""

    state: PurchaseState
    reason: PurchaseReason | None = None


OPEN = PurchaseStatus(PurchaseState.PENDING)
PAID = PurchaseStatus(PurchaseState.PAID)
ALL_STATUSES = (OPEN, PAID, *(PurchaseStatus(_STATES[reason], reason) for reason in PurchaseReason))


def can_be_paid(now: PurchaseStatus) -> bool:
    """Whether a payment reported now may still complete the purchase."""
    return now != PAID and now.reason not in _REASONS_OF_REFUSAL


def after_payment(now: PurchaseStatus) -> PurchaseStatus:
    """The state of a purchase after its payment."""
    return PAID if can_be_paid(now) else now


def after_end(now: PurchaseStatus, reason: PurchaseReason) -> PurchaseStatus:
    """The state of a purchase after it failed."""
    if now == PAID or (reason in _ENDS_WHAT_IS_OPEN and now != OPEN):
        return now
    if now.reason == PurchaseReason.GIVEN_BACK:
        return now
    if now.reason == PurchaseReason.SUPERSEDED and reason != PurchaseReason.GIVEN_BACK:
        return now
    return PurchaseStatus(_STATES[reason], reason)
