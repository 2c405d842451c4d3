"""Every simulated mail host, ready to answer."""

from collections.abc import Callable

from emailcheck.sandbox.mailworld.scenario.world import HostState, Visitor, World
from emailcheck.sandbox.mailworld.smtp.conversation import Conversation, HostSite
from emailcheck.sandbox.mailworld.smtp.greylist import Greylist
from emailcheck.sandbox.mailworld.smtp.replies import Replies
from emailcheck.sandbox.mailworld.smtp.stats import HostVisit, Stats, Switches


class MailHosts:
    """Opens sessions with the hosts of a world. `clock` gives seconds, as `time.monotonic` does."""

    def __init__(self, world: World, stats: Stats, switches: Switches, clock: Callable[[], float]) -> None:
        self._world = world
        self._stats = stats
        self._sites: dict[str, HostSite] = {}
        self.switches = switches
        self.greylist = Greylist(switches, clock)

    def state(self, address: str) -> HostState | None:
        """The state of the host at an address; None for an unknown address."""
        found = self._world.hosts_by_address.get(address)
        return found and found[1].state

    def visitor_called(self, name: str) -> Visitor | None:
        """The visitor of the world with that key or address."""
        return self._world.visitor_called(name)

    @property
    def visitor(self) -> Visitor:
        """The default visitor."""
        return self._world.visitor

    def open(self, address: str, source: str) -> tuple[Conversation, HostVisit]:
        """Begin a session with the host at an address of the world, for a peer that comes from `source`."""
        operator, _ = self._world.hosts_by_address[address]
        visit = self._stats.opened(operator, address, source)
        return Conversation(self._site(address), visit), visit

    def _site(self, address: str) -> HostSite:
        site = self._sites.get(address)
        if site is None:
            operator, host = self._world.hosts_by_address[address]
            replies = Replies(operator, host.name_for("tenant"))
            site = self._sites[address] = HostSite(self._world, operator, replies, self.greylist)
        return site
