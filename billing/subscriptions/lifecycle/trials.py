"""The trial: begun once for each mailbox, announced before it ends, ended."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS, TRIAL_CREDITS, TRIAL_DAYS, TRIAL_PLAN
from billing.ledger import free_credits
from billing.ledger import services as ledger
from billing.ledger.models import CreditLot, LotKind
from billing.ledger.money_audit import load_figures, record_change
from billing.subscriptions import emails
from billing.subscriptions.models import Status, Subscription, TrialStatus
from billing.subscriptions.services import lapse_credits, lock_subscription
from emailcheck.common.errors import BadInput
from emailcheck.common.queue import sweeps

TRIAL_USED = "Growth trial already used"


ANNOUNCED_BEFORE = timedelta(days=2)


@transaction.atomic
def start_trial(*, organisation: Organisation) -> Subscription:
    """Begin the trial of an account. Raises `BadInput` (`TRIAL_USED`) when it is not on Free or has had one."""
    _, found = lock_subscription(organisation.pk)
    if found.plan != Plan.FREE or found.trial_status or not free_credits.claim_trial(organisation):
        raise BadInput(TRIAL_USED, code="TRIAL_USED")
    before = load_figures(organisation)
    ends = timezone.now() + timedelta(days=TRIAL_DAYS)
    found.plan, found.status = TRIAL_PLAN, Status.TRIAL
    found.trial_status, found.trial_ends_at = TrialStatus.ACTIVE, ends
    found.save()
    ledger.grant_credits(
        organisation_id=organisation.pk,
        kind=LotKind.TRIAL,
        amount=TRIAL_CREDITS,
        reason=f"{OFFERS[TRIAL_PLAN].name} trial",
        key=f"trial:{organisation.pk}",
        expires_at=ends,
    )
    record_change(organisation, before, action="Trial started")
    return found


def end_due_trials() -> None:
    """End the trials whose time is over."""
    over = Subscription.objects.filter(status=Status.TRIAL, trial_ends_at__lte=timezone.now())
    sweeps.sweep_each(
        over.values_list("organisation_id", flat=True), "account %s could not be taken off its trial", _end_trial_if_due
    )


@transaction.atomic
def end_trial(*, organisation_id: int) -> None:
    """End the trial of an account now; what is left of its credits lapses. Harmless without one."""
    _, found = lock_subscription(organisation_id)
    if found.status == Status.TRIAL:
        lapse_credits(organisation_id, LotKind.TRIAL)
        Subscription.objects.filter(pk=found.pk, trial_ends_at__gt=timezone.now()).update(trial_ends_at=timezone.now())
        _end_trial_if_due(organisation_id)


@transaction.atomic
def _end_trial_if_due(organisation_id: int) -> None:
    organisation, found = lock_subscription(organisation_id)
    if found.status != Status.TRIAL or found.trial_ends_at is None or found.trial_ends_at > timezone.now():
        return
    before = load_figures(organisation)
    found.plan, found.status, found.trial_status = Plan.FREE, Status.ACTIVE, TrialStatus.EXPIRED
    found.save(update_fields=["plan", "status", "trial_status"])
    ledger.write_off_expired(organisation_id=organisation_id)
    record_change(organisation, before, action="Trial ended")
    emails.send_trial_ended(organisation=organisation)


def announce_trial_ends() -> None:
    """Write to those whose trial ends within two days, once each."""
    soon = timezone.now() + ANNOUNCED_BEFORE
    due = Subscription.objects.filter(status=Status.TRIAL, trial_end_announced_at=None, trial_ends_at__lte=soon)
    sweeps.sweep_each(
        due.values_list("organisation_id", flat=True),
        "account %s could not be told of the end of its trial",
        _announce_trial_end,
    )


@transaction.atomic
def _announce_trial_end(organisation_id: int) -> None:
    organisation, found = lock_subscription(organisation_id)
    now = timezone.now()
    if found.status != Status.TRIAL or found.trial_ends_at is None or found.trial_ends_at <= now:
        return
    mine = Subscription.objects.filter(pk=found.pk, trial_end_announced_at=None)
    if mine.update(trial_end_announced_at=now):
        lots = CreditLot.objects.filter(organisation_id=organisation_id, kind=LotKind.TRIAL)
        left = sum(lots.values_list("remaining", flat=True))
        emails.send_trial_ending(organisation=organisation, ends_at=found.trial_ends_at, left=left)
