"""The state of the simulated outside world that its servers and pages share."""

import time
from collections.abc import Callable
from pathlib import Path

from emailcheck.sandbox.mailworld.dns.server import Responder
from emailcheck.sandbox.mailworld.dns.texts import TextRecord, TextRecords
from emailcheck.sandbox.mailworld.dns.zone import Zone
from emailcheck.sandbox.mailworld.scenario.limits import LimitBook
from emailcheck.sandbox.mailworld.scenario.world import World
from emailcheck.sandbox.mailworld.smtp.mail_hosts import MailHosts
from emailcheck.sandbox.mailworld.smtp.stats import Stats, Switches
from emailcheck.sandbox.outbox.store import Outbox
from emailcheck.sandbox.paypal.world import PayPalWorld
from emailcheck.sandbox.providers.world import ProviderWorld
from emailcheck.sandbox.receiver.host_names import ADDRESSES, MOVING
from emailcheck.sandbox.receiver.inbox import Inbox


class Simulation:
    """One world with its name server, mail hosts, counters, switches and outbox, a PayPal, validation providers, and a
    receiver of webhooks."""

    def __init__(
        self,
        world: World,
        data_dir: Path,
        *,
        latency_ms: float = 0.0,
        limits_factor: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.world = world
        self.switches = Switches(latency_ms=latency_ms, greylist_s=world.greylist_s)
        self.limits = LimitBook(world.limits, world.limits_factor if limits_factor is None else limits_factor)
        self.stats = Stats(world, self.limits, clock)
        self.hosts = MailHosts(world, self.stats, self.switches, clock)
        zone = Zone(world)
        self.names = Responder(zone)
        self.texts = TextRecords(zone, data_dir / "dns.json")
        self.outbox = Outbox(data_dir / "outbox")
        self.paypal = PayPalWorld(data_dir / "paypal")
        self.providers = ProviderWorld(world)
        self.inbox = Inbox()

    def rebind(self, *, inside: bool) -> None:
        """Point the moving name to this machine, or back to the receiver."""
        self.names.point(MOVING, "127.0.0.1" if inside else ADDRESSES[0])

    def add_text(self, name: str, text: str) -> TextRecord:
        """Let the name server answer with a TXT record more. Raises as `TextRecords.add`."""
        record = self.texts.add(name, text)
        self.names.forget()
        return record

    def remove_text(self, name: str, text: str) -> None:
        """Let it answer without such a record. Raises as `TextRecords.add`."""
        self.texts.remove(name, text)
        self.names.forget()

    def reset(self) -> None:
        """Reset the counters, rates and greylisted triplets.

        Switches, limits, added records, outbox, inbox, PayPal and providers stay.
        """
        self.stats.reset()
        self.names.questions.clear()
        self.hosts.greylist.forget()
