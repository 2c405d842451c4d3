"""The life of a plan: the credits of each month, the trial, and the change from plan to plan.

Each verb locks the account first, so that two of them, or a job that runs twice, do one after the other what they
would have done alone. Months are granted once each: by their row in `CreditMonth`, and on Free by the mailbox.
"""

from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.ledger import free_credits
from billing.ledger import services as ledger
from billing.ledger.balances import list_due_lots
from billing.ledger.credit_months import Month, add_months, month_at, prorate_amount
from billing.ledger.models import CreditAccount, CreditLot, CreditMonth, LotKind
from billing.payments import agreement_sync
from billing.payments.models import Agreement, AgreementState
from billing.subscriptions.entitlements import build_current_plan, count_allowance
from billing.subscriptions.models import Pause, Status, Subscription, TrialStatus
from emailcheck.common.errors import BadInput, Conflict
from emailcheck.common.queue import sweeps

HAS_PLAN = "This account already has a plan. Change the plan instead."
NO_PLAN = "No active subscription found. Please subscribe to a plan first."
# Who may have credits for another month; an unpaid plan gets nothing new. Those of a paused one are frozen at once.
_RENEWING = frozenset({Status.ACTIVE, Status.TRIAL, Status.CANCELLED, Status.PAUSED})
# The provider charges on the first day of a month, at an hour that it chooses.
_SAME_DAY = timedelta(days=1)


@transaction.atomic
def open_account(*, organisation_id: int) -> None:
    """Give an account its (empty) balance and the free plan. Harmless when it has them."""
    CreditAccount.objects.bulk_create([CreditAccount(organisation_id=organisation_id)], ignore_conflicts=True)
    Subscription.objects.bulk_create([Subscription(organisation_id=organisation_id)], ignore_conflicts=True)


@transaction.atomic
def renew_credits(*, organisation_id: int) -> bool:
    """Give an account the credits of the current month. False when it has had them, or is not entitled to any."""
    organisation, found = lock_subscription(organisation_id)
    month = build_current_plan(found, signed_up_at=organisation.created_at, now=timezone.now()).month
    is_free = found.status == Status.TRIAL or found.plan == Plan.FREE
    entitled = organisation.contact.email_verified if is_free else _is_month_paid(found, month)
    Subscription.objects.filter(pk=found.pk).update(renews_at=month.ends_at if entitled else None)
    if not entitled or _load_credit_month(organisation_id, month).limit:
        return False
    kind = free_credits.claim_monthly_credits(organisation, month) if is_free else LotKind.PLAN
    if kind is None:
        return False
    granted = _grant_month(found, month, kind)
    if found.status == Status.PAUSED:
        ledger.freeze_credits(organisation_id=organisation_id)
    return granted


def renew_due_accounts() -> None:
    """Renew every account whose time has come; a month that was missed altogether is not made up for."""
    due = Subscription.objects.filter(renews_at__lte=timezone.now())
    sweeps.sweep_each(
        due.values_list("organisation_id", flat=True),
        "account %s could not be renewed",
        lambda organisation_id: renew_credits(organisation_id=organisation_id),
    )


@transaction.atomic
def activate_plan(
    *,
    organisation_id: int,
    plan: Plan,
    cycle: Cycle,
    paid_until: datetime | None,
    custom_monthly_credits: int | None = None,
    agreement: Agreement | None = None,
    instead: bool = False,
) -> bool:
    """Begin a plan, paid up to `paid_until` (None: given, without an end) by `agreement`, and grant its first month.

    It ends a trial, and a plan that was given, at once; with `instead` a paid one too, whose agreements end, and whose
    credits stay as long as they hold. False when the account has just this plan. Raises `Conflict` when it has another
    paid one.
    """
    organisation, found = lock_subscription(organisation_id)
    now = timezone.now()
    before = build_current_plan(found, signed_up_at=organisation.created_at, now=now)
    is_replaceable = instead or before.on_trial or (before.is_given and paid_until is not None)
    if before.plan != Plan.FREE and not is_replaceable:
        if (before.plan, found.cycle) == (plan, cycle):
            return False
        raise Conflict(HAS_PLAN)
    if found.trial_status == TrialStatus.ACTIVE:
        found.trial_status = TrialStatus.CONVERTED
        lapse_credits(organisation_id, LotKind.TRIAL)
    if instead:
        ledger.thaw_credits(organisation_id=organisation_id)
        _end_agreements(found, but=agreement)
    _clear_lifecycle(found)
    found.plan, found.cycle, found.status = plan, cycle, Status.ACTIVE
    found.custom_monthly_credits = custom_monthly_credits
    found.started_at, found.agreement = _choose_first_day(organisation_id, now, paid_until), agreement
    found.paid_until = found.period_ends_at = paid_until
    found.period_starts_at = now if paid_until else None
    found.save()
    renew_credits(organisation_id=organisation_id)
    return True


@transaction.atomic
def extend_plan(*, organisation_id: int, paid_until: datetime) -> None:
    """Note that a plan is paid up to `paid_until`, and grant the month that this was waited for.

    An unpaid plan is active again; a cancelled one ends later, a paused one stays paused.
    """
    _, found = lock_subscription(organisation_id)
    found.period_starts_at = _compute_period_start(found, paid_until)
    found.paid_until = found.period_ends_at = paid_until
    if found.status == Status.PAST_DUE:
        found.status = Status.ACTIVE
    if found.status == Status.CANCELLED:
        found.cancel_at = paid_until
    found.past_due_at = None
    found.save()
    renew_credits(organisation_id=organisation_id)


@transaction.atomic
def change_plan(*, organisation_id: int, plan: Plan, cycle: Cycle, custom_monthly_credits: int | None = None) -> int:
    """Go from one paid plan to another, and answer the credits that come at once.

    A larger plan adds its share of what is left of the credit month, over the most that this month has had, so that
    going to and fro adds nothing. A smaller one changes what comes from the next month on (SUB-050).
    Raises `Conflict` without a paid plan.
    """
    organisation, found = lock_subscription(organisation_id)
    now = timezone.now()
    before = build_current_plan(found, signed_up_at=organisation.created_at, now=now)
    if before.on_trial or before.plan == Plan.FREE:
        raise Conflict("No active subscription")
    limit = OFFERS[plan].limit or custom_monthly_credits or 0
    granted = _load_credit_month(organisation_id, before.month)
    extra = compute_upgrade_credits(granted.limit, limit, before.month, now)
    if extra:
        ledger.grant_credits(
            organisation_id=organisation_id,
            kind=LotKind.PLAN,
            amount=extra,
            reason=f"Upgrade to {OFFERS[plan].name}",
            key=f"upgrade:{organisation_id}:{before.month.starts_at:%Y%m%d%H%M%S%f}:{limit}",
            expires_at=before.month.ends_at,
        )
    if granted.limit < limit and granted.limit:
        CreditMonth.objects.filter(pk=granted.pk).update(limit=limit)
    found.plan, found.cycle, found.custom_monthly_credits = plan, cycle, custom_monthly_credits
    found.save(update_fields=["plan", "cycle", "custom_monthly_credits"])
    return extra


def compute_upgrade_credits(had: int, limit: int, month: Month, now: datetime) -> int:
    """What a plan of `limit` credits a month adds to a month that has had `had` of them (SUB-050)."""
    return prorate_amount(limit - had, month, now) if 0 < had < limit else 0


@transaction.atomic
def end_plan(*, organisation_id: int) -> bool:
    """Return to Free now: the plan's credits lapse, packs stay, agreements end.

    False on Free already.
    """
    agreement_sync.lock_agreements(organisation_id)
    _, found = lock_subscription(organisation_id)
    if found.plan == Plan.FREE or found.status == Status.TRIAL:
        return False
    ledger.thaw_credits(organisation_id=organisation_id)
    lapse_credits(organisation_id, LotKind.PLAN)
    _end_agreements(found)
    _clear_lifecycle(found)
    found.plan, found.status, found.cycle = Plan.FREE, Status.ACTIVE, ""
    found.paid_until = found.custom_monthly_credits = found.agreement = None
    found.period_starts_at = found.period_ends_at = None
    found.save()
    renew_credits(organisation_id=organisation_id)
    return True


def write_off_due_credits() -> None:
    """Write off what is left of lots past their date."""
    due = list_due_lots().values_list("organisation_id", flat=True).distinct()
    sweeps.sweep_each(
        due,
        "account %s could not be rid of expired credits",
        lambda organisation_id: ledger.write_off_expired(organisation_id=organisation_id),
    )


def _is_month_paid(found: Subscription, month: Month) -> bool:
    return found.status in _RENEWING and (found.paid_until is None or month.starts_at < found.paid_until - _SAME_DAY)


def _choose_first_day(organisation_id: int, now: datetime, paid_until: datetime | None) -> datetime:
    """The start of the credit months: today, at the hour at which the provider charges.

    A plan that began and ended today has had its month; the new one gets its own.
    """
    first = datetime.combine(now.astimezone(UTC), paid_until.astimezone(UTC).timetz()) if paid_until else now
    while CreditMonth.objects.filter(organisation_id=organisation_id, starts_at=first).exists():
        first += timedelta(seconds=1)
    return first


def _compute_period_start(found: Subscription, paid_until: datetime) -> datetime:
    """When the period that ends at `paid_until` began: where the one before ended, unless charges were skipped."""
    months = Cycle(found.cycle or Cycle.MONTHLY).months
    earliest = add_months(paid_until, -months) - timedelta(days=4)  # a 28th of February for a 31st
    if found.paid_until and earliest < found.paid_until < paid_until:
        return found.paid_until
    return month_at(found.started_at, paid_until - _SAME_DAY).starts_at if months == 1 else earliest


def _end_agreements(found: Subscription, *, but: Agreement | None = None) -> None:
    """End all agreements except `but`."""
    for agreement_id in filter(None, (found.agreement_id, found.scheduled_agreement_id)):
        if but is None or agreement_id != but.pk:
            agreement_sync.request_agreement_change(agreement_id, desired_state=AgreementState.CANCELLED)


def _clear_lifecycle(found: Subscription) -> None:
    """Clear what is scheduled, paused, cancelled or unpaid."""
    Pause.objects.filter(organisation_id=found.organisation_id, ends_at=None).update(ends_at=timezone.now())
    found.scheduled_plan = found.scheduled_cycle = ""
    found.scheduled_agreement = None
    found.cancel_at = found.paused_at = found.pause_ends_at = found.past_due_at = None


def _load_credit_month(organisation_id: int, month: Month) -> CreditMonth:
    return CreditMonth.objects.get_or_create(
        organisation_id=organisation_id, starts_at=month.starts_at, defaults={"ends_at": month.ends_at}
    )[0]


def _grant_month(found: Subscription, month: Month, kind: LotKind) -> bool:
    amount = count_allowance(found)
    if not amount:
        return False
    plan = Plan.FREE if found.status == Status.TRIAL else Plan(found.plan)
    what = "full checks of the first month" if kind == LotKind.WELCOME else "credits of the month"
    CreditMonth.objects.filter(organisation_id=found.organisation_id, starts_at=month.starts_at).update(limit=amount)
    return ledger.grant_credits(
        organisation_id=found.organisation_id,
        kind=kind,
        amount=amount,
        reason=f"{plan.label}: {what}",
        key=f"month:{found.organisation_id}:{month.starts_at:%Y%m%d%H%M%S%f}",
        expires_at=month.ends_at,
    )


def lapse_credits(organisation_id: int, kind: LotKind) -> None:
    """Let the credits of one kind expire now."""
    now = timezone.now()
    CreditLot.objects.filter(organisation_id=organisation_id, kind=kind, expires_at__gt=now).update(expires_at=now)
    ledger.write_off_expired(organisation_id=organisation_id)


def build_no_plan_error() -> BadInput:
    """The refusal of what needs a paid plan."""
    return BadInput(NO_PLAN, code="NO_SUBSCRIPTION")


def lock_subscription(organisation_id: int) -> tuple[Organisation, Subscription]:
    """The organisation and the plan, with the account locked until the caller's transaction ends."""
    ledger.lock_account(organisation_id)
    return Organisation.objects.get(pk=organisation_id), Subscription.objects.get_or_create(
        organisation_id=organisation_id
    )[0]
