"""A machine's share of the limits while nobody counts for all machines: whole sessions, and as much of the rate."""

from dataclasses import dataclass, replace

from validation.engine.limits.shared_limits import PairLimits


@dataclass(frozen=True, slots=True)
class Share:
    """A machine's place among so many machines that are known, and whether it may take anything by it."""

    position: int
    count: int
    may_take: bool

    def sessions_of(self, sessions: int) -> int:
        """How many of so many sessions are this machine's. The shares of all machines add up to no more than all; also
        where some know of more machines than others, as long as each knows all that take, in the same order."""
        if not self.may_take:
            return 0
        return sessions // self.count + (self.position < sessions % self.count)

    def limits_of(self, whole: PairLimits) -> PairLimits:
        """What this machine may do of what all machines may."""
        sessions = self.sessions_of(whole.sessions)
        return replace(whole, sessions=sessions, per_s=whole.per_s * sessions / max(1, whole.sessions))


NO_SHARE = Share(0, 1, may_take=False)
