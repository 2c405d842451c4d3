"""Addresses that wait for their probe, and jobs: addresses of one domain for one envelope."""

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
    """The queue that an address waits in."""

    def unasked_probe(self) -> "Probe | None":
        """The probe of an address in this queue; None where its hosts were dialled without success."""


@dataclass(slots=True)
class Ticket:
    """One address that waits for its probe.

    `index` and `email` are its position in the list and its spelling there; `duplicates` are those of its repetitions.
    `earlier` is the follow-up it came with. `patience_s` is how long it may wait, `queue` where it does, None before
    and after. `accepted` is a positive answer that lacks the random recipient's outcome. `on_probe` is called once;
    with None for an address that needs no probe.
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
        """Deliver the probe, once."""
        if not self.done:
            self.done = True
            self.on_probe(self, probe)

    def give_up(self, probe: Probe) -> None:
        """Deliver the best answer known: an acceptance, or the last reply rather than later silence."""
        earlier_probe = self.earlier_probe if probe.reply is None else None
        self.deliver_probe(self.accepted or earlier_probe or probe)


@dataclass(slots=True)
class Job:
    """Some addresses of one domain, asked for in one envelope."""

    hosts: MailHosts
    tickets: list[Ticket] = field(default_factory=list)
