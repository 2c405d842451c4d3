"""How much an egress address may ask of an operator while the operator gets to know it.

Mail operators trust an address that asks a lot from one day to the next less than one that grew. A profile's `warm_up`
names shares of its limits, one for each day of 24 hours since the address was added; after the last of them the limits
count as they stand.
"""

from validation.engine.limits.shared_limits import DAY_S
from validation.engine.profiles import Profile


def compute_warm_share(profile: Profile, warms_since: float | None, epoch: float) -> float:
    """The share of an operator's limits that an address has at a time, above 0 and up to 1.

    `warms_since` and `epoch` are seconds since 1970; an address without the former is warm.

    >>> compute_warm_share(Profile("yahoo", warm_up=(0.1, 0.5)), 0.0, 90_000.0)
    0.5
    """
    day = find_warm_day(profile, warms_since, epoch)
    return 1.0 if day is None else profile.warm_up[day - 1]


def find_warm_day(profile: Profile, warms_since: float | None, epoch: float) -> int | None:
    """Which day of its warm-up an address is in, the first being 1; None where it is warm.

    >>> find_warm_day(Profile("yahoo", warm_up=(0.1, 0.5)), 0.0, 90_000.0)
    2
    """
    if warms_since is None:
        return None
    day = max(0, int((epoch - warms_since) // DAY_S))
    return day + 1 if day < len(profile.warm_up) else None
