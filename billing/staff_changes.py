"""What staff change on an account by hand: the balance, by one adjustment, and the plan, with who pays for it."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import activity, actors
from accounts.models import ActivityKind, User
from billing import following, services, subscriptions
from billing.catalogue import BONUS_LASTS, OFFERS
from billing.models import Agreement, AgreementState, CreditAdjustment, Cycle, LotKind, Plan
from billing.plans import standing_of
from emailcheck.common.errors import BadInput, Conflict

MOVED = "The balance changed meanwhile. Please reload."
NO_REASON = "Enter a reason for the change of credits."


def lock(*, user: User) -> None:
    """Lock what a change of the plan locks, before credits do, in the order that everybody takes."""
    following.lock_all(user.pk)


@transaction.atomic
def set_credits(*, user: User, by: User, credits: int, read: int | None, reason: str) -> None:
    """Bring the balance to `credits`; what is added lasts a year, what is taken expires first. Repeating moves nothing.

    `read` is the balance that was shown to whoever decided; `credits` equal to it asks for no change. Raises `Conflict`
    (`BALANCE_CHANGED`) when credits have moved since, `BadInput` without a reason.
    """
    if credits == read:
        return
    services.write_off(user_id=user.pk)
    before = services.locked(user.pk).balance
    if credits == before:
        return
    if read is not None and read != before:
        raise Conflict(MOVED, code="BALANCE_CHANGED")
    if not reason.strip():
        raise BadInput(NO_REASON, field="reason")
    made = CreditAdjustment.objects.create(
        user=user, **actors.frozen(by), before=before, after=credits, reason=reason.strip()
    )
    _move(made)
    changes = {"credits": [before, credits], "reason": made.reason}
    _record(user, by, f"Credits changed from {before:,} to {credits:,}", changes)


def _move(made: CreditAdjustment) -> None:
    more = made.after - made.before
    if more < 0:
        services.claw_back(user_id=made.user_id, amount=-more, reason=made.reason, key=made.key, frozen_too=False)
        return
    services.grant(
        user_id=made.user_id,
        kind=LotKind.BONUS,
        amount=more,
        reason=made.reason,
        key=made.key,
        expires_at=timezone.now() + BONUS_LASTS,
        reference=made.key,
    )


@transaction.atomic
def set_plan(*, user: User, by: User, plan: Plan) -> str:
    """Give the account another plan, for which nobody pays, or take it back to Free. Answers what became of the money.

    What was paid by an agreement is charged no more. A plan without a number of its own gives as many credits a month
    as the one before. Repeating changes nothing.
    """
    following.lock_all(user.pk)
    owner, found = subscriptions.locked(user.pk)
    before = standing_of(found, signed_up_at=owner.created_at, now=timezone.now())
    if before.plan == plan:
        return ""
    charging = Agreement.objects.filter(user=user, ended_at=None).exclude(wanted=AgreementState.CANCELLED).exists()
    if plan != Plan.FREE:
        agreed = before.limit if OFFERS[plan].limit is None else None
        subscriptions.activate(
            user_id=user.pk, plan=plan, cycle=Cycle.MONTHLY, paid_until=None, agreed_limit=agreed, instead=True
        )
    elif before.on_trial:
        subscriptions.end_trial(user_id=user.pk)
    else:
        subscriptions.end_plan(user_id=user.pk)
    _record(user, by, f"Plan changed from {before.offer.name} to {OFFERS[plan].name}", {"plan": [before.plan, plan]})
    return _words(plan, before.limit, charging=charging)


def _words(plan: Plan, limit: int, *, charging: bool) -> str:
    parts = ["The PayPal agreement is cancelled: nothing is charged any more."] if charging else []
    if plan != Plan.FREE:
        parts.append(f"{OFFERS[plan].name} is given from now on; nobody is charged for it.")
    if plan != Plan.FREE and OFFERS[plan].limit is None:
        parts.append(f"It gives {limit:,} credits a month, as the plan before.")
    return " ".join(parts)


def _record(user: User, by: User, action: str, changes: dict[str, Any]) -> None:
    target = f"account {user.pk}"
    activity.record(user=user, kind=ActivityKind.STAFF, action=action, staff=by, target=target, changes=changes)
