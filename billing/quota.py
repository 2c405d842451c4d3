"""Notices about credits that run out: at 80 % of the month's plan credits, when nothing is left, below a set balance.

Each of the first two goes out once a credit month, whoever looks first (DASH-024, DOC-056). A request that was refused
with credits left counts as the second, with a mail of its own (PEN-009).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from billing import emails, services
from billing.debits import Level, Notices, level_of, notices_of, set_aside_of_plan
from billing.models import CreditAccount, CreditMonth, Subscription, UsageAlerts
from billing.plans import Standing, standing, standing_of
from billing.services import InsufficientCredits
from billing.signals import quota_reached
from emailcheck.common.prepared import OneRow

WARN_PERCENT = 80
Notice = Literal["warning", "exceeded", "refused"]
_of_account = OneRow(Subscription, "user_id", "user")
_COLUMNS: dict[Notice, str] = {"warning": "warned_at", "exceeded": "exceeded_at", "refused": "refused_at"}


@dataclass(frozen=True, slots=True)
class Usage:
    """Plan credits of this month: how many came, and how many of them are used or set aside for good."""

    granted: int
    used: int

    @property
    def is_high(self) -> bool:
        return self.granted > 0 and self.used * 100 >= self.granted * WARN_PERCENT


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why credits do not suffice: a request was refused that needs `needed`, or none are left (`needed` is 0 then)."""

    cause: Literal["refused", "empty"]
    needed: int
    balance: int


@contextmanager
def noting_refusals(user: User) -> Iterator[None]:
    """Around work that holds credits, outside its transaction: a refusal for lack of them is a notice too."""
    try:
        yield
    except InsufficientCredits as error:
        if not user.in_test_mode:
            _tell_refusal(user, Shortage("refused", error.needed, error.balance))
        raise


def look(*, user_id: int, charged: bool, level: Level | None = None) -> None:
    """Send the notices that are due after credits came or were charged, in the transaction that moved them.

    This happens after every check, and hardly ever is anything due: how full the account is tells most of the time.
    """
    now = level or level_of(user_id)
    if now is None:
        return
    if now.low_balance is not None and (now.balance < now.low_balance) != bool(now.low_told):
        _check_low_balance(user_id, now.balance)
    due = _due(user_id, now) if charged else []
    if due:
        user = User.objects.get(pk=user_id)
        _tell(user, standing(user), due)


def _due(user_id: int, now: Level) -> list[Notice]:
    """The notices that an account this full calls for, and that its month has not had."""
    called_for: list[Notice] = []
    if Usage(granted=now.granted, used=now.granted - now.remaining).is_high:  # if nothing of it is only set aside
        called_for.append("warning")
    if now.balance == 0 and now.held == 0:
        called_for.append("exceeded")
    if not called_for:
        return []
    had = _had(user_id)
    due: list[Notice] = [one for one in called_for if not getattr(had, one)]
    return due if "warning" not in due or _usage(user_id, now).is_high else due[1:]


def _had(user_id: int) -> Notices:
    """The notices that the account has had this month."""
    found = _of_account.read(user_id)
    if found is None:
        return Notices(warning=False, exceeded=False)
    month = standing_of(found, signed_up_at=found.user.created_at, now=timezone.now()).month
    return notices_of(user_id, starts_at=month.starts_at)


def plan_usage(user: User) -> Usage:
    """How far the plan's (and the trial's) credits of now are used; what running lists hold is not used yet."""
    now = level_of(user.pk)
    return _usage(user.pk, now) if now else Usage(granted=0, used=0)


def _usage(user_id: int, now: Level) -> Usage:
    return Usage(granted=now.granted, used=now.granted - now.remaining - set_aside_of_plan(user_id))


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
    month = _month(user, now)
    news = [level for level in levels if _is_first(month, level)]
    usage = plan_usage(user)
    if "warning" in news:
        _announce(user, month, usage, level="warning")
    if "exceeded" in news and month.refused_at is None:
        _announce(user, month, usage, level="exceeded", shortage=Shortage("empty", needed=0, balance=0))
    wanted = alerts_of(user)
    if news[-1:] == ["warning"] and wanted.warn_80:
        emails.send_quota_80(user=user, used=usage.used, left=usage.granted - usage.used, next_at=month.ends_at)
    if news[-1:] == ["exceeded"] and wanted.warn_100:
        emails.send_quota_reached(user=user, next_at=month.ends_at)


@transaction.atomic
def _tell_refusal(user: User, shortage: Shortage) -> None:
    """Announce the first shortage of the month, and mail the first one of its kind.

    Credits may have come since the refusal: whether all are used is what the account says now.
    """
    account = services.locked(user.pk)
    month = _month(user, standing(user))
    is_news = month.exceeded_at is None and month.refused_at is None
    is_empty = account.balance == 0 and account.held == 0
    if not _is_first(month, "exceeded" if is_empty else "refused"):
        return
    if is_news:
        _announce(user, month, plan_usage(user), level="exceeded", shortage=shortage)
    if not alerts_of(user).warn_100:
        return
    if is_empty:
        emails.send_quota_reached(user=user, next_at=month.ends_at)
    else:
        needed, balance = shortage.needed, shortage.balance
        emails.send_too_few_credits(user=user, needed=needed, balance=balance, held=account.held, next_at=month.ends_at)


def _month(user: User, now: Standing) -> CreditMonth:
    return CreditMonth.objects.get_or_create(
        user=user, starts_at=now.month.starts_at, defaults={"ends_at": now.month.ends_at}
    )[0]


def _announce(
    user: User,
    month: CreditMonth,
    usage: Usage,
    *,
    level: Literal["warning", "exceeded"],
    shortage: Shortage | None = None,
) -> None:
    quota_reached.send(
        sender=User,
        user=user,
        level=level,
        used=usage.used,
        limit=usage.granted,
        resets_at=month.ends_at,
        shortage=shortage,
    )


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
