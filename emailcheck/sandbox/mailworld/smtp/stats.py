"""The counts of the simulated mail hosts, and the switches of their behaviour."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from emailcheck.sandbox.mailworld.scenario.limits import LimitBook
from emailcheck.sandbox.mailworld.scenario.world import Host, Operator, World
from emailcheck.sandbox.mailworld.smtp.source_counters import SourceCounter


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
    """Switches that change while the sandbox runs.

    `latency_ms`: the round trip between a flush of commands and its replies. `greylist_s`: how long a greylisting host
    rejects a new triplet.
    """

    latency_ms: float
    greylist_s: float


@dataclass(slots=True)
class HostVisit:
    """One session at a host, with its counters, and whether it was admitted."""

    source: str
    counters: HostCounters
    tally: SourceCounter
    is_admitted: bool

    def end(self) -> None:
        """The session is over."""
        self.counters.open -= 1
        if self.is_admitted:
            self.tally.open -= 1


class Stats:
    """The counters of all hosts by address, and those of each source address at each company."""

    def __init__(self, world: World, book: LimitBook, clock: Callable[[], float]) -> None:
        self._world, self._book, self._clock = world, book, clock
        self._hosts: dict[str, HostCounters] = {}
        self._tallies: dict[tuple[str, str], SourceCounter] = {}
        self._operator_peaks: Counter[str] = Counter()

    def host(self, address: str) -> HostCounters:
        """The counters of the host at a simulated address."""
        counters = self._hosts.get(address)
        if counters is None:
            operator, host = self._world.hosts_by_address[address]
            counters = self._hosts[address] = HostCounters(host.name, operator.key)
        return counters

    def opened(self, operator: Operator, address: str, source: str) -> HostVisit:
        """A connection from `source` to a host of the operator was accepted."""
        counters, tally = self.host(address), self._tally(source, operator.company)
        counters.opened()
        peak = max(self._operator_peaks[operator.key], self.sessions_open(operator))
        self._operator_peaks[operator.key] = peak
        return HostVisit(source, counters, tally, tally.admit_session(operator.sessions_at_once))

    def sessions_open(self, operator: Operator) -> int:
        """How many sessions an operator serves at this moment, over all its hosts."""
        return sum(self._open_at(host) for host in operator.hosts)

    def reset(self) -> None:
        """Start counting anew, rates included; sessions that are open stay counted as open."""
        for counters in self._hosts.values():
            counters.connections = counters.largest_flush = 0
            counters.peak = counters.open
            counters.commands.clear()
        for tally in self._tallies.values():
            tally.reset()
        self._operator_peaks.clear()

    def report(self) -> dict[str, Any]:
        """Totals, every host that was spoken to, and every pair of source address and company, as JSON values."""
        hosts = {address: counters.report() for address, counters in self._hosts.items()}
        commands: Counter[str] = Counter()
        for counters in self._hosts.values():
            commands.update(counters.commands)
        return {
            "connections": sum(host["connections"] for host in hosts.values()),
            "peak_per_host": max((host["peak"] for host in hosts.values()), default=0),
            "peak_per_operator": dict(self._operator_peaks),
            "commands": dict(commands),
            "limits": self._book.report(),
            "pairs": self.pairs(),
            "hosts": hosts,
        }

    def pairs(self) -> list[dict[str, Any]]:
        """What each company counted of each source address, as JSON values."""
        return [
            {"source": source, "company": company} | tally.report()
            for (source, company), tally in self._tallies.items()
        ]

    def _tally(self, source: str, company: str) -> SourceCounter:
        tally = self._tallies.get((source, company))
        if tally is None:
            tally = self._tallies[source, company] = SourceCounter(company, self._book, self._clock)
        return tally

    def _open_at(self, host: Host) -> int:
        return sum(self._hosts[address].open for address in host.addresses if address in self._hosts)
