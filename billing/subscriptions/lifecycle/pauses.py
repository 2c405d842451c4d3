"""Pausing and resuming (SUB-070): two months in twelve, the plan's credits frozen, nothing charged meanwhile.

PayPal cannot move a billing date: charges that fall due while a plan is paused are skipped. What was paid for is not
lost: frozen credits last longer by the time of the pause, and the months of a paid year keep coming, frozen too.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.credit_months import add_months
from billing.ledger.money_audit import load_figures, record_change
from billing.payments import agreement_sync
from billing.payments.models import AgreementState
from billing.subscriptions import emails
from billing.subscriptions import services as subscriptions
from billing.subscriptions.entitlements import build_account_summary
from billing.subscriptions.models import Pause, Status, Subscription
from billing.subscriptions.periods import compute_billing_after, find_next_billing
from emailcheck.common.errors import BadInput
from emailcheck.common.queue import sweeps
from emailcheck.common.text.dates import format_day

ALLOWED_MONTHS = 2
WITHIN_MONTHS = 12
CANNOT = "Subscription cannot be paused at this time"
NOT_PAUSED = "Your subscription is not paused"
_BEFORE_A_YEAR = timedelta(days=1)  # a skipped yearly charge would be a year without credits


def compute_pause_end(found: Subscription, now: datetime) -> datetime:
    """When a pause that began now would end by itself; not after `now` when there is nothing left of the allowance.

    The two months are as long as those that begin with the first pause of the twelve.
    """
    since = add_months(now, -WITHIN_MONTHS)
    earlier = Pause.objects.filter(Q(ends_at=None) | Q(ends_at__gt=since), organisation_id=found.organisation_id)
    spans = [(max(pause.starts_at, since), pause.ends_at or now) for pause in earlier]
    first = min((start for start, _ in spans), default=now)
    allowed = add_months(first, ALLOWED_MONTHS) - first
    until = now + allowed - sum((end - start for start, end in spans), timedelta())
    due = find_next_billing(found)
    return min(until, due - _BEFORE_A_YEAR) if due and found.cycle == Cycle.YEARLY else until


def find_possible_pause_end(found: Subscription, now: datetime) -> datetime | None:
    """When a pause that began now would end by itself; None when none may begin: only an active paid plan that has
    anything left of its allowance rests."""
    if found.status != Status.ACTIVE or found.plan == Plan.FREE or found.scheduled_agreement_id:
        return None
    until = compute_pause_end(found, now)
    return until if until > now else None


@transaction.atomic
def pause_plan(*, organisation: Organisation) -> str:
    """Pause the plan. Returns the message for its owner. Raises `BadInput` (`CANNOT_PAUSE`)."""
    agreement_sync.lock_agreements(organisation.pk)
    _, found = subscriptions.lock_subscription(organisation.pk)
    now = timezone.now()
    until = find_possible_pause_end(found, now)
    if until is None:
        raise BadInput(CANNOT, code="CANNOT_PAUSE")
    before = load_figures(organisation)
    found.pause_ends_at = until
    found.paused_at, found.status = now, Status.PAUSED
    found.save(update_fields=["pause_ends_at", "paused_at", "status"])
    begun = Pause.objects.create(organisation_id=organisation.pk, starts_at=now)
    frozen = ledger.freeze_credits(organisation_id=organisation.pk)
    if found.agreement_id:
        agreement_sync.request_agreement_change(found.agreement_id, desired_state=AgreementState.SUSPENDED)
    record_change(organisation, before, action=f"Plan paused until {format_day(until)}")
    billing = describe_billing(found)
    emails.send_paused(organisation=organisation, pause=begun, until=until, frozen=frozen, billing=billing)
    return (
        f"Your subscription is paused until {format_day(until)}. {billing} "
        "Plan credits are frozen, pack credits stay usable."
    )


def describe_billing(found: Subscription) -> str:
    """What becomes of the charges of a paused plan."""
    if found.paid_until is None or found.pause_ends_at is None:
        return "Nothing is charged."
    after = compute_billing_after(found, found.pause_ends_at)
    if after == found.paid_until:
        return f"The next charge is on {format_day(after)}, as before."
    return f"Charges that fall due while it is paused are skipped; the next one is on {format_day(after)}."


@transaction.atomic
def resume_plan(*, organisation: Organisation) -> str:
    """Resume a paused plan. Returns the message for its owner. Raises `BadInput` (`NOT_PAUSED`)."""
    agreement_sync.lock_agreements(organisation.pk)
    _, found = subscriptions.lock_subscription(organisation.pk)
    if found.status != Status.PAUSED:
        raise BadInput(NOT_PAUSED, code="NOT_PAUSED")
    return _end_pause_and_renew(organisation, found)


def resume_due_plans() -> None:
    """Go on with the plans whose pause is over."""
    due = Subscription.objects.filter(status=Status.PAUSED, pause_ends_at__lte=timezone.now())
    sweeps.sweep_each(
        due.values_list("organisation_id", flat=True), "account %s could not be resumed", _resume_plan_if_due
    )


@transaction.atomic
def _resume_plan_if_due(organisation_id: int) -> None:
    agreement_sync.lock_agreements(organisation_id)
    organisation, found = subscriptions.lock_subscription(organisation_id)
    is_over = found.pause_ends_at is not None and found.pause_ends_at <= timezone.now()
    if found.status == Status.PAUSED and is_over:
        _end_pause_and_renew(organisation, found)


def _end_pause_and_renew(organisation: Organisation, found: Subscription) -> str:
    before = load_figures(organisation)
    over = end_pause(found, status=Status.ACTIVE)
    if found.agreement_id:
        agreement_sync.request_agreement_change(found.agreement_id, desired_state=AgreementState.ACTIVE)
    subscriptions.renew_credits(organisation_id=organisation.pk)
    record_change(organisation, before, action="Plan resumed")
    due = find_next_billing(found)
    credits = build_account_summary(organisation)["plan_credits"]
    emails.send_resumed(organisation=organisation, pause=over, plan=found.plan, credits=credits, next_at=due)
    return "Your subscription is active again." + (f" The next charge is on {format_day(due)}." if due else "")


def end_pause(found: Subscription, *, status: Status) -> Pause:
    """Let the time of a paused plan go on; the caller holds the account. `found` is saved."""
    now = timezone.now()
    over = Pause.objects.get(organisation_id=found.organisation_id, ends_at=None)
    over.ends_at = now
    over.save(update_fields=["ends_at"])
    if found.period_ends_at:
        found.period_ends_at += now - over.starts_at
    skipped = found.cycle == Cycle.MONTHLY and found.paid_until is not None and found.paid_until <= now
    found.status, found.paused_at, found.pause_ends_at = status, None, None
    if found.agreement and found.paid_until:
        found.agreement.next_billing_at = compute_billing_after(found, now)
        found.agreement.save(update_fields=["next_billing_at"])
    found.save(update_fields=["status", "paused_at", "pause_ends_at", "period_ends_at"])
    ledger.thaw_credits(
        organisation_id=found.organisation_id, at_least_until=compute_billing_after(found, now) if skipped else None
    )
    return over
