"""The gateway to PayPal: `paypal()` is our account there. Knows nothing of plans, credits or customers."""

from billing.paypal.client import Account, PayPal
from billing.paypal.gateway import paypal
from billing.paypal.terms import OrderTerms, PlanTerms, SubscriptionTerms
from billing.paypal.types import Amount, Return

__all__ = ["Account", "Amount", "OrderTerms", "PayPal", "PlanTerms", "Return", "SubscriptionTerms", "paypal"]
