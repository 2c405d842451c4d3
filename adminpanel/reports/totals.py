"""The three totals of the staff dashboard."""

from dataclasses import dataclass
from decimal import Decimal

from accounts.users.models import User
from billing.reports import revenue
from validation.daily import rollups


@dataclass(frozen=True, slots=True)
class Totals:
    """Accounts that are not closed; USD of all time; addresses of all time, those of closed accounts included."""

    users: int
    revenue: Decimal
    validations: int


def load_totals() -> Totals:
    """As they are now."""
    return Totals(
        users=User.objects.filter(deleted_at=None).count(),
        revenue=revenue.compute_net_revenue(),
        validations=rollups.sum_all_days()["processed"],
    )
