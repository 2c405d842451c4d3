"""How a plan ends: cancelled, and taken up again while it may still be used (SUB-071), or run out."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from billing import emails, following, pauses, purchases, subscriptions, switching
from billing.catalogue import OFFERS
from billing.models import AgreementState, Cycle, Plan, PurchaseKind, Status, Subscription
from billing.periods import ends_at
from billing.plans import standing_of
from emailcheck.common import sweeps
from emailcheck.common.dates import on_day
from emailcheck.common.errors import BadInput

NOT_CANCELLED = "Your subscription is not cancelled"


@dataclass(frozen=True, slots=True)
class Kept:
    """What to tell the owner of a plan that is taken up again, and where it is to be approved, if it is."""

    message: str
    approval_url: str | None = None


@transaction.atomic
def cancel(*, user: User) -> str:
    """Cancel the plan at the end of what is paid for, and answer what to tell its owner.

    Again, it answers the same. Raises `BadInput` (`NO_SUBSCRIPTION`) on Free.
    """
    following.lock_all(user.pk)
    _, found = subscriptions.locked(user.pk)
    now = standing_of(found, signed_up_at=user.created_at, now=timezone.now())
    if now.plan == Plan.FREE:
        raise subscriptions.no_plan()
    if now.on_trial and found.trial_ends_at:
        Subscription.objects.filter(pk=found.pk).update(cancel_at=found.trial_ends_at)
        return f"Your trial ends on {on_day(found.trial_ends_at)}. Nothing will be charged."
    if found.status != Status.CANCELLED:
        end_later(user, found, otherwise=now.month.ends_at)
    if found.cancel_at is None:
        return "Your subscription has ended. Pack credits stay."
    return f"Your subscription ends on {on_day(found.cancel_at)}. Until then you can use it as before."


def end_later(user: User, found: Subscription, *, otherwise: datetime) -> None:
    """End the plan when what is paid for ends; at once when nothing is. The caller holds the account.

    `otherwise` is the end of a plan that nobody pays for.
    """
    if found.status == Status.PAUSED:
        pauses.end_pause(found, status=Status.ACTIVE)
    end = (found.paid_until if found.status == Status.PAST_DUE else ends_at(found)) or otherwise
    switching.drop_schedule(found)
    if end <= timezone.now():
        subscriptions.end_plan(user_id=user.pk)
        found.refresh_from_db()
        return
    found.status, found.cancel_at, found.past_due_at = Status.CANCELLED, end, None
    found.save(update_fields=["status", "cancel_at", "past_due_at"])
    if found.agreement_id:
        following.ask(found.agreement_id, wanted=AgreementState.CANCELLED)
    emails.send_cancelled(user=user, subscription=found, ends_at=end)


def keep(*, user: User) -> Kept:
    """Take a cancelled plan up again. One that is paid for needs a new agreement, from when the paid period ends.

    Raises `BadInput` (`NOT_CANCELLED`), `TooMany`, `ProviderFailed`.
    """
    found = _kept_at_once(user)
    if found is None:
        return Kept("Your plan goes on.")
    assert found.cancel_at is not None
    plan, cycle = Plan(found.plan), Cycle(found.cycle)
    begun = purchases.begin_agreement(
        user=user,
        kind=PurchaseKind.PLAN_CHANGE,
        plan=plan,
        cycle=cycle,
        amount=Decimal(0),
        price=OFFERS[plan].price(cycle),
        description=f"{purchases.plan_words(plan, cycle)}, from {on_day(found.cancel_at)}",
        starts_at=found.cancel_at,
        reference=switching.basis(found),
        confirm_second=True,  # nothing is paid now
    )
    message = f"Approve the payment at PayPal. The next charge is on {on_day(found.cancel_at)}, nothing before."
    return Kept(message, begun.url)


def end_due() -> None:
    """End the plans whose time is over: those that were cancelled, and those that were paid once."""
    due = Subscription.objects.filter(_is_over(timezone.now()))
    sweeps.each(due.values_list("user_id", flat=True), "account %s could not be ended", _end_if_due)


def _is_over(now: datetime) -> Q:
    """Nobody pays on for a plan that was bought by a single order, or given for a month."""
    paid_once = Q(status=Status.ACTIVE, agreement=None, scheduled_agreement=None, period_ends_at__lte=now)
    return Q(status=Status.CANCELLED, cancel_at__lte=now) | (paid_once & ~Q(plan=Plan.FREE))


@transaction.atomic
def follow_account(*, user_id: int) -> None:
    """Nobody pays for an account that cannot be used: while it is suspended, so are its agreements (ADM-222)."""
    following.lock_all(user_id)
    user, found = subscriptions.locked(user_id)
    running = found.scheduled_agreement_id or found.agreement_id
    if running is None:
        return
    may_charge = user.is_active and found.status != Status.PAUSED
    following.ask(running, wanted=AgreementState.ACTIVE if may_charge else AgreementState.SUSPENDED)


@transaction.atomic
def _kept_at_once(user: User) -> Subscription | None:
    """None when the plan goes on without anything to approve: nobody pays for it."""
    _, found = subscriptions.locked(user.pk)
    now = timezone.now()
    if found.cancel_at is None or found.cancel_at <= now or found.status not in {Status.CANCELLED, Status.TRIAL}:
        raise BadInput(NOT_CANCELLED, code="NOT_CANCELLED")
    if found.status == Status.CANCELLED and found.paid_until is not None:
        return found
    found.cancel_at = None
    found.status = Status.ACTIVE if found.status == Status.CANCELLED else found.status
    found.save(update_fields=["status", "cancel_at"])
    return None


@transaction.atomic
def _end_if_due(user_id: int) -> None:
    following.lock_all(user_id)
    subscriptions.locked(user_id)
    if Subscription.objects.filter(_is_over(timezone.now()), user_id=user_id).exists():
        subscriptions.end_plan(user_id=user_id)
