"""The least duration of a list, by operator: from its known rows there and our own limits.

Before the start no MX was looked up, so only the domains of free mailboxes count
(`validation.batches.intake.operators`). Company domains hosted by Google or Microsoft come on top.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from validation.batches.models import Batch
from validation.egress.polling import current_profiles
from validation.engine import OptionalCheck
from validation.engine.profiles import format_operator_title

DAY_S = 86_400
LEAST_S = 10.0
"""Seconds. Faster operators are not listed."""


@dataclass(frozen=True, slots=True)
class OperatorShare:
    """The rows of one operator, and their duration at `per_minute` over all egress addresses."""

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
    """The duration at the slowest operator, and the slow operators, the slowest first."""

    seconds: int
    operators: tuple[OperatorShare, ...]

    @property
    def over_a_day(self) -> bool:
        return self.seconds > DAY_S


def limit_per_minute(operator: str) -> int:
    """Addresses a minute at an operator, over all egress addresses; 0 without a rate of ours."""
    return current_profiles().named(operator).per_minute * len(settings.VERIFIER_ROUTES)


def estimate_duration(rows: Mapping[str, int] | None) -> Estimate | None:
    """The estimate for a list with so many rows for each operator; None where none can be made."""
    shares = [OperatorShare(operator, count, limit_per_minute(operator)) for operator, count in (rows or {}).items()]
    limited = sorted((share for share in shares if share.per_minute), key=lambda share: -share.seconds)
    if not limited:
        return None
    return Estimate(limited[0].seconds, tuple(share for share in limited if share.seconds > LEAST_S))


def estimate_batch(batch: Batch) -> Estimate | None:
    """The estimate for a whole list.

    None for a list without mailbox checks, one resumed after a pause, and a re-check of unknown rows.
    """
    asks = not batch.test and OptionalCheck.MAILBOX in batch.checks
    return estimate_duration(batch.operators) if asks else None
