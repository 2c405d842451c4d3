"""Pairs of an egress address and an operator: their limits now, and when they rest."""

import math
from collections import Counter

from validation.engine.egress.addresses import Egress, EgressState
from validation.engine.limits.pace import SessionLimit
from validation.engine.limits.recipient_meter import RecipientMeter
from validation.engine.limits.shared_limits import Lane, PairLimits
from validation.engine.limits.warm_up import compute_warm_share
from validation.engine.probes.probe import Probe
from validation.engine.profiles import Profile

LONGEST_REST_S = 86_400.0
IN_HAND_BY = 4
"""Processes that may each hold a full burst at one moment without exceeding the minute's limit."""
MINUTE_S = 61.0
"""A minute, and a second for commands in flight, which may arrive earlier or later than those before them."""
_LIMITS_CACHED_S = 60.0
_SHORT_BURST = 20  # a burst is one transaction, or this fraction of a minute's recipients if that is less


def compute_pair_limits(profile: Profile, share: float = 1.0) -> PairLimits:
    """The limits of one egress address at an operator, at a share of the operator's own limits."""
    sessions = max(1, int(profile.sessions * share))
    reserved = 1 if sessions > 1 else 0
    per_day = max(1, int(profile.per_day * share)) if profile.per_day else 0
    if not profile.per_minute:
        return PairLimits(sessions, reserved, per_day=per_day)
    per_minute = max(1, int(profile.per_minute * share))
    burst = max(2, min(profile.recipients, per_minute // _SHORT_BURST))
    return PairLimits(sessions, reserved, max(1, per_minute - IN_HAND_BY * burst) / MINUTE_S, burst, per_day)


class Pair:
    """One egress address at one operator."""

    def __init__(self, egress: Egress, operator: str, profile: Profile) -> None:
        self.key = f"{egress.key}|{operator}"
        self.egress = egress
        self.bearable = SessionLimit(profile.first_sessions, profile.sessions, profile.rest_s)
        self.open: Counter[Lane] = Counter()
        self.closed_until: dict[Lane, float] = {}
        self.meters = {lane: RecipientMeter() for lane in Lane}
        self.used = 0
        self.rests_until = 0.0
        self.rejection: Probe | None = None
        """The rejection that made it rest."""
        self._profile = profile
        self._rest_s = 0.0
        self.limits = compute_pair_limits(profile)
        """The limits, until `limits_until` in loop time."""
        self.limits_until = -math.inf

    def renew_limits(self, state: EgressState, now: float, epoch: float) -> None:
        """Compute the limits for the next minute."""
        self.limits = compute_pair_limits(self._profile, compute_warm_share(self._profile, state.warms_since, epoch))
        self.limits_until = now + _LIMITS_CACHED_S

    def use_profile(self, profile: Profile) -> None:
        """Use other limits from now on."""
        self._profile = profile
        self.limits_until = -math.inf
        self.bearable.raise_to(profile.sessions)

    def rest(self, rejection: Probe, now: float) -> float:
        """Leave the operator alone, twice as long as the last time. Returns the seconds."""
        if now >= self.rests_until:
            self._rest_s = min(LONGEST_REST_S, 2 * self._rest_s or self._profile.rest_s)
        self.rests_until = now + self._rest_s
        self.rejection = rejection
        return self._rest_s

    def succeed(self) -> None:
        """Note that the operator answered: earlier rejections no longer count."""
        self._rest_s = 0.0
        self.rests_until = 0.0
        self.rejection = None
