"""A machine's share of the limits while Redis is unavailable: whole sessions, and a part of the rate."""

from dataclasses import dataclass, replace

from validation.engine.limits.shared_limits import PairLimits


@dataclass(frozen=True, slots=True)
class Share:
    """A machine's index among the known machines, and whether it may use its share."""

    position: int
    count: int
    may_take: bool

    def sessions_of(self, sessions: int) -> int:
        """This machine's part of so many sessions.

        The shares of all machines add up to at most the whole. That holds even where some know of more machines than
        others, as long as each knows all with a share, in the same order.
        """
        if not self.may_take:
            return 0
        return sessions // self.count + (self.position < sessions % self.count)

    def limits_of(self, whole: PairLimits) -> PairLimits:
        """This machine's part of the limits."""
        sessions = self.sessions_of(whole.sessions)
        return replace(whole, sessions=sessions, per_s=whole.per_s * sessions / max(1, whole.sessions))


NO_SHARE = Share(0, 1, may_take=False)
