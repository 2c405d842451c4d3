"""What a call needs of the verifier, and how long its addresses may wait."""

import math
from collections.abc import Set
from dataclasses import dataclass
from typing import Protocol

from validation.engine.hosts.host_group import HostGroup
from validation.engine.limits.shared_limits import Lane
from validation.engine.probes.tickets import FollowUpRoute
from validation.engine.syntax import Address
from validation.engine.verdict.domain_facts import DomainFacts
from validation.engine.vocabulary import FollowUp, OptionalCheck, Reason

Exchanges = tuple[tuple[int, str], ...]

LIST_PATIENCE_S = 10.0
"""Seconds that a list's address stands in line in a process before it is handed back to wait elsewhere."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The lane of a call's addresses, and how many seconds each may stand in line."""

    lane: Lane
    seconds: float = math.inf


ENDLESS_PATIENCE = Patience(Lane.SHORT)


class CallContext(Protocol):
    """What a call needs of the verifier."""

    async def look_up(self, domain: str, checks: Set[OptionalCheck]) -> DomainFacts:
        """Look a domain up in the lists and in the DNS."""

    def undecided(self, domain: str, reason: Reason, detail: str, checks: Set[OptionalCheck]) -> DomainFacts:
        """The facts on a domain that could not be looked up."""

    def group_for(self, exchanges: Exchanges, follow_up_route: FollowUpRoute, lane: Lane) -> HostGroup:
        """The group that probes these hosts in this lane, over the follow-up route where one is given."""

    def is_role(self, address: Address) -> bool:
        """Whether the mailbox belongs to a function."""

    def is_trap(self, address: Address) -> bool | None:
        """Whether the address is a known trap; None without a list."""

    def pending_probe_address(self, domain: str) -> str:
        """The catch-all probe address of a domain that has no decided answer yet; "" where there is none."""

    def reuse_probe_address(self, domain: str, earlier: FollowUp) -> None:
        """Use the catch-all probe address of an earlier attempt again."""

    def now(self) -> float:
        """Seconds, for durations."""

    def time(self) -> float:
        """Epoch seconds."""
