"""The checks of a list, whether its owner's plan still covers them, and how its remaining rows are paid for."""

from accounts.access.models import ApiKey
from billing.ledger import reasons
from billing.ledger import services as ledger
from billing.ledger.debits import LotOrder
from billing.ledger.models import FULL_CHECK_KINDS, CreditHold, CreditLot
from billing.subscriptions import welcome_credits
from billing.subscriptions.members import find_spender
from billing.subscriptions.welcome_credits import Checks
from emailcheck.common.errors import Refused
from validation.batches.models import Batch
from validation.entitlements import checks_for, name_checks
from validation.results.models import Result

PLAN_OVER = "Your plan no longer includes the checks of this list. Once it does, press Resume; or cancel the list."


def checks_of(checked: Batch | Result) -> Checks:
    """The checks that a list runs, or that a result had."""
    return name_checks(basic=checked.is_basic if isinstance(checked, Batch) else checked.basic)


def is_still_covered(batch: Batch) -> bool:
    """Whether the owner's plan still includes the batch's checks (VAL-046), or welcome credits pay for them.

    Pack credits include all checks, and the list itself may hold the last of them, so an account that bought some goes
    on. The free re-check of unknown rows is part of what was paid for.
    """
    if batch.test or batch.is_free_recheck or _is_in_plan(batch):
        return True
    return batch.hold is not None and welcome_credits.is_welcome_hold(batch.hold)


def choose_lot_order(batch: Batch) -> LotOrder:
    """The credits to use for a list's remaining rows, so that it keeps the checks it began with."""
    if batch.is_basic:
        return LotOrder.WELCOME_LAST
    return LotOrder.BY_EXPIRY if _is_in_plan(batch) else LotOrder.WELCOME_IF_ENOUGH


def _is_in_plan(batch: Batch) -> bool:
    if batch.checks <= checks_for(batch.organisation):
        return True
    return CreditLot.objects.filter(organisation_id=batch.organisation_id, kind__in=FULL_CHECK_KINDS).exists()


def open_covered_hold(
    batch: Batch, *, amount: int, api_key: ApiKey | None = None, refusal: str = PLAN_OVER
) -> CreditHold:
    """Hold credits for more rows of a list, from credits that buy the checks it began with.

    Raises `Refused` as `ledger.open_hold`, and (`PLAN_REQUIRED`) where the plan no longer includes these checks, or the
    welcome credits that paid for it no longer suffice.
    """
    if not is_still_covered(batch):
        raise Refused(refusal, code="PLAN_REQUIRED")
    order = choose_lot_order(batch)
    hold = open_next_hold(batch, amount=amount, order=order, api_key=api_key)
    if order is LotOrder.WELCOME_IF_ENOUGH and not welcome_credits.is_welcome_hold(hold):
        raise Refused(refusal, code="PLAN_REQUIRED")
    return hold


def open_next_hold(batch: Batch, *, amount: int, order: LotOrder, api_key: ApiKey | None = None) -> CreditHold:
    """Open another hold of a list, under the next key of its own. Raises `Refused` as `ledger.open_hold`."""
    holds = CreditHold.objects.filter(organisation_id=batch.organisation_id, key__startswith=batch.public_id)
    return ledger.open_hold(
        organisation_id=batch.organisation_id,
        amount=amount,
        reason=reasons.name_list(batch.filename),
        key=f"{batch.public_id}:{holds.count()}",
        api_key=api_key,
        spender=find_spender(batch.organisation),
        order=order,
    )
