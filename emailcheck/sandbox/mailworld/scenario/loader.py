"""`world.toml` read, checked and expanded."""

import ipaddress
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from emailcheck.sandbox.mailworld.scenario.limits import Limits
from emailcheck.sandbox.mailworld.scenario.mailboxes import MailboxRules, State
from emailcheck.sandbox.mailworld.scenario.world import (
    Dns,
    Domain,
    Greeting,
    Host,
    HostState,
    Operator,
    Recipient,
    Sender,
    StartTls,
    Target,
    Visitor,
    World,
    encode_a_labels,
)

WORLD_FILE = Path(__file__).parents[2] / "world.toml"

_KINDS: Mapping[str, Any] = {
    "unlikely": State,
    "starttls": StartTls,
    "greeting": Greeting,
    "sender": Sender,
    "recipient": Recipient,
}


class _Addresses:
    """Hands out globally routable addresses, the same ones at every start."""

    def __init__(self) -> None:
        self._v4 = ipaddress.IPv4Address("11.20.0.10")
        self._v6 = ipaddress.IPv6Address("2a0e:5ec0::25")

    def allocate(self, *, ipv4: bool, ipv6: bool) -> tuple[str, ...]:
        allocated: list[str] = []
        if ipv4:
            self._v4 += 7
            allocated.append(str(self._v4))
        if ipv6:
            self._v6 += 1 << 64
            allocated.append(str(self._v6))
        return tuple(allocated)


class _Builder:
    def __init__(self, source: Mapping[str, Any]) -> None:
        self._source = source
        self._addresses = _Addresses()
        self._limits = {key: Limits(**table) for key, table in source["companies"].items()}
        self.operators: dict[str, Operator] = {}
        self.domains: dict[str, Domain] = {}

    def build(self) -> World:
        for key, table in self._source["operators"].items():
            self._add_operator(key, **table)
        for table in self._source["domains"]:
            self._add_domain(**table)
        for table in self._source["families"]:
            self._add_family(**table)
        settings = self._source["world"]
        return World(
            visitors=self._visitors(),
            limits=self._limits,
            limits_factor=settings["limits_factor"],
            positive_ttl=settings["positive_ttl"],
            negative_ttl=settings["negative_ttl"],
            greylist_s=settings["greylist_seconds"],
            mailboxes=MailboxRules(self._source["mailboxes"]),
            operators=self.operators,
            domains=self.domains,
            hosts_by_address={
                address: (operator, host)
                for operator in self.operators.values()
                for host in operator.hosts
                for address in host.addresses
            },
        )

    def _visitors(self) -> tuple[Visitor, ...]:
        """The visitors; the first is the default."""
        others = [Visitor(key=key, **table) for key, table in self._source["egress"].items()]
        return (Visitor(key="egress-1", **self._source["visitor"]), *others)

    def _add_operator(
        self, key: str, *, title: str, style: str, hosts: list[dict[str, Any]], company: str = "", **habits: Any
    ) -> Operator:
        if company and company not in self._limits:
            raise KeyError(company)
        operator = Operator(
            key=key,
            company=company or key,
            title=title,
            replies=self._source["styles"]["plain"] | self._source["styles"][style],
            hosts=tuple(host for table in hosts for host in self._hosts(**table)),
            **{name: _KINDS[name](value) if name in _KINDS else value for name, value in habits.items()},
        )
        self.operators[key] = operator
        return operator

    def _hosts(
        self,
        *,
        name: str,
        preference: int,
        state: str = "up",
        count: int = 1,
        ipv4: bool = True,
        ipv6: bool = False,
    ) -> Iterator[Host]:
        for number in range(1, count + 1):
            addresses = self._addresses.allocate(ipv4=ipv4, ipv6=ipv6)
            yield Host(name.replace("{n}", str(number)), preference, addresses, HostState(state))

    def _add_domain(self, **table: Any) -> None:
        title = table.pop("name")
        operator = table.pop("operator", "")
        dns = Dns.CNAME if "cname" in table else Dns(table.pop("dns", "mx"))
        name = encode_a_labels(title)
        if name in self.domains:
            raise ValueError(f"{title} is described twice")
        self.domains[name] = Domain(
            name=name,
            title=title,
            dns=dns,
            operator=self.operators[operator] if operator else None,
            targets=tuple(Target(**target) for target in table.pop("targets", ())),
            examples=tuple(table.pop("try", ())),
            **table,
        )

    def _add_family(
        self, *, key: str, title: str, domain: str, count: int, weight: int, dns: str = "mx", **hosting: Any
    ) -> None:
        operators = self._family_operators(key, title, **hosting)
        words = self._source["words"]
        first, second, tlds = words["first"], words["second"], words["tlds"]
        for index in range(count):
            name = domain.format(
                first=first[index % len(first)],
                second=second[index // len(first) % len(second)],
                n=index + 1,
                tld=tlds[index % len(tlds)],
            )
            operator = operators[index % len(operators)] if operators else ""
            self._add_domain(name=name, group=key, note=title, operator=operator, dns=dns, weight=weight)

    def _family_operators(
        self,
        key: str,
        title: str,
        *,
        use: str = "",
        sets: int = 0,
        hosts: int = 1,
        host: str = "",
        state: str = "up",
        operator: Mapping[str, Any] | None = None,
    ) -> list[str]:
        if use:
            return [use]
        keys = [f"{key}-{number}" for number in range(1, sets + 1)]
        for number, name in enumerate(keys, start=1):
            tables = [
                {"name": host.format(h=h, set=number), "preference": 10 * h, "state": state}
                for h in range(1, hosts + 1)
            ]
            self._add_operator(name, title=f"{title} ({number})", hosts=tables, **(operator or {}))
        return keys


def load_world(path: Path = WORLD_FILE) -> World:
    """Read a scenario file.

    Raises `OSError`, `tomllib.TOMLDecodeError`, and `KeyError`, `TypeError` or `ValueError` for a name
    that is not defined, an unknown key or an impossible value.
    """
    return _Builder(tomllib.loads(path.read_text(encoding="utf-8"))).build()
