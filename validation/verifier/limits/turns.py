"""Whose turn it is among processes that wait for sessions of the same pair.

Who waits is known to the others for a second after it asked last. A process that comes while others wait, or was just
given a session while they do, lets them look first.
"""

WAIT_S = 1.0
TURN_S = 0.15
"""Longer than those who wait take to look again."""


class Turns:
    """What one process knows of its own waits."""

    def __init__(self) -> None:
        self.waiting: dict[str, float] = {}
        self._next: dict[str, float] = {}

    def must_wait(self, pair: str, now: float) -> bool:
        """Whether others that wait go first."""
        return pair not in self.waiting or now < self._next.get(pair, now)

    def let_others_go(self, pair: str, now: float) -> None:
        """This process was given something while others waited."""
        self._next[pair] = now + TURN_S

    def wait(self, pair: str, now: float) -> bool:
        """This process did not get all that it asked for. True when it did not wait before."""
        is_new = pair not in self.waiting
        self.waiting[pair] = now + WAIT_S
        return is_new

    def end_wait(self, pair: str) -> bool:
        """This process got what it asked for. True when it waited before."""
        return self.waiting.pop(pair, None) is not None

    def ended_waits(self, now: float) -> list[str]:
        """The pairs that were not asked for again for a while; they are forgotten."""
        ended = [pair for pair, until in self.waiting.items() if until <= now]
        for pair in ended:
            del self.waiting[pair]
        self._next = {pair: at for pair, at in self._next.items() if at > now}
        return ended
