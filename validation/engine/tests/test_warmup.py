"""How much an egress address that was added later may ask, day by day."""

import pytest

from validation.engine.limits.warm_up import compute_warm_share, find_warm_day
from validation.engine.profiles import Profile

DAY = 86_400
YAHOO = Profile("yahoo", warm_up=(0.1, 0.2, 0.5, 1))
COLD = 1_790_000_000.0


@pytest.mark.spec("SCA-013")
@pytest.mark.parametrize(
    ("profile", "since", "age", "share", "day"),
    [
        (YAHOO, COLD, 0, 0.1, 1),
        (YAHOO, COLD, DAY - 1, 0.1, 1),
        (YAHOO, COLD, DAY, 0.2, 2),
        (YAHOO, COLD, 2 * DAY, 0.5, 3),
        (YAHOO, COLD, 3 * DAY, 1, 4),
        (YAHOO, COLD, 4 * DAY, 1.0, None),
        (YAHOO, COLD, 400 * DAY, 1.0, None),
        (YAHOO, COLD, -5, 0.1, 1),  # the clock of another machine goes before ours
        (YAHOO, None, 0, 1.0, None),
        (Profile("quick"), COLD, 0, 1.0, None),
        (Profile("brief", warm_up=(0.3,)), COLD, DAY, 1.0, None),
    ],
)
def test_shares_follow_the_schedule(
    profile: Profile, since: float | None, age: float, share: float, day: int | None
) -> None:
    assert compute_warm_share(profile, since, COLD + age) == share
    assert find_warm_day(profile, since, COLD + age) == day
