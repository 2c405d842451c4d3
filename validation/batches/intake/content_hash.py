"""The hash by which a list is known again."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain, islice

_LINES_AT_ONCE = 10_000


class ContentHash:
    """SHA-256 of the addresses in small letters; the same for the same list, whatever their order and what stands
    around them.

    The possible addresses are added domain by domain; `sizes` says how many each domain has, and those of a domain are
    sorted here. `impossible` are the others.
    """

    def __init__(self, sizes: Sequence[int], impossible: Iterable[str]) -> None:
        self._sizes = sizes
        self._impossible = sorted(map(str.lower, impossible))
        self._texts: list[str] = []

    def add(self, addresses: Iterable[str]) -> None:
        """Add the next possible addresses. What comes after the last one changes nothing."""
        self._texts.append("\n".join(addresses))

    def finish(self) -> str:
        """The hash in hexadecimal digits."""
        # No possible address holds a line break.
        lines = chain.from_iterable(text.lower().split("\n") for text in self._texts)
        domains = (sorted(islice(lines, size)) for size in self._sizes)
        ordered = chain(chain.from_iterable(domains), self._impossible or [""])
        content = sha256()
        while some := list(islice(ordered, _LINES_AT_ONCE)):
            content.update(("\n".join(some) + "\n").encode(errors="replace"))
        return content.hexdigest()
