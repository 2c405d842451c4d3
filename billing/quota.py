"""Notices about credits that run out: at 80 % of the month's plan credits, when nothing is left, below a set balance.

Each of the first two goes out once a credit month, whoever looks first (DASH-024, DOC-056).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from accounts.models import User
from billing import emails, services
from billing.debits import Level, level_of
from billing.models import CreditAccount, CreditEntry, CreditLot, CreditMonth, HoldState, LotKind, UsageAlerts
from billing.plans import Standing, standing
from billing.services import InsufficientCredits
from billing.signals import quota_reached

WARN_PERCENT = 80
Notice = Literal["warning", "exceeded"]
_COLUMNS: dict[Notice, str] = {"warning": "warned_at", "exceeded": "exceeded_at"}


@dataclass(frozen=True, slots=True)
class Usage:
    """Plan credits of this month: how many came, and how many of them are used or set aside for good."""

    granted: int
    used: int

    @property
    def is_high(self) -> bool:
        return self.granted > 0 and self.used * 100 >= self.granted * WARN_PERCENT


@contextmanager
def noting_refusals(user: User) -> Iterator[None]:
    """Around work that holds credits, outside its transaction: a refusal for lack of them is a notice too."""
    try:
        yield
    except InsufficientCredits:
        if not user.in_test_mode:
            with transaction.atomic():
                _tell(user, standing(user), ["exceeded"])
        raise


def look(*, user_id: int, charged: bool, level: Level | None = None) -> None:
    """Send the notices that are due after credits came or were charged.

    This happens after every check, and hardly ever is anything due: how full the account is tells most of the time.
    """
    now = level or level_of(user_id)
    if now is None or now.low_balance is not None or (charged and _may_be_due(now)):
        _look_closely(user_id, charged=charged)


def _may_be_due(now: Level) -> bool:
    """Whether as much is used as calls for a notice, if nothing of it is only set aside."""
    may_be_used = now.granted - now.remaining
    is_empty = now.balance == 0 and now.held == 0
    return is_empty or Usage(granted=now.granted, used=may_be_used).is_high


@transaction.atomic
def _look_closely(user_id: int, *, charged: bool) -> None:
    account = CreditAccount.objects.get(user_id=user_id)
    _check_low_balance(user_id, account.balance)
    if charged:
        _check_usage(account)


def _check_usage(account: CreditAccount) -> None:
    user = User.objects.get(pk=account.user_id)
    levels: list[Notice] = []
    if plan_usage(user).is_high:
        levels.append("warning")
    if account.balance == 0 and account.held == 0:
        levels.append("exceeded")
    if levels:
        _tell(user, standing(user), levels)


def plan_usage(user: User) -> Usage:
    """How far the plan's (and the trial's) credits of now are used; what running lists hold is not used yet."""
    now = timezone.now()
    lots = CreditLot.objects.filter(user=user, kind__in=(LotKind.PLAN, LotKind.TRIAL), expires_at__gt=now)
    totals = lots.aggregate(granted=Sum("granted"), remaining=Sum("remaining"))
    granted, remaining = totals["granted"] or 0, totals["remaining"] or 0
    open_holds = CreditEntry.objects.filter(lot__in=lots, hold__state=HoldState.OPEN)
    held = -(open_holds.aggregate(total=Sum("amount"))["total"] or 0)
    return Usage(granted=granted, used=granted - remaining - held)


def alerts_of(user: User) -> UsageAlerts:
    """Which alerts an account wants; those of a new one are on."""
    return UsageAlerts.objects.filter(user=user).first() or UsageAlerts(user=user)


@transaction.atomic
def set_alerts(*, user: User, **changes: bool | int | None) -> UsageAlerts:
    """Change which alerts an account wants; a new limit counts from now on."""
    services.locked(user.pk)
    alerts = alerts_of(user)
    for name, value in changes.items():
        setattr(alerts, name, value)
    if "low_balance" in changes:
        alerts.low_sent_at = None
    alerts.save()
    _check_low_balance(user.pk, CreditAccount.objects.get(user=user).balance)
    return alerts


def _tell(user: User, now: Standing, levels: list[Notice]) -> None:
    """Send each notice that this month has not had; of several at once the mail of the last."""
    month, _ = CreditMonth.objects.get_or_create(
        user=user, starts_at=now.month.starts_at, defaults={"ends_at": now.month.ends_at}
    )
    news = [level for level in levels if _is_first(month, level)]
    usage = plan_usage(user)
    for level in news:
        quota_reached.send(
            sender=User, user=user, level=level, used=usage.used, limit=usage.granted, resets_at=month.ends_at
        )
    wanted = alerts_of(user)
    if news[-1:] == ["warning"] and wanted.warn_80:
        emails.send_quota_80(user=user, used=usage.used, left=usage.granted - usage.used, next_at=month.ends_at)
    if news[-1:] == ["exceeded"] and wanted.warn_100:
        emails.send_quota_reached(user=user, next_at=month.ends_at)


def _is_first(month: CreditMonth, level: Notice) -> bool:
    column = _COLUMNS[level]
    return CreditMonth.objects.filter(pk=month.pk, **{column: None}).update(**{column: timezone.now()}) == 1


def _check_low_balance(user_id: int, balance: int) -> None:
    """A mail when the balance falls below the limit that was set, and again only after it was above."""
    alerts = UsageAlerts.objects.filter(user_id=user_id).exclude(low_balance=None).first()
    if alerts is None or alerts.low_balance is None:
        return
    mine = UsageAlerts.objects.filter(pk=alerts.pk)
    if balance >= alerts.low_balance:
        mine.exclude(low_sent_at=None).update(low_sent_at=None)
    elif mine.filter(low_sent_at=None).update(low_sent_at=timezone.now()):
        user = User.objects.get(pk=user_id)
        emails.send_low_balance(user=user, balance=balance, limit=alerts.low_balance)
