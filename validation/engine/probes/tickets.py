"""Addresses that wait for their probe, and jobs: some of them of one domain, asked for in one envelope."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from validation.engine.dns.mail_hosts import MailHosts
from validation.engine.probes.probe import Probe
from validation.engine.syntax import Address
from validation.engine.vocabulary import FollowUp

FollowUpRoute = tuple[str, str] | None  # the egress address and the sender that a follow-up must take


class TicketQueue(Protocol):
    """Where an address stands in line."""

    def unasked_probe(self) -> "Probe | None":
        """What is to be said of who was not asked for until now; None where its hosts were dialled in vain."""


@dataclass(slots=True)
class Ticket:
    """One address waiting for its probe.

    `index` and `email` are where it stood in the list and how it was written there, `duplicates` the same of its
    repetitions. `accepted` holds a yes that still lacks the random recipient's answer; `earlier` is how it was asked
    for before. `patience_s` is how long it may stand in line, `queue` where it does, None as long as it does not or
    when it was asked for. `on_probe` is called once, with None for an address that need not be asked for.
    """

    address: Address
    on_probe: "Callable[[Ticket, Probe | None], None]"
    index: int = 0
    email: str = ""
    duplicates: tuple[tuple[int, str], ...] = ()
    earlier: FollowUp | None = None
    done: bool = False
    tries: int = 0
    patience_s: float = math.inf
    queue: "TicketQueue | None" = None
    accepted: Probe | None = None
    last: Probe | None = None
    earlier_probe: Probe | None = None

    def deliver_probe(self, probe: Probe | None) -> None:
        """Hand over the probe, once."""
        if not self.done:
            self.done = True
            self.on_probe(self, probe)

    def give_up(self, probe: Probe) -> None:
        """Hand over the best there is: a yes, or the last that a host said, rather than that it said nothing then."""
        earlier_probe = self.earlier_probe if probe.reply is None else None
        self.deliver_probe(self.accepted or earlier_probe or probe)


@dataclass(slots=True)
class Job:
    """Some addresses of one domain, asked for in one envelope."""

    hosts: MailHosts
    tickets: list[Ticket] = field(default_factory=list)
