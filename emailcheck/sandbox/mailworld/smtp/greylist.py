"""Greylisting (RFC 6647): a new triplet is rejected, and accepted later."""

from collections.abc import Callable

from emailcheck.sandbox.mailworld.smtp.stats import Switches

_MAX_TRIPLETS = 200_000


class Greylist:
    """Remembers when a triplet of operator and client, sender and recipient was first seen."""

    def __init__(self, switches: Switches, clock: Callable[[], float]) -> None:
        self._switches = switches
        self._clock = clock
        self._first_seen: dict[tuple[str, str, str], float] = {}

    def seconds_left(self, client: str, sender: str, recipient: str) -> float:
        """Seconds until the triplet is accepted; 0 when it may pass."""
        if len(self._first_seen) >= _MAX_TRIPLETS:
            self._first_seen.clear()
        now = self._clock()
        first = self._first_seen.setdefault((client, sender, recipient.lower()), now)
        return max(0.0, first + self._switches.greylist_s - now)

    def forget(self) -> None:
        """Every triplet is new again."""
        self._first_seen.clear()
