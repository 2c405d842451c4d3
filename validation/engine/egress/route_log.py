"""How operators take us on each way out, as it happens: for whoever watches over the engine."""

import threading
from dataclasses import dataclass
from enum import StrEnum

from validation.engine.clock import Clock
from validation.engine.profiles import Profiles

EVERY_OPERATOR = "every operator"
OTHERS = "other mail hosts"


class RouteState(StrEnum):
    """Whether an operator answers on a way out; while backing off or blocked it is left alone for a time."""

    WORKING = "working"
    BACKING_OFF = "backing_off"
    BLOCKED = "blocked"


@dataclass(slots=True)
class RouteNews:
    """What happened with an operator on a way out since the last news.

    `probes` are recipients that were answered, `refusals` how often we were turned away or told to slow down;
    `refusal` is the last such reply, `next_attempt_at` when we ask again (epoch seconds; None: at once).
    """

    route: str
    operator: str
    state: RouteState = RouteState.WORKING
    probes: int = 0
    refusals: int = 0
    refusal: str = ""
    next_attempt_at: float | None = None


class RouteLog:
    """Collects news; written by the engine's loop, taken from any thread.

    Operators are those that profiles name; all other mail hosts count as one, or lists would make millions.
    """

    def __init__(self, clock: Clock, profiles: Profiles) -> None:
        self._clock = clock
        self._named = frozenset(profile.name for profile in profiles) | {EVERY_OPERATOR}
        self._lock = threading.Lock()
        self._news: dict[tuple[str, str], RouteNews] = {}
        self._closed: set[str] = set()

    def answered(self, route: str, operator: str, probes: int) -> None:
        """So many recipients were answered, whatever was said of them."""
        with self._lock:
            self._worked(route, operator).probes += probes
            if route in self._closed:
                self._closed.discard(route)
                self._worked(route, EVERY_OPERATOR)

    def refused(self, route: str, operator: str, state: RouteState, reply: str, wait_s: float) -> None:
        """We were turned away, and leave the operator alone for so long."""
        with self._lock:
            news = self._of(route, operator)
            news.state, news.refusal = state, reply
            news.refusals += 1
            news.next_attempt_at = self._clock.time() + wait_s
            if operator == EVERY_OPERATOR:
                self._closed.add(route)

    def take(self) -> list[RouteNews]:
        """What happened since the last call."""
        with self._lock:
            news, self._news = self._news, {}
        return list(news.values())

    def _of(self, route: str, operator: str) -> RouteNews:
        name = operator if operator in self._named else OTHERS
        return self._news.setdefault((route, name), RouteNews(route, name))

    def _worked(self, route: str, operator: str) -> RouteNews:
        news = self._of(route, operator)
        news.state, news.next_attempt_at = RouteState.WORKING, None
        return news
