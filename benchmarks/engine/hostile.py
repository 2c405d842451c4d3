"""A world of difficult mail hosts, one kind of difficulty to each set of hosts."""

import random
from collections.abc import Iterator
from dataclasses import replace

from benchmarks.engine import words
from benchmarks.engine.clean import CATCH_ALL, MISSING, NEEDS_UTF8, VALID, public_addresses
from benchmarks.engine.difficulties import KINDS, Kind
from benchmarks.engine.model import Host, Line, Manner, Pipelining, Rcode, Truth, World, truth
from benchmarks.engine.styles import OWN_HOSTS

_MISSING_SHARE = 0.3
_CATCH_ALL_SHARE = 0.1
_FOREIGN_SHARE = 0.3
_PRIVATE = ("10.1.2.3", "192.168.7.1", "172.16.4.4", "127.0.0.1", "169.254.1.1", "100.64.0.9")


class HostileWorld:
    """Builds a world from a seed: every kind of difficulty, in sets of hosts with a few domains each."""

    def __init__(self, seed: int, *, domains: int, sets: int, addresses: int) -> None:
        self._rng = random.Random(seed)
        self.world = World(seed)
        self._names = words.domain_names(self._rng)
        self._addresses = public_addresses()
        self._domains = domains
        self._sets = max(sets, len(KINDS))
        self._count = addresses

    def build(self) -> World:
        """Everything: hosts, names, mailboxes and questions in random order."""
        per_set = max(1, self._domains // self._sets)
        sizes = self._sizes(self._sets * per_set)
        for number in range(self._sets):
            kind = KINDS[number % len(KINDS)]
            exchanges, manner = self._hosts(kind)
            for _ in range(per_set):
                self._fill(next(self._names), kind, exchanges, manner, next(sizes))
        self._rng.shuffle(self.world.questions)
        return self.world

    def _sizes(self, domains: int) -> Iterator[int]:
        given = 0
        for number in range(1, domains + 1):
            upto = self._count * number // domains
            yield upto - given
            given = upto

    def _hosts(self, kind: Kind) -> tuple[tuple[tuple[int, str], ...], Manner]:
        rng, company = self._rng, next(self._names)
        style = rng.choice(OWN_HOSTS)
        manner = kind.change(replace(style.manner(f"mx.{company}", rng), difficult=True), rng)
        if manner.pipelining in (Pipelining.NO, Pipelining.PUNISHED):
            manner = replace(manner, ehlo=manner.ehlo.replace(b"PIPELINING\r\n", b"XNOTHING\r\n"))
        if not manner.utf8:
            manner = replace(manner, ehlo=manner.ehlo.replace(b"SMTPUTF8\r\n", b"XNOTHING\r\n"))
        exchanges = [(20, f"mx.{company}")]
        self._place(f"mx.{company}", kind.line, manner, private=kind.private)
        if kind.first is not None or kind.private_first:
            exchanges.insert(0, (10, f"first.{company}"))
            self._place(f"first.{company}", kind.first or Line.REFUSED, manner, private=kind.private_first)
        return tuple(exchanges), manner

    def _place(self, name: str, line: Line, manner: Manner, *, private: bool) -> None:
        if private:
            self.world.zone.a[name] = (self._rng.choice(_PRIVATE),)
            return
        ip = next(self._addresses)
        self.world.zone.a[name] = (ip,)
        self.world.hosts.append(Host(name, ip, manner, line))

    def _fill(self, domain: str, kind: Kind, exchanges: tuple[tuple[int, str], ...], manner: Manner, size: int) -> None:
        rng, world = self._rng, self.world
        if kind.silent_names:
            world.zone.broken[domain] = Rcode.SILENCE
        else:
            world.zone.mx[domain] = exchanges
        everything = rng.random() < _CATCH_ALL_SHARE
        world.strangers[domain.encode()] = manner.accepted if everything else manner.missing
        box = words.mailboxes(rng)
        for _ in range(size):
            foreign = kind.foreign and rng.random() < _FOREIGN_SHARE
            local = words.foreign_mailbox(rng) if foreign else next(box)
            verdict = kind.verdict or self._mailbox(f"{local}@{domain}", manner, everything=everything)
            if foreign:
                verdict = NEEDS_UTF8
            world.questions.append((f"{local}@{domain}", _named(verdict, kind)))

    def _mailbox(self, address: str, manner: Manner, *, everything: bool) -> Truth:
        if everything:
            return CATCH_ALL
        if self._rng.random() < _MISSING_SHARE:
            return MISSING
        self.world.replies[address.encode()] = manner.accepted
        return VALID


def _named(verdict: Truth, kind: Kind) -> Truth:
    if kind.later:
        return replace(truth("unknown", "greylisted"), kind=kind.name, later=replace(verdict, kind=kind.name))
    return replace(verdict, kind=kind.name)


def hostile_world(seed: int, *, domains: int, sets: int, addresses: int) -> World:
    """A world of difficult hosts."""
    return HostileWorld(seed, domains=domains, sets=sets, addresses=addresses).build()
