"""What the simulated mail hosts count, and the switches that change how they answer."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from emailcheck.sandbox.mailworld.scenario import Host, Operator, World


@dataclass(slots=True)
class HostCounters:
    """Counted for one address. `commands` by verb; `largest_flush`: most commands that arrived at once."""

    name: str
    operator: str
    connections: int = 0
    open: int = 0
    peak: int = 0
    largest_flush: int = 0
    commands: Counter[str] = field(default_factory=Counter)

    def opened(self) -> None:
        """A connection was accepted."""
        self.connections += 1
        self.open += 1
        self.peak = max(self.peak, self.open)

    def report(self) -> dict[str, Any]:
        """The counters as JSON values."""
        return {
            "name": self.name,
            "operator": self.operator,
            "connections": self.connections,
            "open": self.open,
            "peak": self.peak,
            "largest_flush": self.largest_flush,
            "commands": dict(self.commands),
        }


@dataclass(slots=True)
class Switches:
    """Adjustable while the sandbox runs. `latency_ms`: how long after the arrival of a flush of commands its
    replies leave, a round trip. `greylist_s`: how long a greylisting host turns a new triplet away."""

    latency_ms: float
    greylist_s: float


class Stats:
    """The counters of all hosts, by address."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._hosts: dict[str, HostCounters] = {}
        self._operator_peaks: Counter[str] = Counter()

    def host(self, address: str) -> HostCounters:
        """The counters of the host at a simulated address."""
        counters = self._hosts.get(address)
        if counters is None:
            operator, host = self._world.hosts_by_address[address]
            counters = self._hosts[address] = HostCounters(host.name, operator.key)
        return counters

    def opened(self, operator: Operator, address: str) -> HostCounters:
        """A connection to a host of the operator was accepted; answers the host's counters."""
        counters = self.host(address)
        counters.opened()
        peak = max(self._operator_peaks[operator.key], self.sessions_open(operator))
        self._operator_peaks[operator.key] = peak
        return counters

    def sessions_open(self, operator: Operator) -> int:
        """How many sessions an operator serves at this moment, over all its hosts."""
        return sum(self._open_at(host) for host in operator.hosts)

    def reset(self) -> None:
        """Start counting anew; sessions that are open stay counted as open."""
        for counters in self._hosts.values():
            counters.connections = counters.largest_flush = 0
            counters.peak = counters.open
            counters.commands.clear()
        self._operator_peaks.clear()

    def report(self) -> dict[str, Any]:
        """Totals and every host that was spoken to, as JSON values."""
        hosts = {address: counters.report() for address, counters in self._hosts.items()}
        commands: Counter[str] = Counter()
        for counters in self._hosts.values():
            commands.update(counters.commands)
        return {
            "connections": sum(host["connections"] for host in hosts.values()),
            "peak_per_host": max((host["peak"] for host in hosts.values()), default=0),
            "peak_per_operator": dict(self._operator_peaks),
            "commands": dict(commands),
            "hosts": hosts,
        }

    def _open_at(self, host: Host) -> int:
        return sum(self._hosts[address].open for address in host.addresses if address in self._hosts)
