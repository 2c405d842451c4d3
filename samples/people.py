"""The made-up people of the sample lists, their addresses, and the verdicts that the simulated world gives."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emailcheck.sandbox.mailworld.scenario.expectations import expect_verdict
from emailcheck.sandbox.mailworld.scenario.world import Domain, World

FIRST, LAST = (line.split() for line in Path(__file__).with_name("names.txt").read_text(encoding="utf-8").splitlines())
ROLES = ("info", "sales", "office", "support", "contact", "billing")
KINDS = {
    "person": 690,
    "role": 24,
    "gone": 190,
    "deleted": 30,
    "full": 20,
    "overflow": 8,
    "former": 24,
    "busy": 6,
    "flaky": 3,
    "guarded": 3,
    "unlikely": 6,
}
IMPOSSIBLE = (
    "{0}.{1}.gmail.com",
    "{0}.{1}@@gmail.com",
    "{0}.{1}@gmail",
    "{0}.{1}@gmail..com",
    ".{0}.{1}@outlook.com",
    "{0}.{1}.@outlook.com",
    "{0}..{1}@yahoo.com",
    "{0}.{1}@-yahoo.com",
    "{0}.{1}@icloud.com.",
    "{0}.{1}@intranet.local",
    "{0}.{1}@example.invalid",
    "{0}.{1}@",
)


@dataclass(frozen=True, slots=True)
class Person:
    """One line of a list. `possible` tells whether the address can be delivered to at all, by its syntax."""

    name: str
    email: str
    possible: bool = True


class Cast:
    """Makes people with addresses that nobody else of the cast has, the same ones for the same seed."""

    def __init__(self, world: World, seed: str) -> None:
        self._random = random.Random(seed)
        self._all_domains = tuple(world.domains.values())
        self._domains = [domain for domain in self._all_domains if domain.weight]
        self._weights = [domain.weight for domain in self._domains]
        self._taken: set[str] = set()

    def one_at_each_domain(self) -> Iterator[Person]:
        """Somebody at every domain that lists draw from."""
        for domain in self._domains:
            yield self._person_at(domain)

    def people(self, count: int) -> Iterator[Person]:
        """People at domains drawn by weight."""
        for domain in self._random.choices(self._domains, self._weights, k=count):
            yield self._person_at(domain)

    def as_in_life(self, count: int) -> Iterator[Person]:
        """People at the big providers by their shares, and the rest at domains that were made by a rule and answer at
        once, drawn by weight."""
        providers = [domain for domain in self._all_domains if domain.share]
        shares = [round(count * domain.share / 100) for domain in providers]
        for domain, share in zip(providers, shares, strict=True):
            for _ in range(share):
                yield self._person_at(domain)
        others = [domain for domain in self._domains if not domain.examples and not _is_greylisted(domain)]
        weights = [domain.weight for domain in others]
        for domain in self._random.choices(others, weights, k=count - sum(shares)):
            yield self._person_at(domain)

    def examples(self, domains: Iterable[Domain]) -> Iterator[Person]:
        """The addresses that the scenario names at these domains."""
        for domain in domains:
            for local in domain.examples:
                email = f"{local}@{domain.title}"
                if email not in self._taken:
                    self._taken.add(email)
                    yield Person(local.replace(".", " ").title(), email)

    def impossible(self, count: int) -> Iterator[Person]:
        """People whose address cannot be one."""
        for number in range(count):
            first, last = self._random.choice(FIRST), self._random.choice(LAST)
            template = IMPOSSIBLE[number % len(IMPOSSIBLE)]
            local = first if number < len(IMPOSSIBLE) else f"{first}{number}"
            yield Person(_full_name(first, last), template.format(local, last), possible=False)

    def repeated(self, people: Sequence[Person], count: int) -> Iterator[Person]:
        """The same people again, every other one with the domain in capitals."""
        for number, person in enumerate(self._random.sample(people, count)):
            local, _, domain = person.email.rpartition("@")
            email = f"{local}@{domain.upper()}" if number % 2 else person.email
            yield Person(person.name, email, person.possible)

    def shuffled(self, people: Iterable[Person]) -> list[Person]:
        """In no order."""
        people = list(people)
        self._random.shuffle(people)
        return people

    def _person_at(self, domain: Domain) -> Person:
        while True:
            first, last = self._random.choice(FIRST), self._random.choice(LAST)
            (kind,) = self._random.choices(list(KINDS), list(KINDS.values()))
            email = f"{self._local(kind, first, last)}@{domain.title}"
            if email not in self._taken:
                self._taken.add(email)
                return Person(_full_name(first, last), email)

    def _local(self, kind: str, first: str, last: str) -> str:
        number = self._random.choice(("", "", "", str(self._random.randrange(1, 100))))
        match kind:
            case "person":
                return self._random.choice((f"{first}.{last}", f"{first[0]}.{last}", f"{first}_{last}")) + number
            case "role":
                return self._random.choice(ROLES)
            case "unlikely":
                return f"{self._random.getrandbits(48):012x}x9"
            case _:
                return f"{kind}.{first}.{last}{number}"


def _is_greylisted(domain: Domain) -> bool:
    return domain.operator is not None and domain.operator.greylisting


def _full_name(first: str, last: str) -> str:
    return f"{first.title()} {last.title()}"


def expectation(world: World, people: Sequence[Person]) -> dict[str, Any]:
    """What a check of a list should find: per unique address, greylisting waited out and (`first_pass`) not."""
    unique: dict[str, Person] = {}
    for person in people:
        local, at, domain = person.email.rpartition("@")
        unique.setdefault(f"{local}{at}{domain.lower()}", person)
    verdicts = [_verdicts(world, person) for person in unique.values()]
    final = [later for _, later in verdicts]
    return {
        "rows": len(people),
        "unique": len(unique),
        "duplicates": len(people) - len(unique),
        "domains": len({email.rpartition("@")[2] for email, person in unique.items() if person.possible}),
        "categories": _counted(category for category, _ in final),
        "reasons": _counted("/".join(verdict) for verdict in final),
        "first_pass": _counted(first[0] for first, _ in verdicts),
    }


def verdicts_by_address(world: World, people: Sequence[Person]) -> dict[str, list[str]]:
    """The final category and reason of every address of a list, by the address as it is written."""
    return {person.email: list(_verdicts(world, person)[1]) for person in people}


def _verdicts(world: World, person: Person) -> tuple[tuple[str, str], tuple[str, str]]:
    if not person.possible:
        return ("invalid", "syntax"), ("invalid", "syntax")
    expected = expect_verdict(world, person.email)
    return (expected.category, expected.reason), expected.later


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
