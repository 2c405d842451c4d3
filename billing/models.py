"""The tables of money, collected for Django. Import each from the package that it belongs to."""

from billing.invoices.models import Invoice, InvoiceLine, NumberSeries
from billing.ledger.models import (
    BulkGrant,
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
from billing.payments.models import Agreement, Payment, PaymentMethod, ProviderItem, Purchase, Refund
from billing.provider_sync.models import ProviderEvent
from billing.referrals.models import Referral, ReferralCode
from billing.subscriptions.models import Pause, Subscription
