"""Records how operators treat each of our routes, for monitoring."""

import threading
from dataclasses import dataclass
from enum import StrEnum

from validation.engine.clock import Clock
from validation.engine.profiles import Profiles

EVERY_OPERATOR = "every operator"
OTHERS = "other mail hosts"


class RouteState(StrEnum):
    """Whether an operator answers on a route. A route that backs off or is blocked pauses for a time."""

    WORKING = "working"
    BACKING_OFF = "backing_off"
    BLOCKED = "blocked"


@dataclass(slots=True)
class RouteReport:
    """What happened with an operator on a route since the last report.

    `probes` counts answered recipients, `refusals` how often we were turned away or asked to slow down. `refusal` is
    the last such reply. `next_attempt_at` is when the route is tried again, in epoch seconds; None for at once.
    """

    route: str
    operator: str
    state: RouteState = RouteState.WORKING
    probes: int = 0
    refusals: int = 0
    refusal: str = ""
    next_attempt_at: float | None = None


class RouteLog:
    """Collects reports. The engine's loop writes; any thread may take.

    Operators are those with a profile. All other mail hosts count as one, because lists would name millions.
    """

    def __init__(self, clock: Clock, profiles: Profiles) -> None:
        self._clock = clock
        self._named = frozenset(profile.name for profile in profiles) | {EVERY_OPERATOR}
        self._lock = threading.Lock()
        self._reports: dict[tuple[str, str], RouteReport] = {}
        self._closed: set[str] = set()

    def answered(self, route: str, operator: str, probes: int) -> None:
        """Count answered recipients, whatever the answer was."""
        with self._lock:
            self._mark_working(route, operator).probes += probes
            if route in self._closed:
                self._closed.discard(route)
                self._mark_working(route, EVERY_OPERATOR)

    def refused(self, route: str, operator: str, state: RouteState, reply: str, wait_s: float) -> None:
        """Note a refusal, after which the operator is left alone for `wait_s` seconds."""
        with self._lock:
            report = self._report_for(route, operator)
            report.state, report.refusal = state, reply
            report.refusals += 1
            report.next_attempt_at = self._clock.time() + wait_s
            if operator == EVERY_OPERATOR:
                self._closed.add(route)

    def pop_reports(self) -> list[RouteReport]:
        """Remove and return the reports since the last call."""
        with self._lock:
            report, self._reports = self._reports, {}
        return list(report.values())

    def _report_for(self, route: str, operator: str) -> RouteReport:
        name = operator if operator in self._named else OTHERS
        return self._reports.setdefault((route, name), RouteReport(route, name))

    def _mark_working(self, route: str, operator: str) -> RouteReport:
        report = self._report_for(route, operator)
        report.state, report.next_attempt_at = RouteState.WORKING, None
        return report
