"""What admission asks of one pair of egress address and operator, and for whom."""

from dataclasses import dataclass, field

from validation.engine.limits.operators import Operator, SessionRequest
from validation.engine.limits.pairs import Pair
from validation.engine.limits.shared_limits import Lane, LimitRequest, PairLimits

_REACH_S = 30.0  # how far ahead the short lane may be given recipients


@dataclass(slots=True)
class PairRequest:
    """What is asked of one pair for one lane, and for whom."""

    operator: Operator
    pair: Pair
    lane: Lane
    limits: PairLimits
    waiters: list[SessionRequest] = field(default_factory=list)
    recipients: int = 0

    @property
    def ask(self) -> LimitRequest:
        """As it is asked."""
        return LimitRequest(
            self.pair.key, self.limits, self.lane, len(self.waiters), self.recipients, within_s=_REACH_S
        )
