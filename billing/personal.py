"""What the money tables hold about people.

Books must be retained: payments outlive the account without anything that names its owner, invoices with the buyer as
printed, for as long as the law asks (`billing.invoices.buyers`).
"""

from accounts.personal import ACTOR_COLUMNS
from billing.invoices.models import Invoice, InvoiceLine
from billing.ledger import free_credits
from billing.ledger.models import (
    Clawback,
    CreditAccount,
    CreditAdjustment,
    CreditedMailbox,
    CreditEntry,
    CreditHold,
    CreditLot,
    CreditMonth,
    UsageAlerts,
)
from billing.payments.models import Agreement, Payment, PaymentMethod, Purchase, Refund
from billing.referrals.models import Referral, ReferralCode
from billing.subscriptions.models import Pause, Subscription
from emailcheck.common.personal import Table


def _retain_rows(user_id: int) -> None:
    """Nothing leads to the account but the row above it, which is detached."""


def _detach_agreements(user_id: int) -> None:
    Agreement.objects.filter(user_id=user_id).update(user=None)


def _detach_payments(user_id: int) -> None:
    Payment.objects.filter(user_id=user_id).update(user=None, payer_id="", payer_email="")


def _detach_invoices(user_id: int) -> None:
    Invoice.objects.filter(user_id=user_id).update(user=None)


TABLES = (
    Table(Subscription, "user", name="subscription"),
    Table(Pause, "user", name="pauses"),
    Table(CreditAccount, "user", name="credit_account"),
    Table(CreditLot, "user", name="credit_lots"),
    Table(CreditHold, "user", name="credit_holds"),
    Table(CreditMonth, "user", name="credit_months"),
    Table(Clawback, "user", name="credits_taken_back"),
    Table(UsageAlerts, "user", name="usage_alerts"),
    Table(CreditedMailbox, "user_id", name="free_credits", secret=("digest",), erase=free_credits.detach_mailboxes),
    Table(CreditAdjustment, "user", name="credit_adjustments", secret=ACTOR_COLUMNS),
    Table(CreditEntry, "user", name="credit_entries"),
    Table(InvoiceLine, "invoice__user", name="invoice_lines", erase=_retain_rows),
    Table(Refund, "payment__user", name="refunds", secret=ACTOR_COLUMNS, erase=_retain_rows),
    Table(Invoice, "user", name="invoices", secret=ACTOR_COLUMNS, erase=_detach_invoices),
    Table(Payment, "user", name="payments", erase=_detach_payments),
    Table(Agreement, "user", name="payment_agreements", secret=("lease",), erase=_detach_agreements),
    Table(Purchase, "user", name="purchases"),
    Table(PaymentMethod, "user", name="payment_methods"),
    Table(ReferralCode, "user", name="referral_code"),
    Table(Referral, "referrer", name="referrals", secret=("friend_id",)),
    Table(Referral, "friend", name="referred_by", secret=("referrer_id",)),
)
