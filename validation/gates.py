"""Which checks an account's plan includes."""

from accounts.models import User
from billing import plans
from billing.catalogue import Feature
from billing.models import CreditLot, LotKind
from validation.engine import EVERY_CHECK, OptionalCheck
from validation.models import Batch

# The mail servers are asked about the mailbox and about a random one together: one says little without the other.
_NEEDS = {
    OptionalCheck.DISPOSABLE: frozenset({Feature.DISPOSABLE}),
    OptionalCheck.MAILBOX: frozenset({Feature.SMTP, Feature.CATCH_ALL}),
}


def checks_for(user: User) -> frozenset[OptionalCheck]:
    """The optional checks that are made for an account (VAL-020, VAL-021)."""
    if user.in_test_mode:
        return EVERY_CHECK
    features = plans.features_of(user)
    return frozenset(check for check in EVERY_CHECK if _NEEDS[check] <= features)


def still_allows(batch: Batch) -> bool:
    """Whether the plan of its owner includes what a batch began with (VAL-046).

    Pack credits bring checks too, and the list itself may hold the last of them: who has bought some goes on. A second
    look at unknown rows is part of what was paid for.
    """
    if batch.test or batch.rechecked_at is not None or batch.checks <= checks_for(batch.user):
        return True
    return CreditLot.objects.filter(user_id=batch.user_id, kind=LotKind.PACK).exists()
