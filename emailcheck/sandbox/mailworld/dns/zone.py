"""The DNS records of the simulated world, and the response to one query."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field

import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.reversename
import dns.rrset
from dns.rdtypes.ANY.TXT import TXT

from emailcheck.sandbox.mailworld.scenario.world import Dns, Domain, Host, World
from emailcheck.sandbox.receiver.host_names import NAMES

_SOA = "ns1.{zone}. hostmaster.{zone}. 2025010101 7200 3600 1209600 {ttl}"
_MAX_CHAIN = 8
_LONGEST_STRING = 255
# Empty zones: reverse names of the world's addresses, and a block list.
_EMPTY_ZONES = ("11.in-addr.arpa", "zen.spamhaus.org")


@dataclass(slots=True)
class Answer:
    """The sections of one response. `dropped` means that the name server never answers."""

    rcode: dns.rcode.Rcode = dns.rcode.NOERROR
    answer: list[dns.rrset.RRset] = field(default_factory=list)
    authority: list[dns.rrset.RRset] = field(default_factory=list)
    dropped: bool = False


class Zone:
    """All records of the world, by name and type. Names are lower-case A-labels without the final dot."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._records: dict[str, dict[str, list[str]]] = {}
        for operator in world.operators.values():
            for host in operator.hosts:
                self._add_host(host.name_for("tenant"), host)
                self._add_pointers(host)
        for domain in world.domains.values():
            self._add_domain(domain)
        for name, addresses in NAMES.items():
            self.point(name, addresses)
        for visitor in world.visitors:
            self._add(visitor.name, "A", visitor.address)
            self._add(_build_pointer_name(visitor.address), "PTR", f"{visitor.name}.")

    def point(self, name: str, addresses: Sequence[str]) -> None:
        """Let a name have these addresses, and no other."""
        self._records[name] = {}
        for address in addresses:
            self._add(name, "A" if ipaddress.ip_address(address).version == 4 else "AAAA", address)

    def add_text(self, name: str, text: str) -> None:
        """Let a name have a TXT record more. Raises `ValueError` with a sentence where it cannot have one."""
        domain = self._enclosing(name)
        if domain is not None and (domain.dns in _FAILURES or "CNAME" in self._records.get(name, {})):
            raise ValueError(f"{domain.title} takes no records: {domain.note}.")
        self._add(name, "TXT", _build_text(text))

    def remove_text(self, name: str, text: str) -> None:
        """Take such a record away again; a name without records is unknown."""
        records = self._records[name]
        records["TXT"].remove(_build_text(text))
        if not records["TXT"]:
            del records["TXT"]
        if not records:
            del self._records[name]

    def lookup(self, name: str, rdtype: str) -> Answer:
        """The answer a recursive resolver would give: CNAMEs followed, negative answers with their SOA
        (RFC 2308 section 5), names outside the world REFUSED."""
        answer = Answer()
        for _ in range(_MAX_CHAIN):
            domain = self._enclosing(name)
            if domain is not None and domain.dns in _FAILURES:
                return self._failure(domain, answer)
            records = self._records.get(name)
            if records is None:
                return self._no_such_name(name, domain, answer)
            found = records.get(rdtype)
            if found is not None:
                answer.answer.append(self._rrset(name, rdtype, found))
                return answer
            alias = records.get("CNAME")
            if alias is None:
                answer.authority.append(self._soa(domain.name if domain else _parent_name(name)))
                return answer
            answer.answer.append(self._rrset(name, "CNAME", alias))
            name = alias[0].rstrip(".")
        answer.rcode = dns.rcode.SERVFAIL
        return answer

    def _add(self, name: str, rdtype: str, value: str) -> None:
        values = self._records.setdefault(name, {}).setdefault(rdtype, [])
        if value not in values:
            values.append(value)

    def _add_host(self, name: str, host: Host) -> None:
        for address in host.addresses:
            self._add(name, "A" if ipaddress.ip_address(address).version == 4 else "AAAA", address)

    def _add_pointers(self, host: Host) -> None:
        for address in host.addresses:
            self._add(_build_pointer_name(address), "PTR", f"{host.name_for('tenant')}.")

    def _add_domain(self, domain: Domain) -> None:
        if domain.dns is Dns.CNAME:
            self._add(domain.name, "CNAME", f"{domain.cname}.")
            return
        if domain.dns in _FAILURES:
            return
        self._add(domain.name, "SOA", _SOA.format(zone=domain.name, ttl=self._world.negative_ttl))
        self._add(domain.name, "NS", f"ns1.{domain.name}.")
        for target in domain.targets:
            self._add(domain.name, "MX", f"{target.preference} {target.name}.")
            if target.address:
                self._add(target.name, "A", target.address)
        if domain.dns is Dns.NULL_MX:
            self._add(domain.name, "MX", "0 .")
        if domain.operator is not None:
            self._add_mail(domain, domain.operator.hosts)

    def _add_mail(self, domain: Domain, hosts: Sequence[Host]) -> None:
        self._add(domain.name, "TXT", '"v=spf1 mx -all"')
        self._add(f"_dmarc.{domain.name}", "TXT", '"v=DMARC1; p=quarantine"')
        if domain.dns is Dns.IMPLICIT:
            self._add_host(domain.name, hosts[0])
            return
        for host in hosts:
            name = host.name_for(domain.name)
            self._add(domain.name, "MX", f"{host.preference} {name}.")
            self._add_host(name, host)

    def _enclosing(self, name: str) -> Domain | None:
        while name:
            domain = self._world.domains.get(name)
            if domain is not None:
                return domain
            name = name.partition(".")[2]
        return None

    def _failure(self, domain: Domain, answer: Answer) -> Answer:
        answer.dropped = domain.dns is Dns.TIMEOUT
        answer.rcode = _FAILURES[domain.dns]
        if domain.dns is Dns.NXDOMAIN:
            answer.authority.append(self._soa(_parent_name(domain.name)))
        return answer

    def _no_such_name(self, name: str, domain: Domain | None, answer: Answer) -> Answer:
        zone = domain.name if domain else next((zone for zone in _EMPTY_ZONES if name.endswith(zone)), "")
        if not zone:
            answer.rcode = dns.rcode.REFUSED
            return answer
        answer.rcode = dns.rcode.NXDOMAIN
        answer.authority.append(self._soa(zone))
        return answer

    def _soa(self, zone: str) -> dns.rrset.RRset:
        ttl = self._world.negative_ttl
        return dns.rrset.from_text(f"{zone}.", ttl, "IN", "SOA", _SOA.format(zone=zone, ttl=ttl))

    def _rrset(self, name: str, rdtype: str, values: list[str]) -> dns.rrset.RRset:
        return dns.rrset.from_text_list(f"{name}.", self._world.positive_ttl, "IN", rdtype, values)


_FAILURES = {
    Dns.NXDOMAIN: dns.rcode.NXDOMAIN,
    Dns.SERVFAIL: dns.rcode.SERVFAIL,
    Dns.TIMEOUT: dns.rcode.NOERROR,
}


def _build_text(text: str) -> str:
    """A text as it stands in a zone file: quoted, in strings of at most 255 octets (RFC 1035)."""
    octets = text.encode()
    strings = [octets[first : first + _LONGEST_STRING] for first in range(0, len(octets), _LONGEST_STRING)]
    return TXT(dns.rdataclass.IN, dns.rdatatype.TXT, strings).to_text()


def _build_pointer_name(address: str) -> str:
    return dns.reversename.from_address(address).to_text(omit_final_dot=True)


def _parent_name(name: str) -> str:
    return name.partition(".")[2]
