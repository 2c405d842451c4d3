"""Reach against risk: how many addresses are sent to, and how many of them bounce, as risky ones are added."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from emailcheck.common.errors import Conflict, Gone
from validation.batches import rankings
from validation.batches.models import ENDED, Batch
from validation.batches.rankings import REACH_STEPS

RUNNING = "This is known when the list has ended."
EXPIRED = "The results of this list have passed their retention time."


class ReachChoice(NamedTuple):
    """Who could be sent to: the safe ones, and risky ones with at least the confidence `risky_from`; None: no risky
    one. `expected_bounces` is the sum of 1 - confidence over them."""

    risky_from: float | None
    addresses: int
    expected_bounces: float


def list_choices(batch: Batch) -> list[ReachChoice]:
    """The choices of an ended list, from the safe ones alone to all that are not `do_not_send`.

    Raises `Conflict` (`BATCH_RUNNING`) while it runs, `Gone` (`EXPIRED`) once its results are removed.
    """
    if batch.status not in ENDED:
        raise Conflict(RUNNING, code="BATCH_RUNNING")
    if batch.expired_at is not None:
        raise Gone(EXPIRED, code="EXPIRED")
    return list(_add_up(rankings.load_rankings(batch).reach))


def _add_up(reach: list[rankings.ReachStep]) -> Iterator[ReachChoice]:
    by_step = {step.risky_from: step for step in reach}
    highest = max((step for step in by_step if step is not None), default=-1)
    addresses, bounces = 0, Decimal(0)
    for number in (None, *range(highest, -1, -1)):
        step = by_step.get(number)
        if step is not None:
            addresses += step.addresses
            bounces += Decimal(step.bounces)
        yield ReachChoice(None if number is None else number / REACH_STEPS, addresses, float(round(bounces, 2)))
