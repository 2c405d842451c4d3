"""What admission requests of one pair of egress address and operator, and for which workers."""

from dataclasses import dataclass, field

from validation.engine.limits.operators import Operator, SessionRequest
from validation.engine.limits.pairs import Pair
from validation.engine.limits.shared_limits import Lane, LimitRequest, PairLimits

_REACH_S = 30.0  # how far ahead the short lane may be given recipients


@dataclass(slots=True)
class PairRequest:
    """A request for one pair and lane, with the session requests it serves."""

    operator: Operator
    pair: Pair
    lane: Lane
    limits: PairLimits
    waiters: list[SessionRequest] = field(default_factory=list)
    recipients: int = 0

    @property
    def ask(self) -> LimitRequest:
        """The request as `SharedLimits` takes it."""
        return LimitRequest(
            self.pair.key, self.limits, self.lane, len(self.waiters), self.recipients, within_s=_REACH_S
        )
