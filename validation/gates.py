"""Which checks an account's plan includes."""

from accounts.models import User
from billing import plans
from billing.catalogue import Feature
from validation.engine import EVERY_CHECK, OptionalCheck

# The mail servers are asked about the mailbox and about a random one together: one says little without the other.
_NEEDS = {
    OptionalCheck.DISPOSABLE: frozenset({Feature.DISPOSABLE}),
    OptionalCheck.MAILBOX: frozenset({Feature.SMTP, Feature.CATCH_ALL}),
}


def checks_for(user: User) -> frozenset[OptionalCheck]:
    """The optional checks that are made for an account (VAL-020, VAL-021)."""
    features = plans.features_of(user)
    return frozenset(check for check in EVERY_CHECK if _NEEDS[check] <= features)
