"""The full checks of a new account: a separate lot, once for each mailbox, until the first credit month ends.

A job that these credits cover altogether runs every check and is paid by them alone. All that Free pays for otherwise
are basic checks.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.ledger.models import CreditHold, CreditLot, LotKind
from billing.subscriptions import entitlements


class Checks(StrEnum):
    """Which checks are made: all that there are, or those of Free."""

    FULL = "full"
    BASIC = "basic"


@dataclass(frozen=True, slots=True)
class WelcomeCredits:
    """How many full checks a new account has left, and when they end; `ends_at` is None where it never had any."""

    left: int
    ends_at: datetime | None


def load_welcome(organisation: Organisation) -> WelcomeCredits:
    """What is left of an account's welcome; nothing in test mode, where nothing is spent."""
    lot = (
        None
        if organisation.in_test_mode
        else CreditLot.objects.filter(organisation=organisation, kind=LotKind.WELCOME).last()
    )
    if lot is None:
        return WelcomeCredits(0, None)
    is_over = lot.expires_at is not None and lot.expires_at <= timezone.now()
    return WelcomeCredits(0 if is_over else lot.remaining, lot.expires_at)


def choose_checks(organisation: Organisation, *, cost: int = 1) -> Checks:
    """Which checks a job of so many credits would run now; without `cost` the next single check."""
    is_full = entitlements.has_full_checks(organisation) or load_welcome(organisation).left >= max(1, cost)
    return Checks.FULL if is_full else Checks.BASIC


def is_welcome_hold(hold: CreditHold) -> bool:
    """Whether a hold was taken from welcome credits alone."""
    kinds = set(hold.entries.order_by().values_list("lot__kind", flat=True).distinct())
    return kinds == {LotKind.WELCOME}
