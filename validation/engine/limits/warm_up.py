"""How much an egress address may ask of an operator that does not know it yet.

Operators trust an address less when its volume jumps from one day to the next. A profile's `warm_up` lists shares of
its limits, one for each 24 hours since the address was added. After the last one the full limits apply.
"""

from validation.engine.limits.shared_limits import DAY_S
from validation.engine.profiles import Profile


def compute_warm_share(profile: Profile, warms_since: float | None, epoch: float) -> float:
    """The share of an operator's limits that an address has at a time, above 0 and up to 1.

    `warms_since` and `epoch` are seconds since 1970. An address without `warms_since` is warm.

    >>> compute_warm_share(Profile("yahoo", warm_up=(0.1, 0.5)), 0.0, 90_000.0)
    0.5
    """
    day = find_warm_day(profile, warms_since, epoch)
    return 1.0 if day is None else profile.warm_up[day - 1]


def find_warm_day(profile: Profile, warms_since: float | None, epoch: float) -> int | None:
    """The day of its warm-up that an address is in, from 1; None where it is warm.

    >>> find_warm_day(Profile("yahoo", warm_up=(0.1, 0.5)), 0.0, 90_000.0)
    2
    """
    if warms_since is None:
        return None
    day = max(0, int((epoch - warms_since) // DAY_S))
    return day + 1 if day < len(profile.warm_up) else None
