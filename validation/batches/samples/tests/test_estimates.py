"""Estimates by a sample: shares with Wilson intervals."""

import math
from random import Random

import pytest

from validation.batches.samples.estimates import Share, estimate_list, estimate_share


@pytest.mark.spec("REP-042")
@pytest.mark.parametrize(
    ("hits", "drawn", "low", "high"),
    [
        (0, 100, 0.0, 0.037),
        (5, 100, 0.0215, 0.1118),
        (50, 100, 0.4038, 0.5962),
        (100, 100, 0.963, 1.0),
        (1, 1, 0.2065, 1),
    ],
)
def test_intervals_are_those_of_wilson(hits: int, drawn: int, low: float, high: float) -> None:
    assert estimate_share(hits, drawn) == Share(hits / drawn, low, high)


@pytest.mark.spec("REP-042")
def test_intervals_hold_the_share_of_the_list_nineteen_times_in_twenty() -> None:
    rng, share, rounds, held = Random(7), 0.12, 2_000, 0
    for _ in range(rounds):
        estimate = estimate_share(sum(rng.random() < share for _ in range(100)), 100)
        assert estimate is not None
        held += estimate.low <= share <= estimate.high
    assert math.isclose(held / rounds, 0.95, abs_tol=0.02)


@pytest.mark.spec("REP-042")
def test_unknown_rows_are_no_bounces() -> None:
    estimate = estimate_list({"valid": 60, "invalid": 20, "unknown": 20})
    assert estimate is not None
    assert estimate.bounce_rate == estimate_share(20, 80)
    assert (estimate.cost.value, estimate.unknown.value) == (0.8, 0.2)
    undecided = estimate_list({"unknown": 100})
    assert undecided is not None
    assert (undecided.bounce_rate, undecided.cost.value, undecided.unknown.low) == (None, 0.0, 0.963)
    assert estimate_list({}) is None
