"""How long a list will take at least: by operator, from the rows that are known to be theirs and our own limits there.

Before a list is started nobody has been asked whose mail hosts serve a company's domain, so only domains of free
mailboxes count (`validation.batches.intake.operators`); what Google or Microsoft host for others comes on top.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from validation.batches.models import Batch
from validation.egress.profile_file import current_profiles
from validation.engine import OptionalCheck
from validation.engine.profiles import format_operator_title

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
        return format_operator_title(self.operator)

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


def limit_per_minute(operator: str) -> int:
    """How many addresses a minute may be asked about at an operator, over all egress addresses; 0: no rate of ours."""
    return current_profiles().named(operator).per_minute * len(settings.VERIFIER_ROUTES)


def estimate_duration(rows: Mapping[str, int] | None) -> Estimate | None:
    """What is known of a list with so many rows for each operator; None where nothing can be said."""
    shares = [OperatorShare(operator, count, limit_per_minute(operator)) for operator, count in (rows or {}).items()]
    limited = sorted((share for share in shares if share.per_minute), key=lambda share: -share.seconds)
    if not limited:
        return None
    return Estimate(limited[0].seconds, tuple(share for share in limited if share.seconds > LEAST_S))


def estimate_batch(batch: Batch) -> Estimate | None:
    """What can be said of a whole list; None for one that asks no mail servers, went on after a pause, or looks at
    its unknown rows again."""
    asks = not batch.test and OptionalCheck.MAILBOX in batch.checks
    return estimate_duration(batch.operators) if asks else None
