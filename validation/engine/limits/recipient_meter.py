"""What this process was given of a pair's recipients, ready to be used when its time has come."""

from collections import deque

from validation.engine.limits.shared_limits import LimitGrant, PairLimits


class RecipientMeter:
    """Recipients of one pair and lane in hand.

    Recipients are given for stretches of time (`LimitGrant`). Each may be asked for from its own moment on; who
    comes late finds at most `burst` saved up, so that no minute's worth is ever asked for at once. Times are of the
    loop's clock.
    """

    def __init__(self) -> None:
        self.ask_at = 0.0
        """When it is worth asking for more."""
        self._in_hand = 0.0
        self._stretches: deque[list[float]] = deque()  # begin, end, recipients a second
        self._burst = 1

    def add(self, grant: LimitGrant, limits: PairLimits, now: float) -> None:
        """Take over what was given."""
        self._burst = limits.burst
        if grant.recipients:
            begin = now + grant.starts_in_s
            self._stretches.append([begin, begin + grant.recipients / limits.per_s, limits.per_s])

    def draw(self, most: int, now: float) -> int:
        """Take up to `most` recipients of those whose time has come; none unless all of them, or a full hand."""
        self._accrue(now)
        wanted = min(most, self._burst)
        if self._in_hand + 1e-9 < wanted:
            return 0
        self._in_hand -= wanted
        return wanted

    def put_back(self, count: int) -> None:
        """Some of what was drawn was not needed."""
        self._in_hand = min(float(self._burst), self._in_hand + count)

    def ready_at(self, most: int) -> float | None:
        """When `draw(most)` will have some; None where what was given does not suffice."""
        missing = min(most, self._burst) - self._in_hand
        for begin, end, per_s in self._stretches:
            if missing <= (end - begin) * per_s + 1e-9:
                return begin + max(0.0, missing) / per_s
            missing -= (end - begin) * per_s
        return None

    def left(self, now: float) -> float:
        """How many recipients are in hand or to come."""
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
