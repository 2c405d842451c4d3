"""How fast a mail host answers, and how much to send it at once over how many sessions.

A flush of n commands takes a round trip plus n times the host's time for one reply. Only the second part is the host's
own slowness. A distant host that answers at once needs few sessions; a near one that is slow needs many.
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
    """Measurements with one set of hosts, smoothed, in seconds."""

    def __init__(self) -> None:
        self.opening_s = 0.0
        self.round_s = 0.0
        self.reply_s = 0.0
        self._best_reply_s = math.inf

    def opened(self, opening_s: float, round_s: float) -> None:
        """Note the time to open a session, and its round trip."""
        self.opening_s = _smooth_average(self.opening_s, opening_s)
        self.round_s = self.round_s or round_s

    def answered(self, replies: int, first_s: float, last_s: float) -> None:
        """Note an answered flush: number of replies, and seconds until the first and the last."""
        reply_s = (last_s - first_s) / (replies - 1) if replies > 1 else last_s
        self.reply_s = _smooth_average(self.reply_s, reply_s)
        self._best_reply_s = max(_SLOW_REPLY_S, min(self._best_reply_s, self.reply_s))
        self.round_s = _smooth_average(self.round_s, max(0.0, first_s - reply_s))

    def dragging(self, replies: int, seconds: float) -> None:
        """Note a flush in progress: the replies so far, and the seconds they took."""
        self.reply_s = max(self.reply_s, (seconds - self.round_s) / replies)

    @property
    def is_straining(self) -> bool:
        """Whether the host has become much slower than it was."""
        return self.reply_s > _STRAIN * self._best_reply_s

    @property
    def patience_s(self) -> float:
        """Seconds after which a flush counts as slow: as long as opening another session takes."""
        return max(_LEAST_PATIENCE_S, self.opening_s)

    def portion(self, queued: int, sessions: int) -> int:
        """The recipients for one flush: where replies are slow, at most each session's share."""
        if self.reply_s < _SLOW_REPLY_S:
            return FLUSH_RECIPIENTS
        share = math.ceil(queued / max(1, sessions))
        return max(1, min(FLUSH_RECIPIENTS, share, int(FLUSH_S / self.reply_s)))

    def useful_sessions(self, queued: int) -> int:
        """The sessions that each have at least as much work as opening one takes."""
        flushes = math.ceil(queued / self.portion(queued, 1))
        if not self.opening_s:
            return min(flushes, math.ceil(queued / _UNKNOWN_PACE))
        work_s = queued * self.reply_s + flushes * self.round_s
        return min(flushes, max(1, math.ceil(work_s / self.opening_s)))


class SessionLimit:
    """How many sessions a host set accepts at once, found by trying.

    One more after every success, half as many after a complaint, fewer while replies get slower, and never more than
    were open when another one was turned away.
    """

    def __init__(self, first: int, most: int, rest_s: float) -> None:
        self._sessions = float(first)
        self._most = most
        self._rest_s = rest_s
        self._ceiling = most
        self._ceiling_until = 0.0

    def at(self, now: float) -> int:
        """The limit at a time. A rejection is forgotten after a while, because servers' limits change."""
        if now >= self._ceiling_until:
            self._ceiling = self._most
        return min(int(self._sessions), self._ceiling)

    @property
    def ceiling_until(self) -> float:
        """When the last rejection is forgotten; 0 where there was none."""
        return self._ceiling_until

    def raise_to(self, most: int) -> None:
        """Use another limit of the operator."""
        self._most = most
        self._sessions = min(self._sessions, float(most))

    def grow(self) -> None:
        """Allow one more session: the host answered."""
        self._sessions = min(self._sessions + 1, float(self._most))

    def halve(self) -> None:
        """Allow half as many sessions: the host complained."""
        self._sessions = max(1.0, self._sessions / 2)

    def ease(self) -> None:
        """Allow fewer sessions: the host gets slower."""
        self._sessions = max(1.0, self._sessions * _EASE)

    def turned_away(self, inside: int, now: float) -> None:
        """Note that a session beyond `inside` open ones was turned away."""
        self._ceiling = min(self.at(now), inside)
        self._ceiling_until = now + self._rest_s


def _smooth_average(known: float, latest: float) -> float:
    return (1 - _NEW) * known + _NEW * latest if known else latest
