"""A world of well-kept mail hosts: hosting companies, single hosts, domains of every common kind, their mailboxes."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import idna

from benchmarks.engine import words
from benchmarks.engine.model import Host, Manner, Rcode, Tls, Truth, World, truth
from benchmarks.engine.styles import EXCHANGE_ONLINE, GMAIL, OWN_HOSTS, Style

VALID = truth("valid", "mailbox_exists")
MISSING = truth("invalid", "mailbox_not_found")
CATCH_ALL = truth("catch_all", "accepts_all")
BAD_SYNTAX = truth("invalid", "syntax")
NEEDS_UTF8 = truth("invalid", "smtputf8_required")
NOT_HOSTED = truth("invalid", "domain_not_hosted")
NO_RELAY = truth("unknown", "blocked", kind="relaying refused")
_NOT_HERE = b"550 5.1.2 <{0}>: this domain is not hosted here\r\n"
_KNOWN = {  # condition of a mailbox: share among those that a domain knows, verdict
    "full": (0.02, truth("invalid", "mailbox_full")),
    "full_now": (0.015, truth("unknown", "mailbox_full", kind="mailbox_full for now")),
    "disabled": (0.025, truth("invalid", "mailbox_disabled")),
    "trouble": (0.005, truth("unknown", "temporary")),
    "busy": (0.01, truth("valid", "mailbox_exists", kind="mailbox_exists, busy")),
}
_MISSING_SHARE = 0.24
_ROLE_SHARE = 0.05
_TAG_SHARE = 0.02
_QUOTED_SHARE = 0.004
_FOREIGN_SHARE = 0.008
_BAD_SYNTAX_SHARE = 0.015
# Domains that take no mail through a host of their own: share of all domains, what the name system says.
_WITHOUT_HOST = {
    "null_mx": (0.01, truth("invalid", "null_mx")),
    "no_domain": (0.02, truth("invalid", "no_domain")),
    "no_mail_host": (0.005, truth("invalid", "no_mail_host")),
    "bogus_mx": (0.004, truth("invalid", "bogus_mx")),
    "dns_error": (0.005, truth("unknown", "dns_error")),
}
_CATCH_ALL_SHARE = 0.08
_NOT_HOSTED_SHARE = 0.005
_ALIAS_SHARE = 0.01
_FOREIGN_DOMAIN_SHARE = 0.01
_DISPOSABLE = ("mailinator.com", "guerrillamail.com", "yopmail.com")


@dataclass(frozen=True, slots=True)
class HostSet:
    """Hosts that serve the same domains, in order of preference."""

    style: Style
    exchanges: tuple[tuple[int, str], ...]
    manner: Manner


class CleanWorld:
    """Builds a world from a seed. `sets` counts the sets of mail hosts, hosts of implicit MX included."""

    def __init__(
        self, seed: int, *, domains: int, sets: int, addresses: int, tls: bool = False, named: bool = True
    ) -> None:
        self._rng = random.Random(seed)
        self.world = World(seed)
        self._tls = Tls.OFFERED if tls else Tls.NONE
        self._names = words.domain_names(self._rng)
        self._addresses = public_addresses()
        self._named = named
        self._domains = domains
        self._sets = sets
        self._count = addresses
        self._tenant_ips: tuple[str, ...] = ()

    def build(self) -> World:
        """Everything: hosts, names, mailboxes and questions in random order."""
        rng = self._rng
        implicit = max(1, self._sets * 12 // 100)
        tenants = max(1, self._sets * 6 // 100) if self._named else 0
        sets = [self._host_set(number) for number in range(self._sets - implicit - tenants)]
        weights = [1 / (rank + 1) ** 0.7 for rank in range(len(sets))]
        sizes = self._sizes()
        for size in islice(sizes, implicit):
            self._fill(*self._implicit(), size)
        for size in islice(sizes, tenants):
            self._fill(*self._tenant(), size)
        for size in islice(sizes, len(_DISPOSABLE)):
            self._throw_away(size)
        for kind, (share, verdict) in _WITHOUT_HOST.items():
            for size in islice(sizes, max(1, round(share * self._domains))):
                self._without_host(kind, verdict, size)
        for number, size in enumerate(sizes):
            chosen = sets[number] if number < len(sets) else rng.choices(sets, weights)[0]
            self._hosted(chosen, size)
        bad = words.bad_addresses(rng)
        self.world.questions += [(next(bad), BAD_SYNTAX) for _ in range(round(self._count * _BAD_SYNTAX_SHARE))]
        rng.shuffle(self.world.questions)
        return self.world

    def _sizes(self) -> Iterator[int]:
        """How many addresses of each domain are asked for: few of most, many of some; the sum is exact."""
        total = self._count - round(self._count * _BAD_SYNTAX_SHARE)
        weights = [0.15 + self._rng.expovariate(1.0) for _ in range(self._domains)]
        scale, passed, given = total / sum(weights), 0.0, 0
        for weight in weights:
            passed += weight * scale
            size = max(0, round(passed) - given)
            given += size
            yield size

    def _host_set(self, number: int) -> HostSet:
        rng = self._rng
        company = next(self._names)
        if number == 0 and self._named:
            names = list(GMAIL.mx_suffixes)
            return self._with_hosts(GMAIL, names)
        count = rng.choice((1, 1, 1, 2, 2, 3))
        return self._with_hosts(rng.choice(OWN_HOSTS), [f"mx{place + 1}.{company}" for place in range(count)])

    def _with_hosts(self, style: Style, names: list[str]) -> HostSet:
        rng = self._rng
        manner = style.manner(names[0], rng, tls=self._tls, utf8=rng.random() < 0.8)
        same = rng.random() < 0.3
        for name in names:
            ip = next(self._addresses)
            self.world.hosts.append(Host(name, ip, manner))
            self.world.zone.a[name] = (ip,)
        exchanges = tuple((10 if same else 10 * (place + 1), name) for place, name in enumerate(names))
        return HostSet(style, exchanges, manner)

    def _implicit(self) -> tuple[str, HostSet]:
        """RFC 5321 section 5.1: no MX record, the domain's own address takes its mail."""
        domain = next(self._names)
        return domain, self._with_hosts(self._rng.choice(OWN_HOSTS), [domain])

    def _tenant(self) -> tuple[str, HostSet]:
        """Exchange Online: a host name for each domain, the same machines behind them."""
        rng, domain = self._rng, next(self._names)
        name = domain.replace(".", "-") + EXCHANGE_ONLINE.mx_suffixes[0]
        manner = EXCHANGE_ONLINE.manner(name, rng, tls=self._tls)
        if not self._tenant_ips:
            self._tenant_ips = tuple(islice(self._addresses, 2))
            self.world.hosts += [Host("mail.protection.outlook.com", ip, manner) for ip in self._tenant_ips]
        self.world.zone.a[name] = self._tenant_ips
        self.world.zone.mx[domain] = ((0, name),)
        return domain, HostSet(EXCHANGE_ONLINE, ((0, name),), self.world.hosts[-1].manner)

    def _hosted(self, chosen: HostSet, size: int) -> None:
        rng, zone = self._rng, self.world.zone
        if rng.random() < _FOREIGN_DOMAIN_SHARE:
            readable = words.foreign_domain(rng)
            domain = idna.encode(readable).decode()
            zone.mx[domain] = chosen.exchanges
            self._fill(domain, chosen, size, readable if rng.random() < 0.5 else domain)
            return
        domain = next(self._names)
        if rng.random() < _ALIAS_SHARE:
            zone.cname[domain] = f"mail.{domain}"
            zone.mx[f"mail.{domain}"] = chosen.exchanges
        else:
            zone.mx[domain] = chosen.exchanges
        self._fill(domain, chosen, size)

    def _throw_away(self, size: int) -> None:
        taken = sum(name in self.world.zone.mx for name in _DISPOSABLE)
        domain, box = _DISPOSABLE[taken], words.mailboxes(self._rng)
        hosts = self._with_hosts(OWN_HOSTS[0], [f"mx.{domain}"])
        self.world.zone.mx[domain] = hosts.exchanges
        self.world.strangers[domain.encode()] = hosts.manner.accepted
        verdict = truth("disposable", "disposable_domain")
        self.world.questions += [(f"{next(box)}@{domain}", verdict) for _ in range(size)]

    def _without_host(self, kind: str, verdict: Truth, size: int) -> None:
        domain, zone = next(self._names), self.world.zone
        if kind == "null_mx":
            zone.mx[domain] = ((0, "."),)
        elif kind == "no_mail_host":
            zone.empty.add(domain)
        elif kind == "bogus_mx":
            zone.mx[domain] = ((10, "localhost"),)
        elif kind == "dns_error":
            zone.broken[domain] = Rcode.FAILURE
        box = words.mailboxes(self._rng)
        self.world.questions += [(f"{next(box)}@{domain}", verdict) for _ in range(size)]

    def _fill(self, domain: str, hosts: HostSet, size: int, written: str = "") -> None:
        """The mailboxes of one domain."""
        rng, world = self._rng, self.world
        if rng.random() < _NOT_HOSTED_SHARE:
            self._moved_away(domain, size)
            return
        everything = rng.random() < _CATCH_ALL_SHARE
        world.strangers[domain.encode()] = hosts.manner.accepted if everything else hosts.manner.missing
        roles, box = list(words.ROLES), words.mailboxes(rng)
        for _ in range(size):
            role = roles.pop() if roles and rng.random() < _ROLE_SHARE else ""
            local, foreign = self._local(role or next(box), hosts)
            verdict = self._condition(f"{local}@{domain}", hosts, everything=everything)
            if foreign and not hosts.manner.utf8:
                verdict = NEEDS_UTF8
            world.questions.append((f"{local}@{written or domain}", verdict))

    def _moved_away(self, domain: str, size: int) -> None:
        """A domain whose records still point at hosts that serve it no more; some say so, some refuse to relay."""
        says_so = self._rng.random() < 0.5
        if says_so:
            self.world.strangers[domain.encode()] = _NOT_HERE
        box = words.mailboxes(self._rng)
        self.world.questions += [(f"{next(box)}@{domain}", NOT_HOSTED if says_so else NO_RELAY) for _ in range(size)]

    def _local(self, name: str, hosts: HostSet) -> tuple[str, bool]:
        draw = self._rng.random()
        if draw < _FOREIGN_SHARE:
            return words.foreign_mailbox(self._rng), True
        draw -= _FOREIGN_SHARE
        if draw < _TAG_SHARE:
            return f"{name}+{self._rng.choice(('news', 'shop', 'lists', '2025'))}", False
        if draw - _TAG_SHARE < _QUOTED_SHARE:
            return f'"{name.replace(".", " ")}"', False
        return name, False

    def _condition(self, address: str, hosts: HostSet, *, everything: bool) -> Truth:
        """Give the recipient a reply and tell the verdict it makes."""
        draw = self._rng.random()
        for kind, (share, verdict) in _KNOWN.items():
            if draw < share and kind in hosts.style.words:
                text = hosts.style.word(kind, address, hosts.exchanges[0][1], self._rng)
                self.world.replies[address.encode()] = text
                return verdict
            draw -= share
        if everything:
            return CATCH_ALL
        if draw < _MISSING_SHARE:
            return MISSING
        self.world.replies[address.encode()] = hosts.manner.accepted
        return VALID


def clean_world(seed: int, *, domains: int, sets: int, addresses: int, tls: bool = False, named: bool = True) -> World:
    """A world of well-kept hosts."""
    return CleanWorld(seed, domains=domains, sets=sets, addresses=addresses, tls=tls, named=named).build()


def public_addresses() -> Iterator[str]:
    """Public addresses that belong to nobody here: the run makes 11.0.0.0/8 local."""
    for number in range(1, 2**24):
        yield f"11.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
