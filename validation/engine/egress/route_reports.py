"""Reports on how operators treat each of our routes, for monitoring."""

from dataclasses import dataclass
from enum import StrEnum

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
