"""What is known about a domain before anybody is asked by SMTP; shared by all addresses of the domain."""

from dataclasses import dataclass

from validation.engine.dns.mail_hosts import MailHosts
from validation.engine.knowledge.domain_lists import ListFacts
from validation.engine.vocabulary import Check, Reason

_DEAD = frozenset({Reason.NO_DOMAIN, Reason.NO_MAIL_HOST, Reason.NULL_MX, Reason.BOGUS_MX})
_UNDECIDED = frozenset({Reason.DNS_ERROR, Reason.TIMEOUT})


@dataclass(frozen=True, slots=True)
class DomainFacts:
    """The lists' and the domain name system's word on one domain, with the checks made of it."""

    hosts: MailHosts
    lists: ListFacts
    list_checks: tuple[Check, ...]
    dns_checks: tuple[Check, ...]
    asks_mail_hosts: bool = True

    @property
    def is_undecided(self) -> bool:
        """Whether the domain name system gave no usable answer."""
        return self.hosts.reason in _UNDECIDED

    @property
    def is_dead(self) -> bool:
        """Whether the domain certainly takes no mail."""
        return self.hosts.reason in _DEAD

    @property
    def needs_probe(self) -> bool:
        """Whether only its mail hosts can say more."""
        return self.asks_mail_hosts and self.hosts.reason is None and not self.lists.is_disposable_domain
