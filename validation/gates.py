"""Which checks an account's plan includes, and which ones a job runs and how it is paid for."""

from dataclasses import dataclass

from accounts.models import ApiKey, User
from billing import plans, welcome
from billing import services as billing
from billing.catalogue import OFFERS, Feature
from billing.debits import LotOrder
from billing.models import CreditHold, CreditLot, LotKind, Plan
from billing.welcome import Checks
from validation.engine import EVERY_CHECK, OptionalCheck
from validation.models import Batch, Result

# The mail servers are asked about the mailbox and about a random one together: one says little without the other.
_NEEDS = {
    OptionalCheck.DISPOSABLE: frozenset({Feature.DISPOSABLE}),
    OptionalCheck.MAILBOX: frozenset({Feature.SMTP, Feature.CATCH_ALL}),
}


@dataclass(frozen=True, slots=True)
class Job:
    """What a new check or list may do: its hold, None where it can cost nothing, and the optional checks it runs."""

    hold: CreditHold | None
    checks: frozenset[OptionalCheck]

    @property
    def is_basic(self) -> bool:
        return self.checks != EVERY_CHECK


def checks_for(user: User) -> frozenset[OptionalCheck]:
    """The optional checks that the plan, a trial or pack credits bring an account (VAL-020, VAL-021)."""
    if user.in_test_mode:
        return EVERY_CHECK
    features = plans.features_of(user)
    return frozenset(check for check in EVERY_CHECK if _NEEDS[check] <= features)


def begin_job(*, user: User, cost: int, reason: str, key: str, api_key: ApiKey | None = None) -> Job:
    """Hold what a new job can cost, and say which checks it runs: all where welcome credits cover the whole of it.

    Raises `Refused` as `billing.hold`.
    """
    # Before the hold, which may take the last of the pack credits that the checks come with.
    included = checks_for(user)
    if not cost:
        return Job(None, EVERY_CHECK if welcome.next_checks(user) == Checks.FULL else included)
    order = LotOrder.BY_EXPIRY if included == EVERY_CHECK else LotOrder.WELCOME_IF_ENOUGH
    hold = billing.hold(user_id=user.pk, amount=cost, reason=reason, key=key, api_key=api_key, order=order)
    is_full = order is LotOrder.WELCOME_IF_ENOUGH and welcome.pays_for(hold)
    return Job(hold, EVERY_CHECK if is_full else included)


def checks_of(checked: Batch | Result) -> Checks:
    """Which checks a list runs, or a result has had."""
    return checks_named(basic=checked.is_basic if isinstance(checked, Batch) else checked.basic)


def checks_named(*, basic: bool) -> Checks:
    """Their name in answers and files."""
    return Checks.BASIC if basic else Checks.FULL


def still_allows(batch: Batch) -> bool:
    """Whether the plan of its owner includes what a batch began with (VAL-046), or its welcome credits pay for it.

    Pack credits bring checks too, and the list itself may hold the last of them: who has bought some goes on. A second
    look at unknown rows is part of what was paid for.
    """
    if batch.test or batch.looks_for_free or _plan_includes(batch):
        return True
    return batch.hold is not None and welcome.pays_for(batch.hold)


def order_to_go_on(batch: Batch) -> LotOrder:
    """How the rest of a list is paid for that keeps the checks it began with."""
    if batch.is_basic:
        return LotOrder.WELCOME_LAST
    return LotOrder.BY_EXPIRY if _plan_includes(batch) else LotOrder.WELCOME_IF_ENOUGH


def _plan_includes(batch: Batch) -> bool:
    if batch.checks <= checks_for(batch.user):
        return True
    return CreditLot.objects.filter(user_id=batch.user_id, kind=LotKind.PACK).exists()


def hold_again(batch: Batch, *, amount: int, order: LotOrder, api_key: ApiKey | None = None) -> CreditHold:
    """Another hold of a list, under the next key of its own. Raises `Refused` as `billing.hold`."""
    holds = CreditHold.objects.filter(user_id=batch.user_id, key__startswith=batch.public_id)
    key, what = f"{batch.public_id}:{holds.count()}", batch.filename[:80] or "pasted list"
    return billing.hold(
        user_id=batch.user_id, amount=amount, reason=f"Batch: {what}", key=key, api_key=api_key, order=order
    )


def may_complete(user: User, rows: int) -> bool:
    """Whether an account may have rows checked in full that basic checks left undecided (PEN-026): on a trial or a paid
    plan, or with pack credits for all of them."""
    included = OFFERS[plans.standing(user).plan].features
    return OFFERS[Plan.STARTER].features <= included or plans.pack_credits(user) >= rows
