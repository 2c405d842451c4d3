"""How many connections each client address has, counted over all processes without a lock."""

import ipaddress
import mmap
from typing import Final

_BUCKETS: Final = 65_536
_OCTETS: Final = 2


class AddressCounts:
    """A table in memory that the processes share: each writes its own rows and reads those of all.

    Addresses are spread over buckets by Python's keyed hash, which forked processes have in common. Two addresses in
    one bucket share a count, which matters to neither before one has as many connections as the cap.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._table = memoryview(mmap.mmap(-1, processes * _BUCKETS * _OCTETS)).cast("H")

    def add(self, process: int, client: str, change: int) -> None:
        """Count connections of a client in a process: one more or one less."""
        self._table[process * _BUCKETS + hash(client) % _BUCKETS] += change

    def count(self, client: str) -> int:
        """The connections of a client in all processes."""
        bucket = hash(client) % _BUCKETS
        return sum(self._table[process * _BUCKETS + bucket] for process in range(self._processes))

    def forget(self, process: int) -> None:
        """Count nothing of a process that has ended."""
        for place in range(process * _BUCKETS, (process + 1) * _BUCKETS):
            self._table[place] = 0


def identify_client(address: str) -> str:
    """Who has an address: of IPv6 a customer has a network of 64 bits, in which every address is the same client."""
    if ":" not in address:
        return address
    parsed = ipaddress.IPv6Address(address.partition("%")[0])
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed) >> 64 << 64, 64)).network_address)
