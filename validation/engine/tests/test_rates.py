"""What a pair is given: recipients in stretches of time, sessions by lane."""

import pytest

from validation.engine.limits.shared_limits import (
    Lane,
    LimitRequest,
    PairLimits,
    RecipientRate,
    count_free_sessions,
    give_recipients,
)

LIMITS = PairLimits(3, 1, 20.0, 5)


def test_long_lists_are_given_time_after_time_and_the_short_lane_ahead_of_them() -> None:
    rate = RecipientRate()
    first = give_recipients(rate, LimitRequest("p", LIMITS, Lane.LONG, recipients=100), 100.0, 0.0)
    assert (first.recipients, first.starts_in_s) == (20, 0.0)
    assert give_recipients(rate, LimitRequest("p", LIMITS, Lane.LONG, recipients=20), 100.0, 0.0).again_in_s == 0.5
    ahead = give_recipients(rate, LimitRequest("p", LIMITS, Lane.SHORT, recipients=2, within_s=30.0), 100.0, 0.0)
    assert (ahead.recipients, ahead.starts_in_s) == (2, 1.0)
    lead = give_recipients(rate, LimitRequest("p", LIMITS, Lane.LONG, recipients=20), 100.6, 0.0)
    assert lead.recipients == 20
    assert lead.starts_in_s == pytest.approx(0.5)


def test_the_short_lane_has_its_share_ahead_and_no_more() -> None:
    rate = RecipientRate()
    wanted = LimitRequest("p", LIMITS, Lane.SHORT, recipients=20, within_s=30.0)
    given = [give_recipients(rate, wanted, 0.0, 0.0).recipients for _ in range(6)]
    assert given == [20, 20, 20, 0, 0, 0]


def test_a_day_has_its_own_limit() -> None:
    rate = RecipientRate()
    wanted = LimitRequest("p", PairLimits(3, per_day=30), Lane.LONG, recipients=20)
    given = [give_recipients(rate, wanted, 0.0, 80_000.0) for _ in range(3)]
    assert [one.recipients for one in given] == [20, 10, 0]
    assert given[2].again_in_s == 6_400.0
    assert give_recipients(rate, wanted, 0.0, 86_400.0).recipients == 20


@pytest.mark.parametrize(
    ("sessions", "kept", "lane", "short", "long", "free"),
    [
        (3, 1, Lane.LONG, 0, 0, 2),
        (3, 1, Lane.LONG, 0, 2, 0),
        (3, 1, Lane.SHORT, 0, 2, 1),
        (3, 1, Lane.LONG, 2, 0, 1),
        (1, 0, Lane.LONG, 0, 0, 1),
        (1, 1, Lane.LONG, 1, 0, 0),
        (1, 1, Lane.LONG, 0, 0, 1),
    ],
)
def test_a_session_is_kept_for_the_short_lane(
    sessions: int, kept: int, lane: Lane, short: int, long: int, free: int
) -> None:
    assert count_free_sessions(PairLimits(sessions, kept), lane, short, long) == free
