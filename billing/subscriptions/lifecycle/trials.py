"""The trial: begun once for each mailbox, announced before it ends, ended."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS, TRIAL_CREDITS, TRIAL_DAYS, TRIAL_PLAN
from billing.ledger import free_credits
from billing.ledger import services as ledger
from billing.ledger.models import CreditLot, LotKind
from billing.subscriptions import emails
from billing.subscriptions.models import Status, Subscription, TrialStatus
from billing.subscriptions.services import lapse_credits, lock_subscription
from emailcheck.common.errors import BadInput
from emailcheck.common.queue import sweeps

TRIAL_USED = "Growth trial already used"


ANNOUNCED_BEFORE = timedelta(days=2)


@transaction.atomic
def start_trial(*, user: User) -> Subscription:
    """Begin the trial of an account. Raises `BadInput` (`TRIAL_USED`) when it is not on Free or has had one."""
    _, found = lock_subscription(user.pk)
    if found.plan != Plan.FREE or found.trial_status or not free_credits.claim_trial(user):
        raise BadInput(TRIAL_USED, code="TRIAL_USED")
    ends = timezone.now() + timedelta(days=TRIAL_DAYS)
    found.plan, found.status = TRIAL_PLAN, Status.TRIAL
    found.trial_status, found.trial_ends_at = TrialStatus.ACTIVE, ends
    found.save()
    ledger.grant_credits(
        user_id=user.pk,
        kind=LotKind.TRIAL,
        amount=TRIAL_CREDITS,
        reason=f"{OFFERS[TRIAL_PLAN].name} trial",
        key=f"trial:{user.pk}",
        expires_at=ends,
    )
    return found


def end_due_trials() -> None:
    """End the trials whose time is over."""
    over = Subscription.objects.filter(status=Status.TRIAL, trial_ends_at__lte=timezone.now())
    sweeps.sweep_each(
        over.values_list("user_id", flat=True), "account %s could not be taken off its trial", _end_trial_if_due
    )


@transaction.atomic
def end_trial(*, user_id: int) -> None:
    """End the trial of an account now; what is left of its credits lapses. Harmless without one."""
    _, found = lock_subscription(user_id)
    if found.status == Status.TRIAL:
        lapse_credits(user_id, LotKind.TRIAL)
        Subscription.objects.filter(pk=found.pk, trial_ends_at__gt=timezone.now()).update(trial_ends_at=timezone.now())
        _end_trial_if_due(user_id)


@transaction.atomic
def _end_trial_if_due(user_id: int) -> None:
    user, found = lock_subscription(user_id)
    if found.status != Status.TRIAL or found.trial_ends_at is None or found.trial_ends_at > timezone.now():
        return
    found.plan, found.status, found.trial_status = Plan.FREE, Status.ACTIVE, TrialStatus.EXPIRED
    found.save(update_fields=["plan", "status", "trial_status"])
    ledger.write_off_expired(user_id=user_id)
    emails.send_trial_ended(user=user)


def announce_trial_ends() -> None:
    """Write to those whose trial ends within two days, once each."""
    soon = timezone.now() + ANNOUNCED_BEFORE
    due = Subscription.objects.filter(status=Status.TRIAL, trial_end_announced_at=None, trial_ends_at__lte=soon)
    sweeps.sweep_each(
        due.values_list("user_id", flat=True),
        "account %s could not be told of the end of its trial",
        _announce_trial_end,
    )


@transaction.atomic
def _announce_trial_end(user_id: int) -> None:
    user, found = lock_subscription(user_id)
    now = timezone.now()
    if found.status != Status.TRIAL or found.trial_ends_at is None or found.trial_ends_at <= now:
        return
    mine = Subscription.objects.filter(pk=found.pk, trial_end_announced_at=None)
    if mine.update(trial_end_announced_at=now):
        lots = CreditLot.objects.filter(user_id=user_id, kind=LotKind.TRIAL)
        left = sum(lots.values_list("remaining", flat=True))
        emails.send_trial_ending(user=user, ends_at=found.trial_ends_at, left=left)
