"""Every simulated mail host, ready to answer."""

from collections.abc import Callable

from emailcheck.sandbox.mailworld.conversation import Conversation, Site
from emailcheck.sandbox.mailworld.greylist import Greylist
from emailcheck.sandbox.mailworld.replies import Replies
from emailcheck.sandbox.mailworld.scenario import HostState, World
from emailcheck.sandbox.mailworld.stats import HostCounters, Stats, Switches


class MailHosts:
    """Opens sessions with the hosts of a world. `clock` gives seconds, as `time.monotonic` does."""

    def __init__(self, world: World, stats: Stats, switches: Switches, clock: Callable[[], float]) -> None:
        self._world = world
        self._stats = stats
        self._sites: dict[str, Site] = {}
        self.switches = switches
        self.greylist = Greylist(switches, clock)

    def state(self, address: str) -> HostState | None:
        """What becomes of a connection to an address; None when the world does not know it."""
        found = self._world.hosts_by_address.get(address)
        return found and found[1].state

    def open(self, address: str, client: str) -> tuple[Conversation, HostCounters]:
        """Begin a session with the host at an address of the world."""
        operator, _ = self._world.hosts_by_address[address]
        limit = operator.sessions_at_once
        crowded = bool(limit) and self._stats.sessions_open(operator) >= limit
        counters = self._stats.opened(operator, address)
        return Conversation(self._site(address), counters, client, crowded=crowded), counters

    def _site(self, address: str) -> Site:
        site = self._sites.get(address)
        if site is None:
            operator, host = self._world.hosts_by_address[address]
            replies = Replies(operator, host.name_for("tenant"), self._world.visitor.address)
            site = self._sites[address] = Site(self._world, operator, replies, self.greylist)
        return site
