"""DNS queries beside those of verdicts: reverse names and block lists of the self-check, and texts that prove who owns
a domain. Not time-critical."""

from collections.abc import Sequence
from functools import cached_property

import dns.exception
import dns.nameserver
import dns.resolver
import dns.reversename
from django.conf import settings

_LIFETIME_S = 4.0


class ReputationResolver:
    """Queries the given resolvers, (address, port) each, or the machine's own. A failed query has no answer."""

    def __init__(self, servers: Sequence[tuple[str, int]]) -> None:
        self._servers = servers

    @cached_property
    def _resolver(self) -> dns.resolver.Resolver:
        resolver = dns.resolver.Resolver(configure=not self._servers)
        if self._servers:
            resolver.nameservers = [dns.nameserver.Do53Nameserver(host, port) for host, port in self._servers]
        resolver.lifetime = _LIFETIME_S
        return resolver

    def addresses(self, name: str) -> list[str]:
        """The IPv4 and IPv6 addresses of a name."""
        return [*self._ask(name, "A"), *self._ask(name, "AAAA")]

    def pointers(self, address: str) -> list[str]:
        """The reverse DNS names of an address."""
        return self._ask(dns.reversename.from_address(address).to_text(), "PTR")

    def mail_hosts(self, domain: str) -> list[str]:
        """The MX hosts of a domain."""
        return [text.partition(" ")[2] for text in self._ask(domain, "MX")]

    def listed(self, address: str, zone: str) -> bool | None:
        """Whether a DNS block list contains an address (RFC 5782); None without an answer."""
        labels = dns.reversename.from_address(address).labels[:-3]
        name = ".".join([label.decode() for label in labels] + [zone])
        try:
            answers = [item.to_text() for item in self._resolver.resolve(name, "A", search=False)]
        except dns.resolver.NXDOMAIN:
            return False
        except dns.exception.DNSException:
            return None
        # 127.255.255.0/24 means that the query was refused.
        return None if any(answer.startswith("127.255.255.") for answer in answers) else True

    def texts(self, name: str) -> list[str] | None:
        """The TXT records of a name, each in one piece; None without an answer."""
        try:
            answers = self._resolver.resolve(name, "TXT", search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.exception.DNSException:
            return None
        return [b"".join(item.strings).decode(errors="replace") for item in answers]

    def _ask(self, name: str, kind: str) -> list[str]:
        try:
            answers = self._resolver.resolve(name, kind, search=False)
        except dns.exception.DNSException:
            return []
        return [item.to_text().rstrip(".").lower() for item in answers]


def look_up_texts(name: str) -> list[str] | None:
    """The TXT records of a name, asked for now by our resolver; None without an answer."""
    return ReputationResolver(settings.VERIFIER_DNS).texts(name)
