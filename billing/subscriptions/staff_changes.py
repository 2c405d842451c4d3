"""What staff change on an account by hand: the balance, by one adjustment, and the plan, with who pays for it."""

from django.db import transaction
from django.utils import timezone

from accounts.activity import actors
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import BONUS_LASTS, OFFERS
from billing.ledger import services as ledger
from billing.ledger.models import CreditAdjustment, LotKind
from billing.ledger.money_audit import load_figures, record_change
from billing.payments import agreement_sync
from billing.payments.models import Agreement, AgreementState
from billing.subscriptions import services as subscriptions
from billing.subscriptions.entitlements import build_current_plan
from billing.subscriptions.lifecycle.trials import end_trial
from emailcheck.common.errors import BadInput, Conflict

BALANCE_CHANGED = "The balance changed meanwhile. Please reload."
NO_REASON = "Enter a reason for the change of credits."


def lock_plan_changes(*, organisation: Organisation) -> None:
    """Lock what a change of plan locks. Lock order: agreements, then the account."""
    agreement_sync.lock_agreements(organisation.pk)


@transaction.atomic
def set_credits(*, organisation: Organisation, by: User, credits: int, read: int | None, reason: str) -> None:
    """Bring the balance to `credits`; added credits last a year, removed ones expire first. Repeats move nothing.

    `read` is the balance that staff saw; `credits` equal to it asks for no change. Raises `Conflict`
    (`BALANCE_CHANGED`) when credits have moved since, `BadInput` without a reason.
    """
    if credits == read:
        return
    ledger.write_off_expired(organisation_id=organisation.pk)
    before, figures = ledger.lock_account(organisation.pk).balance, load_figures(organisation)
    if credits == before:
        return
    if read is not None and read != before:
        raise Conflict(BALANCE_CHANGED, code="BALANCE_CHANGED")
    if not reason.strip():
        raise BadInput(NO_REASON, field="reason")
    made = CreditAdjustment.objects.create(
        organisation=organisation, **actors.snapshot_actor(by), before=before, after=credits, reason=reason.strip()
    )
    _apply_adjustment(made)
    record_change(
        organisation,
        figures,
        kind=ActivityKind.STAFF,
        action=f"Credits changed from {before:,} to {credits:,}",
        staff=by,
        target=f"account {organisation.pk}",
        reason=made.reason,
    )


def _apply_adjustment(made: CreditAdjustment) -> None:
    more = made.after - made.before
    if more < 0:
        ledger.claw_back_credits(
            organisation_id=made.organisation_id, amount=-more, reason=made.reason, key=made.key, frozen_too=False
        )
        return
    ledger.grant_credits(
        organisation_id=made.organisation_id,
        kind=LotKind.BONUS,
        amount=more,
        reason=made.reason,
        key=made.key,
        expires_at=timezone.now() + BONUS_LASTS,
        reference=made.key,
    )


@transaction.atomic
def set_plan(*, organisation: Organisation, by: User, plan: Plan) -> str:
    """Give the account another plan without payment, or return it to Free. Returns a sentence about the money.

    What was paid by an agreement is charged no more. A plan without a number of its own gives as many credits a month
    as the one before. Repeating changes nothing.
    """
    agreement_sync.lock_agreements(organisation.pk)
    owner, found = subscriptions.lock_subscription(organisation.pk)
    figures = load_figures(organisation)
    before = build_current_plan(found, signed_up_at=owner.created_at, now=timezone.now())
    if before.plan == plan:
        return ""
    charging = (
        Agreement.objects.filter(organisation=organisation, ended_at=None)
        .exclude(desired_state=AgreementState.CANCELLED)
        .exists()
    )
    if plan != Plan.FREE:
        agreed = before.limit if OFFERS[plan].limit is None else None
        subscriptions.activate_plan(
            organisation_id=organisation.pk,
            plan=plan,
            cycle=Cycle.MONTHLY,
            paid_until=None,
            custom_monthly_credits=agreed,
            instead=True,
        )
    elif before.on_trial:
        end_trial(organisation_id=organisation.pk)
    else:
        subscriptions.end_plan(organisation_id=organisation.pk)
    record_change(
        organisation,
        figures,
        kind=ActivityKind.STAFF,
        action=f"Plan changed from {before.offer.name} to {OFFERS[plan].name}",
        staff=by,
        target=f"account {organisation.pk}",
    )
    return _describe_plan_change(plan, before.limit, charging=charging)


def _describe_plan_change(plan: Plan, limit: int, *, charging: bool) -> str:
    parts = ["The PayPal agreement is cancelled: nothing is charged any more."] if charging else []
    if plan != Plan.FREE:
        parts.append(f"{OFFERS[plan].name} is given from now on; nobody is charged for it.")
    if plan != Plan.FREE and OFFERS[plan].limit is None:
        parts.append(f"It gives {limit:,} credits a month, as the plan before.")
    return " ".join(parts)
