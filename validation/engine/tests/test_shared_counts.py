"""A count that many processes share: what is taken back, what is left to others, and when one looks again."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from validation.engine import Reason, Verdict
from validation.engine.egress.addresses import Egress
from validation.engine.jobs import Patience
from validation.engine.limits.admission import Admission
from validation.engine.limits.operators import EgressPool, Operator
from validation.engine.limits.shared_limits import Lane, LimitGrant, LimitRequest, LocalLimits
from validation.engine.tests import virtual
from validation.engine.tests.test_limits import YAHOO, addresses, all_of, checked, exists, yahoo_verifier
from validation.engine.tests.virtual import LoopClock, SlowLoop, TalkingConnector


@pytest.mark.finding("A2")
@pytest.mark.parametrize(("delay_s", "per_minute", "open_then"), [(0.5, 1200, 2), (0.02, 120, 1)])
def test_sessions_that_are_revoked_end_at_once_and_their_rows_are_asked_for_again(
    delay_s: float, per_minute: int, open_then: int
) -> None:
    """In the middle of asking, and while they wait for the next recipients."""
    world = TalkingConnector(exists, delay_s=delay_s)
    shared = Shared()
    verifier = yahoo_verifier(world, profile=replace(YAHOO, per_minute=per_minute), shared=shared)

    async def revoked() -> tuple[list[Verdict], list[int]]:
        listed = asyncio.create_task(all_of(verifier, addresses(300), Patience(Lane.LONG)))
        await asyncio.sleep(6.0)
        counts = [world.open]
        shared.revoke("direct|yahoo", 3)
        await asyncio.sleep(0.01)
        counts.append(world.open)
        found = await listed
        await verifier.aclose()
        return found, counts

    (found, counts), _ = virtual.run(revoked())
    assert counts == [open_then, 0]
    assert {one.reason for one in found} == {Reason.MAILBOX_EXISTS}


@pytest.mark.finding("A2")
@pytest.mark.parametrize(("wanted", "most"), [(False, 19), (True, 5)])
def test_where_another_has_its_turn_next_nothing_is_taken_that_nobody_would_use(wanted: bool, most: int) -> None:
    shared = Shared(wanted=wanted)
    verdicts, _ = virtual.run(checked(yahoo_verifier(TalkingConnector(exists), shared=shared), addresses(200)))
    assert {one.reason for one in verdicts} == {Reason.MAILBOX_EXISTS}
    assert max(shared.recipients) == most


@pytest.mark.finding("A4")
def test_who_is_refused_a_session_looks_again_though_its_time_came_between_two_looks_at_the_clock() -> None:
    """Another comes just when the next look is due; nobody is inside, whose leaving would be noticed."""

    async def two(after_ms: int) -> int:
        egresses = EgressPool([Egress.by(TalkingConnector(exists))])
        admission = Admission(10, Refusing(0.1), egresses, LoopClock())
        operator = Operator("yahoo", replace(YAHOO, first_sessions=3), egresses)
        first = asyncio.create_task(admission.enter(operator, Lane.LONG))
        await asyncio.sleep(after_ms / 1000)
        slots = [await admission.enter(operator, Lane.LONG), await first]
        await admission.aclose()
        return len(slots)

    assert [virtual.run(two(after_ms), SlowLoop)[0] for after_ms in range(80, 130)] == [2] * 50


class Shared(LocalLimits):
    """A count that somebody may take sessions back from, and of which another process may have its turn next.

    `recipients` are those that were asked for.
    """

    def __init__(self, *, wanted: bool = False) -> None:
        super().__init__(LoopClock().monotonic, LoopClock().monotonic)
        self.wanted = wanted
        self.recipients: list[int] = []
        self.revoke: Callable[[str, int], None] = lambda _, __: None

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        self.recipients += [ask.recipients for ask in asks]
        return await super().exchange(asks)

    def is_wanted(self, pair: str) -> bool:
        return self.wanted

    def on_revoked(self, revoke: Callable[[str, int], None]) -> None:
        self.revoke = revoke


class Refusing(LocalLimits):
    """A count by which other processes have all sessions, the first time that somebody asks."""

    def __init__(self, again_in_s: float) -> None:
        super().__init__(LoopClock().monotonic, LoopClock().monotonic)
        self._again_in_s = again_in_s
        self._is_full = True

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        if self._is_full:
            self._is_full = False
            return [LimitGrant(again_in_s=self._again_in_s) for _ in asks]
        return await super().exchange(asks)
