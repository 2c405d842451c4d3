"""The addresses of a list as sorted 64-bit numbers, each with the newest verdict that was found for it.

A million addresses take 24 MB. The numbers are Python's hashes of the keys under which duplicates are found, which
nobody outside can foresee; whoever takes a verdict over compares the keys themselves. Pure: no database.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from validation.batches.intake.addresses import address_key

_PLAIN = re.compile(r"[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}")
"""Addresses that are their own key: most, and they need not be parsed."""
_MASK = 0xFFFF_FFFF_FFFF_FFFF
_PARTS = 256


def key_of(address: str) -> str:
    """The key under which an address of possible syntax is found, as `address_key` has it.

    >>> key_of("Anna@Example.com"), key_of("anna@bücher.de")
    ('anna@example.com', 'anna@xn--bcher-kva.de')
    """
    lower = address.lower()
    return lower if _PLAIN.fullmatch(lower) else address_key(address)


def list_spellings(address: str) -> set[str]:
    """The texts under which results of an address may be stored: as it stands, its key, and with a readable domain."""
    key = key_of(address)
    found = {address.lower()[:320], key[:320]}
    if "@xn--" in key or ".xn--" in key:
        local, _, domain = key.rpartition("@")
        found.add(f"{local}@{_decode(domain)}"[:320])
    return found


def _decode(domain: str) -> str:
    return ".".join(
        label.removeprefix("xn--").encode().decode("punycode") if label.startswith("xn--") else label
        for label in domain.split(".")
    )


class KnownTable:
    """The keys of a list and, for each, the newest verdict: its id, date, and whether it is by basic checks alone."""

    def __init__(self, addresses: Iterable[str]) -> None:
        parts = [array("Q") for _ in range(_PARTS)]
        for address in addresses:
            number = _hash(key_of(address))
            parts[number >> 56].append(number)
        self._numbers = array("Q")
        self._starts = array("Q", [0])
        for part in parts:
            self._numbers.extend(sorted(part))
            self._starts.append(len(self._numbers))
        self._ids = array("q", bytes(8 * len(self._numbers)))  # negative: by basic checks; 0: nothing to take over
        self._dates = array("d", bytes(8 * len(self._numbers)))

    def __len__(self) -> int:
        return len(self._numbers)

    def find(self, key: str) -> int:
        """The place of a key; -1 for one that is not in the list."""
        number = _hash(key)
        part = number >> 56
        place = bisect_left(self._numbers, number, self._starts[part], self._starts[part + 1])
        is_there = place < self._starts[part + 1] and self._numbers[place] == number
        return place if is_there else -1

    def note(self, place: int, result: int, at: datetime, *, decided: bool, basic: bool) -> None:
        """Note a verdict on the address at a place. Only the newest counts; it is no use where it is undecided."""
        date = at.timestamp()
        if (date, result) > (self._dates[place], abs(self._ids[place])):
            self._dates[place] = date
            self._ids[place] = (-result if basic else result) if decided else 0

    def forget(self, place: int) -> None:
        """Take no verdict over for the address at a place."""
        self._ids[place], self._dates[place] = 0, 0.0

    def newest(self, place: int, *, full_only: bool) -> int:
        """The id of the verdict to take over; 0 for none."""
        result = self._ids[place]
        return max(0, result) if full_only else abs(result)

    def dated_before(self, place: int, at: datetime) -> bool:
        """Whether no verdict at a place is as new as that."""
        return self._dates[place] < at.timestamp()

    def count(self, *, full_only: bool) -> int:
        """The number of addresses whose verdict can be taken over."""
        return sum(1 for _ in self._list_places(full_only))

    def find_dates(self, *, full_only: bool) -> tuple[datetime, datetime] | None:
        """When the oldest and the newest of these verdicts were made; None without any."""
        dates = [0.0, 0.0]
        for place in self._list_places(full_only):
            date = self._dates[place]
            dates = [min(dates[0] or date, date), max(dates[1], date)]
        return (datetime.fromtimestamp(dates[0], UTC), datetime.fromtimestamp(dates[1], UTC)) if dates[1] else None

    def _list_places(self, full_only: bool) -> Iterator[int]:
        return (place for place, result in enumerate(self._ids) if result > 0 or (result and not full_only))


def _hash(key: str) -> int:
    return hash(key) & _MASK
