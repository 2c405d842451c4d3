"""The checks that an account's plan includes, the checks of a job, and its payment."""

from dataclasses import dataclass

from accounts.access.models import ApiKey
from accounts.organisations.models import Organisation
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS, Feature
from billing.ledger import services as ledger
from billing.ledger.debits import LotOrder
from billing.ledger.models import CreditHold
from billing.subscriptions import entitlements, welcome_credits
from billing.subscriptions.members import find_spender
from billing.subscriptions.welcome_credits import Checks
from validation.engine import EVERY_CHECK, OptionalCheck

# The mailbox and a random one are probed together: one result means little without the other.
_NEEDS = {
    OptionalCheck.DISPOSABLE: frozenset({Feature.DISPOSABLE}),
    OptionalCheck.MAILBOX: frozenset({Feature.SMTP, Feature.CATCH_ALL}),
}


@dataclass(frozen=True, slots=True)
class Job:
    """The terms of a new check or list: its hold, None where it is free, and its optional checks."""

    hold: CreditHold | None
    checks: frozenset[OptionalCheck]

    @property
    def is_basic(self) -> bool:
        return self.checks != EVERY_CHECK


def checks_for(organisation: Organisation) -> frozenset[OptionalCheck]:
    """The optional checks of an account by its plan, trial or pack credits (VAL-020, VAL-021)."""
    if organisation.in_test_mode:
        return EVERY_CHECK
    features = entitlements.list_features(organisation)
    return frozenset(check for check in EVERY_CHECK if _NEEDS[check] <= features)


def begin_job(
    *,
    organisation: Organisation,
    cost: int,
    reason: str,
    key: str,
    api_key: ApiKey | None = None,
    is_basic: bool = False,
) -> Job:
    """Hold the most that a new job can cost, and decide its checks: all where welcome credits cover all of it.

    `is_basic`: no more than the plan includes, whatever welcome credits there are. Raises `Refused` as
    `ledger.open_hold`.
    """
    # Before the hold, which may use up the pack credits that include the checks.
    included = checks_for(organisation)
    if not cost:
        is_full = not is_basic and welcome_credits.choose_checks(organisation) == Checks.FULL
        return Job(None, EVERY_CHECK if is_full else included)
    order = LotOrder.WELCOME_LAST if is_basic else LotOrder.WELCOME_IF_ENOUGH
    if included == EVERY_CHECK:
        order = LotOrder.BY_EXPIRY
    hold = ledger.open_hold(
        organisation_id=organisation.pk,
        amount=cost,
        reason=reason,
        key=key,
        api_key=api_key,
        spender=find_spender(organisation),
        order=order,
    )
    is_full = order is LotOrder.WELCOME_IF_ENOUGH and welcome_credits.is_welcome_hold(hold)
    return Job(hold, EVERY_CHECK if is_full else included)


def name_checks(*, basic: bool) -> Checks:
    """The checks' name in responses and files."""
    return Checks.BASIC if basic else Checks.FULL


def can_check_in_full(organisation: Organisation, rows: int) -> bool:
    """Whether an account may have rows checked in full that basic checks left undecided (PEN-026): on a trial or a paid
    plan, or with pack credits for all of them."""
    included = OFFERS[entitlements.load_current_plan(organisation).plan].features
    return OFFERS[Plan.STARTER].features <= included or entitlements.count_pack_credits(organisation) >= rows
