"""An engine that keeps to limits of ours: it asks about so many rows of an operator, and about the others not yet."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from validation.batches.intake.operators import operator_of
from validation.engine import Category, FollowUp, OptionalCheck, Reason, Verdict, Wait, WaitCause
from validation.engine.limits.shared_limits import Lane
from validation.testmode import verdicts
from validation.testmode.addresses import DOMAIN
from validation.verifier.checker import Arrival, Run


def accepted(address: str) -> Verdict:
    """The verdict on a mailbox that is there."""
    return replace(verdicts.build_verdict(f"valid@{DOMAIN}"), email=address, domain=address.rpartition("@")[2])


def not_asked(address: str, wait: Wait, follow_up: FollowUp | None = None) -> Verdict:
    """What is said of an address that nobody was asked about because of a limit of ours."""
    sentence = f"We have reached our own limit at {wait.operator.capitalize()}; ask again in {wait.seconds:.0f} s."
    return replace(
        accepted(address),
        category=Category.UNKNOWN,
        reason=Reason.NOT_ASKED,
        confidence=0.5,
        safe_to_send=False,
        sentence=sentence,
        smtp_valid=None,
        is_catch_all=None,
        follow_up=follow_up,
        retry_after=wait.seconds,
        wait=wait,
    )


@dataclass
class LimitedEngine:
    """Takes the place of `Checker` at the border of the engine. `takes` says how many rows of an operator are asked
    about from now on, any number of others; `holds` keeps runs open until they are stopped."""

    takes: dict[str, int] = field(default_factory=dict)
    wait_s: float = 60.0
    per_s: float = 20.0
    holds: bool = False
    full: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)
    lanes: list[Lane] = field(default_factory=list)
    follow_ups: list[FollowUp] = field(default_factory=list)

    def start(
        self,
        addresses: Sequence[str],
        *,
        deadline_s: float,
        checks: Set[OptionalCheck],
        follow_ups: Mapping[int, FollowUp],
        lane: Lane,
    ) -> Run:
        self.lanes.append(lane)
        self.follow_ups += follow_ups.values()
        arrived: deque[Arrival] = deque()
        for index, address in enumerate(addresses):
            arrived.append((index, self._verdict(address, follow_ups.get(index))))
        work: Future[None] = Future()
        if not self.holds:
            work.set_result(None)
        return Run(arrived, work)

    def check(self, address: str, *, checks: Set[OptionalCheck], deadline_s: float | None = None) -> Verdict:
        return self._verdict(address, None)

    def crowded(self) -> frozenset[str]:
        return self.full

    def load_known_domains(self, addresses: Iterable[str]) -> None:
        """Nothing is remembered here."""

    def store_learned(self) -> None:
        """Nothing is learned here."""

    def _verdict(self, address: str, follow_up: FollowUp | None) -> Verdict:
        operator = operator_of(address.rpartition("@")[2])
        left = self.takes.get(operator, 1)
        if left <= 0:
            return not_asked(address, Wait(operator, WaitCause.RATE, self.wait_s, self.per_s), follow_up)
        if operator in self.takes:
            self.takes[operator] = left - 1
        self.asked.append(address)
        return accepted(address)
