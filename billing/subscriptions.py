"""The life of a plan: the credits of each month, the trial, and the change from plan to plan.

Each verb locks the account first, so that two of them, or a job that runs twice, do one after the other what they
would have done alone. Months are granted once each: by their row in `CreditMonth`, and on Free by the mailbox.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from billing import emails, free_credits, services
from billing.catalogue import OFFERS, TRIAL_CREDITS, TRIAL_DAYS, TRIAL_PLAN
from billing.models import (
    CreditAccount,
    CreditLot,
    CreditMonth,
    Cycle,
    LotKind,
    Plan,
    Status,
    Subscription,
    TrialStatus,
)
from billing.months import Month, share_of
from billing.plans import allowance, standing_of
from emailcheck.common.errors import BadInput, Conflict

log = logging.getLogger(__name__)
TRIAL_USED = "Free trial already used"
ANNOUNCED_BEFORE = timedelta(days=2)
# Who may have credits for another month; a paused plan keeps what it has, an unpaid one gets nothing new.
_RENEWING = frozenset({Status.ACTIVE, Status.TRIAL, Status.CANCELLED})


@transaction.atomic
def open_account(*, user_id: int) -> None:
    """Give an account its (empty) balance and the free plan. Harmless when it has them."""
    CreditAccount.objects.get_or_create(user_id=user_id)
    Subscription.objects.get_or_create(user_id=user_id)


@transaction.atomic
def renew(*, user_id: int) -> bool:
    """Give an account the credits of the current month. False when it has had them, or is not entitled to any."""
    user, found = _locked(user_id)
    month = standing_of(found, signed_up_at=user.created_at, now=timezone.now()).month
    is_free = found.status == Status.TRIAL or found.plan == Plan.FREE
    entitled = user.email_verified if is_free else _is_paid(found, month)
    Subscription.objects.filter(pk=found.pk).update(renews_at=month.ends_at if entitled else None)
    if not entitled or _granted(user_id, month).limit:
        return False
    if is_free and not free_credits.claim_month(user, month):
        return False
    return _grant_month(found, month, allowance(found))


def renew_due() -> None:
    """Renew every account whose time has come; a month that was missed altogether is not made up for."""
    due = Subscription.objects.filter(renews_at__lte=timezone.now())
    _each(due.values_list("user_id", flat=True), "renewed", lambda user_id: renew(user_id=user_id))


@transaction.atomic
def activate(
    *, user_id: int, plan: Plan, cycle: Cycle, paid_until: datetime | None, agreed_limit: int | None = None
) -> bool:
    """Begin a plan, paid up to `paid_until` (None: given, without an end), and grant its first month.

    It ends a trial at once. False when the account has just this plan. Raises `Conflict` when it has another paid one.
    """
    user, found = _locked(user_id)
    now = timezone.now()
    before = standing_of(found, signed_up_at=user.created_at, now=now)
    if before.plan != Plan.FREE and not before.on_trial:
        if (before.plan, found.cycle) == (plan, cycle):
            return False
        raise Conflict("This account already has a plan. Change the plan instead.")
    if found.trial_status == TrialStatus.ACTIVE:
        found.trial_status = TrialStatus.CONVERTED
        _lapse(user_id, LotKind.TRIAL)
    found.plan, found.cycle, found.status, found.agreed_limit = plan, cycle, Status.ACTIVE, agreed_limit
    found.started_at, found.paid_until = _begins_at(now, paid_until), paid_until
    found.last_payment_at = now if paid_until else None
    found.save()
    renew(user_id=user_id)
    return True


@transaction.atomic
def prolong(*, user_id: int, paid_until: datetime) -> None:
    """Note that a plan is paid up to `paid_until`, and grant the month that this was waited for."""
    _, found = _locked(user_id)
    found.last_payment_at, found.paid_until, found.status = timezone.now(), paid_until, Status.ACTIVE
    found.save(update_fields=["last_payment_at", "paid_until", "status"])
    renew(user_id=user_id)


@transaction.atomic
def change_plan(*, user_id: int, plan: Plan, cycle: Cycle, agreed_limit: int | None = None) -> int:
    """Go from one paid plan to another, and answer the credits that come at once.

    A larger plan adds its share of what is left of the credit month, over the most that this month has had, so that
    going to and fro adds nothing. A smaller one changes what comes from the next month on (SUB-050).
    Raises `Conflict` without a paid plan.
    """
    user, found = _locked(user_id)
    now = timezone.now()
    before = standing_of(found, signed_up_at=user.created_at, now=now)
    if before.on_trial or before.plan == Plan.FREE:
        raise Conflict("No active subscription")
    limit = OFFERS[plan].limit or agreed_limit or 0
    granted = _granted(user_id, before.month)
    extra = share_of(limit - granted.limit, before.month, now) if 0 < granted.limit < limit else 0
    if extra:
        services.grant(
            user_id=user_id,
            kind=LotKind.PLAN,
            amount=extra,
            reason=f"Upgrade to {OFFERS[plan].name}",
            key=f"upgrade:{user_id}:{before.month.starts_at:%Y%m%d%H%M%S%f}:{limit}",
            expires_at=before.month.ends_at,
        )
    if granted.limit < limit and granted.limit:
        CreditMonth.objects.filter(pk=granted.pk).update(limit=limit)
    found.plan, found.cycle, found.agreed_limit = plan, cycle, agreed_limit
    found.save(update_fields=["plan", "cycle", "agreed_limit"])
    return extra


@transaction.atomic
def end_plan(*, user_id: int) -> bool:
    """Return to Free now; what is left of the plan's credits lapses, packs stay. False on Free already."""
    _, found = _locked(user_id)
    if found.plan == Plan.FREE or found.status == Status.TRIAL:
        return False
    _lapse(user_id, LotKind.PLAN)
    found.plan, found.status, found.cycle = Plan.FREE, Status.ACTIVE, ""
    found.paid_until = found.agreed_limit = None
    found.save()
    renew(user_id=user_id)
    return True


@transaction.atomic
def start_trial(*, user: User) -> Subscription:
    """Begin the trial of an account. Raises `BadInput` (`TRIAL_USED`) when it is not on Free or has had one."""
    _, found = _locked(user.pk)
    if found.plan != Plan.FREE or found.trial_status or not free_credits.claim_trial(user):
        raise BadInput(TRIAL_USED, code="TRIAL_USED")
    ends = timezone.now() + timedelta(days=TRIAL_DAYS)
    found.plan, found.status = TRIAL_PLAN, Status.TRIAL
    found.trial_status, found.trial_ends_at = TrialStatus.ACTIVE, ends
    found.save()
    services.grant(
        user_id=user.pk,
        kind=LotKind.TRIAL,
        amount=TRIAL_CREDITS,
        reason="Free trial",
        key=f"trial:{user.pk}",
        expires_at=ends,
    )
    return found


def end_trials() -> None:
    """End the trials whose time is over."""
    over = Subscription.objects.filter(status=Status.TRIAL, trial_ends_at__lte=timezone.now())
    _each(over.values_list("user_id", flat=True), "taken off its trial", _end_trial)


@transaction.atomic
def _end_trial(user_id: int) -> None:
    user, found = _locked(user_id)
    if found.status != Status.TRIAL or found.trial_ends_at is None or found.trial_ends_at > timezone.now():
        return
    found.plan, found.status, found.trial_status = Plan.FREE, Status.ACTIVE, TrialStatus.EXPIRED
    found.save(update_fields=["plan", "status", "trial_status"])
    services.write_off(user_id=user_id)
    emails.send_trial_ended(user=user)


def announce_trial_ends() -> None:
    """Write to those whose trial ends within two days, once each."""
    soon = timezone.now() + ANNOUNCED_BEFORE
    due = Subscription.objects.filter(status=Status.TRIAL, trial_end_announced_at=None, trial_ends_at__lte=soon)
    _each(due.values_list("user_id", flat=True), "told of the end of its trial", _announce_trial_end)


@transaction.atomic
def _announce_trial_end(user_id: int) -> None:
    user, found = _locked(user_id)
    now = timezone.now()
    if found.status != Status.TRIAL or found.trial_ends_at is None or found.trial_ends_at <= now:
        return
    mine = Subscription.objects.filter(pk=found.pk, trial_end_announced_at=None)
    if mine.update(trial_end_announced_at=now):
        lots = CreditLot.objects.filter(user_id=user_id, kind=LotKind.TRIAL)
        left = sum(lots.values_list("remaining", flat=True))
        emails.send_trial_ending(user=user, ends_at=found.trial_ends_at, left=left)


def write_off_due() -> None:
    """Write off what is left of lots past their date."""
    due = services.with_due_lots().values_list("user_id", flat=True).distinct()
    _each(due, "rid of expired credits", lambda user_id: services.write_off(user_id=user_id))


def _is_paid(found: Subscription, month: Month) -> bool:
    return found.status in _RENEWING and (found.paid_until is None or month.starts_at < found.paid_until)


def _begins_at(now: datetime, paid_until: datetime | None) -> datetime:
    """Today, at the time of day of the billing date: so no month begins before it has been paid."""
    return now if paid_until is None else datetime.combine(now.astimezone(UTC), paid_until.astimezone(UTC).timetz())


def _granted(user_id: int, month: Month) -> CreditMonth:
    return CreditMonth.objects.get_or_create(
        user_id=user_id, starts_at=month.starts_at, defaults={"ends_at": month.ends_at}
    )[0]


def _grant_month(found: Subscription, month: Month, amount: int) -> bool:
    if not amount:
        return False
    name = OFFERS[Plan.FREE if found.status == Status.TRIAL else Plan(found.plan)].name
    CreditMonth.objects.filter(user_id=found.user_id, starts_at=month.starts_at).update(limit=amount)
    return services.grant(
        user_id=found.user_id,
        kind=LotKind.PLAN,
        amount=amount,
        reason=f"{name}: credits of the month",
        key=f"month:{found.user_id}:{month.starts_at:%Y%m%d%H%M%S%f}",
        expires_at=month.ends_at,
    )


def _lapse(user_id: int, kind: LotKind) -> None:
    now = timezone.now()
    CreditLot.objects.filter(user_id=user_id, kind=kind, expires_at__gt=now).update(expires_at=now)
    services.write_off(user_id=user_id)


def _locked(user_id: int) -> tuple[User, Subscription]:
    services.locked(user_id)
    return User.objects.get(pk=user_id), Subscription.objects.get_or_create(user_id=user_id)[0]


def _each(user_ids: Iterable[int], what: str, do: Callable[[int], object]) -> None:
    """One account after the other, each in a transaction of its own; one that fails does not hold up the rest."""
    for user_id in user_ids:
        try:
            do(user_id)
        except Exception:
            log.exception("account %s could not be %s", user_id, what)
