"""The three totals of the staff dashboard."""

from dataclasses import dataclass
from decimal import Decimal

from accounts.models import User
from billing import revenue
from validation import rollups


@dataclass(frozen=True, slots=True)
class Totals:
    """Accounts that are not closed; USD of all time; addresses of all time, those of closed accounts included."""

    users: int
    revenue: Decimal
    validations: int


def totals() -> Totals:
    """As they are now."""
    return Totals(
        users=User.objects.filter(deleted_at=None).count(),
        revenue=revenue.net(),
        validations=rollups.totals_of_all()["processed"],
    )
