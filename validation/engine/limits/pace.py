"""How fast a mail host answers, and what follows from it: how much to ask at once, and over how many sessions.

A flush of n commands takes a round trip and n times what the host takes for one reply. Only the second part is the
host's own slowness: a host far away that answers everything at once needs few sessions, a near one that takes its time
for every reply needs many.
"""

import math

FLUSH_RECIPIENTS = 25
FLUSH_S = 1.0  # what the replies to one flush may take beside the round trip, so that sessions share a slow host's work
_SLOW_REPLY_S = 0.02  # less may be our own machine's delay, and small flushes would only add to it
_STRAIN = 3  # so many times slower than at its best, a host is thought to suffer
_EASE = 0.75
_UNKNOWN_PACE = 100  # recipients for one session as long as nothing is known
_NEW = 0.3  # weight of the latest measurement
_LEAST_PATIENCE_S = 0.02


class ReplyPace:
    """What was measured with one set of hosts, smoothed; seconds."""

    def __init__(self) -> None:
        self.opening_s = 0.0
        self.round_s = 0.0
        self.reply_s = 0.0
        self._best_reply_s = math.inf

    def opened(self, opening_s: float, round_s: float) -> None:
        """A session was opened, a round trip of which took `round_s`."""
        self.opening_s = _smooth_average(self.opening_s, opening_s)
        self.round_s = self.round_s or round_s

    def answered(self, replies: int, first_s: float, last_s: float) -> None:
        """A flush of commands was answered: the first reply came after `first_s`, the last after `last_s`."""
        reply_s = (last_s - first_s) / (replies - 1) if replies > 1 else last_s
        self.reply_s = _smooth_average(self.reply_s, reply_s)
        self._best_reply_s = max(_SLOW_REPLY_S, min(self._best_reply_s, self.reply_s))
        self.round_s = _smooth_average(self.round_s, max(0.0, first_s - reply_s))

    def dragging(self, replies: int, seconds: float) -> None:
        """A flush that is still under way has had so many replies in so much time."""
        self.reply_s = max(self.reply_s, (seconds - self.round_s) / replies)

    @property
    def is_straining(self) -> bool:
        """Whether the host has become much slower than it was."""
        return self.reply_s > _STRAIN * self._best_reply_s

    @property
    def patience_s(self) -> float:
        """How long a flush may take before it is worth a look: in this time another session could have been opened."""
        return max(_LEAST_PATIENCE_S, self.opening_s)

    def portion(self, queued: int, sessions: int) -> int:
        """How many recipients to ask for in one flush: where replies are slow, at most every session's share."""
        if self.reply_s < _SLOW_REPLY_S:
            return FLUSH_RECIPIENTS
        share = math.ceil(queued / max(1, sessions))
        return max(1, min(FLUSH_RECIPIENTS, share, int(FLUSH_S / self.reply_s)))

    def useful_sessions(self, queued: int) -> int:
        """As many as have, each, at least as much to do as it takes to open one."""
        flushes = math.ceil(queued / self.portion(queued, 1))
        if not self.opening_s:
            return min(flushes, math.ceil(queued / _UNKNOWN_PACE))
        work_s = queued * self.reply_s + flushes * self.round_s
        return min(flushes, max(1, math.ceil(work_s / self.opening_s)))


class SessionLimit:
    """How many sessions a host set bears at once, found out by trying: one more with every success, half as many with
    every complaint, fewer while replies get slower, and none beyond what was inside when another was turned away."""

    def __init__(self, first: int, most: int, rest_s: float) -> None:
        self._sessions = float(first)
        self._most = most
        self._rest_s = rest_s
        self._ceiling = most
        self._ceiling_until = 0.0

    def at(self, now: float) -> int:
        """The limit of the moment. A turning away is forgotten after a while: servers' limits change."""
        if now >= self._ceiling_until:
            self._ceiling = self._most
        return min(int(self._sessions), self._ceiling)

    @property
    def ceiling_until(self) -> float:
        """When the turning away is forgotten; 0 where there was none."""
        return self._ceiling_until

    def raise_to(self, most: int) -> None:
        """The operator's own limit has changed."""
        self._most = most
        self._sessions = min(self._sessions, float(most))

    def grow(self) -> None:
        """The host answered as asked."""
        self._sessions = min(self._sessions + 1, float(self._most))

    def halve(self) -> None:
        """The host complained about the load."""
        self._sessions = max(1.0, self._sessions / 2)

    def ease(self) -> None:
        """The host gets slower."""
        self._sessions = max(1.0, self._sessions * _EASE)

    def turned_away(self, inside: int, now: float) -> None:
        """One more session than `inside` was too many."""
        self._ceiling = min(self.at(now), inside)
        self._ceiling_until = now + self._rest_s


def _smooth_average(known: float, latest: float) -> float:
    return (1 - _NEW) * known + _NEW * latest if known else latest
