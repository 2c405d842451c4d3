"""The gateway to PayPal: `paypal()` is our account there. Knows nothing of plans, credits or customers."""

from billing.payments.paypal.client import Account, PayPal
from billing.payments.paypal.gateway import paypal
from billing.payments.paypal.terms import OrderTerms, PlanTerms, SubscriptionTerms
from billing.payments.paypal.types import Amount, Return

__all__ = [
    "Account",
    "Amount",
    "OrderTerms",
    "PayPal",
    "PlanTerms",
    "Return",
    "SubscriptionTerms",
    "errors",
    "gateway",
    "paypal",
    "types",
]
