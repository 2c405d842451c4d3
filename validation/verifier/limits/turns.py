"""Fair turns among processes that wait for sessions of the same pair.

A waiting process is known to the others for a second after its last request. A process that comes while others wait, or
was just granted a session while they wait, lets them go first.
"""

WAIT_S = 1.0
TURN_S = 0.15
"""Seconds; longer than the interval at which waiting processes retry."""


class Turns:
    """The waits of one process."""

    def __init__(self) -> None:
        self.waiting: dict[str, float] = {}
        self._next: dict[str, float] = {}

    def must_wait(self, pair: str, now: float) -> bool:
        """Whether others that wait go first."""
        return self.waiting.get(pair, now) <= now or now < self._next.get(pair, now)

    def let_others_go(self, pair: str, now: float) -> None:
        """Note a grant to this process while others waited."""
        self._next[pair] = now + TURN_S

    def wait(self, pair: str, now: float) -> bool:
        """Note that a request was not granted in full. True for a new wait."""
        is_new = pair not in self.waiting
        self.waiting[pair] = now + WAIT_S
        return is_new

    def end_wait(self, pair: str) -> bool:
        """Note that a request was granted. True when it ended a wait."""
        return self.waiting.pop(pair, None) is not None

    def ended_waits(self, now: float) -> list[str]:
        """The pairs without a request for a while; their waits are dropped."""
        ended = [pair for pair, until in self.waiting.items() if until <= now]
        for pair in ended:
            del self.waiting[pair]
        self._next = {pair: at for pair, at in self._next.items() if at > now}
        return ended
