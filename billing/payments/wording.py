"""Texts about purchases and payments for their buyer, made of states and reasons, never parsed."""

from types import MappingProxyType

from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS
from billing.payments.models import Payment, Purchase, PurchaseKind, PurchaseReason, PurchaseState

PENDING = "PayPal has not confirmed this payment yet. Your purchase appears here as soon as it does."
NOT_MADE = "The payment was not made. You were not charged."
BUY_AGAIN = "A payment for the same thing is still waiting. Buy it a second time?"
NOT_BEGUN = "Failed to create PayPal payment"
_UNKNOWN = "This purchase was not completed. Please contact support if you were charged."
_REASONS = MappingProxyType(
    {
        PurchaseReason.NOT_MADE: NOT_BEGUN,
        PurchaseReason.NOT_APPROVED: "The payment was not approved at PayPal in time. Nothing was charged.",
        PurchaseReason.DECLINED: "PayPal declined the payment. Nothing was charged. Please choose another way to pay.",
        PurchaseReason.DENIED: NOT_MADE,
        PurchaseReason.LAPSED: NOT_MADE,
        PurchaseReason.MISMATCH: (
            "This payment does not match what was ordered. Please contact support if you were charged."
        ),
        PurchaseReason.SUPERSEDED: (
            "Your plan had changed, or begun, before this payment. What was paid is being given back."
        ),
        PurchaseReason.GIVEN_BACK: "The payment was given back.",
    }
)


def describe_reason(reason: PurchaseReason) -> str:
    """Why a purchase came to nothing."""
    return _REASONS[reason]


def describe_purchase(purchase: Purchase) -> str:
    """The state of a purchase as a sentence."""
    if purchase.state == PurchaseState.PENDING:
        return PENDING
    if purchase.state != PurchaseState.PAID:
        return describe_reason(PurchaseReason(purchase.reason)) if purchase.reason else _UNKNOWN
    if purchase.kind == PurchaseKind.CREDITS:
        return f"{purchase.credits:,} credits were added to your account."
    if Payment.objects.filter(purchase=purchase, invoice__due_on__isnull=False).exists():
        return f"{purchase.description} is paid."
    if purchase.kind == PurchaseKind.QUOTE:
        return "Payment received! Activation pending..."
    return f"Your {OFFERS[Plan(purchase.plan)].name} plan is active."
