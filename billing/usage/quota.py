"""What customers are told of the credits that they have left: by every call that may spend, and by notices.

Notices are sent at 80 % of the month's plan credits, when nothing is left, and below a set balance. Each of the first
two goes out once a credit month (DASH-024, DOC-056). A request that was refused with credits left counts as the second,
with its own mail (PEN-009).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from django.db import transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from billing.ledger import debits
from billing.ledger import services as ledger
from billing.ledger.debits import (
    CreditLevel,
    SentNotices,
    count_held_plan_credits,
    load_credit_level,
    load_sent_notices,
)
from billing.ledger.models import CreditAccount, CreditMonth, UsageAlerts
from billing.ledger.services import InsufficientCredits
from billing.signals import credits_low, quota_reached
from billing.subscriptions.entitlements import TEST_CREDITS, CurrentPlan, build_current_plan, load_current_plan
from billing.subscriptions.models import Subscription
from billing.usage.emails import send_low_balance, send_quota_80, send_quota_reached, send_too_few_credits
from emailcheck.common.storage.prepared_reads import OneRow

WARN_PERCENT = 80
Notice = Literal["warning", "exceeded", "refused"]
_of_account = OneRow(Subscription, "organisation_id", "organisation")
_COLUMNS: dict[Notice, str] = {"warning": "warned_at", "exceeded": "exceeded_at", "refused": "refused_at"}


@dataclass(frozen=True, slots=True)
class PlanUsage:
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
def notify_refusals(organisation: Organisation) -> Iterator[None]:
    """Around work that holds credits, outside its transaction: a refusal for lack of them is a notice too."""
    try:
        yield
    except InsufficientCredits as error:
        if not organisation.in_test_mode:
            _send_refusal_notice(organisation, Shortage("refused", error.needed, error.balance))
        raise


def send_due_notices(*, organisation_id: int, charged: bool, level: CreditLevel | None = None, **_: Any) -> None:
    """Send the notices that are due after credits came or were charged, in the transaction that moved them, or at its
    end.

    It receives `credits_moved`, so it runs after every check, and hardly ever is anything due: the level of the account
    usually shows that.
    """
    now = level or load_credit_level(organisation_id)
    if now is None:
        return
    if now.low_balance is not None and (now.balance < now.low_balance) != bool(now.low_told):
        _check_low_balance(organisation_id, now.balance)
    called_for = _list_called_for(now) if charged else []
    if called_for == ["warning"]:  # as after each check late in a month: other checks of the account do not wait for it
        transaction.on_commit(lambda: _send_due(organisation_id, now, called_for), robust=True)
    elif called_for:
        _send_due(organisation_id, now, called_for)


def _list_called_for(now: CreditLevel) -> list[Notice]:
    """The notices that an account this full calls for."""
    called_for: list[Notice] = []
    if PlanUsage(granted=now.granted, used=now.granted - now.remaining).is_high:  # if nothing of it is only set aside
        called_for.append("warning")
    if now.balance == 0 and now.held == 0:
        called_for.append("exceeded")
    return called_for


def _send_due(organisation_id: int, now: CreditLevel, called_for: list[Notice]) -> None:
    """Send those that its month has not had."""
    had = _load_sent_notices(organisation_id)
    due: list[Notice] = [one for one in called_for if not getattr(had, one)]
    if "warning" in due and not _compute_usage(organisation_id, now).is_high:
        due = due[1:]
    if due:
        organisation = Organisation.objects.get(pk=organisation_id)
        _send_notices(organisation, load_current_plan(organisation), due)


def _load_sent_notices(organisation_id: int) -> SentNotices:
    """The notices that the account has had this month."""
    found = _of_account.read(organisation_id)
    if found is None:
        return SentNotices(warning=False, exceeded=False)
    month = build_current_plan(found, signed_up_at=found.organisation.created_at, now=timezone.now()).month
    return load_sent_notices(organisation_id, starts_at=month.starts_at)


def compute_plan_usage(organisation: Organisation) -> PlanUsage:
    """How far the plan's (and the trial's) credits of now are used; what running lists hold is not used yet."""
    now = load_credit_level(organisation.pk)
    return _compute_usage(organisation.pk, now) if now else PlanUsage(granted=0, used=0)


def _compute_usage(organisation_id: int, now: CreditLevel) -> PlanUsage:
    return PlanUsage(granted=now.granted, used=now.granted - now.remaining - count_held_plan_credits(organisation_id))


def load_alerts(organisation: Organisation) -> UsageAlerts:
    """Which alerts an account wants; those of a new one are on."""
    return UsageAlerts.objects.filter(organisation=organisation).first() or UsageAlerts(organisation=organisation)


@transaction.atomic
def update_alerts(*, organisation: Organisation, **changes: bool | int | None) -> UsageAlerts:
    """Change which alerts an account wants; a new limit counts from now on."""
    ledger.lock_account(organisation.pk)
    alerts = load_alerts(organisation)
    told = audit_log.compare_values({name: getattr(alerts, name) for name in changes}, changes)
    for name, value in changes.items():
        setattr(alerts, name, value)
    if "low_balance" in told:
        alerts.low_sent_at = None
    alerts.save()
    if told:
        audit_log.record_activity(
            organisation=organisation, kind=ActivityKind.SETTINGS, action="Usage alerts changed", changes=told
        )
    _check_low_balance(organisation.pk, CreditAccount.objects.get(organisation=organisation).balance)
    return alerts


@transaction.atomic
def _send_notices(organisation: Organisation, now: CurrentPlan, levels: list[Notice]) -> None:
    """Send each notice that this month has not had; of several at once the mail of the last."""
    month = _load_month(organisation, now)
    new = [level for level in levels if _claim_notice(month, level)]
    usage = compute_plan_usage(organisation)
    if "warning" in new:
        _announce_quota(organisation, month, usage, level="warning")
    if "exceeded" in new and month.refused_at is None:
        _announce_quota(organisation, month, usage, level="exceeded", shortage=Shortage("empty", needed=0, balance=0))
    alerts = load_alerts(organisation)
    if new[-1:] == ["warning"] and alerts.warn_80:
        send_quota_80(
            organisation=organisation, used=usage.used, left=usage.granted - usage.used, next_at=month.ends_at
        )
    if new[-1:] == ["exceeded"] and alerts.warn_100:
        send_quota_reached(organisation=organisation, next_at=month.ends_at)


@transaction.atomic
def _send_refusal_notice(organisation: Organisation, shortage: Shortage) -> None:
    """Announce the first shortage of the month, and mail the first one of its kind.

    Credits may have been added since the refusal: the account is read again.
    """
    account = ledger.lock_account(organisation.pk)
    month = _load_month(organisation, load_current_plan(organisation))
    is_news = month.exceeded_at is None and month.refused_at is None
    is_empty = account.balance == 0 and account.held == 0
    if not _claim_notice(month, "exceeded" if is_empty else "refused"):
        return
    if is_news:
        _announce_quota(organisation, month, compute_plan_usage(organisation), level="exceeded", shortage=shortage)
    if not load_alerts(organisation).warn_100:
        return
    if is_empty:
        send_quota_reached(organisation=organisation, next_at=month.ends_at)
    else:
        needed, balance = shortage.needed, shortage.balance
        send_too_few_credits(
            organisation=organisation, needed=needed, balance=balance, held=account.held, next_at=month.ends_at
        )


def _load_month(organisation: Organisation, now: CurrentPlan) -> CreditMonth:
    return CreditMonth.objects.get_or_create(
        organisation=organisation, starts_at=now.month.starts_at, defaults={"ends_at": now.month.ends_at}
    )[0]


def _announce_quota(
    organisation: Organisation,
    month: CreditMonth,
    usage: PlanUsage,
    *,
    level: Literal["warning", "exceeded"],
    shortage: Shortage | None = None,
) -> None:
    quota_reached.send(
        sender=Organisation,
        organisation=organisation,
        level=level,
        used=usage.used,
        limit=usage.granted,
        resets_at=month.ends_at,
        shortage=shortage,
    )


def _claim_notice(month: CreditMonth, level: Notice) -> bool:
    column = _COLUMNS[level]
    return CreditMonth.objects.filter(pk=month.pk, **{column: None}).update(**{column: timezone.now()}) == 1


def _check_low_balance(organisation_id: int, balance: int) -> None:
    """A mail and a signal when the balance falls below the limit that was set, and again only after it was above."""
    alerts = UsageAlerts.objects.filter(organisation_id=organisation_id).exclude(low_balance=None).first()
    if alerts is None or alerts.low_balance is None:
        return
    mine, now = UsageAlerts.objects.filter(pk=alerts.pk), timezone.now()
    if balance >= alerts.low_balance:
        mine.exclude(low_sent_at=None).update(low_sent_at=None)
    elif mine.filter(low_sent_at=None).update(low_sent_at=now):
        organisation, limit = Organisation.objects.get(pk=organisation_id), alerts.low_balance
        send_low_balance(organisation=organisation, balance=balance, limit=limit)
        credits_low.send(sender=Organisation, organisation=organisation, balance=balance, low_balance=limit, at=now)


class SpendingView(APIView):
    """A call that may spend: its answers, refusals too, say in `X-Credits-Remaining` what is left (DOC-036)."""

    spender: Organisation | None = None

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        self.spender = calling_organisation(request) if request.auth is not None else None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if self.spender:
            answer["X-Credits-Remaining"] = str(_count_remaining(self.spender))
        return answer


def _count_remaining(organisation: Organisation) -> int:
    return TEST_CREDITS if organisation.in_test_mode else debits.count_spendable_credits(organisation.pk)
