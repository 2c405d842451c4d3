"""How long a list will take at least: by operator, from the rows that are known to be theirs and our own limits there.

Before a list is started nobody has been asked whose mail hosts serve a company's domain, so only domains of free
mailboxes count (`validation.operators`); what Google or Microsoft host for others comes on top.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from billing import welcome
from billing.welcome import Checks
from validation.engine import OptionalCheck
from validation.engine.profiles import title_of
from validation.models import Batch, Upload
from validation.profile_file import current_profiles

DAY_S = 86_400
LEAST_S = 10.0
"""Operators that take no longer are not named."""


@dataclass(frozen=True, slots=True)
class OperatorShare:
    """The rows of one operator, and how long they take at `per_minute` over all egress addresses."""

    operator: str
    rows: int
    per_minute: int

    @property
    def name(self) -> str:
        return title_of(self.operator)

    @property
    def seconds(self) -> int:
        return round(60 * self.rows / self.per_minute)


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long the slowest operator takes, and those that take their time, the slowest first."""

    seconds: int
    operators: tuple[OperatorShare, ...]

    @property
    def over_a_day(self) -> bool:
        return self.seconds > DAY_S


def per_minute_at(operator: str) -> int:
    """How many addresses a minute may be asked about at an operator, over all egress addresses; 0: no rate of ours."""
    return current_profiles().named(operator).per_minute * len(settings.VERIFIER_ROUTES)


def estimate(rows: Mapping[str, int] | None) -> Estimate | None:
    """What is known of a list with so many rows for each operator; None where nothing can be said."""
    shares = [OperatorShare(operator, count, per_minute_at(operator)) for operator, count in (rows or {}).items()]
    limited = sorted((share for share in shares if share.per_minute), key=lambda share: -share.seconds)
    if not limited:
        return None
    return Estimate(limited[0].seconds, tuple(share for share in limited if share.seconds > LEAST_S))


def of_batch(batch: Batch) -> Estimate | None:
    """What can be said of a whole list; None for one that asks no mail servers, went on after a pause, or looks at
    its unknown rows again."""
    asks = not batch.test and OptionalCheck.MAILBOX in batch.checks
    return estimate(batch.operators) if asks else None


def of_upload(upload: Upload) -> Estimate | None:
    """What can be said of a file before its start."""
    user = upload.user
    asks = not user.in_test_mode and welcome.next_checks(user, cost=upload.possible) == Checks.FULL
    return estimate(upload.operators) if asks else None
