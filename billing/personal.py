"""What the money tables hold about people."""

from billing.models import CreditAccount, CreditEntry, CreditHold, CreditLot, Subscription
from emailcheck.common.personal import Table

TABLES = (
    Table(Subscription, "user", name="subscription"),
    Table(CreditAccount, "user", name="credit_account"),
    Table(CreditLot, "user", name="credit_lots"),
    Table(CreditHold, "user", name="credit_holds"),
    Table(CreditEntry, "user", name="credit_entries"),
)
