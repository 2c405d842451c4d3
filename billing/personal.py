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
    CreditTransfer,
    UsageAlerts,
)
from billing.payments.models import Agreement, Payment, PaymentMethod, Purchase, Refund
from billing.referrals.models import Referral, ReferralCode
from billing.subscriptions.models import Pause, Subscription
from emailcheck.common.personal import OrganisationTable


def _retain_rows(organisation_id: int) -> None:
    """Nothing leads to the account but the row above it, which is detached."""


def _detach_agreements(organisation_id: int) -> None:
    Agreement.objects.filter(organisation_id=organisation_id).update(organisation=None)


def _detach_payments(organisation_id: int) -> None:
    Payment.objects.filter(organisation_id=organisation_id).update(organisation=None, payer_id="", payer_email="")


def _detach_invoices(organisation_id: int) -> None:
    Invoice.objects.filter(organisation_id=organisation_id).update(organisation=None)


def _detach_transfers(organisation_id: int) -> None:
    """Clients keep what their agency gave them."""
    CreditTransfer.objects.filter(agency_id=organisation_id).update(agency=None)


TABLES = (
    OrganisationTable(Subscription, "organisation", name="subscription"),
    OrganisationTable(Pause, "organisation", name="pauses"),
    OrganisationTable(CreditAccount, "organisation", name="credit_account"),
    OrganisationTable(CreditLot, "organisation", name="credit_lots"),
    OrganisationTable(CreditHold, "organisation", name="credit_holds"),
    OrganisationTable(CreditMonth, "organisation", name="credit_months"),
    OrganisationTable(Clawback, "organisation", name="credits_taken_back"),
    OrganisationTable(UsageAlerts, "organisation", name="usage_alerts"),
    OrganisationTable(
        CreditedMailbox, "organisation_id", name="free_credits", secret=("digest",), erase=free_credits.detach_mailboxes
    ),
    OrganisationTable(CreditAdjustment, "organisation", name="credit_adjustments", secret=ACTOR_COLUMNS),
    OrganisationTable(CreditEntry, "organisation", name="credit_entries"),
    OrganisationTable(CreditTransfer, "client", name="credits_from_agency", secret=("agency_id",)),
    OrganisationTable(
        CreditTransfer, "agency", name="credits_to_clients", secret=("client_id",), erase=_detach_transfers
    ),
    OrganisationTable(InvoiceLine, "invoice__organisation", name="invoice_lines", erase=_retain_rows),
    OrganisationTable(Refund, "payment__organisation", name="refunds", secret=ACTOR_COLUMNS, erase=_retain_rows),
    OrganisationTable(Invoice, "organisation", name="invoices", secret=ACTOR_COLUMNS, erase=_detach_invoices),
    OrganisationTable(Payment, "organisation", name="payments", erase=_detach_payments),
    OrganisationTable(
        Agreement, "organisation", name="payment_agreements", secret=("lease",), erase=_detach_agreements
    ),
    OrganisationTable(Purchase, "organisation", name="purchases"),
    OrganisationTable(PaymentMethod, "organisation", name="payment_methods"),
    OrganisationTable(ReferralCode, "organisation", name="referral_code"),
    OrganisationTable(Referral, "referrer", name="referrals", secret=("friend_id",)),
    OrganisationTable(Referral, "friend", name="referred_by", secret=("referrer_id",)),
)
