"""The recipients of a pair that this process was granted, usable as their time comes."""

from collections import deque

from validation.engine.limits.shared_limits import LimitGrant, PairLimits


class RecipientMeter:
    """Granted recipients of one pair and lane.

    Recipients are granted for stretches of time (`LimitGrant`); each becomes usable at its own moment. At most `burst`
    are saved up, so that a minute's worth is never used at once. Times are of the loop's clock.
    """

    def __init__(self) -> None:
        self.ask_at = 0.0
        """When another request is worthwhile."""
        self._in_hand = 0.0
        self._stretches: deque[list[float]] = deque()  # begin, end, recipients a second
        self._burst = 1

    def add(self, grant: LimitGrant, limits: PairLimits, now: float) -> None:
        """Add a grant."""
        self._burst = limits.burst
        if grant.recipients:
            begin = now + grant.starts_in_s
            self._stretches.append([begin, begin + grant.recipients / limits.per_s, limits.per_s])

    def draw(self, most: int, now: float) -> int:
        """Take up to `most` usable recipients: all of them or a full burst, else none."""
        self._accrue(now)
        wanted = min(most, self._burst)
        if self._in_hand + 1e-9 < wanted:
            return 0
        self._in_hand -= wanted
        return wanted

    def put_back(self, count: int) -> None:
        """Return recipients that were not needed."""
        self._in_hand = min(float(self._burst), self._in_hand + count)

    def ready_at(self, most: int) -> float | None:
        """When `draw(most)` succeeds; None where the grants do not suffice."""
        missing = min(most, self._burst) - self._in_hand
        for begin, end, per_s in self._stretches:
            if missing <= (end - begin) * per_s + 1e-9:
                return begin + max(0.0, missing) / per_s
            missing -= (end - begin) * per_s
        return None

    def left(self, now: float) -> float:
        """The recipients that are usable or still to come."""
        self._accrue(now)
        return self._in_hand + sum((end - begin) * per_s for begin, end, per_s in self._stretches)

    def _accrue(self, now: float) -> None:
        while self._stretches and self._stretches[0][0] < now:
            stretch = self._stretches[0]
            begin, end, per_s = stretch
            passed = min(now, end) - begin
            self._in_hand = min(float(self._burst), self._in_hand + passed * per_s)
            if end <= now:
                self._stretches.popleft()
            else:
                stretch[0] = now
