"""From what was handed in to what will be checked: trimmed, without blanks, each address once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from emailcheck.common.text import storable
from validation.engine import AddressSyntaxError, parse

MAX_ADDRESS_CHARACTERS = 1_000


@dataclass(slots=True)
class Intake:
    """What a list holds. `rows` are (position, address) with positions counted from 1 over all lines."""

    rows: list[tuple[int, str]] = field(default_factory=list)
    domains: dict[int, str] = field(default_factory=dict)
    duplicates: int = 0
    blank: int = 0
    impossible: int = 0

    @property
    def possible(self) -> int:
        """How many can cost a credit: unique addresses with possible syntax (VAL-043)."""
        return len(self.rows) - self.impossible


def take_in(lines: Iterable[str]) -> Intake:
    """Sort the lines of a list: blanks dropped, duplicates found on the normalised address in lower case.

    Case is ignored in the local part too: RFC 5321 section 2.4 lets a host tell `A@x` from `a@x`, but no host is
    known that does, and a customer who pays for both has paid twice.
    """
    intake, seen = Intake(), set()
    for position, line in enumerate(lines, start=1):
        address = storable(line.strip()[:MAX_ADDRESS_CHARACTERS])
        if not address:
            intake.blank += 1
            continue
        key, domain = _identity(address)
        if key in seen:
            intake.duplicates += 1
            continue
        seen.add(key)
        intake.rows.append((position, address))
        if domain:
            intake.domains[position] = domain
        else:
            intake.impossible += 1
    return intake


def _identity(address: str) -> tuple[str, str]:
    try:
        parsed = parse(address)
    except AddressSyntaxError:
        return address.lower(), ""
    return str(parsed).lower(), parsed.domain


def into_chunks(intake: Intake, size: int) -> list[list[tuple[int, str]]]:
    """Cut a list into chunks of about `size` rows that keep the rows of a domain together.

    One session then asks for all of a domain's addresses; a domain with more rows than a chunk gets several.
    Impossible addresses, which cost no time, come last.
    """
    ordered = sorted(intake.rows, key=lambda row: (_sort_key(intake.domains.get(row[0], "")), row[0]))
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def _sort_key(domain: str) -> tuple[bool, str]:
    return (not domain, domain)
