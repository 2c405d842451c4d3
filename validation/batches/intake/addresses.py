"""From the submitted lines to the addresses to check: trimmed, without blanks, each once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from emailcheck.common.text.cleaning import make_storable
from validation.engine import AddressSyntaxError, parse

MAX_ADDRESS_CHARACTERS = 1_000

Numbered = tuple[int, str]


@dataclass(slots=True)
class Intake:
    """The contents of a list. Addresses are pairs (position, address); positions start at 1 and count all lines."""

    by_domain: dict[str, list[Numbered]] = field(default_factory=dict)
    impossible: list[Numbered] = field(default_factory=list)
    possible: int = 0
    lines: int = 0
    duplicates: int = 0
    blank: int = 0

    @property
    def unique(self) -> int:
        """The number of addresses to check; `possible` of them can cost a credit each (VAL-043)."""
        return self.possible + len(self.impossible)

    def add(self, position: int, address: str, domain: str) -> None:
        """Add an address that is not in the list yet. `domain` is `""` when its syntax is impossible."""
        if domain:
            self.possible += 1
            self.by_domain.setdefault(domain, []).append((position, address))
        else:
            self.impossible.append((position, address))

    def count(self, *, duplicates: int = 0, blank: int = 0) -> None:
        """Count a line, as blank or duplicate where it is one."""
        self.lines += 1
        self.duplicates += duplicates
        self.blank += blank

    def domains(self) -> Iterator[tuple[str, int]]:
        """The domains and their numbers of addresses."""
        return ((domain, len(rows)) for domain, rows in self.by_domain.items())

    def chunks(self, size: int) -> Iterator[list[Numbered]]:
        """The addresses in chunks of `size`, with those of a domain together.

        One session then probes all addresses of a domain; a domain larger than a chunk gets several. Impossible
        addresses, which take no time, come last.
        """
        domains = map(self.by_domain.__getitem__, sorted(self.by_domain))
        rows = chain(chain.from_iterable(domains), self.impossible)
        while chunk := list(islice(rows, size)):
            yield chunk


def sort_lines(lines: Iterable[str], *, max_credits: int | None = None) -> Intake:
    """Sort the lines of a list: blanks dropped, duplicates found on the normalised address in lower case.

    With `max_credits` it ends before the first line that would need one more.

    Case is ignored in the local part too: RFC 5321 section 2.4 lets a host tell `A@x` from `a@x`, but no host is
    known that does, and a customer who pays for both has paid twice.
    """
    intake, seen = Intake(), set[str]()
    for line in lines:
        address = clean_line(line)
        if not address:
            intake.count(blank=1)
            continue
        key, domain = address_key(address)
        if key in seen:
            intake.count(duplicates=1)
            continue
        if domain and intake.possible == max_credits:
            break
        intake.count()
        seen.add(key)
        intake.add(intake.lines, address, domain)
    return intake


def clean_line(line: str) -> str:
    """A line as it is checked and stored: trimmed and of bounded length; `""` for a blank one."""
    return make_storable(line.strip()[:MAX_ADDRESS_CHARACTERS])


def address_key(address: str) -> tuple[str, str]:
    """The key under which duplicates are found, and the domain: `""` when the syntax is impossible."""
    try:
        parsed = parse(address)
    except AddressSyntaxError:
        return address.lower(), ""
    return parsed.lower(), parsed.domain
