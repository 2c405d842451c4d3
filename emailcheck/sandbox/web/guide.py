"""What `/sandbox` tells about the world: addresses worth typing, and the verdict to expect for each."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from emailcheck.sandbox.mailworld.scenario.expectations import VERDICT_ON, expect_verdict
from emailcheck.sandbox.mailworld.scenario.world import Domain, World


@dataclass(frozen=True, slots=True)
class Example:
    """An address with its verdict; `later` is the verdict after greylisting was waited out, if it differs."""

    address: str
    category: str
    reason: str
    later: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A domain described by hand, in the words of the scenario."""

    domain: str
    note: str
    operator: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """First words of a local part, and the verdict that they announce at honest hosts."""

    words: tuple[str, ...]
    category: str
    reason: str


@dataclass(frozen=True, slots=True)
class Family:
    """Many domains made by a rule, with one of them as an example."""

    title: str
    count: int
    example: Example


@dataclass(frozen=True, slots=True)
class Guide:
    """Everything that the page and `world.json` list."""

    rules: tuple[Rule, ...]
    groups: dict[str, tuple[Entry, ...]]
    families: tuple[Family, ...]
    domains: int
    hosts: int

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return asdict(self)


def describe_world(world: World) -> Guide:
    """Read the guide off a world."""
    by_hand = [domain for domain in world.domains.values() if domain.examples]
    made = [domain for domain in world.domains.values() if not domain.examples]
    return Guide(
        rules=tuple(Rule(words, *VERDICT_ON[state]) for state, words in world.mailboxes.words.items()),
        groups={
            group: tuple(_build_entry(world, domain) for domain in domains)
            for group, domains in groupby(by_hand, key=lambda domain: domain.group)
        },
        families=tuple(_group_families(world, made)),
        domains=len(world.domains),
        hosts=len(world.hosts_by_address),
    )


def _build_entry(world: World, domain: Domain) -> Entry:
    return Entry(
        domain=domain.title,
        note=domain.note,
        operator=domain.operator.title if domain.operator else "",
        examples=tuple(_build_example(world, f"{local}@{domain.title}") for local in domain.examples),
    )


def _group_families(world: World, domains: list[Domain]) -> Iterator[Family]:
    for title, members in groupby(domains, key=lambda domain: domain.note):
        listed = list(members)
        yield Family(title, len(listed), _build_example(world, f"anna.keller@{listed[0].title}"))


def _build_example(world: World, address: str) -> Example:
    expected = expect_verdict(world, address)
    later = expected.later if expected.later != (expected.category, expected.reason) else None
    return Example(address, expected.category, expected.reason, later)
