"""What the money tables hold about people."""

from billing import free_credits
from billing.models import (
    Clawback,
    CreditAccount,
    CreditedMailbox,
    CreditEntry,
    CreditHold,
    CreditLot,
    CreditMonth,
    Subscription,
    UsageAlerts,
)
from emailcheck.common.personal import Table

TABLES = (
    Table(Subscription, "user", name="subscription"),
    Table(CreditAccount, "user", name="credit_account"),
    Table(CreditLot, "user", name="credit_lots"),
    Table(CreditHold, "user", name="credit_holds"),
    Table(CreditMonth, "user", name="credit_months"),
    Table(Clawback, "user", name="credits_taken_back"),
    Table(UsageAlerts, "user", name="usage_alerts"),
    Table(CreditedMailbox, "user_id", name="free_credits", secret=("digest",), erase=free_credits.detach),
    Table(CreditEntry, "user", name="credit_entries"),
)
